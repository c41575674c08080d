"""One version of a file: its model, the module that was compiled from it, and samples of its types."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from importlib import import_module
from typing import Any

from ...generator.lower.record_layout import VariantLayout
from ...generator.model import Definition, Enum, Extension, Module, Record, Struct
from ...generator.names import definition_name
from ...runtime.records.record import Record as RecordBase
from ...runtime.records.record import Variant
from ...runtime.struct_values import StructValue
from ..sampling.choices import SeededChoices
from ..sampling.coverage import reached
from ..sampling.expressions import Evaluator, Frame
from ..sampling.sampler import Sample, Sampler
from ..schema import Schema, types_of

#: The number of samples per type: at first, and if the first ones show no difference. `_MOST_BYTES` limits both.
SAMPLES, MORE_SAMPLES = 60, 300
#: The number of samples that are aimed at the conditions of the other version. They are tried last.
AIMED_SAMPLES = 500
_MOST_BYTES = 100_000
#: The most choices and evaluated expressions per type, at some microseconds each. The limit matters if most attempts at a
#: value fail, or if each value has thousands of parts.
MOST_WORK = 500_000


class Side:
    """One version of a file.

    Attributes:
        model: of the file.
        python: the generated module.
    """

    def __init__(self, model: Module, python: Any) -> None:
        self.model, self.python = model, python
        self._samplers: dict[str, Sampler | None] = {}
        self._samples: dict[str, list[Sample]] = {}
        self._reached: dict[str, set[str]] = {}

    @cached_property
    def types(self) -> dict[str, Definition]:
        """The declarations whose values have bytes of their own."""
        return {each.name: each for each in types_of(self.model) if not isinstance(each, Enum) and not _is_part(each)}

    @cached_property
    def schema(self) -> Schema:
        """The declarations and their layouts."""
        return Schema(self.model, self.python.__package__)

    def cls(self, name: str) -> Any:
        """Returns the generated class of a type."""
        return getattr(self.python, definition_name(self.types[name]))

    def parameters(self, name: str) -> list[str]:
        """Returns the types of the parameters that a type is read with."""
        item = self.types[name]
        if isinstance(item, Record | Extension):
            return [each.type for each in self.schema.layout(item).parameters]
        return []

    def as_read(self, parameter: Any) -> Any:
        """Returns a parameter of the other version's sample as a value of this one's classes.

        Raises:
            CodecError, AttributeError: this version has no such type, or cannot read the other one's bytes.
        """
        if isinstance(parameter, list):
            return [self.as_read(each) for each in parameter]
        if not isinstance(parameter, RecordBase | StructValue):
            return parameter
        cls = type(parameter)
        # The variant reads its alternatives.
        name = (cls.__mro__[1] if isinstance(parameter, Variant) else cls).__name__
        module = import_module(f"{self.python.__package__}.{cls.__module__.rpartition('.')[2]}")
        given = parameter._parameter_values() if isinstance(parameter, RecordBase) else ()
        written: Any = getattr(parameter, "to_bytes")  # noqa: B009
        return getattr(module, name).from_bytes(written(*given), *map(self.as_read, given))

    def samples(self, name: str, count: int) -> list[Sample]:
        """Returns samples of a type, the shortest ones first, empty ones last; none where its rules are too narrow."""
        found = self._samples.setdefault(name, [])
        try:
            if name not in self._samplers:
                self._samplers[name] = Sampler(self.cls(name), SeededChoices(0), self.schema)
            _sample(self._samplers[name], found, count)
        except Exception:
            # The rules are too narrow, the type is read-only, or its own code fails. Then nothing is known about its bytes.
            self._samplers[name] = None
        return _by_length(found)

    def aimed(self, name: str, other: Side) -> list[Sample]:
        """Returns samples of a type whose values are aimed at the conditions of another version, in the order of
        `samples`."""
        found: list[Sample] = []
        if self.samples(name, 1):
            with suppress(Exception):
                sampler = Sampler(self.cls(name), SeededChoices(1), self.schema, beside=other.schema)
                _sample(sampler, found, AIMED_SAMPLES)
        return _by_length(found)

    def has_bytes(self, name: str) -> bool:
        """Returns whether samples of a type are bytes, not all of them empty."""
        return any(each.data for each in self.samples(name, SAMPLES))

    def has_table(self, name: str) -> bool:
        """Returns whether tags alone select the alternatives of a variant, whatever their order is."""
        item = self.types.get(name)
        layout = self.schema.layout(item) if isinstance(item, Extension) else None
        return isinstance(layout, VariantLayout) and layout.constant

    def shows_all_of(self, name: str, field: str) -> bool:
        """Returns whether any sample shows all of a field of a record: it is always there with the same value, or made of
        parts that are fields themselves."""
        for body in self.schema.bodies():
            found = body.field(field) if body.spec_name == name else None
            if (
                found is None
                or found.derivation is None
                or found.presence
                or found.place
                or found.dimension
                or found.rules
            ):
                continue
            if any(each.bits is not None and each.bits[0] == found.attribute for each in body.fields):
                return True
            value = Evaluator(self.schema).known(found.derivation.condition, Frame(body.module, {}))
            return value is not None and not found.codecs and not found.coder
        return False

    def reaches(self, name: str, declaration: str, part: str) -> bool:
        """Returns whether samples of a type have a field or alternative of a declaration."""
        if name not in self._reached:
            found = self.samples(name, SAMPLES)
            self._reached[name] = {each for one in found for each in reached(self.schema, self.cls(name), one.value)}
        return any(each.startswith(f"{declaration}.") and each.endswith(f".{part}") for each in self._reached[name])

    def lacks_samples(self, name: str) -> bool:
        """Returns whether few samples of a type were found before it had to be given up."""
        return len(self.samples(name, SAMPLES)) < SAMPLES and self._samplers[name] is None


def _sample(sampler: Sampler | None, found: list[Sample], count: int) -> None:
    """Adds samples to those that were found, up to ``count``, many bytes or much work."""
    size = sum(len(each.data) for each in found)
    while (
        sampler is not None
        and len(found) < count
        and (len(found) < SAMPLES or size < _MOST_BYTES)
        and sampler.work < MOST_WORK
    ):
        found.append(sampler.sample())
        size += len(found[-1].data)


def _by_length(found: list[Sample]) -> list[Sample]:
    return sorted(found, key=lambda each: (not each.data, len(each.data)))


def _is_part(item: Definition) -> bool:
    """Returns whether only messages contain values of the type."""
    return isinstance(item, Struct) and item.kind == "oneof"
