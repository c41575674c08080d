"""Commands of the workbench, called with what nobody should give them: one line on stderr, never a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec.cli.app import run

from ..parquet.files import flat_table

FILES = {
    "empty": b"",
    "bytes": b"\x00\x01\x02\xff",
    "tiny.parquet": b"PAR1",
    "a.idl": b"record A : big { u8 n = count(x); bytes x[n]; }\n",
    "enum.idl": b"enum E { A = 1 }\n",
    "structs.idl": b"struct P { 1: required i32 x }\nstruct Q { 1: required i32 x }\n",
    "broken.idl": b"record A : big { u8 n bytes }\n",
    "a.bin": b"\x03abc",
    "cut.json": b'{"a":',
    "list.json": b"[]",
    "no_type.json": b'{"format": "x.Y", "value": {}}',
    "value.json": b'{"format": "parquet.FileMetaData", "value": {"version": "x"}}',
    "number.json": b'{"format": 5, "value": {}}',
    "parts.json": b'{"format": "mosaic.File", "parts": 3}',
    "part.json": b'{"format": "mosaic.File", "parts": [{"path": "x"}]}',
    "no_idl.json": b'{"format": "a.A", "value": {}, "idl": {"type": "A", "files": []}}',
    "idl.json": b'{"format": "a.A", "value": {}, "idl": 7}',
}
#: A command, and a part of the message.
CALLS = [
    ("explore missing", "there is no file 'missing'"),
    ("explore folder", "'folder' is a directory"),
    ("explore empty", "no bytes to recognise a format by"),
    ("explore /dev/null", "no bytes to recognise a format by"),
    ("explore bytes", "the format is not recognised"),
    ("explore nope://x", "nope"),
    ("inspect folder", "there are no Parquet files in 'folder'"),
    ("convert missing.parquet x.mosaic", "there is no file 'missing.parquet'"),
    ("convert ok.parquet x.mosaic --level 99", "Invalid value for --level: zstd has -131072 to 22, not 99"),
    ("convert ok.parquet x.parquet --compression gzip --level 0", "Invalid value for --level: gzip has 1 to 9"),
    ("convert ok.parquet - --format xyz", "Invalid value for --format: one of csv, jsonl,"),
    ("convert ok.parquet x.parquet --num-buckets 3", "Invalid value for --num-buckets: only Mosaic files"),
    ("parquet verify folder", "there are no Parquet files in 'folder'"),
    ("explore a.bin --type A", "there is no type 'A'"),
    ("explore a.bin --type B", "lakecodec: --type: there is no type 'B'"),
    ("explore a.bin --type nowhere.A", "there is no module 'nowhere'"),
    ("explore a.bin --type ../x.Y", "there is no module '../x'"),
    ("explore a.bin --idl a.idl --type B", "there is no type 'B'; there is A"),
    ("explore a.bin --idl structs.idl", "name one of its types: P, Q"),
    ("explore a.bin --idl enum.idl", "has no types that are read"),
    ("explore a.bin --idl broken.idl", "broken.idl:1:21"),
    ("explore a.bin --idl bytes", "an IDL file must be UTF-8 text"),
    ("explore a.bin --idl missing.idl", "there is no file 'missing.idl'"),
    ("explore a.bin --idl folder", "'folder': Is a directory"),
    ("explore ok.parquet --at meta.row_groups[99]", "meta.row_groups has (header), [0]"),
    ("explore ok.parquet --depth -1", "--depth"),
    ("explore ok.parquet --limit x", "--limit"),
    ("explore ok.parquet --html folder", "'folder': Is a directory"),
    ("explore ok.parquet --html no/such/x.html", "there is no folder 'no/such'"),
    ("verify", "files"),
    ("inspect ok.parquet --columns zz", "lakecodec: --columns: there is no column 'zz'"),
    ("scan table --where zz=1", "lakecodec: --where: 'zz' is not a column"),
    ("restore table", "lakecodec: --version, --timestamp: one of them is needed"),
    ("update table --set x", "Invalid value for --set: COLUMN=SQL is needed, not 'x'"),
    ("properties table --set x", "Invalid value for --set: NAME=VALUE is needed, not 'x'"),
    ("parquet rename ok.parquet x -o out", "Invalid value for OLD=NEW: OLD=NEW is needed, not 'x'"),
    ("parquet grep x=1 missing", "there is no file 'missing'"),
    ("parquet grep x=1 no/such", "there is no folder 'no'"),
    ("verify folder", "no _delta_log"),
    ("verify ok.parquet missing", "there is no file 'missing'"),
    ("diff ok.parquet tiny.parquet", "tiny.parquet: "),
    ("diff ok.parquet a.bin", "the format is not recognised"),
    ("dump tiny.parquet", "tiny.parquet: "),
    ("dump ok.parquet -o folder", "'folder': Is a directory"),
    ("load empty", "empty: not JSON"),
    ("load ok.parquet -o out", "not JSON"),
    ("load cut.json -o out", "not JSON"),
    ("load list.json -o out", "not the JSON of a file"),
    ("load no_type.json -o out", "there is no module 'x'"),
    ("load value.json -o out", "version: an integer is needed"),
    ("load number.json -o out", "not 5"),
    ("load parts.json -o out", "not the JSON of a file as `dump` writes it"),
    ("load part.json -o out", "not the JSON of a file as `dump` writes it"),
    ("load no_idl.json -o out", "not the JSON of a file as `dump` writes it"),
    ("load idl.json -o out", "not the JSON of a file as `dump` writes it"),
    ("breaking a.idl", "NEW"),
    ("breaking a.idl nowhere~1", "neither a file nor a folder nor a revision"),
    ("breaking a.idl folder", "there are no IDL files in 'folder'"),
    ("breaking broken.idl a.idl", "broken.idl:1:21"),
    ("doc missing.idl -o pages", "there is no file 'missing.idl'"),
    ("query ok.parquet --select x=num_rows/0", "a division by zero"),
    ("query ok.parquet --select n=sum(source()) --group-by=", "--select: an aggregate has no meaning for its column"),
    ("sample a.idl --type B", "no type 'B'"),
    ("sample a.idl --type A -n -1", "--count"),
    ("sample a.idl --type A -o a.bin", "'a.bin': File exists"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("bad")
    (found / "folder").mkdir()
    pq.write_table(flat_table(), found / "ok.parquet")
    (found / "table").mkdir()
    pq.write_table(pa.table({"x": [1]}), found / "table" / "a.parquet")
    assert run(["convert", str(found / "table")]) == 0
    for name, data in FILES.items():
        (found / name).write_bytes(data)
    return found


@pytest.mark.parametrize(("call", "message"), CALLS, ids=[call for call, _ in CALLS])
def test_one_line_and_no_traceback(
    call: str, message: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    code = run(call.split())
    error = capsys.readouterr().err
    lines = error.splitlines()
    assert code in (1, 2)
    assert "Traceback" not in error
    assert message.lower() in error.lower()
    # An error of an IDL is shown with the line and a caret.
    assert len(lines) == 1 or ".idl:1:" in lines[0]


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="there are no paths of pipes")
@pytest.mark.parametrize("command", ["inspect", "explore", "verify", "dump", "diff FILE", "parquet verify"])
def test_pipes(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()
    path = f"/dev/fd/{reading}"
    try:
        os.write(writing, b"PAR1")
        os.close(writing)
        assert run([*command.replace("FILE", path).split(), path]) == 2
    finally:
        os.close(reading)
    error = capsys.readouterr().err
    assert f"source: '{path}' is a pipe" in error
    assert error.count("\n") == 1


def test_a_file_in_the_place_of_a_table_names_the_commands_for_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": [1]}), file)
    assert run(["scan", str(file)]) == 2
    assert "`lakecodec query` and `lakecodec convert` read files" in capsys.readouterr().err
