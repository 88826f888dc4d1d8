"""Values that Kubernetes, Google Cloud or GKE would refuse: each is told with its place, and the hint is one that is taken."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from test_impossible import WINDOW, cluster, pool, private, top

from generator.catalog import limits
from generator.errors import UserErrors
from generator.spec import recurrence
from generator.spec.load import check, doubts, read_document

GOOD_KEY = "projects/p/locations/us-central1/keyRings/r/cryptoKeys/k"


def window(**changes: Any) -> dict[str, Any]:
    return cluster(maintenance={"window": {**WINDOW, **changes}})


def labels(key: str, value: str = "x") -> dict[str, Any]:
    return pool(labels={key: value})


def taint(key: str, value: str = "x") -> dict[str, Any]:
    return pool(taints=[{"key": key, "value": value, "effect": "NO_SCHEDULE"}])


def resource(key: str, value: str = "x") -> dict[str, Any]:
    return cluster(resource_labels={key: value})


# What is written, and what the message says.
WRONG: list[tuple[dict[str, Any], str]] = [
    *[
        (labels(k), "no label with the key")
        for k in ("a b", "-a", "a-", ".a", "a/b/c", "/a", "a/", "Ex.com/a", "é", "a" * 64)
    ],
    *[(labels("a" * 254 + "/b"), "no label with the key"), (labels("a..b/c"), "no label with the key")],
    *[(labels("a", v), "no label with the value") for v in ("a b", "-a", "a-", "a/b", "é", "a\n", "a" * 64, "${x}")],
    *[(taint(k), "no taint with the key") for k in ("a b", "${HOME}", "a/b/c", "a" * 64)],
    *[(taint("a", v), "no taint with the value") for v in ("a b", "a" * 64, "x=y")],
    *[(resource(k), "no label with the key") for k in ("Team", "1a", "-a", "_a", "a.b", "a/b", "a b", "É", "a" * 64)],
    *[(resource("a", v), "no label with the value") for v in ("Research", "a b", "a.b", "1,5", "a" * 64, "\u00c9")],
    (cluster(resource_labels={f"k{n}": "v" for n in range(65)}), "at most 64 labels"),
    *[
        (window(recurrence=r), "recurrence")
        for r in ("DAILY", "FREQ=", "FREQ=DAILY;", "FREQ=DALY", "BYDAY=SA", "every day")
    ],
    *[
        (window(recurrence=r), "recurrence")
        for r in ("FREQ=DAILY;FREQ=DAILY", "FREQ=WEEKLY;BYDAY=SAT", "RRULE:FREQ=DAILY")
    ],
    *[
        (window(recurrence=r), "recurrence")
        for r in ("FREQ=DAILY;COUNT=1;UNTIL=20270101", "FREQ=DAILY;INTERVAL=0", "FREQ: DAILY")
    ],
    *[(window(recurrence=f"FREQ={f}"), f"no recurrence with FREQ={f}") for f in ("HOURLY", "MINUTELY", "SECONDLY")],
    (window(end_time="2026-01-03T04:59:00Z"), "lasts 3.98333 hours"),
    (window(end_time="2026-01-03T02:00:00Z"), "lasts 1 hour;"),
    (window(recurrence="FREQ=WEEKLY;BYDAY=SA"), "at most 40 hours in 32 days"),
    (window(recurrence="FREQ=WEEKLY"), "at most 40 hours in 32 days"),
    (window(recurrence="FREQ=MONTHLY"), "at most 16 hours in 32 days"),
    (window(recurrence="FREQ=DAILY;INTERVAL=10"), "at most 32 hours in 32 days"),
    *[
        (window(start_time=t), "start_time")
        for t in ("2026-01-03T01:00Z", "2026-01-03 01:00:00Z", "2026-01-03T01:00:00", "01:00")
    ],
    *[
        (window(start_time=t), "of the calendar")
        for t in ("2026-13-03T01:00:00Z", "2026-01-03T25:00:00Z", "2026-01-03T01:00:61Z")
    ],
    *[
        (cluster(database_encryption_key=k), "a key as projects/")
        for k in (
            GOOD_KEY + "/cryptoKeyVersions/1",
            "k",
            GOOD_KEY[1:],
        )
    ],
    (pool(disk_kms_key=GOOD_KEY.replace("/r/", "/r r/")), "a key as projects/"),
    *[
        (cluster(service_account=a), "a service account")
        for a in (
            "sa",
            "sa@my-project",
            "@p.iam.gserviceaccount.com",
        )
    ],
    *[
        (pool(oauth_scopes=[s]), "no access scope")
        for s in ("x", "Cloud-Platform", "http://www.googleapis.com/auth/x", "a b")
    ],
    (pool(oauth_scopes=["https://www.googleapis.com/auth/"]), "no access scope"),
    *[(top(name=n), "`name` has to be a name") for n in ("A", "1a", "a-", "a_b", "a" * 41, "a.b", "é")],
    *[(pool(name=n), "`node_pools[0].name` has to be a name") for n in ("A", "1a", "a-", "a_b", "a" * 41)],
    *[(pool(tags=[t]), "node_pools[0].tags[0]") for t in ("A", "a_b", "a" * 64, "1")],
    (private(nodes=True, master_ipv4_cidr_block="172.16.0.0/27"), "has to be a /28"),
    (private(nodes=True, master_ipv4_cidr_block="172.16.0.1/28"), "an address within"),
]

RIGHT: list[dict[str, Any]] = [
    *[labels(k) for k in ("a", "A", "1", "a.b_c-d", "example.com/a", "x" * 63, "a.b-c.d/E")],
    *[labels("a", v) for v in ("", "A", "1.2", "a_b-c.d", "x" * 63)],
    *[taint(k, v) for k, v in (("a", ""), ("nvidia.com/gpu", "present"), ("example.com/A_b", "x" * 63))],
    *[
        resource(k, v)
        for k, v in (
            ("a", ""),
            ("équipe", "café"),
            ("東京", "東京"),
            ("a_b-c1", "1_-"),
            ("a", "-"),
            ("x" * 63, "y" * 63),
        )
    ],
    *[
        window(recurrence=r)
        for r in ("FREQ=DAILY", "freq=weekly;byday=sa,su", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;WKST=MO")
    ],
    *[window(recurrence=r) for r in ("FREQ=MONTHLY;BYSETPOS=1,2,-1;BYDAY=SA,SU", "FREQ=DAILY;UNTIL=20300101T000000Z")],
    *[
        window(recurrence=r)
        for r in ("FREQ=MONTHLY;BYDAY=SA,SU", "FREQ=YEARLY;BYMONTH=1,2;BYDAY=SA", "FREQ=DAILY;COUNT=3")
    ],
    window(end_time="2026-01-03T05:00:00Z"),
    window(start_time="2026-01-03T03:00:00+02:00", end_time="2026-01-03T08:00:00.5+02:00"),
    window(recurrence="FREQ=WEEKLY;BYDAY=SA", end_time="2026-01-04T01:00:00Z"),
    cluster(database_encryption_key=GOOD_KEY),
    cluster(database_encryption_key="projects/example.com:p/locations/global/keyRings/R_1/cryptoKeys/K-1"),
    *[
        cluster(service_account=a)
        for a in (
            "sa@my-project.iam.gserviceaccount.com",
            "123-compute@developer.gserviceaccount.com",
            "my-project@appspot.gserviceaccount.com",
            "sa@my-project.example.com.iam.gserviceaccount.com",
        )
    ],
    pool(oauth_scopes=["cloud-platform", "https://www.googleapis.com/auth/devstorage.read_only", "storage-ro"]),
    pool(tags=["a", "gpu-node", "x" * 63]),
    top(name="a" * 40),
]


def told(data: dict[str, Any]) -> list[Any]:
    """The errors, or else the doubts, about a spec."""
    document = read_document(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), "rdma.yaml")
    try:
        check(document, "rdma.yaml")
    except UserErrors as caught:
        return list(caught.errors)
    return list(doubts(document, "rdma.yaml"))


@pytest.mark.parametrize(("data", "message"), WRONG, ids=lambda v: v if isinstance(v, str) else "")
def test_what_would_be_refused_is_caught(data: dict[str, Any], message: str) -> None:
    found = [e for e in told(data) if message in e.message]
    assert found, [e.message for e in told(data)]
    assert all(e.line and e.column and e.code == 2 and len(e.message) < 400 for e in found)


@pytest.mark.parametrize("data", RIGHT, ids=str)
def test_what_would_be_taken_is_let_through(data: dict[str, Any]) -> None:
    assert told(data) == []


def replaced(part: Any, old: str, new: str) -> Any:
    if isinstance(part, dict):
        return {(new if k == old else k): replaced(v, old, new) for k, v in part.items()}
    if isinstance(part, list):
        return [replaced(v, old, new) for v in part]
    return new if part == old else part


@pytest.mark.parametrize(
    ("data", "old"),
    [
        (labels("a b"), "a b"),
        (labels("Ex.com/a b-"), "Ex.com/a b-"),
        (labels("a", "x y/z"), "x y/z"),
        (taint("a b"), "a b"),
        (taint("a", "x=y"), "x=y"),
        (resource("Team Name"), "Team Name"),
        (resource("a", "R&D".replace("&", ".")), "R.D"),
        (window(recurrence="RRULE:FREQ=DAILY"), "RRULE:FREQ=DAILY"),
        (window(recurrence="FREQ=DAILY; INTERVAL = 1"), "FREQ=DAILY; INTERVAL = 1"),
        (window(recurrence="sometimes"), "sometimes"),
        (window(recurrence="FREQ=HOURLY"), "FREQ=HOURLY"),
        (window(recurrence="FREQ=WEEKLY"), "FREQ=WEEKLY"),
        (window(end_time="2026-01-03T02:00:00Z"), "2026-01-03T02:00:00Z"),
        (pool(oauth_scopes=["Cloud-Platform"]), "Cloud-Platform"),
        (pool(oauth_scopes=["nonsense nonsense"]), "nonsense nonsense"),
        (top(name="My Cluster"), "My Cluster"),
        (private(nodes=True, master_ipv4_cidr_block="172.16.0.0/20"), "172.16.0.0/20"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_a_hint_that_is_followed_is_taken(data: dict[str, Any], old: str) -> None:
    (error,) = told(data)
    said = re.search(r"Write (?:one such as )?\"?([^\s\"]+?)\"?(?:\.$|,| or )", error.hint or "")
    assert said, error.hint
    assert told(replaced(data, old, said[1])) == []


def test_how_often_a_rule_begins() -> None:
    def often(text: str) -> int | None:
        parts = recurrence.read(text)
        assert isinstance(parts, dict)
        return recurrence.most_often(parts, limits.maintenance_days())

    assert often("FREQ=DAILY") == 32
    assert often("FREQ=DAILY;INTERVAL=5") == 7
    assert often("FREQ=WEEKLY") == 5
    assert often("FREQ=WEEKLY;BYDAY=SA,SU") == 10
    assert often("FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU") == 6
    assert often("FREQ=MONTHLY;BYMONTHDAY=1,15") == 4
    assert often("FREQ=MONTHLY;BYDAY=1SA") == 2
    assert often("FREQ=MONTHLY;BYDAY=SA") == 10
    assert often("FREQ=YEARLY") is None
    assert often("FREQ=WEEKLY;BYHOUR=1,2") is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pool(machine_type="x" * 5000), "not known to have"),
        (window(recurrence="x" * 5000), "RFC 5545"),
        (pool(oauth_scopes=["x y" * 2000]), "no access scope"),
        (labels("x" * 5000), "no label with the key"),
        (pool(disk_type="pd-" + "x" * 5000), "no Persistent Disk"),
        (top(name="x" * 5000), "`name` has to be a name"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_long_text_is_cut_in_messages(data: dict[str, Any], message: str) -> None:
    (error,) = told(data)
    assert message in error.message
    assert len(error.message) < 400 and len(error.hint or "") < 400


@pytest.mark.parametrize("key", ["zone", "project"])
def test_a_null_is_not_put_into_quotes_where_that_is_no_value(key: str) -> None:
    (error,) = told(top(**{key: None}))
    assert error.hint and "null" not in error.hint
