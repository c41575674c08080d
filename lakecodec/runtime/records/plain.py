"""Records and variants as plain data: the fields that callers set, by the annotations of the generated class."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from typing import Any, get_args

from ..errors import EncodeError
from ..memo import kept_with
from ..plain import by_hint, located, mapping, outward


def record_to_plain(record: Any, names: Collection[str], json: bool) -> dict[str, Any]:
    """Returns a dict of the fields ``names`` by their names in the IDL; absent ones are left out."""
    cls: type = type(record)
    hints, shown = _hints(cls), _idl_names(cls)
    found = {}
    for name in names:
        value = getattr(record, name)
        if value is not None or type(None) not in get_args(hints.get(name, Any)):
            found[shown.get(name, name)] = outward(value, json, typed=Any not in _parts(hints.get(name, Any)))
    return found


def record_of_plain(cls: type, names: Collection[str], data: Any, json: bool) -> dict[str, Any]:
    """Returns a dict of attribute -> value for the fields ``names``, the inverse of `record_to_plain`.

    Raises:
        EncodeError: a field is unknown, missing or of the wrong type; the path names it.
    """
    hints, shown = _hints(cls), _idl_names(cls)
    attributes = {shown.get(name, name): name for name in names}
    found = {}
    for name, item in mapping(data, attributes).items():
        try:
            found[attributes[name]] = None if item is None else by_hint(item, hints.get(attributes[name], Any), json)
        except EncodeError as error:
            raise located(error, name) from None
    for name, attribute in attributes.items():
        row: Any = cls.__rows__.get(attribute)  # type: ignore[attr-defined]
        if row is not None and row.default is not None:
            continue
        if name not in data and type(None) not in get_args(hints.get(attribute, Any)):
            raise EncodeError("is missing", path=name)
    return found


def _parts(hint: Any) -> tuple[Any, ...]:
    return (hint, *get_args(hint))


@kept_with
def _hints(cls: type) -> Mapping[str, Any]:
    """Returns a dict of attribute -> type, Any for annotations that cannot be evaluated."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        names = vars(sys.modules[base.__module__])
        for name, text in vars(base).get("__annotations__", {}).items():
            try:
                found[name] = eval(text, names) if isinstance(text, str) else text
            except (NameError, AttributeError, TypeError):
                found[name] = Any
    return found


@kept_with
def _idl_names(cls: Any) -> Mapping[str, str]:
    """Returns a dict of attribute -> name in the IDL."""
    spec = getattr(cls, "__spec__", None)
    return {} if spec is None else {field.attr: field.name for field in spec.fields}
