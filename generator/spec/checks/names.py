"""Labels, taints and access scopes that Kubernetes and Google Cloud do not take. Told as warnings: see `checks.doubts`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.catalog import limits
from generator.spec.checks.look import Check, Look
from generator.spec.document import Problem
from generator.spec.names import shown

_KEY = (
    "letters, digits, `-`, `_` and `.`, at most 63, with a letter or digit at both ends; a prefix is a DNS name and `/`"
)
_VALUE = "letters, digits, `-`, `_` and `.`, at most 63, with a letter or digit at both ends"


def _labels(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        for key, value in pool.mapping("labels").items():
            if isinstance(key, str) and not limits.is_label_key(key):
                yield pool.problem(
                    "labels", key, message=f"Kubernetes takes no label with the key {shown(key)}.", hint=_key_hint(key)
                )
            if isinstance(value, str) and not limits.is_label_value(value):
                yield pool.problem(
                    "labels",
                    key,
                    message=f"Kubernetes takes no label with the value {shown(value)}.",
                    hint=_value_hint(value),
                    key=False,
                )


def _taints(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        for index, taint in enumerate(pool.items("taints")):
            here = pool.at("taints", index)
            key, value = (here.text(k) if isinstance(taint, dict) else None for k in ("key", "value"))
            if key and not limits.is_label_key(key):
                yield here.problem(
                    "key",
                    message=f"Kubernetes takes no taint with the key {shown(key)}.",
                    hint=_key_hint(key),
                    key=False,
                )
            if value is not None and not limits.is_label_value(value):
                yield here.problem(
                    "value",
                    message=f"Kubernetes takes no taint with the value {shown(value)}.",
                    hint=_value_hint(value),
                    key=False,
                )


def _resource_labels(look: Look) -> Iterator[Problem]:
    found = look.mapping("cluster", "resource_labels")
    if len(found) > limits.resource_labels():
        yield look.problem(
            "cluster",
            "resource_labels",
            message=f"A resource has at most {limits.resource_labels()} labels, found {len(found)}.",
            hint="Remove some.",
        )
    for key, value in found.items():
        if isinstance(key, str) and not limits.is_resource_label_key(key):
            yield look.problem(
                "cluster",
                "resource_labels",
                key,
                message=f"Google Cloud takes no label with the key {shown(key)}.",
                hint=_resource_hint(key, limits.is_resource_label_key(_small(key)), "beginning with a letter"),
            )
        if isinstance(value, str) and not limits.is_resource_label_value(value):
            yield look.problem(
                "cluster",
                "resource_labels",
                key,
                message=f"Google Cloud takes no label with the value {shown(value)}.",
                hint=_resource_hint(value, limits.is_resource_label_value(_small(value))),
                key=False,
            )


def _scopes(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        for index, scope in enumerate(pool.items("oauth_scopes")):
            if isinstance(scope, str) and scope and not limits.is_oauth_scope(scope):
                full = f"https://www.googleapis.com/auth/{scope.rpartition('/')[2].lower()[:60]}"
                yield pool.problem(
                    "oauth_scopes",
                    index,
                    message=f"{shown(scope)} is no access scope.",
                    hint=f"Write {full if limits.is_oauth_scope(full) else 'https://www.googleapis.com/auth/cloud-platform'}.",
                    key=False,
                )


def _key_hint(key: str) -> str:
    prefix, slash, name = key.rpartition("/")
    better = f"{prefix.lower()}{slash}{_cleaned(name)}"
    return f"Write {better}." if limits.is_label_key(better) else f"Write {_KEY}."


def _value_hint(value: str) -> str:
    better = _cleaned(value)
    return f'Write "{better}".' if better and limits.is_label_value(better) else f"Write {_VALUE}."


def _cleaned(text: str) -> str:
    return re.sub(r"[^-A-Za-z0-9_.]+", "-", text).strip("-_.")


def _small(text: str) -> str:
    return re.sub(r"[\s./:]+", "-", text.lower())


def _resource_hint(text: str, small_is_fine: bool, more: str = "") -> str:
    if small_is_fine:
        return f'Write "{_small(text)}".'
    return f"Write small letters, digits, `_` and `-`, at most 63{f', {more}' if more else ''}."


CHECKS: tuple[Check, ...] = (_labels, _taints, _resource_labels, _scopes)
