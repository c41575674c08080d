"""Parameters of elements, named from outside: `cells.width` where a field is `Cell(widths[i]) cells[i < n]`.

Objects get their parameters when they are read or written, so an expression that derives something from them means
what the field gives as arguments.
"""

from __future__ import annotations

from ..model import Extension, Record
from ..paths import fields_of
from ..syntax import Expr, Index, Member, Name, RecordField, VariantDef
from ..syntax.walk import is_before, names
from .expressions import UnsupportedExpression


def argument_of(expr: Member, fields: dict[str, RecordField]) -> Expr | None:
    """Returns the expression over a body's fields that equals a member; None if the member is not a parameter.

    Raises:
        UnsupportedExpression: it names a parameter that is not an element of another list of the body.
    """
    base, index = (expr.base.base, expr.base.index) if isinstance(expr.base, Index) else (expr.base, None)
    owner = fields.get(base.name) if isinstance(base, Name) else None
    given = None if owner is None else _argument(owner, expr.name)
    if owner is None or given is None:
        return None
    variable = next((each.variable for each in owner.dimensions if each.variable is not None), None)
    is_free = all(name.name != variable for name in names(given))
    if is_free and (index is not None or not owner.dimensions):
        return given
    is_element = isinstance(given, Index) and isinstance(given.index, Name) and given.index.name == variable
    if isinstance(given, Index) and is_element and all(name.name != variable for name in names(given.base)):
        return given.base if index is None else Index(given.base, index, expr.location)
    if variable is not None and index is not None and is_before(index, variable):
        # An earlier element already has its parameters.
        return None
    message = f"'{expr.name}' is a parameter of '{owner.type.name}': pass the value that the elements get"
    raise UnsupportedExpression(message, expr)


def _argument(owner: RecordField, name: str) -> Expr | None:
    """Returns the argument with a name of a field's type, or its default."""
    found = owner.target
    if isinstance(found, Record):
        members, params = {each.name for each in found.fields}, found.params
    elif isinstance(found, Extension) and isinstance(found.syntax, VariantDef):
        members = {each.name for each in fields_of(found)}
        params = list(found.syntax.params)  # type: ignore[arg-type]
    else:
        return None
    place = next((place for place, param in enumerate(params) if param.name == name), None)
    if place is None or name in members:
        return None
    arguments = owner.type.arguments or ()
    return arguments[place] if place < len(arguments) else params[place].default
