"""A file that mido wrote, with running status; what mido reads in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import lakecodec
from lakecodec import DecodeError, EncodeError

from ..paths import ROOT
from .gallery import Gallery

MIDI = Gallery("midi")
DATA = (ROOT / "tests/data/midi/scale.mid").read_bytes()
MESSAGES = json.loads((ROOT / "tests/data/midi/scale.json").read_text(encoding="utf-8"))


def shown(event: Any) -> str:
    """A message of a channel in mido's words."""
    channel, message = f"channel={event.kind & 15}", event.message
    match message.kind:
        case "NOTE_ON" | "NOTE_OFF":
            text = f"{message.kind.lower()} {channel} note={message.key} velocity={message.velocity}"
        case "KEY_PRESSURE":
            text = f"polytouch {channel} note={message.key} value={message.pressure}"
        case "CONTROL":
            text = f"control_change {channel} control={message.number} value={message.setting}"
        case "PROGRAM":
            text = f"program_change {channel} program={message.number}"
        case "PRESSURE":
            text = f"aftertouch {channel} value={message.pressure}"
        case "BEND":
            text = f"pitchwheel {channel} pitch={message.bend}"
        case "EXCLUSIVE":
            assert message.data[-1] == 0xF7
            text = f"sysex data=({','.join(map(str, message.data[:-1]))})"
        case _:
            return ""
    return f"{text} time={event.delta}"


def tracks(found: Any) -> list[list[Any]]:
    return [chunk.content.events for chunk in found.chunks]


def test_messages() -> None:
    found = MIDI.round_trip(DATA)
    assert (found.format, found.num_tracks, found.division, found.is_in_frames) == (1, 2, 96, False)
    for events, texts in zip(tracks(found), MESSAGES, strict=True):
        assert len(events) == len(texts)
        for event, text in zip(events, texts, strict=True):
            assert shown(event) == ("" if text.startswith("MetaMessage") else text)
    name, tempo, *_ = tracks(found)[0]
    assert (name.message.data, int.from_bytes(tempo.message.data, "big")) == (b"Scale", 500_000)
    assert [event.status for event in tracks(found)[1]].count(None) == 5


def test_statuses_that_are_given_or_left_out() -> None:
    found = MIDI.module.File.from_bytes(DATA)
    event = tracks(found)[1][3]
    assert (event.status, event.kind) == (None, 0x92)
    event.status = 0x92
    assert MIDI.module.File.from_bytes(MIDI.write(found)) == found
    event.status = 0x93
    # The events behind run on in another channel.
    again = MIDI.module.File.from_bytes(MIDI.write(found))
    assert [each.kind for each in tracks(again)[1][3:8]] == [0x93] * 5


@pytest.mark.parametrize("place", [0, 9])
def test_a_status_is_needed_where_none_runs(place: int) -> None:
    found = MIDI.module.File.from_bytes(DATA)
    events = tracks(found)[1]
    if place:
        events.insert(
            10, MIDI.module.Event(delta=0, status=None, message=MIDI.module.Message.NOTE_ON(key=1, velocity=1))
        )
    else:
        events[0].status = None
    with pytest.raises(EncodeError, match="message"):
        found.to_bytes()


def test_bytes_that_would_be_read_as_a_status() -> None:
    found = MIDI.module.File.from_bytes(DATA)
    tracks(found)[1][3].message.key = 0x80
    with pytest.raises(EncodeError, match="key"):
        found.to_bytes()


def test_bad_files() -> None:
    with pytest.raises(DecodeError, match=r"events\[13\]"):
        MIDI.module.File.from_bytes(DATA[:0x39] + b"\x35" + DATA[0x3A:-4])
    assert MIDI.damage(DATA) > 40


def test_trees() -> None:
    tree = lakecodec.explore(DATA, MIDI.module.File)
    assert tree.find("chunks[1].content.events[3].kind").value == 0x92
    assert tree.find("chunks[1].content.events[8].message.bend").value == -1024
    assert not tree.errors()
