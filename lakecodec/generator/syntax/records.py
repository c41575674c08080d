"""Records and tables, and the parts that variants, encodings and codecs share with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ..diagnostics import Location
from .expressions import Expr
from .types import TypeExpr


@dataclass(frozen=True, slots=True)
class Setting:
    """`with target = value` computes a field inside of a field; `= value when condition` computes the field itself.

    Attributes:
        target: the field, from the one that holds it on: ``head.size``, ``rows[i].size``.
        path: the names behind the first one, None for an element at the index.
        when: where it does not hold, the value that was given stays.
        over: the list inside whose elements the index ``variable`` counts; None where it is that of the field's own dimension.
    """

    target: Expr
    path: tuple[str | None, ...]
    value: Expr
    over: Expr | None = None
    variable: str | None = None
    when: Expr | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """An invariant, and the message of its failure if the IDL has one; ``setting`` makes it true on writing."""

    condition: Expr
    message: str | None
    location: Location
    setting: Setting | None = None


@dataclass(frozen=True, slots=True)
class WireType:
    """`u32`, `bits<2>`, `Page`, `Bucket(a, b)`; `name` may be dotted (`parquet.FileMetaData`).

    ``order`` is `be` or `le` of a number that has a byte order of its own: `u32be`.
    """

    name: str
    location: Location
    type_arguments: tuple[Expr, ...] = ()
    arguments: tuple[Expr, ...] | None = None
    order: str = ""


@dataclass(frozen=True, slots=True)
class Dimension:
    """`[n]` count, `[i < n]` index (``variable`` is i), `[..]` rest, `[until e]` until.

    ``grows``: an index whose count is that of the elements so far, and one more until the list ends.
    """

    kind: Literal["count", "index", "rest", "until"]
    location: Location
    expression: Expr | None = None
    variable: str | None = None
    grows: bool = False


@dataclass(frozen=True, slots=True)
class RecordField:
    """One field of a record with its clauses; ``via`` and ``arrow`` hold the expressions after these words.

    ``from_source``: the offset behind ``at`` counts from the start of the source, or of the record ``origin`` around this one,
    not from that of the record.
    ``align``: the offset of a placed field is a multiple of it.
    ``default`` is what the constructor takes where the field is not given.
    ``bits`` are (number, lowest bit, width) of a field that is part of a number in front of it.

    Attributes that resolving fills in:
        target: the definition that the type names; None for wire types.
        called: what the steps of ``via`` name: codecs, the enum of `enum(E)`, None for what is built in.
        kind: the kind of value that the field holds, a ``paths.Target``.
        ending: the bytes of ``until``; None for other fields, and for what is no constant text or bytes.
    """

    name: str
    type: WireType
    location: Location
    dimensions: tuple[Dimension, ...] = ()
    derived: Expr | None = None
    derived_message: str | None = None
    invariants: tuple[Where, ...] = ()
    present: Expr | None = None
    at: Expr | None = None
    from_source: bool = False
    origin: str = ""
    size: Expr | None = None
    until: Expr | None = None
    via: tuple[Expr, ...] = ()
    arrow: tuple[Expr, ...] = ()
    doc: str = ""
    bits: tuple[str, int, int] | None = None
    default: Expr | None = None
    align: Expr | None = None
    target: Any = field(default=None, compare=False, repr=False)
    called: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    kind: Any = field(default=None, compare=False, repr=False)
    ending: bytes | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ComputedDef:
    """`let name = expr;`: an attribute without bytes. In the model, ``value`` names none of its own body; ``written`` may."""

    name: str
    value: Expr
    location: Location
    doc: str = ""
    written: Expr | None = None


@dataclass(frozen=True, slots=True)
class Loop:
    """`for value, index in expr` of a table."""

    variable: str
    index: str | None
    iterable: Expr
    location: Location


@dataclass(frozen=True, slots=True)
class TableColumn:
    """``type_name`` is a scalar type of Thrift, `list<...>` or one of Arrow's (`timestamp<us>`), spelled out."""

    name: str
    type_name: str
    expression: Expr
    location: Location
    doc: str = ""
    annotations: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ParamDef:
    name: str
    type: TypeExpr
    default: Expr | None
    location: Location


@dataclass(frozen=True, slots=True)
class RecordDef:
    name: str
    location: Location
    params: tuple[ParamDef, ...]
    attributes: dict[str, list[Expr]]
    checks: tuple[Where, ...]
    fields: tuple[RecordField, ...]
    doc: str = ""
    computed: tuple[ComputedDef, ...] = ()


@dataclass(frozen=True, slots=True)
class TableDef:
    """``source`` is the name of the record or struct that the first loop starts from."""

    name: str
    location: Location
    source: str
    source_location: Location
    loops: tuple[Loop, ...]
    columns: tuple[TableColumn, ...]
    doc: str = ""
