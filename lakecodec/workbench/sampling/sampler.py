"""Samples of generated classes: valid values that were encoded and read back as equal."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from ...generator.graph import in_order
from ...generator.lower.field_layout import Rule
from ...generator.model import Definition, Enum, Extension, Record, Struct
from ...generator.syntax import Extern
from ...runtime.errors import CodecError
from ...runtime.exact import exact_int
from ...runtime.memo import kept_with
from ...runtime.records.lazy import LazyRecord
from ...verify.tracking import Track, no_progress
from ..schema import Schema, schema_of
from .choices import Choices, Exhausted, Rejected, SeededChoices
from .facts import Facts
from .heights import ENDLESS, MOST_PARTS
from .records import RecordSampler
from .structs import StructSampler
from .unchecked import unchecked_bytes

#: The most samples per call.
MOST_SAMPLES = 10_000_000
#: The most attempts at one value. After that the declaration is said to have none.
_ATTEMPTS = 200
#: The most of these attempts that may take too long.
_MOST_EXHAUSTED = 40


class _Parts(NamedTuple):
    value: Any
    data: bytes
    parameters: tuple[Any, ...]


class Sample(_Parts):
    """A value, its bytes, and the parameters that they are read with.

    Attributes:
        start: where in the bytes those of the value start, which is not at 0 for parts of files that know their place.
    """

    start: int

    def __new__(cls, value: Any, data: bytes, parameters: tuple[Any, ...], start: int = 0) -> Self:
        made = super().__new__(cls, value, data, parameters)
        made.start = start
        return made


@kept_with
def facts_of(schema: Schema) -> Facts:
    """Returns the facts of a schema by which values are chosen, kept for the next call."""
    return Facts(schema)


@kept_with
def _foreign(schema: Schema) -> tuple[type[Exception], ...]:
    """Returns the exceptions of functions and codecs in Python: all exceptions if there are any, else none."""
    items = (item for module in in_order(schema.model) for item in module.definitions if isinstance(item, Extension))
    return (Exception,) if any(isinstance(getattr(item.syntax, "value", None), Extern) for item in items) else ()


class Sampler:
    """Maker of valid values of one type.

    Args:
        type: a generated class: of a struct, union, enum, record, variant, or an alternative of one.
        choices: what decides.
        schema: the declarations, where they are at hand.
        broken: a rule of the schema's layouts that `encoded` breaks.
        beside: the declarations of another version, at whose conditions the values are aimed.

    Attributes:
        work: the number of choices that were made and of expressions that were evaluated, for those who bound it.

    Raises:
        TypeError: the class was not generated from an IDL.
        ValueError: the IDL that it was generated from is not found.
    """

    def __init__(
        self,
        type: Any,
        choices: Choices,
        schema: Schema | None = None,
        broken: Rule | None = None,
        beside: Schema | None = None,
    ) -> None:
        self._schema = schema_of(type) if schema is None else schema
        self._class, self._choices, self._broken = type, choices, broken
        self._kind = vars(type).get("kind", "") if isinstance(vars(type).get("kind"), str) else ""
        self._definition: Definition = self._schema.definition(type)
        self._facts = facts_of(self._schema) if beside is None else Facts(self._schema, facts_of(beside))
        self.work = 0

    def sample(self) -> Sample:
        """Returns a value that its own reader takes for the same value.

        Raises:
            ValueError: none was found: the rules are too narrow, or contradict each other.
        """
        reason: Exception | None = None
        attempts = exhausted = 0
        failures: tuple[type[Exception], ...] = (
            Rejected,
            CodecError,
            MemoryError,
            OverflowError,
            *_foreign(self._schema),
        )
        while attempts < _ATTEMPTS and exhausted < _MOST_EXHAUSTED:
            attempts += 1
            evaluated, found = self._facts.evaluator.evaluated, None
            try:
                found = self.attempt()
            except failures as error:
                reason = error
                exhausted += isinstance(error, Exhausted)
            self.work += self._choices.end_attempt(found is not None) + self._facts.evaluator.evaluated - evaluated
            if found is not None:
                return found
        message = f"type: no valid {self._class.__name__} was found in {attempts} attempts; of the last one: {reason}"
        raise ValueError(message)

    def attempt(self) -> Sample:
        """Returns a value.

        Raises:
            Rejected, CodecError: what was chosen is none.
        """
        definition = self._definition
        if isinstance(definition, Enum) or (isinstance(definition, Struct) and definition.kind == "oneof"):
            # Enums and oneofs have no bytes of their own; the fields that hold them have.
            structs = StructSampler(
                self._schema, self._choices, self._facts.sizing, self._facts.numbers, self._facts.compared
            )
            return Sample(structs.value(definition, definition.name), b"", ())
        return self._read_back(self.encoded())

    def encoded(self) -> Sample:
        """Returns a value as it was made, its bytes and parameters.

        Raises:
            Rejected, CodecError: what was chosen is none.
        """
        facts, definition = self._facts, self._definition
        structs = StructSampler(self._schema, self._choices, facts.sizing, facts.numbers, facts.compared)
        if isinstance(definition, Struct):
            value = structs.struct(definition)
            return Sample(value, value.to_bytes(), ())
        assert isinstance(definition, Record | Extension)
        records = RecordSampler(facts, self._choices, structs, self._broken)
        layout = self._schema.layout(definition)
        if facts.height(layout) < ENDLESS and facts.parts(layout) > MOST_PARTS:
            raise ValueError(f"type: a {self._class.__name__} has more than {MOST_PARTS} records")
        given = records.parameters(layout, self._kind)
        value = records.body(layout, given, kind=self._kind)
        parameters = tuple(getattr(value, each.attribute) for each in layout.parameters)
        start = records.start_of(layout, value) if isinstance(value, LazyRecord) else 0
        if self._broken is not None:
            data = unchecked_bytes(value, parameters, start)
        else:
            data = value.to_bytes(*parameters, **({"start": start} if start else {}))
        return Sample(value, bytes(start) + data, parameters, start)

    def reading_class(self, cls: Any) -> Any:
        """Returns the class whose `from_bytes` reads what ``cls`` writes: of an alternative, its variant."""
        return cls.__mro__[1] if self._kind else cls

    def _read_back(self, made: Sample) -> Sample:
        """Returns the sample that the generated reader decodes from bytes, checked to survive another round trip."""
        cls = self.reading_class(self._class)
        _, data, parameters = made
        value = cls.from_bytes(data, *parameters)
        if isinstance(value, LazyRecord):
            return Sample(value, data, parameters, made.start)
        if cls.from_bytes(value.to_bytes(*parameters), *parameters) != value:
            raise Rejected("it is read as another value when it is written again")
        # Writing sets derived fields, perhaps to values of other classes, so the bytes are read again.
        return Sample(cls.from_bytes(data, *parameters), data, parameters)


def samples(type: Any, n: int = 10, seed: int = 0) -> list[Any]:
    """Returns ``n`` valid values of a generated class, the same ones for the same seed.

    The more values, the more of the declaration they reach: every alternative and member, optional fields there and absent,
    the bounds of every number, values on both sides of conditions. They were encoded and read back, so that
    derived fields are those of the bytes. No float is NaN.

    Args:
        type: a struct, union, enum, record or variant of a generated module, or of one that was compiled at run time.
        n: number of values.
        seed: seed of the random choices.

    Raises:
        TypeError: ``type`` is no generated class.
        ValueError: no valid value was found, ``n`` is negative, or more than `MOST_SAMPLES`.
        ValueError: the IDL that the class was generated from is not found.
    """
    return [each.value for each in sample_list(type, n, seed)]


def sample_list(type: Any, n: int, seed: int, schema: Schema | None = None, track: Track = no_progress) -> list[Sample]:
    """Returns ``n`` samples with their bytes and parameters; arguments and errors as those of `samples`."""
    if not 0 <= exact_int("n", n) <= MOST_SAMPLES:
        raise ValueError(f"n: {n} is negative" if n < 0 else f"n: {MOST_SAMPLES} samples are the most, not {n}")
    sampler = Sampler(type, SeededChoices(seed), schema)
    return [sampler.sample() for _ in track(range(n), "samples")]
