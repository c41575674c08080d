"""Differences between two versions of a record or variant: its fields by name, their order, and the lines of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from ...generator.model import Module
from ...generator.print.dump import dump
from .difference import Breaks, Difference

#: A field of a body: its alternative, if the body is a variant's, and its name. Both are empty for the body as a whole.
Key = tuple[str, str]
#: Attributes that follow from other parts of the schema: positions, values kept for later fields, sizes.
DERIVED = re.compile(r"  (\[line \d+\]|(after|captures) [^ ].*?(?=  |$)|#.*|(>= )?\d+ bytes( each)?$)")
_RULES = ("where ", "with ", "= ", "default ", "align ")
_OF_THE_WHOLE = ("param ", "state ", "value ", "arrow ")


def bodies(name: str, old: Module, new: Module) -> Iterator[Difference]:
    """Yields the differences of a record or variant; bytes must show what most of them break."""
    before, after = body_lines(old, name), body_lines(new, name)
    yield from _computed(name, before, after)
    renamed = dict(_renamed(before, after))
    for key, now in renamed.items():
        message = f"the field was renamed from {key[1]} to {now[1]}"
        yield Difference("field-renamed", name, key[1], message, "source")
    order = [renamed.get(key, key) for key in before]
    for key, message in _moved(order, list(after)):
        yield Difference("field-moved" if key[1] else "body-moved", name, key[1] or key[0], message)
    for key, was in before.items():
        if key in after:
            yield from _between(name, key, was, after[key])
        elif key in renamed:
            continue
        elif key[1] == "" or (key[0], "") in after:
            breaks: Breaks | None = "source" if key[1] else None
            message = f"the {_word(key)} was removed: `{was[0]}`"
            yield Difference(f"{_part(key)}-removed", name, key[1], message, breaks)
    for key, now_lines in after.items():
        if key not in order and (key[1] == "" or (key[0], "") in before):
            message = f"the {_word(key)} was added: `{now_lines[0]}`"
            yield Difference(f"{_part(key)}-added", name, key[1], message)


def body_lines(module: Module, name: str) -> dict[Key, list[str]]:
    """Returns the lines of a lowered schema by field, without those that follow from other lines."""
    found: dict[Key, list[str]] = {("", ""): []}
    alternative = field = ""
    for line in dump(module, name).splitlines():
        text = DERIVED.sub("", line).strip()
        if text.startswith(("before: ", "open: ")):
            continue
        if (body := re.search(r"^(?:else|.*\S) -> \w+\.(\w+) (?:big|little)", text)) is not None:
            alternative, field = body[1], ""
        elif text.startswith(_OF_THE_WHOLE) or (line.startswith("  where ") and not alternative):
            field = ""
        elif not text.startswith(_RULES) and (word := re.match(r"(\w+): ", text)) is not None:
            field = word[1]
        found.setdefault((alternative, field), []).append(text)
    return found


def _computed(name: str, before: dict[Key, list[str]], after: dict[Key, list[str]]) -> Iterator[Difference]:
    """Yields the differences of attributes without bytes, whose lines it takes away."""
    was, now = (
        {key: each.pop(key)[0] for key in list(each) if each[key] and each[key][0].startswith(f"{key[1]}: let ")}
        for each in (before, after)
    )
    for key, line in was.items():
        if key not in now:
            breaks: Breaks | None = "source" if key not in after else None
            yield Difference("computed-removed", name, key[1], f"the attribute was removed: `{line}`", breaks)
        elif now[key] != line:
            message = f"the attribute changed from `{line}` to `{now[key]}`"
            yield Difference("computed-changed", name, key[1], message)
    for key, line in now.items():
        if key not in was:
            yield Difference("computed-added", name, key[1], f"the attribute was added: `{line}`", None)


def _renamed(before: dict[Key, list[str]], after: dict[Key, list[str]]) -> Iterator[tuple[Key, Key]]:
    """Yields the fields that only one version has, where the other one has the same layout at the same place."""
    orders = list(before), list(after)
    for place, key in enumerate(orders[0]):
        if key in after or not key[1]:
            continue
        left = orders[0][place - 1]
        if left not in after:
            continue
        other = next(iter(orders[1][orders[1].index(left) + 1 :]), ("", ""))
        if other in before or other[0] != key[0] or not other[1]:
            continue
        # The comparison is textual. A word that is not a name, such as the length `rest`, may equal the old name.
        if before[key] == [re.sub(rf"\b{other[1]}\b", key[1], each) for each in after[other]]:
            yield key, other


def _moved(before: Sequence[Key], after: Sequence[Key]) -> Iterator[tuple[Key, str]]:
    """Yields the smallest set of fields that changed places, with their old and new positions."""
    orders = [key for key in before if key in after], [key for key in after if key in before]
    matcher = SequenceMatcher(None, *orders, autojunk=False)
    for tag, start, end, _, _ in matcher.get_opcodes():
        if tag in ("delete", "replace"):
            for key in orders[0][start:end]:
                was, now = (_behind(key, order) for order in (before, after))
                if was != now or not key[0]:
                    yield key, f"the {_word(key)} moved from {was} to {now}"


def _behind(key: Key, order: Sequence[Key]) -> str:
    place = order.index(key)
    if place and any(order[place - 1]):
        return f"the place after {order[place - 1][1] or order[place - 1][0]}"
    return "the first place"


def _between(name: str, key: Key, before: list[str], after: list[str]) -> Iterator[Difference]:
    """Yields the lines of a field, or of the whole, that differ."""
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        gone, come = before[a:b], after[c:d]
        for place in range(max(len(gone), len(come))):
            was = gone[place] if place < len(gone) else None
            now = come[place] if place < len(come) else None
            if was is None or now is None or was != now.replace(" normalizes", ""):
                # A reader that also takes other bytes for the same value breaks nothing.
                yield _line(name, key, was, now)


def _line(name: str, key: Key, was: str | None, now: str | None) -> Difference:
    text = was or now or ""
    noun = _noun(key, text)
    # Callers now have to pass the value that was computed, or the new parameters.
    is_gone = noun == "parameters" or (noun in ("derivation", "default") and now is None)
    breaks: Breaks | None = "source" if is_gone or (noun == "default" and was is not None) else None
    word = "clause" if noun in ("layout", "body") else noun.removesuffix("s")
    if was is None:
        message = f"the {word} was added: `{text}`"
    elif now is None:
        message = f"the {word} was removed: `{text}`"
    else:
        message = f"the {noun.removesuffix('s')} changed from `{was}` to `{now}`"
    if noun == "parameters":
        return Difference("parameters-changed", name, key[1], message, breaks)
    if was is None:
        return Difference(f"{noun}-added", name, key[1], message)
    if now is None:
        return Difference(f"{noun}-removed", name, key[1], message, breaks)
    if " normalizes" in was and " normalizes" not in now:
        # Samples are always in the normal form, so they cannot show this.
        breaks = "decode"
    return Difference(f"{noun}-changed", name, key[1], message, breaks)


def _noun(key: Key, text: str) -> str:
    if text.startswith(("where ", "with ")):
        return "check"
    if text.startswith("= "):
        return "derivation"
    if text.startswith("default "):
        return "default"
    if text.startswith("param "):
        return "parameters"
    return "layout" if key[1] else "body"


def _part(key: Key) -> str:
    return "field" if key[1] else "body"


def _word(key: Key) -> str:
    return "field" if key[1] else "alternative"
