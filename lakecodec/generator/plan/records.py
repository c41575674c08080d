"""Plans of the classes that bodies of fields become: records, alternatives of variants, codecs with fields."""

from __future__ import annotations

import re

from ..builtin_names import FIXED_WIDTHS, FLOAT_TYPES, VARINT_BITS
from ..expressions import called_name, names, walk
from ..model import Enum, Module, Record
from ..syntax import Call, Dimension, Member, Name, RecordField
from . import types
from .expressions import UnsupportedExpression
from .idl_text import text_of
from .layouts import body_table
from .lines import Lines
from .names import argument_name, attribute_name, type_name
from .record_elements import reading_scope, tag_scope
from .record_plan import ParamPlan, RecordFieldPlan, RecordPlan
from .record_read import Reader
from .record_write import Writer
from .shapes import fixed_size
from .text import call, docstring
from .units import Unit, unit_of_record


def plan_record(record: Record, nests: bool) -> RecordPlan:
    """The plan of a record; raises UnsupportedExpression with the place of what cannot be compiled."""
    unit = unit_of_record(record, nests)
    if unit.located:
        return _located(record, unit)
    return plan_unit(
        unit,
        spec_name=record.name,
        doc=record.doc or f"{record.name}.",
        source_line=record.location.line,
        slots=[unit.attr(name) for name, _ in unit.params],
    )


def plan_unit(
    unit: Unit,
    *,
    spec_name: str,
    doc: str,
    source_line: int,
    slots: list[str],
    base: str = "_rec.Record",
    **more: object,
) -> RecordPlan:
    """The plan of any body whose fields follow each other; ``slots`` come before those of the fields."""
    fields = [_field(each, unit) for each in unit.fields]
    reader = Reader(unit)
    read, write = reader.lines(), Writer(unit).lines()
    if unit.size is not None:
        _check_claimed_size(unit)
    prologue = _tag_lines(unit, bool(more.get("takes_tag")), list(more.pop("refused_tags", ())))  # type: ignore[call-overload]
    read = [*prologue[0], *read]
    if unit.nests:
        read, write = ["at.enter(pos)", *read, "at.depth += 1"], ["out.enter()", *write, "out.depth += 1"]
    return RecordPlan(
        name=unit.name,
        spec_name=spec_name,
        base=base,
        docstring=docstring(doc, [(f.attr, f.doc or f.hint) for f in fields]),
        doc=doc,
        params=params_of(unit),
        fields=fields,
        read=read,
        write=[*prologue[1], *write],
        located=False,
        source_line=source_line,
        layouts=[_layout(*layout) for layout in reader.layouts],
        state=_states(unit),
        slots=[*slots, *(item.attr for item in fields), *(["tag"] if more.get("takes_tag") else [])],
        of_codec=unit.codec is not None,
        enums=_enums(unit),
        layout=body_table(unit, takes_tag=bool(more.get("takes_tag"))),
        **more,  # type: ignore[arg-type]
    )


def _tag_lines(unit: Unit, takes_tag: bool, refused: list[str]) -> tuple[list[str], list[str]]:
    """What an alternative does about its tag before it is read, and before it is written."""
    if unit.tag is None:
        return [], []
    scope = tag_scope(unit)
    tag = scope.grouped(unit.tag)
    lines = Lines()
    if refused:
        with lines.block(f"if made.tag in ({', '.join(refused)},):"):
            lines.add('raise _out.unfit(f"the tag {made.tag!r} is that of another alternative")')
    if not unit.span_words(unit.tag):
        with lines.block(f"if {tag} != made.tag:"):
            lines.add(f'raise _out.unfit(f"the alternative {{made.kind}} has the tag {{made.tag!r}}, not {{{tag}!r}}")')
    return ([f"made.tag = {scope.render(unit.tag)}"] if takes_tag else []), lines.lines


def params_of(unit: Unit) -> list[ParamPlan]:
    scope = reading_scope(unit)
    kinds = unit.kinds
    return [
        ParamPlan(
            unit.attr(name),
            argument_name(name),
            hint_of(type_, unit.module),
            scope.render(unit.defaults[name], kinds[name]) if name in unit.defaults else "",
        )
        for name, type_ in unit.params
    ]


def _located(record: Record, unit: Unit) -> RecordPlan:
    stray = next((each for each in record.fields if each.at is None), None)
    if stray is not None:
        raise UnsupportedExpression("a record that places fields with `at` must place all of them", stray.location)
    derived = next((each for each in record.fields if each.derived is not None), None)
    if derived is not None:
        raise UnsupportedExpression("a field placed with `at` cannot be derived: give it a `where`", derived.location)
    _refuse_circles(unit)
    _refuse_measures(unit)
    fields = [_field(each, unit) for each in record.fields]
    offsets = [(each.name, path) for each in record.fields if (path := _offset_path(each, unit))]
    sizes = [(each.name, size) for each in record.fields if (size := _known_size(each, unit)) is not None]
    constants = []
    if offsets:
        constants.append(
            ("_offsets", f"{{{', '.join(f'{types.quoted(name)}: {_tuple(path)}' for name, path in offsets)}}}")
        )
    if sizes:
        constants.append(("_sizes", f"{{{', '.join(f'{types.quoted(name)}: {size}' for name, size in sizes)}}}"))
    params = params_of(unit)
    return RecordPlan(
        name=type_name(record.name),
        spec_name=record.name,
        base="_rec.Located",
        docstring=docstring(record.doc or f"{record.name}.", [(f.attr, f.doc or f.hint) for f in fields]),
        doc=record.doc,
        params=params,
        fields=fields,
        read=[],
        write=[],
        located=True,
        source_line=record.location.line,
        layouts=[],
        constants=constants,
        slots=[param.attr for param in params],
        enums=_enums(unit),
    )


def _refuse_circles(unit: Unit) -> None:
    """No field may need itself to be found, read or checked."""
    located = {each.name: each for each in unit.fields}

    def needed(each: RecordField) -> set[str]:
        clauses = (each.at, each.size, *(each.type.arguments or ()), *(where.condition for where in each.invariants))
        return {name.name for clause in clauses if clause is not None for name in names(clause)} & (
            set(located) - {each.name}
        )

    for each in unit.fields:
        seen: set[str] = set()
        pending = list(needed(each))
        while pending:
            name = pending.pop()
            if name == each.name:
                raise UnsupportedExpression(f"'{each.name}' cannot be found without itself", each.location)
            if name not in seen:
                seen.add(name)
                pending += needed(located[name])


def _refuse_measures(unit: Unit) -> None:
    """Fields are read when they are asked for: what another one's bytes measure is not at hand."""
    for each in unit.fields:
        conditions = [where.condition for where in each.invariants]
        for part in (part for expr in (each.at, each.size, *conditions) if expr is not None for part in walk(expr)):
            if isinstance(part, Call) and called_name(part) in ("size", "raw_size", "offset"):
                raise UnsupportedExpression("fields placed with `at` have no measures: name what places them", part)


def _enums(unit: Unit) -> list[str]:
    shapes = unit.shapes.values()
    return [types.class_expression(shape.enum, unit.module) for shape in shapes if shape.enum is not None]


def _field(each: RecordField, unit: Unit) -> RecordFieldPlan:
    shape = unit.shapes[each.name]
    span = None
    read: list[str] = []
    write: list[str] = []
    if each.at is not None:
        scope = reading_scope(unit)
        span = (scope.render(each.at), _located_size(each, unit))
        read, write = Reader(unit, each).lines(), Writer(unit, each).lines()
    return RecordFieldPlan(
        name=each.name,
        attr=unit.attr(each.name),
        hint=shape.hint,
        doc=each.doc,
        given=each.derived is None and unit.codec is None,
        spec=types.quoted(_spec_text(each)),
        span=span,
        read=read,
        write=write,
    )


def _spec_text(each: RecordField) -> str:
    """What a field is made of."""
    text = each.type.name + "".join(f"[{_dimension(d)}]" for d in each.dimensions)
    return text if each.until is None else f"{text} until {text_of(each.until)}"


def _located_size(each: RecordField, unit: Unit) -> str:
    if each.size is not None:
        return reading_scope(unit).render(each.size)
    size = fixed_size(each, unit.module)
    if size is None:
        raise UnsupportedExpression("a field placed with `at` needs a `size`, or a type of fixed size", each.location)
    return str(size)


def _known_size(each: RecordField, unit: Unit) -> str | None:
    """A size that does not hang on other fields, as text."""
    if each.size is None:
        size = fixed_size(each, unit.module)
        return None if size is None else str(size)
    used = {name.name for name in names(each.size)}
    if unit.span_words(each.size) or used & ({f.name for f in unit.fields} | {name for name, _ in unit.params}):
        return None
    return reading_scope(unit).render(each.size)


def _offset_path(each: RecordField, unit: Unit) -> tuple[str, ...] | None:
    """The path of the value that holds a field's offset, where `at` is one that begins at another field."""
    path: list[str] = []
    expr = each.at
    while isinstance(expr, Member):
        path.insert(0, expr.name)
        expr = expr.base
    if isinstance(expr, Name) and path and unit.field(expr.name) is not None:
        return (unit.attr(expr.name), *(attribute_name(name) for name in path))
    return None


def _tuple(path: tuple[str, ...]) -> str:
    return (
        f"({', '.join(types.quoted(name) for name in path)},)"
        if len(path) == 1
        else f"({', '.join(map(types.quoted, path))})"
    )


def _check_claimed_size(unit: Unit) -> None:
    assert unit.size is not None
    sizes = [fixed_size(each, unit.module) for each in unit.fields]
    known = [size for size in sizes if size is not None]
    claimed = getattr(unit.size, "value", None)
    if len(known) == len(sizes) and claimed is not None and sum(known) != claimed:
        raise UnsupportedExpression(f"the fields take {sum(known)} bytes, not {claimed}", unit.size)


def _layout(name: str, order: str, codes: list[tuple[str, str]]) -> list[str]:
    """A run of fixed width as a constant."""
    arguments = [types.quoted(order), *(f"{attribute_name(each)}={types.quoted(code)}" for each, code in codes)]
    return call(f"{name} = _rec.Layout", arguments, indent=0, end="")


def _states(unit: Unit) -> list[tuple[str, str]]:
    scope = reading_scope(unit)
    found = []
    for slot in unit.states:
        if slot.state is not None:
            initial = scope.render(slot.state.initial)
            found.append((initial, initial))
        else:
            assert slot.step is not None
            codec = slot.step.function.name  # type: ignore[union-attr]
            found.append((f"_rec.Reused({type_name(codec)})", f"_rec.Reused({type_name(codec)}, out)"))
    return found


def hint_of(type_text: str, module: Module) -> str:
    """The Python type of a parameter."""
    if inside := re.fullmatch(r"(list|set)<(.*)>", type_text):
        return f"{inside[1]}[{hint_of(inside[2], module)}]"
    found = module.find(type_text)
    if isinstance(found, Enum):
        return f"{types.class_expression(found, module)} | int"
    if isinstance(found, Record):
        prefix = "" if found.module is module else f"{types.import_alias(found.module)}."
        return f"{prefix}{type_name(found.name)}"
    if type_text in FLOAT_TYPES or type_text == "double":
        return "float"
    if type_text in FIXED_WIDTHS or type_text in VARINT_BITS or type_text in ("byte",):
        return "int"
    return {"bool": "bool", "string": "str", "utf8": "str", "bytes": "bytes", "binary": "bytes"}.get(type_text, "_Any")


def _dimension(dimension: Dimension) -> str:
    text = text_of(dimension.expression) if dimension.expression is not None else ""
    return {"count": text, "rest": "..", "until": f"until {text}", "index": f"{dimension.variable} < {text}"}[
        dimension.kind
    ]
