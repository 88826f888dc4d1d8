"""Sources made of text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from generator.hcl.source import Source


@pytest.fixture
def source() -> Callable[[str], Source]:
    return lambda text: Source(Path("/module/main.tf"), text)
