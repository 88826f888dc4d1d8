"""The help of a finding says what its fix would write."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.cli import run

POOL = """\
terraform {{
  required_providers {{
    google = {{
      source  = "hashicorp/google"
      version = "{constraint}"
    }}
  }}
}}

resource "google_container_node_pool" "gpu" {{
  name    = "gpu"
  cluster = var.cluster

  node_config {{
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
  }}
}}
"""


@pytest.mark.parametrize(
    ("constraint", "told"),
    [
        ("~> 7.30", "~> 7.34"),
        (">= 6.0, < 8", ">= 7.34, < 8"),
        ("7.20.0", "7.34.0"),
        ("!= 7.0.0", ">= 7.34.0, != 7.0.0"),
    ],
)
def test_a_raised_constraint_is_told_as_it_is_written(
    constraint: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main.tf").write_text(POOL.format(constraint=constraint))
    assert run(["lint", "--select", "provider-version"]) == 1
    assert f'help: Write version = "{told}".' in capsys.readouterr().out
    assert run(["lint", "--select", "provider-version", "--fix"]) == 0
    assert f'version = "{told}"' in Path("main.tf").read_text()
