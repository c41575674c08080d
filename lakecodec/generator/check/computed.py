"""Rules for computed attributes: the values that they may use, and circles through other bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..diagnostics import Diagnostics
from ..infer import Attribute, Inference, computed_attributes
from ..model import Extension, Module, Record
from ..paths import Target, bodies_of
from ..resolve.computed import MOST_IN_ALL, MOST_PARTS, TOO_MANY
from ..syntax import Call, ComputedDef
from ..syntax.walk import SPAN_WORDS, called_name, names, walk

_OF_BYTES = frozenset({"ahead", "encoded", "offset", "padding", "peek", "raw_size", "size"}) | SPAN_WORDS


def check_computed(
    computed: Sequence[ComputedDef], local: Mapping[str, Target], expressions: Inference, diagnostics: Diagnostics
) -> None:
    """Reports errors in the expressions of a body's computed attributes; ``local`` are the body's names."""
    for each in computed:
        written = each.written or each.value
        expressions.check(written, local)
        calls = [(called_name(part), part.location) for part in walk(written) if isinstance(part, Call)]
        words = [(name.name, name.location) for name in names(written) if name.name not in local]
        for word, location in (*calls, *words):
            if word not in _OF_BYTES:
                continue
            message = f"'{each.name}' is computed from values and has no bytes, so it cannot use '{word}'"
            diagnostics.error(message, location)


def check_computed_cycles(holder: Record | Extension, diagnostics: Diagnostics) -> None:
    """Reports computed attributes of a record or variant that are computed from themselves through other bodies."""
    own = [each for _, found in bodies_of(holder) for each in found]
    for each in own:
        if _is_circular(holder, each.name):
            diagnostics.error(f"'{each.name}' is computed from itself", each.location)
        elif computed_attributes(holder)[each.name].is_deep:
            message = f"'{each.name}' depends on too long a chain of computed attributes of other records"
            diagnostics.error(message, each.location)
        elif computed_attributes(holder)[each.name].parts > MOST_PARTS:
            message = (
                f"'{each.name}' has too large an expression: with all that it uses, it has over {MOST_PARTS} parts"
            )
            diagnostics.error(message, each.location)


def check_parts(module: Module, diagnostics: Diagnostics) -> None:
    """Reports a file whose expressions become too large when computed attributes are replaced by their expressions."""
    if module.computed_parts > MOST_IN_ALL:
        diagnostics.error(TOO_MANY, module.definitions[0].location)


def _is_circular(holder: Record | Extension, name: str) -> bool:
    """Returns whether an attribute leads to itself; attributes without a circle are checked once."""
    pending: list[Attribute] = [(holder, name)]
    seen: set[tuple[int, str]] = set()
    while pending:
        owner, each = pending.pop()
        attribute = computed_attributes(owner)[each]
        _ = attribute.kind
        if (holder, name) in attribute.uses:
            return True
        for used in attribute.uses:
            if (key := (id(used[0]), used[1])) not in seen and not computed_attributes(used[0])[used[1]].is_clear:
                seen.add(key)
                pending.append(used)
    found = computed_attributes(holder)[name]
    found.is_clear = all(computed_attributes(owner)[each].is_clear for owner, each in found.uses)
    return False
