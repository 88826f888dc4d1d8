"""The example pipelines: what they promise about credentials, and their commands in order in a shell."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from pipeline_stage import POOL, GitHub

PIPELINES = Path(__file__).parents[2] / "examples/pipelines"
ACCOUNTS = {
    "vars.GKE_RDMA_PLANS_BUCKET": "plans",
    "vars.GKE_RDMA_PLAN_ACCOUNT": "plan@x",
    "github.run_id": "17",
    "github.run_attempt": "1",
    "github.ref": "refs/heads/main",
    "github.repository": "team/infra",
}
PULL_REQUEST = ACCOUNTS | {
    "github.event.pull_request.head.repo.full_name": "team/infra",
    "github.event.pull_request.number": "7",
}


def read(name):
    return yaml.safe_load((PIPELINES / name).read_text())


PLAN, APPLY = read("github/gke-rdma-plan.yml"), read("github/gke-rdma-apply.yml")
GITLAB = read("gitlab/.gitlab-ci.yml")
ATLANTIS = read("atlantis/repos.yaml")
STEPS = [step for workflow in (PLAN, APPLY) for job in workflow["jobs"].values() for step in job["steps"]]


def triggers(workflow):
    # YAML 1.1 reads the key `on` as a boolean.
    return workflow[True]


def test_github_runs_strangers_code_without_rights():
    assert list(triggers(PLAN)) == ["pull_request"]
    assert set(triggers(APPLY)) == {"push", "workflow_dispatch"}
    for workflow in (PLAN, APPLY):
        assert workflow["permissions"] == {}
        for job in workflow["jobs"].values():
            rights = job["permissions"]
            assert rights.pop("contents") == "read"
            assert set(rights) <= {"id-token", "pull-requests"}
    assert "id-token" not in PLAN["jobs"]["lint"]["permissions"]
    assert PLAN["jobs"]["plan"]["if"] == "github.event.pull_request.head.repo.full_name == github.repository"
    assert "APPLY_ACCOUNT" not in (PIPELINES / "github/gke-rdma-plan.yml").read_text()
    assert APPLY["concurrency"]["cancel-in-progress"] is False
    assert APPLY["jobs"]["apply"]["environment"]


def test_github_pins_actions_keeps_no_credentials_and_writes_nothing_into_scripts():
    for step in STEPS:
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+\.\d+\.\d+", step["uses"]), step
            assert "artifact" not in step["uses"] and "cache" not in step["uses"]
        else:
            assert "${{" not in step["run"], step
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


def test_a_pull_request_is_linted_planned_and_commented(machine):
    ran = GitHub(machine, PLAN, PULL_REQUEST).run()
    assert {name: r.code for name, r in ran.items()} == {"lint": 0, "plan": 0}, ran
    comment = (machine.top / "comment.md").read_text()
    assert "2 to create" in comment
    assert [call[:3] for call in machine.calls("gh")] == [["pr", "comment", "7"]] * 2
    assert machine.calls("pipx") == [["install", "gke-rdma==0.1.0"]] * 2
    assert machine.state() == {}
    # The next push changes the same comment.
    machine.edit("node_count = 3", "node_count = 4")
    GitHub(machine, PLAN, PULL_REQUEST).run()
    assert len(machine.calls("gh")) == 3


def test_a_fork_is_linted_only(machine):
    machine.edit('gpudirect_strategy = "RDMA"', 'gpudirect_strategy = "rdma"')
    ran = GitHub(machine, PLAN, PULL_REQUEST | {"github.event.pull_request.head.repo.full_name": "eve/infra"}).run()
    assert {name: r.code for name, r in ran.items()} == {"lint": 1}
    assert "gpudirect-strategy" in ran["lint"].output and "infra/main.tf" in ran["lint"].output
    assert machine.calls("gcloud") == machine.calls("gh") == []


def test_github_applies_what_it_planned_and_an_approval_is_one_argument(machine):
    ran = GitHub(machine, APPLY, ACCOUNTS).run()
    assert {name: r.code for name, r in ran.items()} == {"plan": 0, "apply": 0}, ran
    assert set(machine.state()) == {"google_container_cluster.c", POOL}
    assert machine.plans_left() == []

    again = GitHub(machine, APPLY, ACCOUNTS).run()
    assert {name: r.code for name, r in again.items()} == {"plan": 0}, again

    machine.edit("spot               = true", "spot               = false")
    refused = GitHub(machine, APPLY, ACCOUNTS).run()
    assert {name: r.code for name, r in refused.items()} == {"plan": 4}
    assert "--allow-replace" in refused["plan"].output

    hostile = ACCOUNTS | {"inputs.allow_replace": f'"; touch {machine.top}/pwned; $(touch {machine.top}/pwned) `id` *'}
    assert GitHub(machine, APPLY, hostile).run()["plan"].code in (2, 4)
    assert not (machine.top / "pwned").exists()

    approved = GitHub(machine, APPLY, ACCOUNTS | {"inputs.allow_replace": f"other.x {POOL}"}).run()
    assert {name: r.code for name, r in approved.items()} == {"plan": 0, "apply": 0}, approved
    assert machine.state()[POOL]["node_config"][0]["spot"] is False


def test_github_applies_nothing_that_was_changed_after_the_plan(machine):
    run = GitHub(machine, APPLY | {"jobs": {"plan": APPLY["jobs"]["plan"]}}, ACCOUNTS)
    assert run.run()["plan"].code == 0
    machine.edit("node_count = 3", "node_count = 9")
    run.workflow = APPLY | {"jobs": {"apply": {k: v for k, v in APPLY["jobs"]["apply"].items() if k != "needs"}}}
    ran = run.run()["apply"]
    assert ran.code == 4 and "main.tf has changed" in ran.output
    assert machine.state() == {} and machine.plans_left() == []


GITLAB_VARIABLES = {
    "GKE_RDMA_IDENTITY_PROVIDER": "projects/1/locations/global/workloadIdentityPools/p/providers/q",
    "GKE_RDMA_PLAN_ACCOUNT": "plan@x",
    "GKE_RDMA_APPLY_ACCOUNT": "apply@x",
    "GKE_RDMA_PLANS_BUCKET": "gs://plans",
    "GKE_RDMA_TOKEN": "secret-token",
    "CI_PIPELINE_ID": "5",
    "CI_JOB_ID": "6",
}


def gitlab(machine, name, **variables):
    """Run a job; GitLab joins its parts and stops at the first command that fails."""
    machine.checkout()
    job = GITLAB[".google"] | GITLAB[name] if "extends" in GITLAB[name] else GITLAB[name]
    own = {n: v["value"] if isinstance(v, dict) else v for n, v in GITLAB["variables"].items()}
    environment = GITLAB_VARIABLES | own | job.get("variables", {}) | variables | {"CI_BUILDS_DIR": str(machine.top)}
    environment = {n: os.path.expandvars(v) if v.startswith("gs") else v for n, v in environment.items()}
    environment["ACCOUNT"] = environment.get(environment.get("ACCOUNT", "")[1:], "")
    ran = machine.shell(
        ["bash", "-eo", "pipefail"], "\n".join([*job.get("before_script", []), *job["script"]]), environment
    )
    if "after_script" in job:
        machine.shell(["bash"], "\n".join(job["after_script"]), environment)
    return ran


def test_gitlab_gives_forks_no_credentials_and_keeps_no_plan_as_artifact():
    (rule,) = GITLAB["plan-merge-request"]["rules"]
    assert "$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID" in rule["if"]
    assert "extends" not in GITLAB["lint"]
    for name in ("plan", "apply"):
        assert all("$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH" in rule["if"] for rule in GITLAB[name]["rules"])
    kept = [
        path
        for name, job in GITLAB.items()
        if isinstance(job, dict)
        for path in job.get("artifacts", {}).get("paths", [])
    ]
    assert set(kept) == {"summary.md"}
    assert GITLAB["apply"]["rules"][0]["when"] == "manual"
    assert GITLAB["apply"]["resource_group"] == GITLAB["plan"]["resource_group"]


def test_gitlab_from_lint_to_an_approved_replacement(machine):
    linted = gitlab(machine, "lint")
    assert linted.code == 0, linted.output
    assert (machine.job / "gl-code-quality-report.json").read_text().strip() == "[]"
    planned = gitlab(machine, "plan-merge-request")
    assert planned.code == 0, planned.output
    assert "2 to create" in (machine.job / "summary.md").read_text()
    for name in ("plan", "apply"):
        ran = gitlab(machine, name)
        assert ran.code == 0, ran.output
    assert set(machine.state()) == {"google_container_cluster.c", POOL}
    accounts = {argument for call in machine.calls("gcloud") for argument in call if argument.startswith("--service")}
    assert accounts == {"--service-account=plan@x", "--service-account=apply@x"}
    assert "secret-token" not in str(machine.calls("gcloud"))
    assert not list(machine.top.glob("token-*")) and machine.plans_left() == []

    machine.edit("spot               = true", "spot               = false")
    assert gitlab(machine, "plan").code == 4
    hostile = gitlab(machine, "plan", ALLOW_REPLACE=f'"; touch {machine.top}/pwned; $(touch {machine.top}/pwned) *')
    assert hostile.code in (2, 4) and not (machine.top / "pwned").exists()
    assert gitlab(machine, "plan", ALLOW_REPLACE=POOL).code == 0
    assert gitlab(machine, "apply").code == 0
    assert machine.state()[POOL]["node_config"][0]["spot"] is False


def atlantis(machine, command, comment=()):
    """Run a command's steps as the server does; it passes arguments on with each character escaped."""
    escaped = ",".join("".join(f"\\{letter}" for letter in argument) for argument in comment)
    environment = {"PLANFILE": str(machine.top / "default.tfplan"), "COMMENT_ARGS": escaped}
    told = []
    for step in ATLANTIS["workflows"]["gke-rdma"][command]["steps"]:
        ran = machine.shell(["sh"], step["run"], environment, machine.job / "infra")
        told.append(ran.output)
        if ran.code:
            break
    ran.output = "\n".join(told)
    return ran


def test_atlantis_plans_applies_and_takes_approvals_only(machine):
    (repo,) = ATLANTIS["repos"]
    assert repo["allow_custom_workflows"] is False and repo["allowed_overrides"] == []
    assert {"approved", "mergeable", "undiverged"} <= set(repo["apply_requirements"])
    shutil.copy(PIPELINES / "atlantis/gke-rdma-plan.sh", machine.top / "tools")
    machine.checkout()
    planned = atlantis(machine, "plan")
    assert planned.code == 0, planned.output
    applied = atlantis(machine, "apply")
    assert applied.code == 0, applied.output
    assert set(machine.state()) == {"google_container_cluster.c", POOL}

    machine.edit("spot               = true", "spot               = false")
    machine.checkout()
    assert atlantis(machine, "plan").code == 4
    for wrong in ("--var=x=y", "-h", "$(touch pwned)"):
        refused = atlantis(machine, "plan", [wrong])
        assert refused.code == 2 and "is not taken" in refused.output
    approved = atlantis(machine, "plan", [f"--allow-replace={POOL}", "--allow-destroy=other.x"])
    assert approved.code == 0, approved.output
    assert atlantis(machine, "apply").code == 0
    assert machine.state()[POOL]["node_config"][0]["spot"] is False


SHELLCHECK = shutil.which("shellcheck", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
SCRIPTS = {
    "atlantis": ("sh", (PIPELINES / "atlantis/gke-rdma-plan.sh").read_text()),
    "gitlab": ("bash", "\n".join(line for job in GITLAB.values() if "script" in job for line in job["script"])),
    "github": ("bash", "\n".join(step["run"] for step in STEPS if "run" in step)),
}


@pytest.mark.skipif(SHELLCHECK is None, reason="shellcheck is not installed")
@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_have_no_traps(name):
    shell, text = SCRIPTS[name]
    # Variables come from the pipeline's environment.
    command = [SHELLCHECK, f"--shell={shell}", "--exclude=SC2154", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
