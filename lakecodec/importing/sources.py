"""The sources of an import: a file, a text, or the files and folders of a command."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from lakecodec.generator.diagnostics import Diagnostics
from lakecodec.generator.module_names import is_text

from .imported import Imported
from .ksy_files import KsyFiles
from .ksy_import import import_ksy
from .proto_files import ProtoFile, ProtoFiles
from .proto_names import Names
from .proto_text import ProtoText

#: The kinds of files that can be imported, by suffix without the dot.
KINDS = ("ksy", "proto")
_KINDS = ", ".join(map(repr, KINDS))


def import_idl(path_or_text: str | os.PathLike[str], *, kind: str | None = None) -> Imported:
    """Returns the IDL of a file in another language: of a .ksy or .proto file, with that of all files it imports.

    Imported files are searched in the file's folder and those above it. protobuf's own, such as google/protobuf/any.proto,
    are there without a file.

    Args:
        path_or_text: a path, or the text itself (a str with a line break or a brace).
        kind: `ksy` or `proto`; by default the path's suffix decides.

    Raises:
        IdlError: the file has syntax errors, which are all listed, or imports itself.
        FileNotFoundError: there is no such file.
        ValueError: ``kind`` or the suffix is no kind that can be imported, or a text comes without ``kind``.
    """
    if is_text(path_or_text):
        if kind is None:
            raise ValueError(f"kind: a text does not say what it is; give {_KINDS}")
        _check_kind(kind, "kind")
        diagnostics = Diagnostics()
        if kind == "ksy":
            kaitai = KsyFiles([], diagnostics)
            made = kaitai.add_text(str(path_or_text))
            return import_ksy(kaitai, [] if made is None else [made], diagnostics)[0]
        files = ProtoFiles([], diagnostics)
        return _imported(files, [files.add_text(str(path_or_text))], diagnostics)[0]
    path = Path(path_or_text)
    if kind is not None:
        _check_kind(kind, "kind")
    return import_files([path], kind=kind)[0]


def import_files(sources: Sequence[str | os.PathLike[str]], *, kind: str | None = None) -> list[Imported]:
    """Returns the IDL of each file among files and folders; they have the same ``files``, each of which is read once.

    Args:
        sources: files, and folders, of which all files of the kind are imported; a folder is where imports begin.
        kind: as for `import_idl`, for files.

    Raises:
        IdlError: files have syntax errors, or import each other.
        FileNotFoundError: there is no such file or folder.
        ValueError: a file is of no kind that can be imported, or a folder has no such file.
    """
    given = [Path(each) for each in sources]
    found: list[tuple[Path, str]] = []
    roots = [each for each in given if each.is_dir()]
    for source in given:
        if source.is_dir():
            inside = sorted(each for each in source.rglob("*") if each.suffix[1:] in KINDS and each.is_file())
            if not inside:
                raise ValueError(
                    f"{str(source)!r} has no file that can be imported; give a folder with files of one of these kinds: {_KINDS}"
                )
            found += [(each, each.relative_to(source).as_posix()) for each in inside]
        else:
            source.stat()
            if kind is None:
                _check_kind(source.suffix[1:].lower(), str(source))
            found.append((source, source.name))
            above = source.absolute().parent
            roots += [above, *above.parents]
    diagnostics = Diagnostics()
    kinds = [path.suffix[1:].lower() if kind is None else kind for path, _ in found]
    kaitai = KsyFiles(roots, diagnostics)
    wanted = [kaitai.add(path, name) for (path, name), each in zip(found, kinds, strict=True) if each == "ksy"]
    made = import_ksy(kaitai, [each for each in wanted if each is not None], diagnostics) if wanted else []
    others = [each for each, one in zip(found, kinds, strict=True) if one != "ksy"]
    if not others:
        return made
    files = ProtoFiles(roots, diagnostics)
    return made + _imported(files, [files.add(path, name) for path, name in others], diagnostics)


def _check_kind(kind: str, what: str) -> None:
    if kind not in KINDS:
        raise ValueError(f"{what}: {kind!r} is not a kind of file that can be imported; give one of {_KINDS}")


def _imported(files: ProtoFiles, wanted: list[ProtoFile], diagnostics: Diagnostics) -> list[Imported]:
    diagnostics.raise_errors()
    names = Names(files.found)
    made = {file: ProtoText(file, names) for file in files.found}
    notes = [*files.notes, *names.notes, *(note for each in made.values() for note in each.notes)]
    texts = {file.idl: text.text for file, text in made.items()}
    includes = {file.idl: text.includes for file, text in made.items()}
    ordered = tuple(sorted(notes, key=lambda note: (note.file, note.line)))
    return [
        Imported(file.idl, texts, ordered, made[file].root, made[file].writable, includes)
        for file in dict.fromkeys(wanted)
    ]
