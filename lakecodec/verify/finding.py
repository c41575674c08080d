"""Findings of a verification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..runtime.errors import CodecError

Kind = Literal["rule", "overlap", "outside", "checksum", "cross-check", "values", "table", "gap", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a file breaks, or bytes that nothing explains.

    Attributes:
        kind: ``rule`` (of the declaration), ``overlap`` and ``outside`` (of ranges that the metadata points to),
            ``checksum``, ``cross-check`` (two parts that contradict each other), ``values`` (statistics that the values
            contradict), ``table`` (a log and its files); or, no errors, ``gap`` (bytes that nothing explains) and ``note``.
        file: the path of the file, empty where it has none.
        path: the field, as in `explore`.
        offset: of the byte concerned, None where there is none.
        rule: in words.
    """

    kind: Kind
    file: str
    path: str
    offset: int | None
    rule: str

    @property
    def is_error(self) -> bool:
        """False for what formats allow: gaps and notes."""
        return self.kind not in ("gap", "note")

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.file, self.path) if part)
        at = "" if self.offset is None else f" (at byte {self.offset})"
        note = "" if self.is_error else "note: "
        return f"{note}{where}: {self.rule}{at}" if where else f"{note}{self.rule}{at}"

    def to_dict(self) -> dict[str, Any]:
        """Returns the finding as a dict of JSON types."""
        return {
            "kind": self.kind, "file": self.file, "path": self.path, "offset": self.offset, "rule": self.rule,
            "error": self.is_error,
        }  # fmt: skip


def of_error(error: CodecError, file: str, offset: int | None = None) -> Finding:
    """Returns an error about bytes as a finding; ``offset`` where the error has none."""
    path = error.path.removeprefix(f"{file}: ") if file else error.path
    return Finding("rule", file, path, offset if error.offset is None else error.offset, error.rule)
