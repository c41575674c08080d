"""The base class of generated variants."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ..errors import EncodeError
from ..plain import located, mapping
from ..stack import roomy
from .base import Record
from .plain import record_of_plain, record_to_plain

if TYPE_CHECKING:
    from .reader import Reader


class Variant(Record):
    """Base class of generated variants: a tagged union of records, with one class per alternative.

    Attributes: ``kind`` is the alternative's name, ``tag`` the value that selects it.
    """

    __slots__ = ()
    __kind__ = "variant"
    kind: ClassVar[str]
    _arrow: ClassVar[Sequence[Any]] = ()
    #: The expression that selects an alternative; None if tables cannot express it.
    _on: ClassVar[Any] = None
    #: Whether tags are expressions, which are tried in order.
    _chain: ClassVar[bool] = False
    _tags: ClassVar[Sequence[Any]] = ()
    #: All alternatives of a variant; those with constant tags, by tag; and the one for all other tags.
    _all: ClassVar[list[Any]]
    _alternatives: ClassVar[dict[Any, Any]]
    _otherwise: ClassVar[Any] = None
    #: Returns the tag for the variant's arguments.
    _tag_of: ClassVar[Any] = None

    if TYPE_CHECKING:

        @property
        def tag(self) -> Any: ...

    def __init_subclass__(
        cls,
        kind: str = "",
        tags: Sequence[Any] = (),
        arrow: str = "",
        on: Any = None,
        chain: bool = False,
        tag: Any = None,
        **options: Any,
    ) -> None:
        """Registers a variant (``on`` is the expression that selects, ``tag`` computes it of arguments where it is more than
        a parameter) or an alternative (with its ``kind``, its ``tags``, and the Arrow type that it is).
        """
        super().__init_subclass__(**options)
        if arrow:
            from ..arrow_maps import ArrowMap, Shape

            cls._arrow = (ArrowMap(Shape(arrow), made=lambda bound: cls()),)
        if kind:
            cls._become_alternative(kind, tags)
        elif Variant in cls.__bases__:
            cls._on, cls._chain, cls._all, cls._alternatives = on, chain, [], {}
            cls._tag_of = None if tag is None else staticmethod(tag)
            if "_pick" not in vars(cls):
                cls._pick, cls._is_plain = classmethod(_by_tag if tag is not None else _by_argument(cls, on)), False

    @classmethod
    def _become_alternative(cls, kind: str, tags: Sequence[Any]) -> None:
        root: Any = cls.__mro__[1]
        name = vars(root).get("__idl_name__", root.__name__)
        cls.kind, cls._tags, cls.__idl_name__ = kind, tags, f"{name}.{kind}"  # type: ignore[attr-defined]
        root._all.append(cls)
        cls._pick, cls._is_plain = None, not cls._nests
        cls._is_written_plainly = cls._is_plain and not cls._defaults
        setattr(root, kind, cls)
        if not tags:
            root._otherwise = cls
        elif not root._chain:
            root._alternatives.update(dict.fromkeys(tags, cls))
        if "tag" not in cls.__slots__:
            own: Any = cls
            own.tag = tags[0]

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        head = f"{type(self).__mro__[1].__name__}.{self.kind}"
        return head, self._shown_fields(self._settable())

    def _settable(self) -> Sequence[str]:
        return (*self._given, "tag") if "tag" in type(self).__slots__ else self._given

    def _plain(self, json: bool) -> dict[str, Any]:
        return {self.kind: roomy(record_to_plain, self, self._settable(), json)}

    @classmethod
    def _of_plain(cls, data: Any, json: bool) -> Self:
        variant: Any = cls if Variant in cls.__bases__ else cls.__mro__[1]
        cases: dict[str, Any] = {each.kind: each for each in variant.__subclasses__()}
        if len(mapping(data, cases)) != 1:
            raise EncodeError(f"{variant.__name__} is one of its alternatives, not {len(data)}")
        ((kind, fields),) = data.items()
        case = cases[kind]
        names = (*case._given, "tag") if "tag" in case.__slots__ else case._given
        try:
            given = roomy(record_of_plain, case, names, fields, json)
        except EncodeError as error:
            raise located(error, kind) from None
        if isinstance(name := given.get("tag"), str):
            enums = {type(each) for each in variant._alternatives if isinstance(each, IntEnum)}
            given["tag"] = next((each[name] for each in enums if name in each.__members__), name)
        made: Self = case(**given)
        return made

    @classmethod
    def from_arrow(cls, type: Any) -> Self | None:
        """Returns the value for an Arrow type; None if no alternative matches it.

        The value is of the first alternative, in declared order, with an `arrow` clause that binds all of its fields.
        """
        for alternative in cls.__subclasses__():
            for clause in alternative._arrow:
                if (found := clause.bind(type)) is not None:
                    value: Self = found
                    return value
        return None

    def to_arrow(self) -> Any:
        """Returns the Arrow type (a ``pyarrow.DataType``) of the first `arrow` clause whose condition holds for the value.

        Raises:
            TypeError: no `arrow` clause of the alternative applies.
        """
        for clause in self._arrow:
            if clause.condition is None or clause.condition(self):
                return clause.make(self)
        raise TypeError(f"{type(self).__mro__[1].__name__}.{self.kind} has no Arrow type")


def _by_argument(root: Any, name: str) -> Any:
    """Returns the function that finds the alternative whose tag is the argument ``name``."""
    number = root._parameters.index(name)

    def _pick(cls: Any, r: Reader, *given: Any) -> Any:
        tag = given[number] if number < len(given) else root._defaults[name]
        found = cls._alternatives.get(tag, cls._otherwise)
        if found is None:
            raise r.no_alternative(cls, tag)
        return found

    return _pick


def _by_tag(cls: Any, r: Reader, *given: Any) -> Any:
    """Returns the alternative with the tag for the arguments."""
    tag = cls._tag_of(*given)
    found = cls._alternatives.get(tag, cls._otherwise)
    if found is None:
        raise r.no_alternative(cls, tag)
    return found
