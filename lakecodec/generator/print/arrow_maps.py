"""The `arrow` clauses of a variant's alternatives as data: see ``runtime/arrow_maps.py``."""

from __future__ import annotations

from ..lower.nodes import Node
from ..lower.record_layout import AlternativeLayout, ArrowHole, ArrowLayout, ArrowShape, Construction
from ..names import import_alias, quoted, type_name
from .spelling import ReadingPrinter
from .text import call, tupled


def print_arrow(alternative: AlternativeLayout, imports: set[str]) -> str:
    """Returns the text of the tuple of an alternative's clauses."""
    imports.add("_arrows")
    printer = ReadingPrinter(alternative.record.module, imports)
    return tupled(_clause(each, printer) for each in alternative.arrow)


def _clause(clause: ArrowLayout, printer: ReadingPrinter) -> str:
    values = printer.texts(clause.values)
    arguments = [_shape(clause.shape, printer)]
    arguments.append(f"lambda self: {tupled(values)}")
    if clause.made is not None:
        arguments.append(f"made=lambda bound: {_construction(clause.made, printer)}")
    if clause.condition is not None:
        arguments.append(f"condition=lambda self: {printer.text(clause.condition)}")
    return call("_arrows.ArrowMap", *arguments)


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
