"""Parsers on Kaitai's Python runtime for formats of the gallery, in the form that kaitai-struct-compiler 0.11 gives its classes.

Written by hand: its compiler is no Python package. Each class reads its fields into attributes, one call of the stream a field;
what the gallery's declarations verify (counts, orders, checksums) is left out.
"""

from __future__ import annotations

from typing import Any

from kaitaistruct import BytesIO, KaitaiStream, KaitaiStruct, ValidationNotEqualError

Parent = KaitaiStruct | None


class Node(KaitaiStruct):  # type: ignore[misc]
    """What every compiled class does in its constructor."""

    def __init__(self, _io: Any, _parent: Parent = None, _root: Any = None) -> None:
        super().__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _magic(self, wanted: bytes) -> bytes:
        found: bytes = self._io.read_bytes(len(wanted))
        if found != wanted:
            raise ValidationNotEqualError(wanted, found, self._io, "/seq/0")
        return found


class Pcap(Node):
    def _read(self) -> None:
        self.magic = self._magic(b"\xd4\xc3\xb2\xa1")
        self.major_version = self._io.read_u2le()
        self.minor_version = self._io.read_u2le()
        self.reserved = [self._io.read_u4le() for _ in range(2)]
        self.snap_length = self._io.read_u4le()
        self.link_type = self._io.read_u4le()
        self.packets = []
        while not self._io.is_eof():
            self.packets.append(Packet(self._io, self, self._root))


class Packet(Node):
    def _read(self) -> None:
        self.seconds = self._io.read_u4le()
        self.fraction = self._io.read_u4le()
        self.captured = self._io.read_u4le()
        self.original_length = self._io.read_u4le()
        self.data = self._io.read_bytes(self.captured)


class Gguf(Node):
    def _read(self) -> None:
        self.magic = self._magic(b"GGUF")
        self.version = self._io.read_u4le()
        self.num_tensors = self._io.read_u8le()
        self.num_pairs = self._io.read_u8le()
        self.pairs = [Pair(self._io, self, self._root) for _ in range(self.num_pairs)]
        self.tensors = [Tensor(self._io, self, self._root) for _ in range(self.num_tensors)]
        self.padding = self._io.read_bytes(-self._io.pos() % 32)
        self.data = self._io.read_bytes_full()


class Text(Node):
    def _read(self) -> None:
        self.length = self._io.read_u8le()
        self.text = self._io.read_bytes(self.length).decode("UTF-8")


class Pair(Node):
    def _read(self) -> None:
        self.key = Text(self._io, self, self._root)
        self.type = self._io.read_u4le()
        self.content = _VALUES[self.type](self._io, self, self._root)


class Items(Node):
    def _read(self) -> None:
        self.item_type = self._io.read_u4le()
        self.n = self._io.read_u8le()
        self.items = [_VALUES[self.item_type](self._io, self, self._root) for _ in range(self.n)]


class Tensor(Node):
    def _read(self) -> None:
        self.name = Text(self._io, self, self._root)
        self.num_dimensions = self._io.read_u4le()
        self.dimensions = [self._io.read_u8le() for _ in range(self.num_dimensions)]
        self.type = self._io.read_u4le()
        self.start = self._io.read_u8le()


def _number(reader: str) -> type[Node]:
    class Number(Node):
        def _read(self) -> None:
            self.v = getattr(self._io, reader)()

    return Number


class Str(Node):
    def _read(self) -> None:
        self.v = Text(self._io, self, self._root)


_VALUES: dict[int, type[Node]] = {
    0: _number("read_u1"), 1: _number("read_s1"), 2: _number("read_u2le"), 3: _number("read_s2le"),
    4: _number("read_u4le"), 5: _number("read_s4le"), 6: _number("read_f4le"), 7: _number("read_u1"),
    8: Str, 9: Items, 10: _number("read_u8le"), 11: _number("read_s8le"), 12: _number("read_f8le"),
}  # fmt: skip


class JavaClass(Node):
    def _read(self) -> None:
        self.magic = self._magic(b"\xca\xfe\xba\xbe")
        self.minor_version = self._io.read_u2be()
        self.major_version = self._io.read_u2be()
        self.pool_size = self._io.read_u2be()
        self.pool: list[Any] = []
        for i in range(self.pool_size - 1):
            if i and self.pool[i - 1] is not None and self.pool[i - 1].kind in (5, 6):
                self.pool.append(None)
            else:
                self.pool.append(Constant(self._io, self, self._root))
        self.access = self._io.read_u2be()
        self.this_class = self._io.read_u2be()
        self.super_class = self._io.read_u2be()
        self.num_interfaces = self._io.read_u2be()
        self.interfaces = [self._io.read_u2be() for _ in range(self.num_interfaces)]
        self.num_fields = self._io.read_u2be()
        self.fields = [Member(self._io, self, self._root) for _ in range(self.num_fields)]
        self.num_methods = self._io.read_u2be()
        self.methods = [Member(self._io, self, self._root) for _ in range(self.num_methods)]
        self.num_attributes = self._io.read_u2be()
        self.attributes = [Attribute(self._io, self, self._root) for _ in range(self.num_attributes)]


class Constant(Node):
    def _read(self) -> None:
        self.kind = self._io.read_u1()
        self.content = _CONSTANTS[self.kind](self._io, self, self._root)


class Utf8(Node):
    def _read(self) -> None:
        self.length = self._io.read_u2be()
        self.text = self._io.read_bytes(self.length)


class Reference(Node):
    def _read(self) -> None:
        self.index = self._io.read_u2be()


class TwoReferences(Node):
    def _read(self) -> None:
        self.first_index = self._io.read_u2be()
        self.second_index = self._io.read_u2be()


class Handle(Node):
    def _read(self) -> None:
        self.how = self._io.read_u1()
        self.member_index = self._io.read_u2be()


_CONSTANTS: dict[int, type[Node]] = {
    1: Utf8, 3: _number("read_s4be"), 4: _number("read_f4be"), 5: _number("read_s8be"), 6: _number("read_f8be"),
    7: Reference, 8: Reference, 9: TwoReferences, 10: TwoReferences, 11: TwoReferences, 12: TwoReferences, 15: Handle,
    16: Reference, 17: TwoReferences, 18: TwoReferences, 19: Reference, 20: Reference,
}  # fmt: skip


class Member(Node):
    def _read(self) -> None:
        self.access = self._io.read_u2be()
        self.name_index = self._io.read_u2be()
        self.type_index = self._io.read_u2be()
        self.num_attributes = self._io.read_u2be()
        self.attributes = [Attribute(self._io, self, self._root) for _ in range(self.num_attributes)]


class Attribute(Node):
    def _read(self) -> None:
        self.name_index = self._io.read_u2be()
        self.length = self._io.read_u4be()
        self.content = self._io.read_bytes(self.length)


class GitIndex(Node):
    def _read(self) -> None:
        self.signature = self._magic(b"DIRC")
        self.version = self._io.read_u4be()
        self.num_entries = self._io.read_u4be()
        self.entries = [IndexEntry(self._io, self, self._root) for _ in range(self.num_entries)]
        raw = self._io.read_bytes(self._io.size() - self._io.pos() - 20)
        inside = KaitaiStream(BytesIO(raw))
        self.extensions = []
        while not inside.is_eof():
            self.extensions.append(Extension(inside, self, self._root))
        self.checksum = self._io.read_bytes(20)


class Time(Node):
    def _read(self) -> None:
        self.seconds = self._io.read_u4be()
        self.nanoseconds = self._io.read_u4be()


class IndexEntry(Node):
    def _read(self) -> None:
        self.changed = Time(self._io, self, self._root)
        self.modified = Time(self._io, self, self._root)
        self.device = self._io.read_u4be()
        self.inode = self._io.read_u4be()
        self.mode = self._io.read_u4be()
        self.user_id = self._io.read_u4be()
        self.group_id = self._io.read_u4be()
        self.file_size = self._io.read_u4be()
        self.hash = self._io.read_bytes(20)
        self.flags = self._io.read_u2be()
        if self.flags & 0x4000:
            self.more_flags = self._io.read_u2be()
        self.path = self._io.read_bytes_term(0, False, True, True).decode("UTF-8")
        extended = 2 if self.flags & 0x4000 else 0
        self.pad = self._io.read_bytes(-(63 + extended + len(self.path.encode())) % 8)


class Extension(Node):
    def _read(self) -> None:
        self.name = self._io.read_bytes(4)
        self.length = self._io.read_u4be()
        self.content = self._io.read_bytes(self.length)


class Tzif(Node):
    def _read(self) -> None:
        self.narrow = ZoneData(False, self._io, self, self._root)
        if self.narrow.version:
            self.wide = ZoneData(True, self._io, self, self._root)
            self.newline = self._io.read_bytes(1)
            self.rule = self._io.read_bytes_term(10, False, True, True).decode("UTF-8")


class ZoneData(Node):
    def __init__(self, wide: bool, _io: Any, _parent: Parent = None, _root: Any = None) -> None:
        self.wide = wide
        super().__init__(_io, _parent, _root)

    def _read(self) -> None:
        self.magic = self._magic(b"TZif")
        self.version = self._io.read_u1()
        self.reserved = self._io.read_bytes(15)
        self.num_utc = self._io.read_u4be()
        self.num_standard = self._io.read_u4be()
        self.num_leaps = self._io.read_u4be()
        self.num_times = self._io.read_u4be()
        self.num_types = self._io.read_u4be()
        self.num_letters = self._io.read_u4be()
        self.times = [self._io.read_s8be() if self.wide else self._io.read_s4be() for _ in range(self.num_times)]
        self.kinds = [self._io.read_u1() for _ in range(self.num_times)]
        self.types = [ZoneKind(self._io, self, self._root) for _ in range(self.num_types)]
        self.letters = self._io.read_bytes(self.num_letters)
        self.leaps = [Leap(self.wide, self._io, self, self._root) for _ in range(self.num_leaps)]
        self.is_standard = [self._io.read_u1() for _ in range(self.num_standard)]
        self.is_utc = [self._io.read_u1() for _ in range(self.num_utc)]


class ZoneKind(Node):
    def _read(self) -> None:
        self.offset_seconds = self._io.read_s4be()
        self.is_summer = self._io.read_u1()
        self.designation = self._io.read_u1()


class Leap(Node):
    def __init__(self, wide: bool, _io: Any, _parent: Parent = None, _root: Any = None) -> None:
        self.wide = wide
        super().__init__(_io, _parent, _root)

    def _read(self) -> None:
        self.when = self._io.read_s8be() if self.wide else self._io.read_s4be()
        self.correction = self._io.read_s4be()


#: By the name of the declaration in the gallery.
ROOTS: dict[str, type[Node]] = {
    "pcap": Pcap,
    "gguf": Gguf,
    "java_class": JavaClass,
    "git_index": GitIndex,
    "tzif": Tzif,
}
