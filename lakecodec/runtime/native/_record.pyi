from collections.abc import Callable, Sequence
from typing import Any, final

OPERATIONS: tuple[str, ...]
KINDS: tuple[str, ...]
DIMENSIONS: tuple[str, ...]

@final
class Program:
    """How the values of one class are read; it refers to the programs of others."""

    def __init__(self, cls: type, /) -> None: ...
    def fill_body(
        self,
        attributes: tuple[str, ...] | None,
        params: int,
        defaults: tuple[Any, ...],
        variables: int,
        steps: tuple[Any, ...],
        checks: tuple[Any, ...],
        states: tuple[Any, ...],
        tag: Any,
        value: Any,
        nests: bool,
        order: Any,
        places: int,
        shape: int,
        /,
    ) -> None: ...
    def prepare(
        self, facts: Any, fields: tuple[Any, ...], fixed_size: int, is_local: bool, is_repeatable: bool, /
    ) -> None: ...
    def finish(self, waits: bool, /) -> None: ...
    def fill_choice(
        self,
        params: int,
        defaults: tuple[Any, ...],
        variables: int,
        tag: Any,
        table: dict[Any, Program] | None,
        chain: tuple[tuple[Any, Program], ...],
        otherwise: Program | None,
        tag_is_known: bool,
        /,
    ) -> None: ...
    def fill_writer(
        self,
        fields: tuple[Any, ...],
        steps: tuple[Any, ...],
        value: int,
        tag_is_known: bool,
        refused: frozenset[Any],
        /,
    ) -> None: ...
    def fill_places(self, places: tuple[Any, ...], /) -> None: ...
    def write(
        self, value: Any, codecs: Any, base: int | None, depth: int, parameters: tuple[Any, ...], shares: bool, /
    ) -> bytes | None: ...
    @property
    def facts(self) -> Any: ...
    @property
    def is_writable(self) -> bool: ...
    @property
    def has_places(self) -> bool: ...
    def read(
        self,
        buffer: Any,
        pos: int,
        base: int,
        depth: int,
        parameters: tuple[Any, ...],
        struct_of_arrays: tuple[Program, int, tuple[str, ...]] | None,
        source: Any,
        borrows: bool,
        span: Any,
        /,
    ) -> tuple[Any, int] | None: ...
    def read_run(
        self,
        buffer: Any,
        pos: int,
        base: int,
        depth: int,
        parameters: tuple[Any, ...],
        struct_of_arrays: None,
        source: Any,
        borrows: bool,
        span: Any,
        /,
    ) -> tuple[list[Any], int, int] | None: ...

def attributes(records: list[Any], names: tuple[str, ...], positions: Sequence[int] | None, /) -> list[Any]: ...
def by_structural_key(records: list[Any], known: dict[Any, Any], find: Callable[[Any], Any], /) -> list[Any]: ...
def use_columns(bits: type, values: type, flat: Any, /) -> None: ...
def use_places(record: type, source: type, /) -> None: ...
def use_struct_of_arrays(cls: type, texts: type, /) -> None: ...
def texts_at(data: bytes, ends: bytes, positions: Sequence[int], is_bytes: bool, /) -> list[Any]: ...
