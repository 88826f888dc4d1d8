"""A comment asks to ignore a rule, but it does not count, or there is nothing to ignore.

## What it does
Looks at comments of the form `# gke-rdma: ignore[local-ssd] why it is fine`. warning: the comment has no reason, names
something that is no rule, or is not written in this form, so it does not count; or it names a rule that ran in full over
that place and found nothing. A rule that was not selected, is switched off, or met an unknown value there did not run in
full, so its name is not reported.

## Why
A comment that does not count looks as if a finding had been accepted. One that has outlived its finding will hide the next.

## Bad
```hcl
node_config {
  disk_type = "pd-ssd" # gke-rdma: ignore[boot-disk]
}
```

## Good
```hcl
node_config {
  disk_type = "pd-ssd" # gke-rdma: ignore[boot-disk] the preview image needs it until March
}
```

## Fix
None: whether to mend the comment or to remove it is for a person to say.

## Source
- The form is this program's own; see `docs/lint.md`.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules.base import WARNING, Problem, Rule
from generator.view import IgnoreComment

_FORM = "Write `# gke-rdma: ignore[RULE] reason` at the end of the line, on the line above it, or above the block."


def check(comment: IgnoreComment) -> Iterator[Problem]:
    """What is wrong with one comment."""
    if comment.fault:
        yield Problem(WARNING, f"this comment ignores nothing: {comment.fault}", _FORM, comment.span)
        return
    for name in comment.idle:
        yield Problem(
            WARNING,
            f"there is no finding of {name} here to ignore",
            f"Take {name} out of the comment." if len(comment.names) > 1 else "Remove the comment.",
            comment.span,
        )


RULE = Rule(
    name="unused-ignore",
    severities=(WARNING,),
    seeks=IgnoreComment,
    check=check,
    summary="an ignore comment does not count, or has nothing to ignore",
    depths=frozenset({"text"}),
)
