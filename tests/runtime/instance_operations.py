"""What every operation on generated instances comes to, as JSON, on the backend of the process that runs this module.

Each operation runs on a fresh instance, so that none is helped by what another one has read.
"""

from __future__ import annotations

import copy
import json
import operator
import pickle
import re
import sys
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from lakecodec import compile_idl
from lakecodec.runtime.objects import Value

IDL = """
struct Inner { 1: required i32 number; }
struct Item { 1: required i64 number; 2: optional string text; 3: optional list<i32> some; 4: optional Inner inner;
  5: i32 five = 5; 6: optional i32 class; }
struct Items { 1: required list<Item> all; 2: optional Item one; }
struct Tree { 1: optional Tree below; 2: optional i32 number; }
struct Nothing {}
union Choice { 1: i64 number; 2: Inner inner; 3: Nothing nothing; }
exception Failure { 1: required i32 number; 2: optional string text; }
message Note { 1: int64 number; 2: string text; 3: list<int32> some; 4: Note inner; 5: int32 class; Which which; }
message Notes { 1: list<Note> all; }
oneof Which { 11: string name; 12: Note note; }
record Cell { u8 number; u16 other = 2; u8 size = size(text); utf8 text[size]; u8 class = 1; }
record Cells { u8 n = count(all); Cell all[n]; }
record Scaled(i64 k) { u8 number; u8 text[k]; }
record Scales { u8 n = count(all); Scaled(2) all[n]; }
record Placed { u8 number; u8 text at 4; }
record Tagged { u8 kind; Kinds(kind) value; }
variant Kinds(u8 kind) on kind { 1: ONE { u8 number; }; 2: MANY { u8 n = count(text); u8 text[n]; }; }
"""
MODULE: Any = compile_idl(IDL, name="operated")
m = MODULE


def again(value: Any, *parameters: Any) -> Any:
    return type(value).from_bytes(value.to_bytes(*parameters), *parameters)


def item() -> Any:
    return m.Item(number=1, text="a", some=[1, 2], inner=m.Inner(number=3))


def note() -> Any:
    return m.Note(number=1, text="a", some=[1, 2], inner=m.Note(number=3), which=m.Which.name("x"))


def cell() -> Any:
    return m.Cell(number=1, text="ab")


def asked(value: Any) -> Any:
    assert value.number == 1
    return value


class SubItem(m.Item):  # type: ignore[misc,name-defined]
    __slots__ = ()


class SubNote(m.Note):  # type: ignore[misc,name-defined]
    more = 1


class SubCell(m.Cell):  # type: ignore[misc,name-defined]
    __slots__ = ()


#: Instances of every kind of class: made by hand, read, read and asked for a field, inside of others.
MADE: dict[str, Callable[[], Any]] = {
    "struct": item,
    "struct, read": lambda: again(item()),
    "struct, asked": lambda: asked(again(item())),
    "struct, copied": lambda: copy.copy(again(item())),
    "struct, of little": lambda: again(m.Item(number=1)),
    "struct in a list": lambda: again(m.Items(all=[item()] * 40)).all[30],
    "struct in a field": lambda: again(m.Items(all=[], one=item())).one,
    "struct in itself": lambda: again(m.Tree(number=1, below=m.Tree(number=2))),
    "struct without fields": m.Nothing,
    "struct of a subclass": lambda: SubItem(number=1, text="a"),
    "struct of a subclass, read": lambda: SubItem.from_bytes(item().to_bytes()),
    "exception": lambda: m.Failure(number=1, text="a"),
    "exception, read": lambda: again(m.Failure(number=1, text="a")),
    "union": lambda: m.Choice.inner(m.Inner(number=1)),
    "union, read": lambda: again(m.Choice.inner(m.Inner(number=1))),
    "union, shared": m.Choice.nothing,
    "message": note,
    "message, read": lambda: again(note()),
    "message, asked": lambda: asked(again(note())),
    "message, empty": lambda: m.Note.from_bytes(b""),
    "message in a list": lambda: again(m.Notes(all=[note()] * 40)).all[30],
    "message of a subclass, read": lambda: SubNote.from_bytes(note().to_bytes()),
    "oneof": lambda: m.Which.name("x"),
    "oneof, read": lambda: again(note()).which,
    "record": cell,
    "record, read": lambda: again(cell()),
    "record, asked": lambda: asked(again(cell())),
    "record in a list": lambda: again(m.Cells(all=[cell()] * 40)).all[30],
    "record of a subclass, read": lambda: SubCell.from_bytes(cell().to_bytes()),
    "record with parameters": lambda: m.Scaled(number=1, text=b"ab"),
    "record with parameters, read": lambda: again(m.Scaled(number=1, text=b"ab"), 2),
    "record with parameters, in a list": lambda: again(m.Scales(all=[m.Scaled(number=1, text=b"ab")] * 3)).all[1],
    "record with places": lambda: m.Placed(number=1, text=2),
    "record with places, read": lambda: again(m.Placed(number=1, text=2)),
    "variant": lambda: m.Kinds.ONE(number=1),
    "variant, read": lambda: m.Tagged.from_bytes(b"\1\1").value,
    "variant of many, read": lambda: m.Tagged.from_bytes(b"\2\2ab").value,
}
NAMES = (
    "number",
    "text",
    "some",
    "inner",
    "five",
    "class_",
    "below",
    "kind",
    "value",
    "n",
    "k",
    "which",
    "unknown_fields",
    "unknown",
)
CLASSES = {
    "the same": lambda value: type(value),
    "a subclass": lambda value: type("Sub", (type(value),), {"__slots__": ()}),
    "a subclass with a dict": lambda value: type("Sub", (type(value),), {}),
    "object": lambda value: object,
    "int": lambda value: int,
    "a number": lambda value: 5,
    "another class": lambda value: m.Inner,
    "a record's": lambda value: m.Cell,
    "a message's": lambda value: m.Note,
}


def _matched(value: Any) -> Any:
    match value:
        case m.Item(number=number, text=text):
            return number, text
        case m.Note(number, text):
            return number, text
        case m.Cell(number=number):
            return number
    return None


def _class_set(value: Any, chosen: Callable[[Any], Any]) -> Any:
    cls = chosen(value)
    value.__class__ = cls
    return type(value) is cls, repr(value), value == value


def _then(value: Any, act: Callable[[Any], Any], follow: Callable[[Any], Any]) -> Any:
    act(value)
    return follow(value)


def _listed(value: Any) -> list[str]:
    # What a backend keeps at a class is its own affair.
    return [name for name in dir(value) if not name.startswith("__kept_")]


def _pickled(value: Any, protocol: int) -> Any:
    # Classes that are local to this module pickle by their names.
    return pickle.loads(pickle.dumps(value, protocol)) == value


FOLLOWS: dict[str, Callable[[Any], Any]] = {
    "repr": repr,
    "to_bytes": lambda value: value.to_bytes(),
    "to_dict": lambda value: value.to_dict(),
    "==": lambda value: value == value,
    "copy": lambda value: repr(copy.copy(value)),
    "deepcopy": lambda value: repr(copy.deepcopy(value)),
    "pickle": lambda value: repr(pickle.loads(pickle.dumps(value))),
}


def operations(value: Any) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yields the operations, each with a name."""
    yield from FOLLOWS.items()
    yield from {
        "str": str,
        "hash": lambda value: hash(value) == hash(copy.copy(value)),
        "bool": bool,
        "len": len,
        "iter": list,
        "bytes": bytes,
        "int": int,
        "index": operator.index,
        "call": lambda value: value(),
        "getitem": lambda value: value[0],
        "contains": lambda value: 0 in value,
        "reversed": lambda value: list(reversed(value)),
        "negated": operator.neg,
        "format": format,
        "format >": lambda value: format(value, ">9"),
        "vars": vars,
        "dir": _listed,
        "weakref": lambda value: weakref.ref(value)() is value,
        "class": lambda value: value.__class__.__name__,
        "dict": lambda value: value.__dict__,
        "slots": lambda value: value.__slots__,
        "module": lambda value: value.__module__,
        "doc": lambda value: value.__doc__,
        "reduce": lambda value: value.__reduce_ex__(2)[1:],
        "getstate": lambda value: value.__getstate__(),
        "isinstance": lambda value: isinstance(value, Value),
        "== None": lambda value: value == None,  # noqa: E711
        "== copy": lambda value: value == copy.copy(value),
        "!= copy": lambda value: value != copy.copy(value),
        "== deepcopy": lambda value: value == copy.deepcopy(value),
        "== other": lambda value: value == m.Inner(number=1),
        "<": lambda value: value < value,
        "+": lambda value: value + 1,
        "init": lambda value: type(value).__init__(value),
        "init number": lambda value: repr(_then(value, lambda v: v.__init__(number=2), repr)),
        "new": lambda value: repr(type(value).__new__(type(value))),
        "new of 1": lambda value: type(value).__new__(type(value), 1),
        "to_json": lambda value: value.to_json(),
        "replace": lambda value: repr(value.replace()),
        "replace number": lambda value: repr(value.replace(number=7)),
        "from_dict": lambda value: type(value).from_dict(value.to_dict()) == value,
        "match": _matched,
        "setstate": lambda value: _then(value, lambda v: v.__setstate__((None, {"number": 3})), repr),
        "rich": lambda value: value._repr_html_(),
        "pretty": lambda value: list(value.__rich_repr__()),
        "attributes": lambda value: [getattr(value, name) for name in reversed(value._settable())],
        "gets of two": operator.attrgetter("number", "text"),
    }.items()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield f"pickle {protocol}", partial(_pickled, protocol=protocol)
    for name, chosen in CLASSES.items():
        yield f"__class__ = {name}", partial(_class_set, chosen=chosen)
    yield "del __class__", lambda value: delattr(value, "__class__")
    for name in NAMES:
        yield f"get {name}", operator.attrgetter(name)
        yield f"has {name}", partial(lambda value, name: hasattr(value, name), name=name)
        for told, given in (("5", 5), ("None", None), ("text", "x"), ("itself", ...)):
            put = partial(
                lambda value, name, given: setattr(value, name, value.number if given is ... else given),
                name=name,
                given=given,
            )
            for then in ("repr", "to_bytes", "==", "pickle"):
                yield f"{name} = {told}, {then}", partial(_then, act=put, follow=FOLLOWS[then])
        delete = partial(lambda value, name: delattr(value, name), name=name)
        for then, follow in FOLLOWS.items():
            yield f"del {name}, {then}", partial(_then, act=delete, follow=follow)
        yield f"del {name} twice", partial(_then, act=delete, follow=delete)
        yield f"del {name}, get", partial(_then, act=delete, follow=operator.attrgetter(name))
        yield (
            f"del {name}, set",
            partial(
                _then,
                act=delete,
                follow=partial(_then, act=lambda value, name=name: setattr(value, name, 1), follow=repr),
            ),
        )
        yield (
            f"del {name}, get others",
            partial(
                _then,
                act=delete,
                follow=lambda value, name=name: [getattr(value, other) for other in value._settable() if other != name],
            ),
        )
        yield (
            f"{name} += 1",
            partial(
                lambda value, name: _then(value, lambda v: setattr(v, name, getattr(v, name) + 1), repr), name=name
            ),
        )
    yield "get 5", lambda value: getattr(value, 5)
    yield "set 5", lambda value: setattr(value, 5, 1)
    yield "del 5", lambda value: delattr(value, 5)


def outcome(made: Callable[[], Any], operation: Callable[[Any], Any]) -> str:
    """Returns what an operation comes to: its result, or the kind of error and what it says."""
    try:
        found = repr(operation(made()))
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    return re.sub(r"0x[0-9a-f]+", "0x", found)


def main() -> None:
    found = {
        f"{kind}: {name}": outcome(made, operation)
        for kind, made in MADE.items()
        for name, operation in operations(None)
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
