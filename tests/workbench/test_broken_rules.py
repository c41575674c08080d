"""Bytes that break one rule of a declaration and keep all others."""

from __future__ import annotations

from typing import Any

import pytest

import lakecodec
from lakecodec.generated import mosaic
from lakecodec.workbench.sampling import damaged
from lakecodec.workbench.sampling.broken import RuleBreaker
from lakecodec.workbench.sampling.choices import SeededChoices
from lakecodec.workbench.schema import schema_of

_RULES = lakecodec.compile_idl(
    """
    enum How { PLAIN = 0; PACKED = 1; }
    codec zstd(i64 inflated) -> bytes = extern "lakecodec.runtime.compress:Zstd";
    variant Shape(u8 kind) on kind {
      1: DOT;
      2: CIRCLE { u16 radius where radius > 9 else "too small"; };
    }
    record Box where low < high else "nothing between" {
      u8 low;
      u8 high;
      utf8 name until "\\0" where count(name) > 0 else "no name";
    }
    record Body(u8 most) {
      u8 n = count(boxes)  where n <= most else "too many boxes";
      Box boxes[n]
        where unique(boxes.name) else "a name twice"
        where ascending(boxes.low) else "not in order";
      u8 order[n] where is_permutation(order) else "no permutation";
      u8 ends[i < n] where ends[i] != 7 else "a seven";
    }
    record File : big {
      bytes magic[2] where magic != "XX" else "the other magic" where magic == "OK" else "no magic";
      u8  how via enum(How) where how <= PACKED else "no such way";
      u32 size_of_body = size(body);
      u32 inflated = raw_size(body);
      Body(200) body size size_of_body via zstd(inflated);
      u8 kind = tag(shape);
      Shape(kind) shape;
      u32 checksum = crc32(encoded(body));
    }
    """,
    name="rules",
)
_MESSAGES = {
    "too small", "nothing between", "no name", "a name twice", "not in order", "no permutation", "a seven", "the other magic",
    "no magic", "no such way",
}  # fmt: skip


def _breaker(cls: Any, seed: int = 0) -> RuleBreaker:
    return RuleBreaker(cls, schema_of(cls), SeededChoices(seed))


def test_each_rule_is_broken_behind_sizes_checksums_and_codecs() -> None:
    breaker = _breaker(_RULES.File)
    broken = {rule.message: breaker.breaking(rule) for rule in breaker.rules}
    # Of what is 200 at most there are too many elements to make.
    assert {message for message, found in broken.items() if found} == _MESSAGES
    assert broken.keys() - _MESSAGES == {"too many boxes"}
    for message, found in broken.items():
        if found:
            sample, error = found
            assert error.rule.startswith(message)
            with pytest.raises(lakecodec.DecodeError, match=message):
                _RULES.File.from_bytes(sample.data)


def test_parameters_are_those_of_the_reader() -> None:
    """Bytes are made against a rule; what they are read with must be of the module itself."""
    breaker = _breaker(mosaic.BucketRef)
    rule = next(each for each in breaker.rules if each.message == "corrupted row group index")
    found = breaker.breaking(rule)
    assert found is not None
    assert [type(each) for each in found[0].parameters] == [mosaic.Footer]


def test_damaged_samples_break_rules_too_and_are_the_same_every_time() -> None:
    found = [each for each in damaged(_RULES.Body, 80, 3) if each.kind == "rule"]
    assert {each.path for each in found} >= {"boxes"}
    assert found == [each for each in damaged(_RULES.Body, 80, 3) if each.kind == "rule"]


def test_a_tag_that_no_alternative_has() -> None:
    parameters = {each.parameters for each in damaged(_RULES.Shape, 60) if each.kind == "tag"}
    assert (3,) in parameters
