"""Rules for messages and oneofs: what protobuf's wire format can hold."""

from __future__ import annotations

from ..diagnostics import Diagnostics
from ..model import Enum, Field, ListOf, MapOf, Scalar, SetOf, Struct, Type
from ..resolve.constants import type_name
from ..resolve.messages import is_packable
from ..resolve.scope import UNKNOWN, kind_of

_HIGHEST = (1 << 29) - 1
_RESERVED = range(19000, 20000)
_WIDENED = {"i8": "int32", "i16": "int32", "uuid": "bytes"}
_NO_KEYS = frozenset({"double", "float", "binary"})


def refuse_messages(struct: Struct, diagnostics: Diagnostics) -> None:
    """Reports fields of structs and unions that hold messages."""
    for field in struct.fields:
        found = next((each for each in _parts(field.type) if isinstance(each, Struct) and each.is_protobuf), None)
        if found is not None:
            message = f"'{found.name}' is a {found.kind}, which only messages hold; '{struct.name}' is a {struct.kind}"
            diagnostics.error(message, field.location)


def refuse_wide_enums(struct: Struct, diagnostics: Diagnostics) -> None:
    """Reports fields whose enums have 64 bits: both wire formats give them 32."""
    for field in struct.fields:
        found = next((each for each in _parts(field.type) if isinstance(each, Enum) and each.is_wide), None)
        if found is not None:
            text = f"'{found.name}' has 64 bits, which only records hold; '{struct.name}' is a {struct.kind}"
            diagnostics.error(text, field.location)


def check_message(message: Struct, diagnostics: Diagnostics) -> None:
    """Reports what a message or oneof cannot have in protobuf."""
    if "lakecodec.codec" in message.annotations:
        diagnostics.error(
            f"a {message.kind} has no codec of its own: `lakecodec.codec` is for structs", message.location
        )
    taken: dict[int, str] = {}
    for field in message.fields:
        if isinstance(field.type, Struct) and field.type.kind == "oneof":
            _check_oneof(message, field, diagnostics)
            numbered = [(member.id, f"{field.name}.{member.name}") for member in field.type.fields]
        else:
            _check_number(field, diagnostics)
            _check_type(message, field, diagnostics)
            _check_presence(message, field, diagnostics)
            numbered = [(field.id, field.name)]
        for number, name in numbered:
            if number in taken and taken[number] != name and "." in name + taken[number]:
                message_text = f"'{name}' has the same number {number} as '{taken[number]}'"
                diagnostics.error(message_text, field.id_location or field.location)
            taken.setdefault(number, name)


def _check_oneof(message: Struct, field: Field, diagnostics: Diagnostics) -> None:
    """Checks a oneof in a message: its members are fields of the message, it has no number itself."""
    assert isinstance(field.type, Struct)
    if message.kind == "oneof":
        diagnostics.error("a oneof cannot have a oneof: make it a message that has one", field.location)
    elif field.explicit_id:
        text = f"'{field.name}' has no number of its own: the members of '{field.type.name}' have theirs"
        diagnostics.error(f"{text}; leave out '{field.id}:'", field.id_location or field.location)
    if field.has_default:
        diagnostics.error(f"'{field.name}' cannot have a default: it holds a oneof", field.location)


def _check_number(field: Field, diagnostics: Diagnostics) -> None:
    place = field.id_location or field.location
    if not field.explicit_id:
        diagnostics.error(f"'{field.name}' needs a number in front: 1: ...; only a oneof has none", field.location)
    elif not 1 <= field.id <= _HIGHEST:
        diagnostics.error(f"numbers of fields must be 1 to {_HIGHEST}, not {field.id}", place)
    elif field.id in _RESERVED:
        diagnostics.error(f"protobuf reserves the numbers {_RESERVED[0]} to {_RESERVED[-1]} for itself", place)


def _check_type(message: Struct, field: Field, diagnostics: Diagnostics) -> None:
    problem = _problem(field.type)
    if problem is None and message.kind == "oneof" and isinstance(field.type, ListOf | MapOf):
        problem = "a oneof cannot have a list or a map: put it into a message"
    if problem is not None:
        diagnostics.error(f"'{field.name}': {problem}", field.location)
    one = field.type.value if isinstance(field.type, ListOf) else field.type
    can_be = {
        "packed": (one is not field.type and is_packable(one), "only lists of numbers, bools and enums are packed"),
        "group": (isinstance(one, Struct), "only messages and lists of messages are groups"),
    }
    for name, (fits, rule) in can_be.items() if problem is None else ():
        if (value := field.annotations.get(name)) is None:
            continue
        if not fits:
            diagnostics.error(f"'{field.name}': {rule}", field.location)
        elif value not in ("true", "false"):
            diagnostics.error(f'\'{field.name}\': {name} is "true" or "false"', field.location)


def _problem(type_: Type) -> str | None:
    """Returns the reason why protobuf lacks a type; None if it has it."""
    match type_:
        case SetOf():
            return "protobuf has no sets; did you mean 'list'?"
        case ListOf() if isinstance(type_.value, ListOf | SetOf | MapOf):
            return "a list of lists or maps needs a message between them"
        case ListOf():
            return _problem(type_.value)
        case MapOf() if not isinstance(type_.key, Scalar) or type_.key.kind in _NO_KEYS:
            return "keys of maps must be integers, bools or strings"
        case MapOf() if isinstance(type_.value, ListOf | SetOf | MapOf):
            return "a map of lists or maps needs a message between them"
        case MapOf():
            return _problem(type_.key) or _problem(type_.value)
        case Struct() if type_.kind == "oneof":
            return f"'{type_.name}' is a oneof, which is a field of a message itself: without number, list or map"
        case Struct() if not type_.is_protobuf:
            return f"'{type_.name}' is {kind_of(type_, article=True)} of the compact protocol; a message holds messages"
        case Scalar() if type_ is not UNKNOWN and type_.kind in _WIDENED:
            return f"protobuf has no {type_.kind}; did you mean '{_WIDENED[type_.kind]}'?"
        case _:
            return None


def _check_presence(message: Struct, field: Field, diagnostics: Diagnostics) -> None:
    is_list = isinstance(field.type, ListOf | MapOf)
    if is_list and field.requiredness != "default":
        text = f"'{field.requiredness}' has no effect here: if it is absent, '{field.name}' is empty"
        diagnostics.error(text, field.location)
    elif is_list and message.kind == "message" and field.default not in ([], {}):
        diagnostics.error(f"'{field.name}' cannot have a default: if it is absent, it is empty", field.location)
    elif field.has_default and (isinstance(field.type, Struct) or message.kind == "oneof"):
        text = "a member of a oneof" if message.kind == "oneof" else "it holds a message"
        diagnostics.error(f"'{field.name}' cannot have a default: {text}", field.location)
    elif message.kind == "message" and field.requiredness == "default" and not field.has_default:
        # All types except enums have a default: see set_zero_defaults.
        text = f"'{type_name(field.type)}' has no member 0 that could stand for an absent '{field.name}'"
        diagnostics.error(f"{text}: use `optional`, or give a default", field.location)


def _parts(type_: Type) -> list[Type]:
    match type_:
        case ListOf() | SetOf():
            return _parts(type_.value)
        case MapOf():
            return _parts(type_.key) + _parts(type_.value)
        case _:
            return [type_]
