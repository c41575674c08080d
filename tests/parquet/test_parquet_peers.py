"""Footers and page headers through Apache Thrift and thriftpy2, with classes made from our own IDL; the benchmarks' harness."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import harness
from benchmarks import parquet_peers as peers
from lakecodec import parquet
from lakecodec.generated import parquet as format_
from lakecodec.generated.parquet import FileMetaData
from tests.parquet.files import FILES, footer_of

pytest.importorskip("thrift")
pytest.importorskip("thriftpy2")


def assert_same(ours: Any, theirs: Any) -> None:
    """Field by field; the others hold enums as numbers, unions as structs, and text in binary fields as text."""
    if ours is None or theirs is None:
        assert ours is theirs
    elif isinstance(ours, list):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            assert_same(mine, other)
    elif not hasattr(type(ours), "__codec__"):
        assert ours == (theirs.encode() if isinstance(ours, bytes) and isinstance(theirs, str) else theirs)
    else:
        spec = format_.__spec__[type(ours).__name__]
        for field in spec.fields:
            union_value = ours.value if spec.kind == "union" and ours.kind == field.name else None
            value = union_value if spec.kind == "union" else getattr(ours, field.attr)
            assert_same(value, getattr(theirs, field.name))


@pytest.mark.parametrize("name", FILES)
def test_footers_agree_with_other_libraries(name: str) -> None:
    footer = footer_of(FILES[name]())
    meta = FileMetaData.from_bytes(footer)
    apache, thriftpy2 = peers.apache_decode(footer), peers.thriftpy2_decode(footer)
    assert_same(meta, apache)
    assert_same(meta, thriftpy2)
    assert peers.apache_encode(apache) == peers.thriftpy2_encode(thriftpy2) == meta.to_bytes()


def test_pyarrow_writes_the_same_bytes() -> None:
    data = FILES["page index"]()
    theirs = peers.pyarrow_encode(peers.pyarrow_decode(data))
    assert theirs[4:] == parquet.write_metadata(parquet.read_metadata(data))


def test_harness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    quick, slow = (lambda: sum(range(10))), (lambda: sum(range(3000)))
    results = harness.compare("sum", {"ours": quick, "peer": slow}, bars={"peer": 0.5}, repeat=3)
    (result,) = results
    assert result.ratio == result.ours / result.peer < 0.5
    assert result.holds
    missed = harness.Result("size", 200, 100, "peer", bar=1.0, unit="bytes")
    assert (missed.ratio, missed.holds) == (2.0, False)
    assert harness.Result("x", 1, 2, "peer").holds is None
    harness.print_table([result, missed])
    assert "200 B" in capsys.readouterr().out
    harness.write_json([result, missed], tmp_path / "results.json")
    assert json.loads((tmp_path / "results.json").read_text())["results"][1]["peer_name"] == "peer"
    harness.write_plot([result, missed], tmp_path / "results.png")
    assert (tmp_path / "results.png").read_bytes().startswith(b"\x89PNG")
