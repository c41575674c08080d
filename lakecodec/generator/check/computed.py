"""Rules for computed attributes: what they are made of, and circles through other bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..diagnostics import Diagnostics
from ..infer import Attribute, Inference, computed_attributes
from ..model import Extension, Record
from ..paths import Target, bodies_of
from ..resolve.computed import MOST_PARTS
from ..syntax import Call, ComputedDef
from ..syntax.walk import SPAN_WORDS, called_name, names, walk

_OF_BYTES = frozenset({"encoded", "offset", "padding", "peek", "raw_size", "size"}) | SPAN_WORDS


def check_computed(
    computed: Sequence[ComputedDef], local: Mapping[str, Target], expressions: Inference, diagnostics: Diagnostics
) -> None:
    """Reports errors in what computed attributes of a body are made of; ``local`` are the body's names."""
    for each in computed:
        written = each.written or each.value
        expressions.check(written, local)
        calls = [(called_name(part), part.location) for part in walk(written) if isinstance(part, Call)]
        words = [(name.name, name.location) for name in names(written) if name.name not in local]
        for word, location in (*calls, *words):
            if word not in _OF_BYTES:
                continue
            message = f"'{each.name}' is computed from values: '{word}' is about bytes, which it has none of"
            diagnostics.error(message, location)


def check_circles(holder: Record | Extension, diagnostics: Diagnostics) -> None:
    """Reports computed attributes of a record or variant that are computed from themselves through other bodies."""
    own = [each for _, found in bodies_of(holder) for each in found]
    for each in own:
        start: Attribute = (holder, each.name)
        parts = 0
        pending = [start]
        while pending and parts <= MOST_PARTS:
            owner, name = pending.pop()
            attribute = computed_attributes(owner)[name]
            _ = attribute.kind
            parts += 1 + len(attribute.uses)
            pending += attribute.uses
            if start in attribute.uses:
                diagnostics.error(f"'{each.name}' is computed from itself", each.location)
                break
        else:
            if parts > MOST_PARTS:
                message = f"'{each.name}' is computed from too much: it names over {MOST_PARTS} others, all told"
                diagnostics.error(message, each.location)
