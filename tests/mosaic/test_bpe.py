"""Byte pair encoding of names against its definition, the files of the reference writer, and hostile rules, on both backends."""

from __future__ import annotations

import io
import os
import random
from array import array
from collections import Counter
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import mosaic
import pyarrow as pa
import pytest

import lakecodec
from lakecodec import DecodeError, EncodeError
from lakecodec.generated.mosaic import File
from lakecodec.mosaic import bpe, pure_bpe
from lakecodec.mosaic.bpe import MAX_NAME, Bpe, train


class Rule(NamedTuple):
    left: int
    right: int


@pytest.fixture(params=["chosen", "pure"], autouse=True)
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pure":
        monkeypatch.setattr(bpe, "_coder", pure_bpe.Coder)
        monkeypatch.setattr(bpe, "_names", pure_bpe.Names)
        monkeypatch.setattr(bpe, "_train", pure_bpe.train)
    monkeypatch.setattr(bpe, "_last", ((), [], (None, "")))


def test_the_backend_that_is_expected_runs() -> None:
    """``LAKECODEC_REQUIRE_NATIVE=1`` says that everything was built."""
    if lakecodec.backend() == "pure" or os.environ.get("LAKECODEC_REQUIRE_NATIVE") == "1":
        assert lakecodec.backend() == bpe.BACKEND


def rules_of(pairs: list[tuple[int, int]]) -> list[Rule]:
    return [Rule(*pair) for pair in pairs]


def by_definition(names: list[bytes]) -> tuple[list[tuple[int, int]], list[bytes]]:
    """Rules and encoded names, all pairs counted anew for each rule."""
    sequences = [list(name) for name in names]
    rules: list[tuple[int, int]] = []
    for token in range(128, 256):
        counts = Counter(pair for tokens in sequences for pair in pairwise(tokens))
        if not counts or (best := max(counts.items(), key=lambda item: (item[1], item[0])))[1] < 2:
            break
        rules.append(best[0])
        for tokens in sequences:
            at = 0
            while at + 1 < len(tokens):
                if (tokens[at], tokens[at + 1]) == best[0]:
                    tokens[at : at + 2] = [token]
                at += 1
    return rules, [bytes(tokens) for tokens in sequences]


ALPHABETS = ["a", "ab", "abc", "abcdefgh_0123", "".join(map(chr, range(128)))]


def random_names(rng: random.Random) -> list[bytes]:
    alphabet, longest = rng.choice(ALPHABETS), rng.choice([3, 30, 300])
    return ["".join(rng.choices(alphabet, k=rng.randint(0, longest))).encode() for _ in range(rng.randint(0, 40))]


@pytest.mark.parametrize("seed", range(60))
def test_random_names(seed: int) -> None:
    names = random_names(random.Random(seed))
    pairs, encoded = by_definition(names)
    assert train(names) == pairs
    codec = Bpe(rules_of(pairs))
    assert [codec.encode(name) for name in names] == encoded
    assert [codec.decode(tokens) for tokens in encoded] == names
    ends = array("q", accumulate(map(len, encoded))).tobytes()
    assert codec.decode_all(b"".join(encoded), ends) == (
        b"".join(names),
        array("q", accumulate(map(len, names))).tobytes(),
    )
    assert [codec.decode_text(tokens) for tokens in encoded] == [name.decode() for name in names]


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        ([], []),
        ([b""], []),
        ([b"ab"], []),
        ([b"ab", b"ba"], []),
        ([b"aaa"], [(97, 97)]),
        ([b"aaaa"], [(97, 97)]),
        ([b"ab", b"cd", b"cd", b"ab"], [(99, 100), (97, 98)]),
        ([b"bab", b"bab"], [(98, 97), (128, 98)]),
    ],
)
def test_small_cases(names: list[bytes], pairs: list[tuple[int, int]]) -> None:
    assert train(names) == pairs == by_definition(names)[0]


def test_fewer_rules_are_the_first_ones() -> None:
    names = [f"column_{number:05}_total".encode() for number in range(500)]
    pairs = train(names)
    assert len(pairs) > 40
    for count in (0, 1, 2, 40):
        assert train(names, count) == pairs[:count]
    assert train(names, 128) == pairs


def test_names_with_the_most_rules() -> None:
    rng = random.Random(7)
    names = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz_", k=20)).encode() for _ in range(3000)]
    pairs = train(names)
    assert len(pairs) == 128
    codec = Bpe(rules_of(pairs))
    tokens = [codec.encode(name) for name in names]
    assert [codec.decode(name) for name in tokens] == names
    assert any(255 in name for name in tokens)


def test_the_worked_example() -> None:
    """Example E of the format's description."""
    names = [b"left_status", b"low_status", b"right_status", b"top_status"]
    pairs = train(names)
    assert bytes(token for pair in pairs for token in pair).hex(" ") == "75 73 74 80 74 61 82 81 73 83 5f 84 74 85"
    codec = Bpe(rules_of(pairs))
    assert [codec.encode(name).hex() for name in names] == ["6c656686", "6c6f7785", "7269676886", "746f7085"]


def reference_rules(names: list[str]) -> list[tuple[int, int]] | None:
    """The rules that the reference writer puts into the schema block, None where it uses none."""
    target = io.BytesIO()
    table = pa.table({name: pa.array([1], pa.int8()) for name in names})
    mosaic.write_table(table, target, mosaic.WriterOptions(compression=0))
    schema = File.from_bytes(target.getvalue()).schema.body
    return None if schema.rules is None else [(rule.left, rule.right) for rule in schema.rules]


def test_rules_of_the_reference_writer() -> None:
    rng = random.Random(11)
    compared = 0
    for _ in range(40):
        alphabet, stem = rng.choice(["ab", "abc", "abcdefghij_"]), rng.choice(["", "x_", "measurement_", "aaa"])
        size, longest = rng.choice([2, 20, 300]), rng.choice([12, 40])
        names = sorted({stem + "".join(rng.choices(alphabet, k=rng.randint(1, longest))) for _ in range(size)})
        expected = reference_rules(names)
        if expected is not None:
            compared += 1
            assert train([name.encode() for name in names]) == expected
    assert compared > 20


def test_without_rules_bytes_stay_as_they_are() -> None:
    codec = Bpe(None)
    assert codec.encode("é".encode()) == codec.decode("é".encode()) == "é".encode()
    assert codec.decode_text("é".encode()) == "é"
    with pytest.raises(UnicodeDecodeError):
        codec.decode_text(b"\xe9")
    codec = Bpe([])
    assert codec.encode(b"abc") == codec.decode(b"abc") == b"abc"


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview])
def test_any_buffer(wrap: Any) -> None:
    codec = Bpe(rules_of([(97, 98)]))
    assert codec.encode(wrap(b"abab")) == b"\x80\x80"
    assert codec.decode(wrap(b"\x80c\x80")) == b"abcab"
    assert codec.decode_text(wrap(b"\x80c\x80")) == "abcab"
    assert codec.encode(wrap(b"")) == codec.decode(wrap(b"")) == b""


@pytest.mark.parametrize(
    ("pairs", "rule"),
    [
        ([(128, 97)], "pair rule 0 refers to token 128, which is neither a character nor an earlier rule"),
        ([(97, 98), (97, 129)], "pair rule 1 refers to token 129, which is neither a character nor an earlier rule"),
        ([(97, 255)], "pair rule 0 refers to token 255, which is neither a character nor an earlier rule"),
        ([(97, 97)] * 129, "129 pair rules: there are 128 at most"),
    ],
)
def test_rules_that_cannot_be(pairs: list[tuple[int, int]], rule: str) -> None:
    codec = Bpe(rules_of(pairs))
    for decode in (codec.decode, codec.decode_text):
        with pytest.raises(DecodeError) as decoding:
            decode(b"abc")
        assert decoding.value.rule == rule
    with pytest.raises(EncodeError) as encoding:
        codec.encode(b"abc")
    assert encoding.value.rule == rule


def test_tokens_without_a_rule() -> None:
    for pairs, tokens in (([], b"a\x80"), ([(97, 98)], b"\x80\x81"), ([(97, 98)] * 127, b"\xff")):
        with pytest.raises(DecodeError, match=f"token {tokens[-1]} is neither a character nor a pair rule"):
            Bpe(rules_of(pairs)).decode(tokens)
        with pytest.raises(DecodeError, match=f"token {tokens[-1]} is neither a character nor a pair rule"):
            Bpe(rules_of(pairs)).decode_text(tokens)


def test_a_name_that_is_not_ascii_has_no_tokens() -> None:
    with pytest.raises(EncodeError, match="a name that is not ASCII has no tokens"):
        Bpe(rules_of([(97, 98)])).encode("abé".encode())


def test_names_are_as_long_as_the_limit_at_most() -> None:
    doubling = rules_of([(97, 97)] + [(token, token) for token in range(128, 255)])
    codec = Bpe(doubling)
    longest = 128 + MAX_NAME.bit_length() - 2
    assert codec.decode(bytes([longest])) == b"a" * MAX_NAME
    assert codec.encode(b"a" * MAX_NAME) == bytes([longest])
    assert Bpe([]).decode(b"a" * MAX_NAME) == b"a" * MAX_NAME
    for tokens in (bytes([longest, 97]), bytes([longest + 1]), b"\xff", b"\xff" * 100, b"a" * (MAX_NAME + 1)):
        for decode in (codec.decode, codec.decode_text):
            with pytest.raises(DecodeError, match=f"a name is longer than {MAX_NAME} bytes"):
                decode(tokens)


def test_expansions_of_every_length() -> None:
    """Around the sizes that the native decoder treats apart."""
    codec = Bpe(rules_of([(97, 98), (128, 99), (129, 128), *((130 + i, 100) for i in range(40))]))
    kept = [bytes([97, 98]), b"abc", b"abcab", *(b"abcab" + b"d" * (i + 1) for i in range(40))]
    for token, name in enumerate(kept, 128):
        assert codec.decode(bytes([token])) == name
        for repeated in (2, 11, 31, 32, 33, 300):
            assert codec.decode(bytes([token, 97]) * repeated) == (name + b"a") * repeated
            assert codec.decode_text(bytes([token, 97]) * repeated) == ((name + b"a") * repeated).decode()


def test_all_names_together_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bpe, "MAX_NAMES", 10)
    for rules, tokens in ((None, b"abcd"), (rules_of([(97, 98)]), b"\x80cd")):
        codec = Bpe(rules)
        assert codec.decode(tokens) == b"abcd"
        assert codec.decode_text(tokens) == "abcd"
        for decode in (codec.decode, codec.decode_text):
            with pytest.raises(DecodeError, match="the names are longer than 10 bytes together"):
                decode(tokens)


def test_a_pair_that_has_two_rules_uses_the_first() -> None:
    codec = Bpe(rules_of([(97, 98), (97, 98)]))
    assert codec.encode(b"ab") == b"\x80"
    assert codec.decode(b"\x80\x81") == b"abab"


def test_rules_that_change_in_place_are_seen() -> None:
    rules = rules_of([(97, 98)])
    assert Bpe(rules).decode(b"\x80") == b"ab"
    rules[0] = Rule(99, 100)
    assert Bpe(rules).decode(b"\x80") == b"cd"
    rules.append(Rule(128, 128))
    assert Bpe(rules).decode(b"\x81") == b"cdcd"
    assert Bpe(tuple(rules)).encode(b"cdcd") == b"\x81"


@pytest.mark.parametrize("names", [["é".encode()], [b"\xff"], [b"a\xffb", b"a"], [b"\x80"]])
def test_only_ascii_names_have_rules(names: list[bytes]) -> None:
    with pytest.raises(ValueError, match="names: only ASCII names have rules"):
        train(names)


@pytest.mark.parametrize("count", [-1, 129])
def test_more_rules_than_there_are_tokens(count: int) -> None:
    with pytest.raises(ValueError, match=f"max_rules: 0 to 128 are possible, not {count}"):
        train([b"abab"], count)


def test_many_names_are_decoded_as_one_by_one() -> None:
    tokens = [b"a", bytes([255]), b"b"]
    with pytest.raises(DecodeError, match="token 255 is neither a character"):
        Bpe(rules_of([(97, 98)])).decode_all(b"".join(tokens), array("q", [1, 2, 3]).tobytes())
    with pytest.raises(DecodeError, match="refers to token 200"):
        Bpe(rules_of([(97, 200)])).decode_all(b"a", array("q", [1]).tobytes())
    doubling = rules_of([(97, 97)] + [(127 + number, 127 + number) for number in range(1, 40)])
    with pytest.raises(DecodeError, match=f"longer than {MAX_NAME} bytes"):
        Bpe(doubling).decode_all(bytes([97, 128 + 30]), array("q", [1, 2]).tobytes())
    many = bytes([128 + 18]) * 300
    with pytest.raises(DecodeError, match=f"longer than {bpe.MAX_NAMES} bytes together"):
        Bpe(doubling).decode_all(many, array("q", range(1, 301)).tobytes())
    with pytest.raises(UnicodeDecodeError):
        Bpe(None).decode_all("\u00e4".encode(), array("q", [1, 2]).tobytes())


@pytest.mark.parametrize("ends", [[2], [1, 0], [-1, 1]])
def test_ends_outside_the_data(ends: list[int]) -> None:
    if bpe._names is not pure_bpe.Names:
        with pytest.raises(ValueError, match="ends"):
            Bpe(rules_of([(97, 98)])).decode_all(b"a", array("q", ends).tobytes())
