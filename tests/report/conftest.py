"""A report with everything in it that a format has to draw."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError, UserErrors
from generator.findings import Edit, Finding, Fix, Location, Related, Report, Safety, Severity
from generator.report.drawing import Drawing

HOSTILE = 'bad " <b> & \x1b[31m \x00 ::error:: 100%\r\nnext \u202e ]]> \ud800'


@pytest.fixture
def drawing(tmp_path: Path) -> Drawing:
    lines = {3: '\tdisk_type = "pd-ssd" # 値', 7: "labels = {"}
    return Drawing(tmp_path, line_text=lambda path, line: lines.get(line))


@pytest.fixture
def report(tmp_path: Path) -> Report:
    main = tmp_path / "pools" / "main.tf"
    findings = [
        Finding(
            rule="boot-disk",
            severity=Severity.ERROR,
            message='the boot disk is "pd-ssd"',
            help="Write hyperdisk-balanced.",
            location=Location(main, 3, 14, 3, 22),
            resource="google_container_node_pool.gpu",
            related=(Related(Location(tmp_path / "a b,c:d.tf", 1, 2, 1, 5), "module.gpu is called here"),),
            fix=Fix(Safety.UNSAFE, (Edit(main, 30, 38, '"hyperdisk-balanced"'),)),
        ),
        Finding("dranet-label", Severity.WARNING, HOSTILE, HOSTILE, Location(main, 7, 1, 9, 2)),
        Finding("capacity", Severity.ADVICE, "none", "", Location(tmp_path / "z.tf", 1, 1, 1, 1)),
        Finding("replacement", Severity.ERROR, "replaced", "Allow it.", None, "module.x.y.z", refused=True),
    ]
    errors = [
        InputError("cannot be read", hint="mend it", path=tmp_path / "x.tf", line=4),
        UserErrors([InputError(HOSTILE)]),
        ValueError("surprise"),
    ]
    return Report(findings, errors, files=2, ignored=3)
