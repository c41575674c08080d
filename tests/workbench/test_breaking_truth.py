"""`breaking` against the truth: random edits of IDL files, and samples of both versions that decide what they break."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.generator.diagnostics import IdlError
from lakecodec.workbench.breaking.comparer import Comparer, FileVersion

from ..mutation.edits import chosen
from ..mutation.mutations import Mutation
from ..paths import ROOT, SPECS, TESTS
from ..random_idls import random_idl
from .truth import Truth, affected, code, differ, read, shown

#: Findings without bytes that show them, by rule, and why there are none.
WITHOUT_BYTES = {
    "constant-changed": "code reads the constants of a generated module",
    "enum-number-changed": "code reads the numbers of a generated enum",
    "encoding-changed": "an encoding's columns have no bytes of their own",
    "codec-changed": "only encodings use it, or nothing",
    "fn-changed": "only tables and encodings use it, or nothing",
    "service-changed": "lakecodec has no bytes of calls",
    "arrow-changed": "the bytes are the same, as other Arrow types",
    "column-changed": "a table's columns are made of what was read",
    "rows-changed": "a table's rows are made of what was read",
}
#: Types of which a sample takes a second, or a tenth of it.
_SLOW = {"mosaic": {"File", "Index", "StoredBucket", "Bucket", "RowGroup", "Cells"}, "arrow_ipc": {"Schema"}}
#: Whose externs the test IDLs name.
_TRUSTED = ("tests.oracle.turned",)
#: Edits of one clause, number or operator: these are told, if only as a change that nothing shows.
_CLAUSES = {"number", "operator", "string", "clause", "kind"}
#: Samples that decide where nothing is found: of the old version, of the new one.
_DECIDING = 1800, 200


@dataclass(frozen=True)
class File:
    """An IDL file, and how many of its edits a short and a long run take."""

    name: str
    short: int
    long: int
    given: Path | None = None

    @cached_property
    def path(self) -> Path:
        return self.given or _random(int(self.name.removeprefix("random_")))

    @cached_property
    def text(self) -> str:
        return self.path.read_text()

    @cached_property
    def old(self) -> Truth:
        return Truth(FileVersion(self.path, _TRUSTED))


#: Edits of files whose samples, or whose many types, take longer than those of others.
_LONG = {
    "arrow_ipc": 10, "zip": 40, "elf": 10, "tzif": 40, "kinds": 40, "sqlite": 10, "tar": 40, "mosaic": 4, "clauses": 100,
    "png": 8, "avro": 60, "mo": 20, "wave": 80, "containers": 10, "placed": 15, "gguf": 40, "roaring": 60, "dns": 6,
    "constructs": 80, "parquet": 150, "truetype": 120, "kitchen": 100, "parquet_page": 12, "parquet_file": 100,
    "deletion_vector": 40,
}  # fmt: skip


#: Files that declare encodings alone, which no sample decides about.
_WITHOUT_TYPES = {"delta_partition", "row"}


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory()


def _random(seed: int) -> Path:
    """Returns the file of a random IDL that compiles."""
    random = Random(seed)
    while True:
        path = Path(_folder().name) / f"random_{seed}.idl"
        path.write_text(random_idl(random))
        with suppress(IdlError):
            compile_idl(path)
            return path


def _files() -> Iterator[File]:
    patterns = (
        (SPECS, "gallery/*.idl"),
        (SPECS, "*.idl"),
        (TESTS, "generator/golden/*/input.idl"),
        (TESTS, "runtime/*/*.idl"),
    )
    paths = [path for folder, pattern in patterns for path in sorted(folder.glob(pattern))]
    paths += [TESTS / "mutation/constructs.idl", TESTS / "oracle/clauses.idl", ROOT / "benchmarks/records.idl"]
    for path in paths:
        name = path.parent.name if path.stem == "input" else path.stem
        yield File(name, 0 if name in _LONG else 2, _LONG.get(name, 200), path)
    yield from (File(f"random_{seed}", 2, 200) for seed in range(20))


FILES = list(_files())


@dataclass
class Verdict:
    """What was found out about an edit: None for `wrong` where `breaking` is right."""

    kind: str
    wrong: str | None = None


def judged(file: File, edit: Mutation, folder: Path) -> Verdict:
    """Returns whether `breaking` says of an edit what samples of both versions show."""
    path = _written(file, edit.text, folder)
    try:
        new = Truth(FileVersion(path, _TRUSTED, [file.path.parent]), file.old)
    except IdlError:
        return Verdict("refused")
    old = file.old
    found = Comparer(old.version, new.version).run()
    false = {each: _false_witness(each, old, new) for each in found if each.witness is not None}
    for each in found:
        if each.witness == b"" and each.breaks != "meaning":
            return Verdict("empty", f"{each}: empty bytes prove nothing")
        if each.breaks == "unshown" and (better := _proof(each, old, new)) is not None:
            return Verdict("unshown", f"{each}: it is shown by {better.hex()}")
    # Of several differences, each is shown by the old version with that one alone.
    if any(false.values()) and (len({each.where for each in found}) == 1 or all(false.values())):
        return Verdict("witness", "; ".join(f"{each}: {why}" for each, why in false.items() if why))
    for each in found:
        if each.witness is None and each.breaks not in ("source", "unshown") and each.rule not in WITHOUT_BYTES:
            return Verdict("cry", f"{each}: nothing shows it")
    if any(each.witness is not None for each in found):
        return Verdict("shown")
    if not found and edit.kind in _CLAUSES and not edit.change.startswith("else ") and code(old) != code(new):
        return Verdict("unsaid", "the generated code differs, and nothing says so")
    types = [name for name in affected(file.text, edit.text) if name not in _SLOW.get(file.name, ())]
    types = [name for name in types if name in old.types and name in new.types]
    counts = tuple(max(40, each // max(1, len(types))) for each in _DECIDING)
    unshown = any(each.breaks == "unshown" for each in found)
    missed = shown(old, new, types, counts, unshown=unshown)  # type: ignore[arg-type]
    return Verdict("silent" if not found else "told", missed)


def _proof(change: Any, old: Truth, new: Truth) -> bytes | None:
    """Returns bytes, more than none, that one version writes and the other one refuses, of the declaration that changed."""
    name = change.where.partition(".")[0]
    if name not in old.types or name not in new.types or old.parameters(name) != new.parameters(name):
        return None
    for side, other in ((old, new), (new, old)):
        for sample, _ in side.samples(name, 60):
            if sample.data and read(other.types[name], sample.data, sample.parameters)[0]:
                return sample.data
    return None


def _false_witness(change: Any, old: Truth, new: Truth) -> str | None:
    """Returns what is wrong with a change's witness; None where it shows what the change says."""
    if not {change.type} <= set(old.types) & set(new.types):
        return None
    if old.parameters(change.type) or new.parameters(change.type):
        return None  # It is read with parameters, which a change does not tell.
    results = [read(each.types[change.type], change.witness, ()) for each in (old, new)]
    refused = [each for each, _ in results]
    if change.breaks == "meaning":
        if any(refused):
            return f"refused: {results}"
        return None if differ(results[0][1], results[1][1], names=True) else "both read the same value"
    return None if refused == [change.breaks == "encode", change.breaks == "decode"] else f"refused: {refused}"


def _written(file: File, text: str, folder: Path) -> Path:
    """Returns a file with an edited text, beside what it includes."""
    inner = folder / "inner"
    inner.mkdir(exist_ok=True)
    for source, target in ((file.path.parent, inner), (file.path.parent.parent, folder)):
        for each in source.glob("*.idl"):
            if not (target / each.name).exists() and each != file.path:
                (target / each.name).symlink_to(each)
    path = inner / file.path.name
    path.write_text(text)
    return path


def _wrong(file: File, count: int, seed: int, folder: Path, kinds: Counter[str]) -> list[str]:
    found = []
    for edit in chosen(file.text, count, seed):
        verdict = judged(file, edit, folder)
        kinds[verdict.kind] += 1
        if verdict.wrong is not None:
            found.append(f"{file.name}:{edit}\n    {verdict.kind}: {verdict.wrong}")
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_some_edits_are_judged_as_samples_show(file: File, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAKECODEC_CACHE", str(tmp_path / "cache"))
    assert bool(file.old.types) == (file.name not in _WITHOUT_TYPES)
    assert _wrong(file, file.short, 5, tmp_path, Counter()) == []


@pytest.mark.fuzz
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_many_edits_are_judged_as_samples_show(file: File, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAKECODEC_CACHE", str(tmp_path / "cache"))
    kinds: Counter[str] = Counter()
    found = _wrong(file, file.long, int(os.environ.get("LAKECODEC_SEED", "1")), tmp_path, kinds)
    print(file.name, dict(kinds))
    assert found == []
