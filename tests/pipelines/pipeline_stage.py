"""A machine that runs the commands of a pipeline: a repository, doubles of the tools on PATH, the real core, the stand-in."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

POOL = "google_container_node_pool.p"
MAIN = """
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
  backend "local" {
    path = "STATE"
  }
}

provider "google" {
  project = "my-project"
  region  = "us-central1"
}

resource "google_container_cluster" "c" {
  name                = "gpu"
  location            = "us-central1-b"
  initial_node_count  = 3
  deletion_protection = false
  min_master_version  = "1.34.8-gke.1278000"
  datapath_provider   = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "p" {
  name       = "rdma-pool"
  cluster    = google_container_cluster.c.id
  location   = google_container_cluster.c.location
  version    = "1.34.8-gke.1278000"
  node_count = 3

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = 8
    }
    ephemeral_storage_local_ssd_config {
      local_ssd_count  = 32
      data_cache_count = 0
    }
    gpudirect_strategy = "RDMA"
    spot               = true
    labels = {
      "cloud.google.com/gke-networking-dra-driver"  = "true"
      "gke.networks.io/accelerator-network-profile" = "auto"
    }
  }
}
"""
# A bucket is a folder, and a comment a line in a log; what was called is in the log with all its arguments.
DOUBLES = """#!{python}
import json, pathlib, shutil, sys
name, arguments = pathlib.Path(sys.argv[0]).name, sys.argv[1:]
top = pathlib.Path({top!r})
with (top / "calls").open("a") as log:
    log.write(json.dumps([name, *arguments]) + "\\n")
def place(text):
    return top / "buckets" / text.removeprefix("gs://") if text.startswith("gs://") else pathlib.Path(text)
if name == "gcloud" and arguments[:2] == ["storage", "cp"]:
    *sources, target = arguments[2:]
    place(target).mkdir(parents=True, exist_ok=True)
    for source in sources:
        shutil.copyfile(place(source), place(target) / pathlib.Path(source).name)
elif name == "gcloud" and arguments[:2] == ["storage", "rm"]:
    for one in arguments[2:]:
        place(one).unlink()
elif name == "gh":
    comment = top / "comment.md"
    if "--edit-last" in arguments and not comment.exists():
        sys.exit("no comments found")
    shutil.copyfile(arguments[arguments.index("--body-file") + 1], comment)
"""


@dataclass
class Ran:
    code: int
    output: str
    outputs: dict = field(default_factory=dict)


class Machine:
    """Runs commands as a runner does. Each job begins with a fresh checkout."""

    def __init__(self, top, core, provider_environment):
        self.top, self.repository = top, top / "repository"
        (self.repository / "infra").mkdir(parents=True)
        self.write(MAIN.replace("STATE", str(top / "terraform.tfstate")))
        tools = top / "tools"
        tools.mkdir()
        for name in ("gcloud", "gh", "pipx"):
            self._tool(tools / name, DOUBLES.format(python=sys.executable, top=str(top)))
        self._tool(tools / "terraform", f'#!/bin/sh\nexec {shlex.join(core)} "$@"\n')
        self._tool(tools / "gke-rdma", f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m generator "$@"\n')
        self.environment = provider_environment | {
            "PATH": f"{tools}:/usr/bin:/bin",
            "HOME": str(top),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        self.job = top / "job"

    def write(self, text):
        (self.repository / "infra/main.tf").write_text(text)

    def edit(self, old, new):
        text = (self.repository / "infra/main.tf").read_text()
        assert old in text
        self.write(text.replace(old, new))

    def checkout(self):
        shutil.rmtree(self.job, ignore_errors=True)
        shutil.copytree(self.repository, self.job)

    def shell(self, command, script, environment, directory=None):
        done = subprocess.run(
            [*command, "-c", script],
            cwd=directory or self.job,
            env=self.environment | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        return Ran(done.returncode, done.stdout)

    def calls(self, name):
        log = self.top / "calls"
        lines = log.read_text().splitlines() if log.exists() else []
        return [call[1:] for call in map(json.loads, lines) if call[0] == name]

    def state(self):
        file = self.top / "terraform.tfstate"
        resources = json.loads(file.read_text())["resources"] if file.exists() else []
        return {f"{r['type']}.{r['name']}": r["instances"][0]["attributes"] for r in resources}

    def plans_left(self):
        return [path.name for path in (self.top / "buckets").rglob("*") if path.is_file()]

    @staticmethod
    def _tool(path, text):
        path.write_text(text)
        path.chmod(0o755)


def resolved(text, context):
    """A text of a GitHub workflow with its expressions replaced."""

    def value(found):
        inner = found[1].strip()
        assert re.fullmatch(r"[a-z_]+(\.\w+)+", inner), inner
        return str(context.get(inner, ""))

    return re.sub(r"\$\{\{(.*?)\}\}", value, str(text))


def holds(condition, context, failed):
    """Whether a step or job runs."""
    text = re.sub(r"^\$\{\{(.*)\}\}$", r"\1", str(condition)).strip()
    if text in ("always()", "!cancelled()"):
        return True
    left, _, right = text.partition(" == ")
    right = right.strip("'") if right.startswith("'") else context[right]
    return not failed and context.get(left, "") == right


class GitHub:
    """Runs a workflow's jobs in order; actions are left out, since the machine has what they bring."""

    def __init__(self, machine, workflow, context):
        self.machine, self.workflow, self.context = machine, workflow, dict(context)

    def run(self):
        """The result of each job that ran, by name."""
        ran, skipped = {}, set()
        for name, job in self.workflow["jobs"].items():
            needed = [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])
            failed = any(need in skipped or ran[need].code for need in needed)
            if failed or ("if" in job and not holds(job["if"], self.context, failed)):
                skipped.add(name)
                continue
            ran[name] = self._job(job)
            for output, expression in job.get("outputs", {}).items():
                step, key = re.fullmatch(r"\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}", expression).groups()
                self.context[f"needs.{name}.outputs.{output}"] = self.context.get(f"steps.{step}.outputs.{key}", "")
        return ran

    def _job(self, job):
        machine, code, told = self.machine, 0, []
        machine.checkout()
        temporary = machine.top / "temporary"
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        for step in job["steps"]:
            if "run" not in step or not (holds(step["if"], self.context, code) if "if" in step else not code):
                continue
            output = temporary / "output"
            output.touch()
            environment = {"GITHUB_OUTPUT": str(output), "RUNNER_TEMP": str(temporary)}
            environment["GITHUB_STEP_SUMMARY"] = str(temporary / "step.md")
            for level in (self.workflow, job, step):
                environment |= {n: resolved(v, self.context) for n, v in level.get("env", {}).items()}
            ran = machine.shell(["bash", "-e"], step["run"], environment)
            told.append(ran.output)
            code = code or ran.code
            for line in output.read_text().splitlines():
                key, _, value = line.partition("=")
                self.context[f"steps.{step['id']}.outputs.{key}"] = value
            output.unlink()
        return Ran(code, "\n".join(told))


def bare_environment():
    return {name: value for name, value in os.environ.items() if name in ("LANG", "TMPDIR")}
