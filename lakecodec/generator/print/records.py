"""The classes that bodies of fields become: records, alternatives of variants, codecs with fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..lower import nodes
from ..lower.layouts import AlternativeLayout, FieldLayout, ParameterLayout, RecordLayout
from ..lower.nodes import Node
from ..plan.names import attribute_name
from ..plan.text import assignment, call, docstring
from ..plan.types import class_expression, quoted
from .hints import field_hint, type_hint
from .reader import Reader
from .spelling import ReadingPrinter
from .statements import Statements
from .tables import record_table
from .wrap import wrap
from .writer import Writer


@dataclass(frozen=True, slots=True)
class ParameterText:
    """A parameter: an attribute of values, an argument of the methods that read and write."""

    attr: str
    argument: str
    hint: str
    default: str = ""

    @property
    def text(self) -> str:
        return f"{self.argument}: {self.hint}{f' = {self.default}' if self.default else ''}"


@dataclass(frozen=True, slots=True)
class FieldText:
    """One field; a field of a located record has methods of its own.

    Attributes:
        given: the caller sets it.
        span: offset and size of a located field.
        read, write: the statements of its methods, and ``..._variables`` those before them.
    """

    name: str
    attr: str
    hint: str
    doc: str
    given: bool
    spec: str
    span: tuple[str, str] | None = None
    span_variables: list[str] = field(default_factory=list)
    read_variables: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    write_variables: list[str] = field(default_factory=list)
    write: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RecordText:
    """What the template places of a record.

    Attributes:
        base: the class it derives from.
        layouts: the runs of fixed width that its methods use, each the lines of a constant.
        constants: class attributes, as (name, value).
        state: the expressions of what siblings share, for reading and for writing.
        of_codec: the fields hang on the codec's value alone.
        takes_tag: the tag of a new value, where an alternative has several.
        layout: the statement that returns the record as data.
        enums: the classes whose members its fields hold.
    """

    name: str
    spec_name: str
    base: str
    docstring: list[str]
    doc: str
    params: list[ParameterText]
    fields: list[FieldText]
    read_variables: list[str]
    read: list[str]
    write_variables: list[str]
    write: list[str]
    located: bool
    source_line: int
    layouts: list[list[str]] = field(default_factory=list)
    constants: list[tuple[str, str]] = field(default_factory=list)
    state: list[tuple[str, str]] = field(default_factory=list)
    slots: list[str] = field(default_factory=list)
    of_codec: bool = False
    takes_tag: str = ""
    kind: str = "record"
    value_hint: str = ""
    layout: list[str] = field(default_factory=list)
    enums: list[str] = field(default_factory=list)

    @property
    def records(self) -> list[RecordText]:
        """The classes that have fields: itself."""
        return [self]

    @property
    def constant_lines(self) -> list[str]:
        return [line for name, value in self.constants for line in wrap(f"{name} = {value}", 4)]

    @property
    def slot_lines(self) -> list[str]:
        return assignment("__slots__", [f'"{name}"' for name in self.slots], indent=4)

    @property
    def given_lines(self) -> list[str]:
        names = ["value"] if self.of_codec else [item.attr for item in self.fields if item.given]
        return assignment("_given", [f'"{name}"' for name in names], indent=4)

    @property
    def parameter_lines(self) -> list[str]:
        names = [f'"{param.attr}"' for param in self.params]
        lines = assignment("_parameters", names, indent=4) if names else []
        defaults = [f'"{param.attr}": {param.default}' for param in self.params if param.default]
        return [*lines, *wrap(f"_defaults = {{{', '.join(defaults)}}}", 4)] if defaults else lines

    @property
    def read_head(self) -> list[str]:
        return wrap(f"def _read(cls, at: _rec.Span, pos: int{self._parameters()}) -> tuple[{self.name}, int]:", 4)

    @property
    def write_head(self) -> list[str]:
        return wrap(f"def _write(self, out: _rec.Writer{self._parameters()}) -> None:", 4)

    def _parameters(self) -> str:
        text = "".join(f", {param.text}" for param in self.params)
        return text + (", state: list[_Any] | None = None" if self.state else "")

    @property
    def sets(self) -> list[str]:
        return [f"made.{param.attr} = {param.argument}" for param in self.params]


def print_record(layout: RecordLayout, imports: set[str]) -> RecordText:
    """The class of a record; raises UnsupportedExpression with the place of what cannot be written."""
    if layout.located:
        return _located(layout, imports)
    return print_body(layout, imports, doc=layout.doc or f"{layout.spec_name}.", slots=_attributes(layout))


def print_codec(layout: RecordLayout, imports: set[str]) -> RecordText:
    """The private class of a codec with fields."""
    hint = type_hint(layout.value_type, layout.module)
    slots = ["value", *_attributes(layout)]
    return print_body(layout, imports, doc=layout.doc, slots=slots, value_hint=hint, of_codec=True)


def print_body(
    layout: RecordLayout,
    imports: set[str],
    *,
    doc: str,
    slots: list[str],
    base: str = "_rec.Record",
    alternative: AlternativeLayout | None = None,
    refused_tags: Sequence[Node] = (),
    constants: Sequence[tuple[str, str]] = (),
    value_hint: str = "",
    of_codec: bool = False,
) -> RecordText:
    """The class of a body whose fields follow each other.

    Args:
        slots: those before the fields' own.
        alternative: what the body belongs to.
        refused_tags: those of other alternatives.
    """
    imports |= {"_in", "_out", "_rec"}
    fields = [_field(each, layout, imports) for each in layout.fields]
    reader, writer = Reader(layout, imports), Writer(layout, imports)
    read, write = reader.lines(), writer.lines()
    takes_tag = ""
    if alternative is not None:
        takes_tag = _new_tag(alternative, layout, imports)
        read = [*_tag_read(layout, imports, bool(takes_tag)), *read]
    if layout.nests:
        read, write = ["at.enter(pos)", *read, "at.depth += 1"], ["out.enter()", *write, "out.depth += 1"]
    if alternative is not None:
        write = [*_tag_written(layout, imports, refused_tags), *write]
    return RecordText(
        name=layout.name,
        spec_name=layout.spec_name,
        base=base,
        docstring=docstring(doc, [(each.attr, each.doc or each.hint) for each in fields]),
        doc=doc,
        params=parameters(layout.parameters, layout, imports),
        fields=fields,
        read_variables=[*_lists(reader.out), _starting(reader.out, '""', "pos")],
        read=read,
        write_variables=[_writing(writer.out, '""')],
        write=write,
        located=False,
        source_line=layout.location.line,
        layouts=[_run(*run) for run in reader.runs],
        constants=list(constants),
        state=_states(layout, imports),
        slots=[*slots, *(each.attr for each in fields), *(["tag"] if takes_tag else [])],
        of_codec=of_codec,
        takes_tag=takes_tag,
        kind="record" if alternative is None else "variant",
        value_hint=value_hint,
        layout=record_table(layout, imports, takes_tag=bool(takes_tag)),
        enums=_enums(layout),
    )


def _attributes(layout: RecordLayout) -> list[str]:
    return [each.attribute for each in layout.parameters]


# ---- tags ----


def tag_printer(layout: RecordLayout, imports: set[str], *, on_object: bool = True) -> ReadingPrinter:
    """The printer of what selects an alternative, before anything is read."""
    return ReadingPrinter(layout.module, imports, set(), buffer="at.buf", on_object=on_object)


def _new_tag(alternative: AlternativeLayout, layout: RecordLayout, imports: set[str]) -> str:
    """The tag of a new value; empty where the alternative's class has its only one."""
    if alternative.fixed:
        return ""
    constant = alternative.tags and alternative.constant
    return tag_printer(layout, imports).text(alternative.tags[0]) if constant else "None"


def _tag_read(layout: RecordLayout, imports: set[str], takes_tag: bool) -> list[str]:
    assert layout.tag is not None
    return [f"made.tag = {tag_printer(layout, imports).text(layout.tag)}"] if takes_tag else []


def _tag_written(layout: RecordLayout, imports: set[str], refused: Sequence[Node]) -> list[str]:
    """What an alternative does about its tag before it is written."""
    assert layout.tag is not None
    printer, lines = tag_printer(layout, imports), Statements()
    tag = printer.operand(layout.tag)
    if refused:
        with lines.block(f"if made.tag in ({', '.join(map(printer.text, refused))},):"):
            lines.add('raise _out.unfit(f"the tag {made.tag!r} is that of another alternative")')
    if not nodes.span_words(layout.tag):
        with lines.block(f"if {tag} != made.tag:"):
            lines.add(f'raise _out.unfit(f"the alternative {{made.kind}} has the tag {{made.tag!r}}, not {{{tag}!r}}")')
    return lines.lines


def parameters(found: tuple[ParameterLayout, ...], layout: RecordLayout, imports: set[str]) -> list[ParameterText]:
    printer = ReadingPrinter(layout.module, imports, set(), located=layout.located)
    return [
        ParameterText(
            each.attribute,
            each.argument,
            type_hint(each.type, layout.module),
            "" if each.default is None else printer.text(each.default),
        )
        for each in found
    ]


# ---- located records ----


def _located(layout: RecordLayout, imports: set[str]) -> RecordText:
    imports |= {"_in", "_out", "_rec"}
    fields = [_field(each, layout, imports) for each in layout.fields]
    printer = ReadingPrinter(layout.module, imports, set(), located=True)
    offsets = [f"{quoted(each.name)}: {path}" for each in layout.fields if (path := _offset_path(each, layout))]
    sizes = [(each, _known_size(each)) for each in layout.fields]
    known = [f"{quoted(each.name)}: {printer.text(size)}" for each, size in sizes if size is not None]
    constants = [("_offsets", f"{{{', '.join(offsets)}}}")] if offsets else []
    constants += [("_sizes", f"{{{', '.join(known)}}}")] if known else []
    doc = layout.doc or f"{layout.spec_name}."
    return RecordText(
        name=layout.name,
        spec_name=layout.spec_name,
        base="_rec.Located",
        docstring=docstring(doc, [(each.attr, each.doc or each.hint) for each in fields]),
        doc=layout.doc,
        params=parameters(layout.parameters, layout, imports),
        fields=fields,
        read_variables=[],
        read=[],
        write_variables=[],
        write=[],
        located=True,
        source_line=layout.location.line,
        constants=constants,
        slots=_attributes(layout),
        enums=_enums(layout),
    )


def _field(each: FieldLayout, layout: RecordLayout, imports: set[str]) -> FieldText:
    text = FieldText(
        name=each.name,
        attr=each.attribute,
        hint=field_hint(each, layout.module, imports),
        doc=each.doc,
        given=each.derivation is None and layout.value is None,
        spec=quoted(each.text),
    )
    if each.place is None:
        return text
    variables: set[str] = set()
    printer = ReadingPrinter(layout.module, imports, variables, located=True)
    size = each.size or nodes.Constant(each.fixed)
    span = (printer.text(each.place), printer.text(size))
    reader, writer = Reader(layout, imports, each), Writer(layout, imports, each)
    read, write = reader.lines(), writer.lines()
    made = ["made: _Any = self"]
    return FieldText(
        **{name: getattr(text, name) for name in ("name", "attr", "hint", "doc", "given", "spec")},
        span=span,
        span_variables=made if "made" in variables else [],
        read_variables=[
            *(made if "made" in reader.out.variables else []),
            *_lists(reader.out),
            _starting(reader.out, quoted(each.name), "0", "pos"),
        ],
        read=read,
        write_variables=[*made, _writing(writer.out, quoted(each.name))],
        write=write,
    )


def _known_size(each: FieldLayout) -> Node | None:
    """A size that does not hang on other fields."""
    size = each.size
    if size is None:
        return None if each.fixed is None else nodes.Constant(each.fixed)
    varies = any(isinstance(part, nodes.FieldValue | nodes.Parameter | nodes.SpanWord) for part in nodes.walk(size))
    return None if varies else size


def _offset_path(each: FieldLayout, layout: RecordLayout) -> str:
    """The path of the value that holds a field's offset, where `at` is one that begins at another field."""
    path: list[str] = []
    node = each.place
    while isinstance(node, nodes.Attribute):
        path.insert(0, node.name)
        node = node.base
    if not isinstance(node, nodes.FieldValue) or not path:
        return ""
    return f"({', '.join(map(quoted, (node.attribute, *path)))})"


# ---- parts ----


def _enums(layout: RecordLayout) -> list[str]:
    return [class_expression(each.enum, layout.module) for each in layout.fields if each.enum is not None]


def _run(name: str, order: str, codes: list[tuple[str, str]]) -> list[str]:
    """A run of fixed width as a constant."""
    arguments = [quoted(order), *(f"{attribute_name(each)}={quoted(code)}" for each, code in codes)]
    return call(f"{name} = _rec.Layout", arguments, indent=0, end="")


def _states(layout: RecordLayout, imports: set[str]) -> list[tuple[str, str]]:
    printer = ReadingPrinter(layout.module, imports, set())
    found = []
    for state in layout.states:
        if state.initial is not None:
            found.append((printer.text(state.initial),) * 2)
        else:
            assert state.codec is not None
            codec = printer.extension(state.codec)
            found.append((f"_rec.Reused({codec})", f"_rec.Reused({codec}, out)"))
    return found


def _starting(out: Statements, step: str, start: str, *zeros: str) -> str:
    """The assignment of the variables that reading begins with."""
    names, values = ["step", "index", "start", *zeros], [step, "None", start, *("0" for _ in zeros)]
    if "buf" in out.variables:
        names, values = ["buf", *names], ["at.buf", *values]
    return f"{', '.join(names)} = {', '.join(values)}"


def _writing(out: Statements, step: str) -> str:
    """The assignment of the variables that writing begins with."""
    data = "data" in out.variables
    return f"{'data, ' if data else ''}step, index = {'out.data, ' if data else ''}{step}, None"


def _lists(out: Statements) -> list[str]:
    """Declarations of the variables that lists are read with."""
    return ["item: _Any", "items: list[_Any]"] if "items" in out.variables else []
