"""The import of .ksy files: texts that the compiler accepts, and notes of what they leave out."""

from __future__ import annotations

import re

from lakecodec.generator.bundle import load_bundle
from lakecodec.generator.check.module import check
from lakecodec.generator.diagnostics import Diagnostic, Diagnostics, IdlError
from lakecodec.generator.lower.module import lower_module
from lakecodec.language.formatter import format_idl

from .imported import Imported, Note
from .ksy_choices import Choices, Lines, Owner
from .ksy_files import KsyFile, KsyFiles
from .ksy_kinds import Types
from .ksy_model import KsyType
from .ksy_names import Names, attribute_name
from .ksy_text import KsyText
from .ksy_translate import Translator

#: The most rounds of generating a text again without the parts that the compiler refused.
_MOST_ROUNDS = 60
_PLACED = re.compile("is found later, by its `at`: place '(.*)', too")
#: Words of the IDL in errors of the compiler, and what they are in Kaitai Struct's.
_OF_BYTES = re.compile("^'(rest|end|at_end)' is (known only where bytes are read|not known when a place is computed).*")
_OF_STREAMS = {"rest": "how many bytes are left", "end": "the size of a stream", "at_end": "whether bytes are left"}


def import_ksy(files: KsyFiles, wanted: list[KsyFile], diagnostics: Diagnostics) -> list[Imported]:
    """Returns the IDL of each wanted file."""
    diagnostics.raise_errors()
    files.join()
    types = Types(files.found)
    names = Names(types)
    choices = Choices()
    translator = Translator(types, lambda what, within: _name(names, what, within), choices.left_out, choices.refused)
    texts: dict[str, str] = {}
    includes: dict[str, tuple[str, ...]] = {}
    made: dict[str, KsyText] = {}
    notes: list[Note] = [*files.notes]
    # If files import each other, the last one counts.
    for file in {each.idl: each for each in files.found}.values():
        text = KsyText(file, types, names, translator, choices)
        made[file.idl] = text
        texts[file.idl], includes[file.idl] = _without_refused(text, texts, includes, translator, choices, types)
        notes += text.notes
    ordered = tuple(sorted(dict.fromkeys(notes), key=lambda note: (note.file, note.line)))
    return [
        Imported(file.idl, texts, ordered, names(file.root, file.root), made[file.idl].writable, includes)
        for file in dict.fromkeys(wanted)
    ]


def _name(names: Names, what: object, within: KsyType) -> str:
    return names(what, within)


def _without_refused(
    text: KsyText,
    texts: dict[str, str],
    includes: dict[str, tuple[str, ...]],
    translator: Translator,
    choices: Choices,
    types: Types,
) -> tuple[str, tuple[str, ...]]:
    """Returns the text of a file without the parts that the compiler refuses, and the files that it includes."""
    for _ in range(_MOST_ROUNDS):
        for each in types.by_idl[text.file.idl]:
            translator.needs.pop(each, None)
            translator.captures.found.pop(each, None)
        lines = text.lines()
        source = "\n".join(line for line, _ in lines) + "\n"
        made = Imported(
            text.file.idl, {**texts, text.file.idl: source}, (), None, {}, {**includes, text.file.idl: text.includes}
        )
        errors = _errors(made)
        if not errors:
            return format_idl(source, text.file.idl), text.includes
        for error in errors:
            _without(error, lines, text, choices, translator)
    raise IdlError(errors)


def _errors(made: Imported) -> list[Diagnostic]:
    diagnostics = Diagnostics()
    try:
        module = load_bundle(made.bundle(), diagnostics)
        if not diagnostics.errors:
            check(module, diagnostics)
        if not diagnostics.errors:
            lower_module(module, diagnostics)
    except IdlError:
        pass
    return diagnostics.errors


def _without(error: Diagnostic, lines: Lines, text: KsyText, choices: Choices, translator: Translator) -> None:
    """Leaves out the part that causes an error of the compiler."""
    owner = _owner(error.location.line, lines)
    message = _OF_BYTES.sub(lambda found: f"{_OF_STREAMS[found[1]]} is known only where bytes are read", error.message)
    if owner is None:
        raise IdlError([error])
    made, (kind, name) = owner
    gone = {(id(made), name)}
    if made.holder is not None and made.variant is not None:
        gone.add((id(made.holder), made.variant.id))
    if gone & set(choices.left_out):
        return
    line = lines[error.location.line - 1][0]
    clauses = [each for each in ("derived", "valid") if (id(made), each, name) not in choices.dropped]
    is_derived = " = size(" in line or " = count(" in line
    if kind == "field" and is_derived and "derived" in clauses:
        choices.dropped[id(made), "derived", name] = message
    elif kind == "field" and " where " in line and "valid" in clauses and error.location.column > line.index(" where "):
        choices.dropped[id(made), "valid", name] = message
    elif (
        kind == "field"
        and "argument" in error.message
        and text.refuse_argument(made, name, line[error.location.column - 1 :])
    ):
        return
    elif made.variant is None and (placed := _to_be_placed(made, error.message)) - choices.placed:
        choices.placed |= placed
    elif kind in ("field", "let") and (id(made), name) not in choices.left_out:
        text.omit(made, name, message)
    elif made.holder is not None and made.variant is not None:
        text.omit(made.holder, made.variant.id, message)
    else:
        names = [each.id for each in made.seq if (id(made), each.id) not in choices.left_out]
        if not names:
            raise IdlError([error])
        text.omit(made, names[-1] if kind == "unread" else names[0], message)


def _to_be_placed(made: KsyType, message: str) -> set[tuple[int, str]]:
    """Returns the fields that must be placed, as an error of the compiler says."""
    found = _PLACED.search(message)
    return {(id(made), each.id) for each in made.seq if found is not None and attribute_name(each.id) == found[1]}


def _owner(line: int, lines: Lines) -> Owner:
    return lines[line - 1][1] if 0 < line <= len(lines) else None
