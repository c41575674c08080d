"""Model files of the package gguf, which also reads the changed ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lakecodec import DecodeError, EncodeError

from .gallery import Gallery

gguf = pytest.importorskip("gguf")

GGUF = Gallery("gguf")
WEIGHTS = np.arange(12, dtype=np.float32).reshape(3, 4)


def model(path: Path, alignment: int | None = None) -> bytes:
    writer = gguf.GGUFWriter(path, "llama")
    if alignment is not None:
        writer.add_custom_alignment(alignment)
    writer.add_name("tiny")
    writer.add_uint32("a.count", 7)
    writer.add_float64("a.rate", 0.5)
    writer.add_bool("a.flag", True)
    writer.add_array("a.words", ["one", "two", "drei"])
    writer.add_array("a.numbers", [1, -2, 3])
    writer.add_tensor("weights", WEIGHTS)
    # As long as a multiple of the alignment: no padding stands behind it.
    writer.add_tensor("bias", np.ones(16, np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path.read_bytes()


def pairs(found: Any) -> dict[str, Any]:
    def plain(content: Any) -> Any:
        if content.kind == "LIST":
            return [plain(each) for each in content.items]
        return content.v.text if content.kind == "STRING" else content.v

    return {each.key.text: plain(each.content) for each in found.pairs}


@pytest.mark.parametrize("alignment", [None, 64, 8])
def test_models(tmp_path: Path, alignment: int | None) -> None:
    found = GGUF.round_trip(model(tmp_path / "m.gguf", alignment))
    told = pairs(found)
    assert told.pop("general.alignment", None) == alignment
    assert told == {
        "general.architecture": "llama", "general.name": "tiny", "a.count": 7, "a.rate": 0.5, "a.flag": True,
        "a.words": ["one", "two", "drei"], "a.numbers": [1, -2, 3],
    }  # fmt: skip
    weights, bias = found.tensors
    # Dimensions stand innermost first.
    assert (weights.name.text, weights.dimensions, bias.dimensions) == ("weights", [4, 3], [16])
    numbers = np.frombuffer(found.data, np.float32, 12, weights.start).reshape(3, 4)
    assert np.array_equal(numbers, WEIGHTS)


def test_changed_model(tmp_path: Path) -> None:
    path, m = tmp_path / "m.gguf", GGUF.module
    found = GGUF.round_trip(model(path))
    found.pairs[1].content.v.text = "a longer name"
    found.pairs.append(m.Pair(key=m.Text(text="b.new"), content=m.Value.U16(v=9)))
    path.write_bytes(GGUF.write(found))
    judge = gguf.GGUFReader(path)
    assert judge.fields["b.new"].parts[-1] == [9]
    assert bytes(judge.fields["general.name"].parts[-1]) == b"a longer name"
    assert np.array_equal(judge.tensors[0].data, WEIGHTS)


def test_tensors_lie_in_the_file_at_aligned_offsets(tmp_path: Path) -> None:
    data = model(tmp_path / "m.gguf")
    assert GGUF.refuses("File", data[:-1])
    with pytest.raises(DecodeError, match="goes beyond the end of the file"):
        GGUF.module.File.from_bytes(data[:-1])
    found = GGUF.round_trip(data)
    found.tensors[1].start += 1
    with pytest.raises(EncodeError, match="not aligned"):
        found.to_bytes()


def test_sizes_of_tensors_are_those_of_ggml() -> None:
    known = {int(kind): sizes for kind, sizes in gguf.constants.GGML_QUANT_SIZES.items()}
    declared = dict(enumerate(zip(GGUF.module.BLOCKS, GGUF.module.BLOCK_SIZES, strict=True)))
    assert {kind: sizes for kind, sizes in declared.items() if sizes[1]} == known


def test_damage(tmp_path: Path) -> None:
    assert GGUF.damage(model(tmp_path / "m.gguf")) > 40
