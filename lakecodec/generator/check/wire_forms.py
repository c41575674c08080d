"""The wire form of structs and messages in records, named by the first step of `via`."""

from __future__ import annotations

from ..diagnostics import Diagnostics
from ..model import Struct
from ..resolve.scope import kind_of
from ..syntax import RecordField
from ..syntax.walk import called_name

#: Codecs that name a wire form of structs or messages instead of transforming bytes.
WIRE_FORMS = frozenset({"compact", "protobuf"})


def is_message(field: RecordField) -> bool:
    """Returns whether a field of a record holds a message, which extends to the end of its span."""
    return isinstance(field.target, Struct) and field.target.is_protobuf


def check_wire_form(field: RecordField, diagnostics: Diagnostics) -> None:
    """Reports a struct or message without its wire form or with another one, and wire forms of other types."""
    found = field.target
    steps = list(field.via)
    if isinstance(found, Struct):
        if found.kind == "oneof":
            message = f"'{found.name}' is a oneof, a part of messages: it has no bytes of its own"
            diagnostics.error(message, field.type.location)
            return
        wanted = "protobuf" if found.is_protobuf else "compact"
        first = called_name(steps[0]) if steps else ""
        if first != wanted:
            message = f"'{found.name}' is {kind_of(found, article=True)}: name its wire form, `via {wanted}`"
            if steps and first not in WIRE_FORMS:
                message += f", before `via {first}`"
            diagnostics.error(message, steps[0].location if steps else field.location)
        steps = steps[1:]
        if found.is_protobuf and field.dimensions and not _elements_have_sizes(field):
            message = f"'{field.name}': a message does not tell its end, so each element needs a size"
            diagnostics.error(f"{message}: [i < n] size sizes[i], or records of a size and a message", field.location)
    for step in steps:
        if (name := called_name(step)) in WIRE_FORMS:
            holders = "messages" if name == "protobuf" else "structs"
            diagnostics.error(f"'{name}' is the wire form of {holders}, the first step of `via`", step.location)


def _elements_have_sizes(field: RecordField) -> bool:
    return field.size is not None and field.dimensions[-1].kind == "index"
