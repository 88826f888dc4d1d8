"""The second reader of HCL: python-hcl2, brought to the same nodes as our parser's.

It reads back what `generate` wrote, and the tests hold both readers against each other. It is slower and less strict, loses
blocks in silence when left alone, and fails on valid text: so each item is cut out by our scanner and rewritten first, and what
comes back must be exactly that item.
"""

from __future__ import annotations

import re

from generator.hcl.hcl2_adapter import Adapter
from generator.hcl.hcl2_grammar import tree
from generator.hcl.hcl2_rewrite import rewritten
from generator.hcl.nodes import Body, File, SyntaxProblem
from generator.hcl.scanner import Item, header_labels, skip_space, top_level
from generator.hcl.source import Source
from generator.hcl.tokens import SyntaxFailure

# python-hcl2 reads about 0.3 MB a second.
SIZE_LIMIT = 1_000_000


def read(source: Source) -> File:
    """Read a file with python-hcl2; nothing is raised.

    The problems say at least which item could not be read. It takes some invalid texts that `parser.parse` refuses.
    """
    text = source.text
    file = File(Body(0, len(text)))
    if len(text) > SIZE_LIMIT:
        message = f"the file has {len(text):,} characters, and python-hcl2 is given at most {SIZE_LIMIT:,}"
        file.problems.append(SyntaxProblem(0, 0, message, limit=True))
        return file
    at = 0
    for item in top_level(text):
        _refuse_between(file, text, at, item.start)
        _read_item(file, text, item)
        at = item.end
    _refuse_between(file, text, at, len(text))
    return file


def _refuse_between(file: File, text: str, start: int, end: int) -> None:
    """Report what stands between two items besides white space and comments."""
    reached = skip_space(text, start)
    if reached < end:
        file.problems.append(SyntaxProblem(reached, reached, "an argument or a block is needed"))
    elif 0 < start < end < len(text) and "\n" not in text[start:end]:
        file.problems.append(SyntaxProblem(start, end, "a newline is needed between two arguments or blocks"))


def _read_item(file: File, text: str, item: Item) -> None:
    from lark.exceptions import LarkError, UnexpectedInput

    header_end = item.body
    try:
        if not item.complete:
            raise SyntaxFailure(item.start, header_end, f"the end of {item.type} is not to be found")
        form = rewritten(text, item.start, item.end)
        adapter = Adapter(text, item.start, form)
        found = Body(item.start, item.end)
        adapter.add_to(found, tree(form.text).children[0])
        _compare(found, item)
    except UnexpectedInput as error:
        at = item.start + max(error.pos_in_stream or 0, 0)
        first_line = re.split(r"[\r\n]", str(error), maxsplit=1)[0]
        file.problems.append(SyntaxProblem(min(at, item.end), min(at, item.end), f"python-hcl2: {first_line}"))
    except LarkError as error:
        file.problems.append(SyntaxProblem(item.start, header_end, f"python-hcl2: {error}"))
    except SyntaxFailure as failure:
        file.problems.append(SyntaxProblem(failure.start, failure.end, failure.message, failure.limit))
    except RecursionError:
        message = f"{item.type} is nested more deeply than python-hcl2 reads"
        file.problems.append(SyntaxProblem(item.start, header_end, message, limit=True))
    else:
        _take(file.body, found)


def _compare(found: Body, item: Item) -> None:
    """Refuse a result that is not exactly the item which the scanner cut out."""
    ends = [a.end for a in found.attributes.values()] + [a.end for a in found.repeated]
    names = [*found.attributes, *(a.name for a in found.repeated)]
    if item.labels is not None:
        ends = [b.end for b in found.blocks] + ends
        names = [b.type for b in found.blocks] + names
        labels = [[label.text for label in b.labels] for b in found.blocks]
        same = names == [item.type] and ends == [item.end] and labels == [header_labels(item.labels)]
    else:
        same = names == [item.type] and not found.blocks and ends[0] <= item.end
    if not same:
        message = f"python-hcl2 found {', '.join(names) or 'nothing'} where {item.type} stands alone"
        raise SyntaxFailure(item.start, item.body, message)


def _take(body: Body, found: Body) -> None:
    body.blocks.extend(found.blocks)
    for attribute in (*found.attributes.values(), *found.repeated):
        if attribute.name in body.attributes:
            body.repeated.append(attribute)
        else:
            body.attributes[attribute.name] = attribute
