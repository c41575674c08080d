"""Rows: lines of a class body, one per field, from which the class is made.

``name: hint = field(<wire type>, ...)``, with the field's documentation as the string behind it, says everything about a
field once. `Rows`, the metaclass, takes the rows out of the class body and makes ``__slots__``, ``__match_args__``, the
constructor of them (when the first object is made: most classes of a module never need one); `describe` makes the specs.
To type checkers it is a dataclass transform, so that they demand the fields that have no default. Kinds of classes with
richer rows have their own Row class, a function that makes rows, and a subclass of `Rows` with that function as
specifier.
"""

from __future__ import annotations

import copyreg
import inspect
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from operator import attrgetter
from typing import Any, Protocol, TypeVar, cast, dataclass_transform, overload

from .compiled import reduce_class
from .docs import attribute_docs, unwrapped, with_attributes
from .spec import FieldSpec, Requiredness, Spec, SpecTable, TypeSpec, resolve

_T = TypeVar("_T")
_V = TypeVar("_V", contravariant=True)
_U = TypeVar("_U", covariant=True)
#: Stands for a default that was not passed.
_NONE: Any = object()


class Row:
    """The description of a field in a class body.

    Attributes:
        type: the wire type, or the name of a class of the same module.
        default: the constructor's default for the field; None without a default.
        factory: makes a default that must not be shared; None without one.
        init: whether the constructor takes the field.
        name: the IDL's name if it differs from the attribute's, else empty.
    """

    __slots__ = ("default", "factory", "init", "name", "type")

    def __init__(
        self,
        type: TypeSpec | str,
        *,
        default: Any = None,
        factory: Callable[[], Any] | None = None,
        init: bool = True,
        name: str = "",
    ) -> None:
        self.type = type
        self.default = default
        self.factory = factory
        self.init = init
        self.name = name

    def spec(self, cls: type, attr: str, names: Mapping[str, Any]) -> FieldSpec:
        """Returns the field's description; ``names`` are the globals of the module of ``cls``."""
        raise NotImplementedError


class StructRow(Row):
    """A field of a struct, or a member of a union; attributes as in FieldSpec, ``implied`` is an optional field's default."""

    __slots__ = ("id", "implied", "requiredness")
    id: int
    implied: Any
    requiredness: Requiredness

    def spec(self, cls: type, attr: str, names: Mapping[str, Any]) -> FieldSpec:
        factory = self.factory
        default = self.default if self.implied is _NONE else self.implied
        if default is not self.default and callable(default):
            default, factory = None, default
        return FieldSpec(
            self.name or attr,
            self.id,
            resolve(self.type, names),
            self.requiredness,
            default,
            lambda: attribute_docs(cls).get(attr, ""),
            attr,
            factory=factory,
        )


@overload
def field(
    id: int, type: TypeSpec | str, requiredness: Requiredness | None = None, *, implied: Any = ..., name: str = ""
) -> Any: ...
@overload
def field(
    id: int,
    type: TypeSpec | str,
    requiredness: Requiredness | None = None,
    *,
    default: _T,
    implied: Any = ...,
    name: str = "",
) -> _T: ...
@overload
def field(
    id: int,
    type: TypeSpec | str,
    requiredness: Requiredness | None = None,
    *,
    factory: Callable[[], _T],
    implied: Any = ...,
    name: str = "",
) -> _T: ...
def field(
    id: int,
    type: TypeSpec | str,
    requiredness: Requiredness | None = None,
    *,
    default: Any = _NONE,
    factory: Callable[[], Any] | None = None,
    implied: Any = _NONE,
    name: str = "",
) -> Any:
    """Returns the row of a struct's field.

    Args:
        id: the field id.
        type: the wire type, e.g. ``I32`` or ``list_("RowGroup")``; a str names a class, ``"_base.Point"`` an included one.
        requiredness: by default ``required`` without a default, ``optional`` with None, else ``default``.
        default: the default of a required field or of one that is neither required nor optional; None for none.
        factory: makes a default that must not be shared, such as a list.
        implied: the default that the IDL gives an optional field, or a function that makes it: it describes what the
            field's absence means, and is never filled in.
        name: the IDL's name if Python reserves it.
    """
    row = StructRow(type, default=None if default is _NONE else default, factory=factory, name=name)
    row.id = id
    row.implied = implied
    if requiredness is None:
        unset = default is _NONE and factory is None
        requiredness = "required" if unset else "optional" if default is None else "default"
    row.requiredness = requiredness
    return row


class _Namespace(dict[str, Any]):
    """The namespace of a class body. Rows are kept apart, so that a field may have a name that other rows use."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, Any] = {}

    def __setitem__(self, name: str, value: Any) -> None:
        if isinstance(value, Row):
            self.rows[name] = value
        else:
            super().__setitem__(name, value)


def _documentation(cls: type) -> str | None:
    """Returns a class's docstring with the texts behind its rows."""
    return with_attributes(cls, vars(cls).get("__doc__"))


# Classes would inherit the docstring of their metaclass, so the three metaclasses have none: `__doc__` is a property.


class Described(type):
    # The metaclass of classes that are made of rows.

    __doc__ = property(_documentation)
    #: The rows by attribute, in the order of the IDL, those of base classes first.
    __rows__: Mapping[str, Any]
    __match_args__: tuple[str, ...]

    def __init_subclass__(mcs, **options: Any) -> None:
        """Registers the metaclass with ``copyreg``, so that its classes pickle, also those compiled at run time."""
        super().__init_subclass__(**options)
        copyreg.pickle(mcs, reduce_class)

    @classmethod
    def __prepare__(mcs, name: str, bases: tuple[type, ...], /, **options: Any) -> _Namespace:
        return _Namespace()

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: Any, /, **options: Any) -> Any:
        rows = namespace.rows if isinstance(namespace, _Namespace) else {}
        if rows:
            inherited = next((base.__rows__ for base in bases if isinstance(base, Described)), {})
            namespace.update(mcs._made_of(rows), __rows__={**inherited, **rows})
        elif all(base.__module__.startswith(f"{__package__}.") for base in bases):
            # A generated class without rows gets no instance dict; users' subclasses do.
            namespace.setdefault("__slots__", ())
        return super().__new__(mcs, name, bases, dict(namespace), **options)

    @classmethod
    def _made_of(mcs, rows: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the class attributes made from the class's own rows."""
        raise NotImplementedError


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
class Rows(Described):
    # The metaclass of classes with one slot and one constructor argument per row.

    __doc__ = property(_documentation)

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: Any, /, **options: Any) -> Any:
        rows = namespace.rows if isinstance(namespace, _Namespace) else {}
        if own := tuple(rows) or namespace.get("__slots__"):
            inherited = next((base.__match_args__ for base in bases if isinstance(base, Rows)), ())
            namespace["__match_args__"] = (*inherited, *own)
        return super().__new__(mcs, name, bases, namespace, **options)

    @classmethod
    def _made_of(mcs, rows: Mapping[str, Any]) -> dict[str, Any]:
        return {"__slots__": tuple(rows)}

    @property
    def __signature__(cls) -> inspect.Signature:
        if make_constructor(cls) is None:
            raise AttributeError("__signature__")
        signature = inspect.signature(cls.__init__)  # type: ignore[misc]
        return signature.replace(parameters=list(signature.parameters.values())[1:])


def make_constructor(cls: type) -> Callable[..., None] | None:
    """Returns the constructor of the class that has the rows of ``cls``, made on first use; None without rows."""
    owner: Any = next((base for base in cls.__mro__ if vars(base).get("__rows__")), None)
    if owner is None:
        return None
    if "__init__" not in vars(owner):
        owner.__init__ = _constructor(owner)
    made: Callable[..., None] = owner.__init__
    return made


def _constructor(cls: Any) -> Callable[..., None]:
    """Returns ``__init__`` with a keyword argument for each row, in plain Python."""
    rows = {attr: row for attr, row in cls.__rows__.items() if row.init}
    assigned = {
        attr: attr if row.factory is None else f"__rows[{attr!r}].factory() if {attr} is None else {attr}"
        for attr, row in rows.items()
    }
    body = "\n".join(f"    self.{attr} = {value}" for attr, value in assigned.items())
    names: dict[str, Any] = {"__rows": rows}
    exec(f"def __init__(self, *, {', '.join(f'{attr}=None' for attr in rows)}):\n{body}", names)
    made: Any = names["__init__"]
    made.__kwdefaults__ = {attr: row.default for attr, row in rows.items()}
    made.__annotations__ = {attr: cls.__annotations__[attr] for attr in rows} | {"return": None}
    made.__module__, made.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    return cast(Callable[..., None], made)


class Member(Protocol[_V]):
    """Makes a union of the value of one of its members."""

    def __get__(self, union: object, cls: type[_T]) -> _Builds[_V, _T]: ...


class Empty(Protocol[_V]):
    """Makes a union whose member is a struct without fields."""

    def __get__(self, union: object, cls: type[_T]) -> _BuildsEmpty[_V, _T]: ...


class _Builds(Protocol[_V, _U]):
    def __call__(self, value: _V) -> _U: ...


class _BuildsEmpty(Protocol[_V, _U]):
    def __call__(self, value: _V | None = None) -> _U: ...


def member(id: int, type: TypeSpec | str, *, name: str = "") -> Any:
    """Returns the row of a union's member; arguments as in `field`."""
    return field(id, type, "default", name=name)


class Members(Described):
    # The metaclass of unions: each row becomes a class method that makes the union from the member's value.

    __doc__ = property(_documentation)

    @classmethod
    def _made_of(mcs, rows: Mapping[str, Any]) -> dict[str, Any]:
        return {"__slots__": ()} | {attr: classmethod(_builder(attr, row)) for attr, row in rows.items()}


def _builder(attr: str, row: StructRow) -> Callable[..., Any]:
    kind, id_ = row.name or attr, row.id

    def build(cls: Any, value: Any = None) -> Any:
        return cls._member(kind, id_, value)

    build.__name__ = build.__qualname__ = attr
    return build


def describe(names: Mapping[str, Any], file: str, lines: Mapping[str, int | Sequence[int]]) -> SpecTable:
    """Returns the ``__spec__`` (type name -> description) of a generated module.

    Args:
        names: the module's globals.
        file: the name of the IDL file.
        lines: the line of each type's declaration; of a variant also those of its alternatives.
    """
    specs = list[Spec]()
    for name, found in lines.items():
        numbers, cases = ([found], ()) if isinstance(found, int) else (found, names[name]._all)
        classes = [names[name], *cases]
        specs += [
            _described(each, each.__name__, (file, number), names)
            for each, number in zip(classes, numbers, strict=True)
        ]
    return SpecTable(names.get("__spec__"), names["__name__"], specs)


def _described(cls: Any, name: str, source: tuple[str, int], names: Mapping[str, Any]) -> Spec:
    own = vars(cls)
    name = own.get("__idl_name__", name)
    kind: Any = "enum" if issubclass(cls, IntEnum) else cls.__kind__
    if field_specs := getattr(cls, "_field_specs", None):
        fields = list(field_specs(names))
    else:
        fields = [row.spec(cls, attr, names) for attr, row in own.get("__rows__", {}).items()]
        fields.sort(key=attrgetter("id"))
    annotations = own.get("__idl_annotations__", {})
    computed = cls._computed_specs() if hasattr(cls, "_computed_specs") else ()
    return Spec(name, kind, cls, fields, source, idl_doc(cls), annotations, computed)


def idl_doc(cls: type) -> str:
    """Returns the IDL's documentation of a type; empty where it has none."""
    own = vars(cls)
    doc = own.get("__doc__") or ""
    return "" if doc == f"{own.get('__idl_name__', cls.__name__)}." else unwrapped(doc)
