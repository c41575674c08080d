"""Sets the fields that hold sizes, and places from the end, once the measured bytes are known."""

from __future__ import annotations

from typing import Any

from ...generator.lower import nodes
from ...generator.lower.field_layout import FieldLayout
from ...generator.lower.fields import codec_call
from ...generator.lower.nodes import Node
from ...generator.lower.scopes import declaration_scope
from ...generator.syntax import Expr
from ...runtime.declaration import Use
from ...runtime.errors import CodecError
from ...runtime.records.rows import store
from .choices import Rejected
from .comparisons import with_arguments
from .expressions import Evaluator, Frame, Unknown
from .unchecked import Unchecked


class Fitting:
    """Sets the fields and parameters that sizes are made of, and places that count from the end."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        #: Calls of codecs, and the choices that they are, by the call's identity.
        self._choices: dict[int, tuple[nodes.FunctionCall, Node]] = {}

    def fit_size(self, field: FieldLayout, frame: Frame) -> None:
        """Makes `size expr` the size of the encoded field, or of each of its elements."""
        value = frame.values.get(field.attribute)
        if field.size is None or value is None or (nodes.span_words(field.size) and field.place is None):
            return
        if field.by_element:
            for index, element in enumerate(value):
                if element is not None:
                    frame.index = index
                    self._fit(field, element, frame)
            frame.index = None
        else:
            self._fit(field, value, frame)

    def fit_place(self, field: FieldLayout, frame: Frame) -> None:
        """Makes a place such as `end - 4 - length` that of a field which is the last one."""
        value = frame.values.get(field.attribute)
        if field.place is None or field.size is not None or field.by_element or value is None:
            return
        if "end" in nodes.span_words(field.place) and any(nodes.field_names(field.place)):
            # Relative to the start of its own bytes, the end is their size.
            frame.words["end"] = self._encoded_size(field, value, frame)
            self.assign(field.place, 0, frame)
            del frame.words["end"]

    def _fit(self, field: FieldLayout, value: Any, frame: Frame) -> None:
        assert field.size is not None
        size = self._encoded_size(field, value, frame)
        if size is not None and self._evaluator.known(field.size, frame) != size:
            self.assign(field.size, size, frame)

    def _encoded_size(self, field: FieldLayout, value: Any, frame: Frame) -> int | None:
        """Returns the number of bytes of a value behind its codecs; None if it is unknown."""
        try:
            parts = [_encoded(field, each) for each in (value if isinstance(value, list) else [value])]
            data = b"".join(part for part in parts if part is not None)
            if None in parts:
                return None
            for step in field.codecs:
                use = self._codec(step.call, len(data), frame)
                data = Unchecked().through([use], data)
        except (CodecError, Unknown, AttributeError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise Rejected(str(error)) from None
        return len(data)

    def _codec(self, call: Node, size: int, frame: Frame) -> Use:
        """Returns a codec. Sets the numbers among its arguments that describe its input, if they can be set."""
        if isinstance(call, nodes.Conditional):
            branch = call.then if self._evaluator.value(call.condition, frame) else call.otherwise
            return self._codec(branch, size, frame)
        if isinstance(call, nodes.FunctionCall):
            if isinstance(call.function.syntax.value, Expr):
                return self._codec(self._choice(call), size, frame)
            for node in call.operands:
                found = self._evaluator.known(node, frame)
                if isinstance(found, int) and node.kind.kind == "int" and not isinstance(found, bool) and found != size:
                    self.assign(node, size, frame)
        found_use: Use = self._evaluator.value(call, frame)
        return found_use

    def _choice(self, call: nodes.FunctionCall) -> Node:
        """Returns the choice between codecs that a codec is, with the arguments of a call."""
        if id(call) not in self._choices:
            codec = call.function
            body = codec_call(codec.syntax.value, declaration_scope(codec)).call
            self._choices[id(call)] = call, with_arguments(body, call)
        return self._choices[id(call)][1]

    def assign(self, node: Node, value: int, frame: Frame) -> None:
        """Sets the field, element or parameter from which an expression gets its value, if it is known."""
        match node:
            case nodes.FieldValue():
                frame.values[node.attribute] = value
            case nodes.Parameter():
                frame.values[node.attribute] = value
                if frame.around is not None and (given := frame.around[1].get(node.attribute)) is not None:
                    self.assign(given, value, frame.around[0])
            case nodes.Attribute(base=base, name=name):
                holder = self._evaluator.known(base, frame)
                if holder is not None and hasattr(holder, name):
                    store(holder, name, value)
            case nodes.Item(base=base, index=index):
                values, place = self._evaluator.known(base, frame), self._evaluator.known(index, frame)
                if isinstance(values, list) and isinstance(place, int) and 0 <= place < len(values):
                    values[place] = value
            case nodes.Conditional(condition=condition, then=then, otherwise=otherwise):
                self.assign(then if self._evaluator.known(condition, frame) else otherwise, value, frame)
            case nodes.Arithmetic(operator=("+" | "-") as operator, left=left, right=right):
                is_right = not any(nodes.field_names(left)) and any(nodes.field_names(right))
                given = self._evaluator.known(left if is_right else right, frame)
                if isinstance(given, int) and is_right:
                    self.assign(right, value - given if operator == "+" else given - value, frame)
                elif isinstance(given, int):
                    self.assign(left, value - given if operator == "+" else value + given, frame)


def _encoded(field: FieldLayout, value: Any) -> bytes | None:
    """Returns a value's bytes before its codecs. None if it can only be encoded with its record."""
    match field.kind:
        case "record":
            out = Unchecked()
            out.writing(value, value._encode, out, *value._parameter_values())
            return bytes(out.data)
        case "struct":
            data: bytes = value.to_bytes()
            return data
        case "bytes" if field.length is None:
            return bytes(value)
        case "utf8" if field.length is None:
            encoded: bytes = value.encode()
            return encoded
    return None
