"""Text to data: YAML and JSON, with places, and YAML's own traps by name."""

from __future__ import annotations

import json
import time

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import UserErrors
from generator.spec.json_reader import read_json
from generator.spec.load import parse, read_document
from generator.spec.yaml_reader import read_yaml

GOOD = """\
version: 1
name: train
project: my-project
zone: us-central1-b
node_pools:
  - name: pool
    machine_type: a3-ultragpu-8g
    node_count: 2
    capacity: {kind: none}
"""


def wrong(text: str, name: str = "rdma.yaml") -> list[tuple[int | None, int | None, str, str]]:
    with pytest.raises(UserErrors) as caught:
        parse(text, name)
    return [(e.line, e.column, e.message, e.hint or "") for e in caught.value.errors]


def with_cluster(line: str) -> str:
    return GOOD + f"cluster:\n  {line}\n"


@pytest.mark.parametrize(
    ("line", "column", "found", "write"),
    [
        ("version: 1.34", 12, "`1.34` without quotes is a number", '"1.34"'),
        ("version: 1.30", 12, "its last zero is lost", '"1.30"'),
        ("version: 1_34", 12, "is a number", '"1.34"'),
        ("version: 0134", 12, "octal", '"1.34"'),
        ("version: 1:34", 12, "base 60", '"1.34"'),
        ("release_channel: no", 20, "the boolean false", "RAPID"),
        ("resource_labels: {country: no}", 30, "`no` without quotes is the boolean false", '"no"'),
        ("resource_labels: {country: ON}", 30, "the boolean true", '"ON"'),
        ("resource_labels: {octal: 0123}", 28, "octal number in YAML (83)", '"0123"'),
        ("resource_labels: {nothing: ~}", 30, "`~` is null", '"~"'),
        ("resource_labels: {nothing: }", 29, "nothing is written", '""'),
        ("resource_labels: {exponent: 1e3}", 1, None, None),
        ("resource_labels: {float: 1.0e+3}", 28, "is a number", '"1.0e+3"'),
        ("resource_labels: {hex: 0x1F}", 26, "is a number", '"0x1F"'),
        ("resource_labels: {no: x}", 21, "The key `no` is a boolean", '"no"'),
        ("resource_labels: {1: x}", 21, "The key `1` is a number", '"1"'),
        ("resource_labels: {<<: {a: b}}", 21, "merge key", "Write the keys out"),
        ("deletion_protection: 'false'", 24, "true or false", "without quotes: false"),
        ("deletion_protection: 0", 24, "true or false", ""),
        ("default_pool: {node_count: 010}", 30, "an octal number in YAML (8)", "Write 10."),
        ("default_pool: {node_count: 0x10}", 30, "a number in YAML (16)", "Write 16."),
        ("default_pool: {node_count: 1_0}", 30, "a number in YAML (10)", "Write 10."),
        ("default_pool: {node_count: 1:30}", 30, "to the base 60 in YAML (90)", "Write 90."),
        ("default_pool: {node_count: .inf}", 30, "a whole number", "without quotes"),
        ("private: {authorized_networks: [{cidr_block: 'fd00::/8'}]}", 48, "an IPv4 range", "172.16.0.0/28"),
        ("release_channel:\u00a0RAPID\n  create: true", 19, "no-break space", "a blank"),
        ("default_pool: {node_count: 2.0}", 30, "a whole number", "Write 2."),
        ("default_pool: {node_count: '2'}", 30, "a whole number", "without quotes: 2"),
        ("network: !!python/object:os.system {}", 12, "tag", "plain value"),
        ("network: !custom {}", 12, "tag", "plain value"),
    ],
)
def test_traps_of_yaml_are_named(line: str, column: int, found: str | None, write: str | None) -> None:
    text = with_cluster(line)
    if found is None or write is None:
        parse(text, "rdma.yaml")
        return
    (problem,) = wrong(text)
    assert problem[:2] == (11, column)
    assert found in problem[2]
    assert write in problem[3]


@pytest.mark.parametrize(
    ("text", "line", "column", "found"),
    [
        ("version: 1\n\tname: x\n", 2, 1, "tab"),
        ("version: 1\nnode_pools:\n  -\tname: x\n\t  y: 1\n", 3, 4, "tab"),
        ("version: 1\n---\nversion: 1\n", 2, 1, "second YAML document"),
        ("version: 1\nname: *nowhere\n", 2, 7, "not defined"),
        ("version: &a [*a]\n", 1, 14, "contains"),
        ("version: 1\nname: 'open\n", 3, 1, "not valid YAML"),
        ("name: a: b\n", 1, 8, "not valid YAML"),
        ("name: @x\n", 1, 7, "not valid YAML"),
        ("version: 1\nname: a\x07b\n", 2, 8, "U+0007"),
        ("- version: 1\n", 1, 1, "mapping of keys"),
        ("just text\n", 1, 1, "mapping of keys"),
        ("# only a comment\n", 1, 1, "mapping of keys"),
        ("? [a]\n: b\n", 1, 3, "not a list"),
        ("[" * 100, 1, 41, "nested"),
    ],
)
def test_text_that_is_no_spec_has_a_place(text: str, line: int, column: int, found: str) -> None:
    problem = wrong(text)[0]
    assert problem[:2] == (line, column)
    assert found in problem[2]


def test_a_key_that_is_written_twice_is_at_the_second() -> None:
    (problem,) = wrong(GOOD + "name: other\n")
    assert problem[:2] == (10, 1)
    assert "first is on line 2" in problem[2]


def test_a_billion_laughs_are_counted_not_built() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    start = time.perf_counter()
    problem = wrong("\n".join(lines))[0]
    assert "values once its aliases" in problem[2]
    assert time.perf_counter() - start < 2


def test_an_alias_for_a_whole_value_is_read() -> None:
    text = GOOD.replace("{kind: none}", "&c {kind: spot}") + GOOD[GOOD.index("  - name") :].replace(
        "name: pool", "name: other"
    ).replace("{kind: none}", "*c")
    spec, _ = parse(text, "rdma.yaml")
    assert [p.capacity.kind for p in spec.node_pools] == ["spot", "spot"]


def test_a_time_without_quotes_is_text() -> None:
    window = "maintenance: {window: {start_time: 2026-01-03T01:00:00Z, end_time: 2026-01-03T09:00:00Z, recurrence: FREQ=DAILY}}"
    spec, _ = parse(with_cluster(window), "rdma.yaml")
    assert spec.cluster.maintenance is not None
    assert spec.cluster.maintenance.window.start_time == "2026-01-03T01:00:00Z"


def test_columns_count_characters() -> None:
    (problem,) = wrong(with_cluster("resource_labels: {都市: 東京, x: no}"))
    assert problem[:2] == (11, 32)


def test_a_number_in_json_for_a_text_is_to_be_quoted() -> None:
    data = {**yaml.safe_load(GOOD), "cluster": {"version": 1.34}}
    ((_, _, message, hint),) = wrong(json.dumps(data), "rdma.json")
    assert "has to be text, found 1.34" in message and '"1.34"' in hint


def test_json_says_the_same_as_yaml() -> None:
    data = read_yaml(GOOD).data
    text = json.dumps(data, indent=1)
    assert read_json(text).data == data
    assert parse(text, "rdma.json") == parse(GOOD, "rdma.yaml")
    assert parse(text, "<stdin>") == parse(GOOD, "rdma.yaml")


@pytest.mark.parametrize(
    ("text", "line", "column", "found"),
    [
        ('{"version": 1,}', 1, 15, "key in double quotes"),
        ('{"version": 1 "name": 2}', 1, 15, "`,` or `}`"),
        ('{"version" 1}', 1, 12, "`:` is needed"),
        ('{"version": nope}', 1, 13, "JSON value is needed"),
        ('{"version": 1', 1, 14, "`,` or `}`"),
        ('{"version": 1} x', 1, 16, "Text follows"),
        ('{"name": "a\nb"}', 1, 12, "cannot be read"),
        ('{\n "name": 1,\n "name": 2}', 3, 2, "written twice"),
        ("[1, 2", 1, 6, "`,` or `]`"),
        ("[" * 100, 1, 42, "nested"),
        ('{"version": 1, "name": tru}', 1, 24, "JSON value is needed"),
        ('{"version": ' + "9" * 5000 + "}", 1, 13, "30 digits"),
    ],
)
def test_json_mistakes_have_places(text: str, line: int, column: int, found: str) -> None:
    problem = next(p for p in wrong(text, "rdma.json") if found in p[2])
    assert problem[:2] == (line, column)


def test_half_a_character_of_json_is_refused() -> None:
    data = json.loads(json.dumps(read_yaml(GOOD).data))
    data["workload"] = {"name": "w", "image": "i", "command": "\ud800"}
    (problem,) = wrong(json.dumps(data), "rdma.json")
    assert "half a character" in problem[2]


@settings(deadline=None, max_examples=60)
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**12), 10**12)
        | st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), inner, max_size=3)
        ),
        max_leaves=12,
    )
)
def test_any_json_is_read_as_the_standard_library_reads_it(data: object) -> None:
    document = read_json(json.dumps(data, indent=1, ensure_ascii=False))
    assert not document.problems
    assert document.data == data


@settings(deadline=None, max_examples=80)
@given(st.text(max_size=60))
def test_no_text_makes_a_reader_fail(text: str) -> None:
    for name in ("rdma.yaml", "rdma.json"):
        document = read_document(text, name)
        for problem in document.problems:
            assert problem.line is None or problem.line >= 1
