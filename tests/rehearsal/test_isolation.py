"""The throw-away copy and the environment that Terraform gets in it."""

import tempfile
from pathlib import Path

import pytest

from generator.errors import ToolError
from generator.rehearsal import isolation, leftovers

ACCOUNTS = {
    "GOOGLE_APPLICATION_CREDENTIALS": "/secret.json",
    "GOOGLE_OAUTH_ACCESS_TOKEN": "x",
    "GOOGLE_PROJECT": "p",
    "CLOUDSDK_CONFIG": "/c",
    "CLOUDSDK_CORE_PROJECT": "p",
    "KUBECONFIG": "/k",
    "KUBE_CONFIG_PATH": "/k",
    "GCE_METADATA_HOST": "h",
    "AWS_ACCESS_KEY_ID": "a",
    "TF_TOKEN_app_terraform_io": "t",
    "TF_DATA_DIR": "/d",
    "TF_PLUGIN_CACHE_DIR": "/d",
    "TF_WORKSPACE": "w",
    "TF_CLI_CONFIG_FILE": "/mine",
    "TF_REATTACH_PROVIDERS": "{}",
    "XDG_CONFIG_HOME": "/x",
    "HOME": "/home/me",
}


def test_accounts_and_other_places_leave_the_environment(copied):
    kept = {"PATH": "/bin", "TF_VAR_zone": "z", "LANG": "C"}
    environment = isolation.environment(ACCOUNTS | kept, copied, "REATTACH")
    assert {n: environment[n] for n in kept} == kept
    assert environment.keys() == kept.keys() | {"HOME", "TF_CLI_CONFIG_FILE", "TF_REATTACH_PROVIDERS"}
    assert not ({"/secret.json", "/home/me", "/mine", "{}"} & set(environment.values()))
    assert list((copied.top / "home").iterdir()) == []


def test_the_copy_has_its_own_state_and_no_registry(copied):
    override = (copied.root / isolation.OVERRIDE).read_text()
    assert 'backend "local"' in override and str(copied.top) in override
    configuration = (copied.top / "terraform.tfrc").read_text()
    assert "filesystem_mirror" in configuration and "direct" not in configuration


def test_what_is_copied(tmp_path):
    root = tmp_path / "repo" / "root"
    for name in ("main.tf", "a.auto.tfvars", "files/x.txt", ".terraform.lock.hcl", "terraform.tfstate", ".git/config"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    (root / ".terraform/modules/m").mkdir(parents=True)
    (root / ".terraform/modules/m/main.tf").write_text("")
    (root / "loop").symlink_to(root)
    (root / "link.tf").symlink_to(root / "main.tf")
    (root / "broken.tf").symlink_to(root / "nowhere")
    module = tmp_path / "repo" / "modules" / "gpu"
    module.mkdir(parents=True)
    (module / "main.tf").write_text("module")
    before = sorted(p for p in tmp_path.rglob("*") if "loop" not in p.parts)
    with isolation.copy(root, [module], keep=False) as made:
        found = {p.relative_to(made.top / "copy").as_posix() for p in (made.top / "copy").rglob("*") if p.is_file()}
        assert found == {
            "root/main.tf",
            "root/link.tf",
            "root/a.auto.tfvars",
            "root/files/x.txt",
            "root/.terraform/modules/m/main.tf",
            f"root/{isolation.OVERRIDE}",
            "modules/gpu/main.tf",
        }
        assert made.original(made.root / "main.tf") == root / "main.tf"
        assert made.original("/elsewhere").as_posix() == "/elsewhere"
    assert not made.top.exists()
    assert sorted(p for p in tmp_path.rglob("*") if "loop" not in p.parts) == before


def test_a_copy_can_be_kept_and_is_gone_after_an_error(tmp_path):
    (tmp_path / "main.tf").write_text("")
    with pytest.raises(ValueError, match="stop"), isolation.copy(tmp_path, [], keep=False) as made:
        raise ValueError("stop")
    assert not made.top.exists()
    with isolation.copy(tmp_path, [], keep=True) as made:
        pass
    assert made.root.is_dir()
    isolation.shutil.rmtree(made.top)


def test_a_file_that_cannot_be_read_is_a_clear_error(tmp_path, monkeypatch):
    (tmp_path / "main.tf").write_text("")
    monkeypatch.setattr(isolation.shutil, "copy2", lambda *_: (_ for _ in ()).throw(PermissionError("no")))
    with pytest.raises(ToolError, match="cannot be made"), isolation.copy(tmp_path, [], keep=False):
        pass


def left_behind(folder, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    killed = Path(tempfile.mkdtemp(prefix=leftovers.PREFIX))
    with leftovers.held(killed):
        (killed / "terraform.tfstate").touch()
    return killed


def test_what_a_killed_rehearsal_left_goes_with_the_next(tmp_path, monkeypatch):
    (tmp_path / "root").mkdir()
    killed = left_behind(tmp_path, monkeypatch)
    kept = Path(tempfile.mkdtemp(prefix=leftovers.PREFIX))
    others = tmp_path / f"{leftovers.PREFIX}of-somebody"
    others.mkdir(mode=0o755)
    (others / "in-use").touch()
    link = tmp_path / f"{leftovers.PREFIX}link"
    link.symlink_to(tmp_path / "root")
    with isolation.copy(tmp_path / "root", [], keep=False) as made:
        assert not killed.exists()
        leftovers.clean_up()
        assert made.root.exists()
    assert kept.exists() and others.exists() and link.is_symlink() and not made.top.exists()


def test_a_copy_that_is_kept_stays(tmp_path, monkeypatch):
    (tmp_path / "root").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with isolation.copy(tmp_path / "root", [], keep=True) as made:
        pass
    leftovers.clean_up()
    assert made.root.exists()
