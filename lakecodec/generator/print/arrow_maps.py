"""The `arrow` clauses of a variant's alternatives as data: see ``runtime/arrow_maps.py``."""

from __future__ import annotations

from ..lower.nodes import Node
from ..lower.record_layout import AlternativeLayout, ArrowHole, ArrowLayout, ArrowShape, Construction
from ..names import import_alias, quoted, type_name
from .spelling import ReadingPrinter
from .text import call, tupled


def plain_arrow(alternative: AlternativeLayout) -> str:
    """Returns the Arrow type for which an alternative without fields stands, and which stands for it; else an empty text."""
    match alternative.arrow:
        case (ArrowLayout(ArrowShape(name, ()), (), Construction(_, cls, ()), None),):
            return name if cls == alternative.record.name and not alternative.record.fields else ""
    return ""


def print_arrow(alternative: AlternativeLayout, imports: set[str]) -> str:
    """Returns the text of the tuple of an alternative's clauses."""
    imports.add("_arrows")
    printer = ReadingPrinter(alternative.record.module, imports)
    if len(alternative.arrow) == 1:
        return _clause(alternative.arrow[0], printer, "only")
    return tupled(_clause(each, printer, "ArrowMap") for each in alternative.arrow)


def _clause(clause: ArrowLayout, printer: ReadingPrinter, function: str) -> str:
    arguments = [_shape(clause.shape, printer)]
    if clause.values:
        arguments.append(f"lambda self: {tupled(printer.texts(clause.values))}")
    if clause.made is not None:
        arguments.append(f"made=lambda bound: {_construction(clause.made, printer)}")
    if clause.condition is not None:
        arguments.append(f"condition=lambda self: {printer.text(clause.condition)}")
    return call(f"_arrows.{function}", *arguments)


def _shape(shape: ArrowShape, printer: ReadingPrinter) -> str:
    return call("_arrows.Shape", quoted(shape.name), *(_argument(each, printer) for each in shape.arguments))


def _argument(argument: ArrowShape | ArrowHole | Node, printer: ReadingPrinter) -> str:
    match argument:
        case ArrowShape():
            return _shape(argument, printer)
        case ArrowHole(number=number, variant=variant):
            inside = "" if variant is None else f", lambda: {type_name(variant.name)}"
            return f"_arrows.Hole({number}{inside})"
    return printer.text(argument)


def _construction(made: Construction, printer: ReadingPrinter) -> str:
    prefix = "" if made.module is printer.module else f"{import_alias(made.module)}."
    arguments = (
        f"{name}={_construction(value, printer) if isinstance(value, Construction) else printer.text(value)}"
        for name, value in made.arguments
    )
    return call(f"{prefix}{made.cls}", *arguments)
