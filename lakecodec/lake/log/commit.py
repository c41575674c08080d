"""Codec of commit files: actions to and from JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from ...runtime.errors import EncodeError
from .actions import Action, DomainMetadata, Metadata, Protocol, Provenance, Txn
from .errors import CorruptLogError
from .fields import FieldError
from .file_actions import Add, ChangeFile, Remove

_READERS: dict[str, Callable[[Any], Action]] = {
    kind.key: kind.from_json for kind in (Protocol, Metadata, Add, Remove, ChangeFile, Txn, DomainMetadata, Provenance)
}
#: The key of a checkpoint action that names a file with more actions.
_SIDECAR = "sidecar"
#: How lines with file actions begin, as all known writers write them.
_FILES = (b'{"add":', b'{"remove":', b'{"cdc":')


@dataclass
class Commit:
    """The actions of one version (or of a checkpoint in JSON), by kind.

    Lines of files are decoded on access: a commit needs to know what others did to the table, not each
    file that they have added to it. `adds`, `removes` and `changes` then raise what `decode_commit` would.
    """

    version: int
    info: dict[str, Any] = field(default_factory=dict)
    protocol: Protocol | None = None
    metadata: Metadata | None = None
    txns: list[Txn] = field(default_factory=list)
    domains: list[DomainMetadata] = field(default_factory=list)
    sidecars: list[str] = field(default_factory=list)
    _files: _Files = field(default_factory=lambda: _Files([], [], []))

    @classmethod
    def of(cls, version: int, actions: Iterable[Action]) -> Self:
        """Returns the commit made of these actions."""
        commit = cls(version)
        for action in actions:
            commit.append(action)
        return commit

    @property
    def adds(self) -> list[Add]:
        """The add actions of the commit."""
        return self._decoded().adds

    @property
    def removes(self) -> list[Remove]:
        """The remove actions of the commit."""
        return self._decoded().removes

    @property
    def changes(self) -> list[ChangeFile]:
        """The cdc actions of the commit."""
        return self._decoded().changes

    def append(self, action: Action) -> None:
        match action:
            case Add():
                self._files.adds.append(action)
            case Remove():
                self._files.removes.append(action)
            case ChangeFile():
                self._files.changes.append(action)
            case Protocol():
                self.protocol = action
            case Metadata():
                self.metadata = action
            case Txn():
                self.txns.append(action)
            case DomainMetadata():
                self.domains.append(action)
            case Provenance():
                self.info = action.to_json()

    def _decoded(self) -> _Files:
        early = self._files
        if not early.later:
            return early
        found = Commit(self.version)
        lines = early.later.split(b"\n")
        for number, line in enumerate(lines[:-1], 1):
            if line.startswith(_FILES):
                _decode_line(found, lines, number, early.path)
        # A single assignment, since another thread may do the same.
        self._files = _Files(found.adds + early.adds, found.removes + early.removes, found.changes + early.changes)
        return self._files


class _Files(NamedTuple):
    """Decoded lines of files, and the bytes of a file with lines that are not."""

    adds: list[Add]
    removes: list[Remove]
    changes: list[ChangeFile]
    later: bytes = b""
    path: str = ""


def decode_commit(data: bytes, version: int, path: str) -> Commit:
    """Returns the actions of a commit file, one JSON object per line.

    Raises:
        CorruptLogError: the file is empty, a line is truncated or not JSON, or an action breaks the protocol.
    """
    if not data.strip():
        raise CorruptLogError("the file is empty", path=path, offset=0)
    commit = Commit(version)
    lines = data.split(b"\n")
    # Bytes after the last line break are a truncated line.
    now = [number for number, line in enumerate(lines, 1) if not line.startswith(_FILES) or number == len(lines)]
    for number in now:
        if lines[number - 1].strip():
            _decode_line(commit, lines, number, path)
    if len(now) < len(lines):
        commit._files = commit._files._replace(later=data, path=path)
    return commit


def encode_commit(actions: Iterable[Action]) -> bytes:
    """Returns the bytes of a commit file, one JSON object per line.

    Raises:
        EncodeError: a text cannot be in a JSON file (a lone surrogate).
    """
    lines = [
        json.dumps({action.key: action.to_json()}, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        for action in actions
    ]
    try:
        return "".join(f"{line}\n" for line in lines).encode()
    except UnicodeEncodeError as error:
        line_start = error.object.rfind("\n", 0, error.start) + 1
        key = error.object[line_start : line_start + 40]
        raise EncodeError("a text has a lone surrogate, which UTF-8 cannot hold", format="delta", path=key) from None


def _decode_line(commit: Commit, lines: Sequence[bytes], number: int, path: str) -> None:
    try:
        _decode_actions(commit, lines[number - 1])
    except (FieldError, ValueError, RecursionError) as error:
        offset = sum(len(line) + 1 for line in lines[: number - 1])
        raise CorruptLogError(_rule(number, error, cut=number == len(lines)), path=path, offset=offset) from None


def _decode_actions(commit: Commit, line: bytes) -> None:
    actions = json.loads(line)
    if type(actions) is not dict:
        raise FieldError("it is not an object")
    for key, fields in actions.items():
        if fields is None or (key != _SIDECAR and key not in _READERS):  # later protocols may have other actions
            continue
        if type(fields) is not dict:
            raise FieldError(f"{key!r} is not an object")
        if key == _SIDECAR:
            commit.sidecars.append(str(fields.get("path")))
            continue
        try:
            commit.append(_READERS[key](fields))
        except FieldError as error:
            raise FieldError(f"{key}: {error}") from None


def _rule(number: int, error: Exception, *, cut: bool) -> str:
    if isinstance(error, FieldError):
        return f"line {number}: {error}"
    if isinstance(error, RecursionError):
        return f"line {number} is nested too deeply"
    return f"line {number} is not JSON" + (", the file is cut off" if cut else "")
