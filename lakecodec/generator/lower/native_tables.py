"""Choice of the declarations that native tables can express; generated code handles the rest."""

from __future__ import annotations

from ..model import Module
from . import nodes
from .field_layout import FieldLayout, is_absent_or, verified
from .nodes import Node
from .record_layout import RecordLayout
from .scopes import inlined_body

#: Nodes that have no operation in tables.
_UNSAID = (
    nodes.Width, nodes.Truth, nodes.MemberNames, nodes.LeafValue, nodes.Ordinal, nodes.Ahead,
)  # fmt: skip


def is_expressible(node: Node, module: Module, inside: tuple[str, ...] = (), *, laid_out: bool = False) -> bool:
    """Returns whether tables of a module can express an expression.

    Args:
        inside: functions of the IDL whose bodies are being checked.
        laid_out: whether writers that lay out the places of fields evaluate it.
    """
    if isinstance(node, _UNSAID) or (isinstance(node, nodes.PlacedMeasure) and not laid_out):
        return False
    body = inlined_body(node, module, inside) if isinstance(node, nodes.FunctionCall) else None
    if (
        isinstance(node, nodes.FunctionCall)
        and body is not None
        and not is_expressible(body, module, (*inside, node.function.name))
    ):
        return False
    return all(is_expressible(each, module, inside, laid_out=laid_out) for each in nodes.children(node))


def has_table(layout: RecordLayout) -> bool:
    """Returns whether tables can express how a body is read."""
    if layout.order is not None and any(each.order for each in layout.fields):
        return False
    initials = [each.initial for each in layout.states if each.initial is not None]
    said = [layout.value, layout.order, *(rule.condition for rule in layout.checks)]
    for each in layout.fields:
        if (row := _row_expressions(each)) is None:
            return False
        said += row
        for field, rule, is_derivation in layout.rules_after(each):
            if rule.setting is not None and rule.setting.over is not None:
                return False
            said.append(verified(field, rule) if is_derivation else is_absent_or(field, rule))
    return not any(map(_is_computed, initials)) and all(is_expressible(node, layout.module) for node in said if node)


def _is_computed(initial: Node) -> bool:
    """Returns whether a state is computed by functions, which are not known yet where rows are made."""
    return any(isinstance(part, nodes.FunctionCall) for part in nodes.walk(initial))


def _row_expressions(field: FieldLayout) -> list[Node | None] | None:
    """Returns the expressions in a field's row beside its rules; None where it cannot have a row."""
    coder = field.coder
    if coder is not None and field.dimension is not None and coder.initial is not None and _is_computed(coder.initial):
        return None
    said = [field.presence, field.size, field.width, *(each.value for each in field.dimensions)]
    said += field.arguments if coder is None else coder.arguments
    for codec in field.codecs:
        said += [codec.call] if codec.slot is None or codec.codec is None else codec.arguments
    return said
