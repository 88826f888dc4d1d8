# ruff: noqa: PTH110, PTH118, PTH123
"""A double of gcloud and kubectl: resources in a file, as strict as Google Cloud about what is there and what is not.

FAKE_CLOUD names the folder of its state. Every call is recorded in `calls`, with whether it changed anything.
"""

import json
import os
import sys

HOME = os.environ["FAKE_CLOUD"]
STATE, CALLS, TURN = (os.path.join(HOME, name) for name in ("state.json", "calls", "fail-at"))
COMMANDS = (
    "container clusters create-auto",
    "container clusters create",
    "container clusters describe",
    "container clusters update",
    "container clusters get-credentials",
    "container node-pools create",
    "container node-pools describe",
    "compute networks subnets create",
    "compute networks subnets describe",
    "compute networks create",
    "compute networks describe",
    "compute firewall-rules create",
    "compute firewall-rules describe",
)
APART = ("--accelerator", "--additional-node-network", "--scopes")


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        return file.read()


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def fail(message):
    print(f"ERROR: (gcloud) {message}", file=sys.stderr)
    sys.exit(1)


def flags_of(arguments):
    """The flags of a call: a list of values for each; True for a switch."""
    found = {}
    waiting = None
    for argument in arguments:
        if waiting is not None:
            found.setdefault(waiting, []).append(argument)
            waiting = None
        elif not argument.startswith("--"):
            fail(f"unrecognized arguments: {argument}")
        elif argument in APART:
            waiting = argument
        else:
            name, equals, value = argument.partition("=")
            found.setdefault(name, []).append(value if equals else True)
    for name, values in found.items():
        if len(values) > 1 and name != "--additional-node-network":
            fail(f"argument {name} twice")
    return found


def one(flags, name, default=None):
    return flags.get(name, [default])[0]


class Project:
    """The resources, by key."""

    def __init__(self):
        self.resources = json.loads(read(STATE) or "{}")
        self.before = json.dumps(self.resources, sort_keys=True)

    def finish(self, call):
        now = json.dumps(self.resources, sort_keys=True)
        changed = now != self.before
        if changed:
            self.may_fail()
            write(STATE, now)
        with open(CALLS, "a") as log:
            log.write(json.dumps({**call, "changed": changed}) + "\n")

    def may_fail(self):
        """Fails the change whose turn it is, once, as a lost connection would."""
        turn = read(TURN)
        if turn:
            left = int(turn) - 1
            write(TURN, str(left or ""))
            if left == 0:
                fail("connection lost")

    def add(self, key, value):
        if key in self.resources:
            fail(f"already exists: {key}")
        self.resources[key] = value


def key_of(command, name, flags):
    project, place = one(flags, "--project"), one(flags, "--location") or one(flags, "--region") or "global"
    if not project:
        fail("no project")
    kind = command.rsplit(" ", 1)[0].rsplit(" ", 1)[1]
    inside = f"/{one(flags, '--cluster')}" if kind == "node-pools" else ""
    return f"{project}/{place}{inside}/{kind}/{name}"


def create(project, command, name, flags, document):
    key = key_of(command, name, flags)
    value = {"flags": flags, "document": document}
    if command == "compute networks subnets create" or command == "compute firewall-rules create":
        network = f"{one(flags, '--project')}/global/networks/{one(flags, '--network')}"
        if network not in project.resources:
            fail(f"no network {network}")
        if command.startswith("compute firewall") and "--network-profile" in project.resources[network]["flags"]:
            fail("firewall rules are not supported by the network profile")
    if command == "container node-pools create":
        cluster = key.rsplit("/node-pools/", 1)[0].rsplit("/", 1)
        parent = f"{cluster[0]}/clusters/{cluster[1]}"
        if parent not in project.resources:
            fail(f"no cluster {parent}")
        for entry in flags.get("--additional-node-network", ()):
            parts = dict(part.split("=", 1) for part in entry.split(","))
            mine = parts["network"].startswith("projects/")
            path = parts["network"].split("/")
            where = (
                f"{path[1]}/global/networks/{path[-1]}"
                if mine
                else f"{one(flags, '--project')}/global/networks/{path[0]}"
            )
            if where not in project.resources:
                fail(f"no network {where}")
    if command.startswith("container clusters"):
        value |= {"exclusions": {}, "window": None, "version": os.environ.get("FAKE_VERSION", "1.36.2-gke.1368000")}
        if one(flags, "--maintenance-window-recurrence"):
            value["window"] = one(flags, "--maintenance-window-recurrence")
    project.add(key, value)


def describe(project, command, name, flags):
    found = project.resources.get(key_of(command, name, flags))
    if found is None:
        fail(f"NOT_FOUND: {name}")
    form = one(flags, "--format")
    made = found["flags"]
    if form is None:
        print(f"name: {name}")
    elif form == "value(currentMasterVersion)":
        print(found["version"])
    elif form == "value(networkConfig.datapathProvider)":
        print("ADVANCED_DATAPATH" if "--enable-dataplane-v2" in made else "LEGACY_DATAPATH")
    elif form == "value(networkConfig.enableMultiNetworking)":
        print("True" if "--enable-multi-networking" in made else "")
    elif form == "value(maintenancePolicy.window.recurringWindow.recurrence)":
        print(found["window"] or "")
    elif form == "json(maintenancePolicy.window.maintenanceExclusions)":
        window = {"maintenanceExclusions": found["exclusions"]}
        print(
            json.dumps(
                {"maintenancePolicy": {"window": window}} if found["exclusions"] else {}, indent=2, ensure_ascii=False
            )
        )
    else:
        fail(f"unknown format {form}")


def update(project, command, name, flags):
    found = project.resources.get(key_of(command, name, flags))
    if found is None:
        fail(f"NOT_FOUND: {name}")
    if "--add-maintenance-exclusion-name" in flags:
        wanted = one(flags, "--add-maintenance-exclusion-name")
        if wanted in found["exclusions"]:
            fail(f"a maintenance exclusion {wanted} is there already")
        found["exclusions"][wanted] = {k: v for k, v in flags.items() if k.startswith("--add")}
    if "--maintenance-window-recurrence" in flags:
        found["window"] = one(flags, "--maintenance-window-recurrence")


def gcloud(arguments):
    if arguments[:1] == ["version"]:
        print(os.environ.get("FAKE_GCLOUD", "Google Cloud SDK 578.0.0\nbq 2.1.2\ncore 2026.07.28"))
        return
    line = " ".join(arguments)
    command = next((c for c in COMMANDS if line.startswith(c + " ")), None)
    if command is None:
        fail(f"Invalid choice: {line}")
    rest = arguments[len(command.split()) :]
    name, flags = rest[0], flags_of(rest[1:])
    document = sys.stdin.read() if "-" in flags.get("--autoprovisioning-config-file", ()) else None
    project = Project()
    if command.endswith(("create", "create-auto")):
        create(project, command, name, flags, document)
    elif command.endswith("describe"):
        describe(project, command, name, flags)
    elif command.endswith("update"):
        update(project, command, name, flags)
    else:
        if key_of("container clusters describe", name, flags) not in project.resources:
            fail(f"NOT_FOUND: {name}")
        project.resources["kubectl"] = name
    project.finish({"tool": "gcloud", "command": command, "name": name, "arguments": rest[1:], "document": document})


def kubectl(arguments):
    project = Project()
    if arguments != ["apply", "-f", "-"]:
        fail(f"unknown kubectl call {arguments}")
    if "kubectl" not in project.resources:
        fail("connection to localhost:8080 refused")
    document = sys.stdin.read()
    project.resources.setdefault("objects", [])
    if document not in project.resources["objects"]:
        project.resources["objects"].append(document)
    project.finish({"tool": "kubectl", "command": "apply", "document": document})


if __name__ == "__main__":
    {"gcloud": gcloud, "kubectl": kubectl}[sys.argv[1]](sys.argv[2:])
