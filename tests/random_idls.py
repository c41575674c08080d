"""Random well-formed IDLs: texts of records, variants, structs, messages and codecs, drawn from a `random.Random`.

The texts keep to the language; some are still refused, since their clauses contradict each other.
"""

# ruff: noqa: E501  (a form of a field is one line)

from __future__ import annotations

import textwrap
from random import Random

_NUMBERS = (
    "u8",
    "i8",
    "u16",
    "i16",
    "u24",
    "i24",
    "u32",
    "i32",
    "u40",
    "i48",
    "u48",
    "u64",
    "i64",
    "bool8",
    "f32",
    "f64",
)
_VARIABLE = ("uvarint32", "svarint32", "uvarint64", "svarint64", "vlq32", "vlq9")
_INTEGERS = ("u8", "i16", "u24", "uvarint32")
_STRUCT_TYPES = (
    "bool",
    "byte",
    "i16",
    "i32",
    "i64",
    "double",
    "string",
    "binary",
    "Color",
    "list<i32>",
    "set<i64>",
    "map<string, i32>",
)
_MESSAGE_TYPES = (
    "uint32",
    "sint64",
    "bool",
    "double",
    "string",
    "bytes",
    "fixed32",
    "list<sint32>",
    "map<uint32, string>",
)
_BEGINNING = """
enum Color { RED = 1; GREEN = 2; BLUE = 9 }
codec deflate -> bytes = extern "runtime.compress:Deflate";
codec maybe(bool on) -> bytes = on ? deflate : identity;
codec counted -> bytes { u8 n = count(value); bytes body[n] = value; } value = body;
codec shifted(i64 by) -> i64 { svarint32 moved = value - by; } value = moved + by;
codec delta -> i64 with i64 prev = 0 { svarint32 step = value - prev; } value = prev + step;
codec front -> bytes with bytes prev = b"" {
  u8 shared = common_prefix(prev, value) where shared <= count(prev);
  u8 added = count(value) - shared;
  bytes suffix[added] = value[shared:];
} value = prev[:shared] + suffix;
codec split(i64 unit) -> i64 {
  i64 whole = value / unit;
  i32 part = value % unit where 0 <= part < unit;
} value = whole * unit + part;
variant Type(u8 id) on id { 0: SMALL; 1: WIDE { u8 digits; }; 2: TEXT; 3: SPLIT; }
encoding Value over Type : big {
  case SMALL { i32 v; }
  case WIDE(digits) if digits < 9 { i64 v; }
  case WIDE { uvarint32 n = count(v); bytes v[n]; }
  case TEXT { uvarint32 n = count(v); utf8 v[n]; }
  case SPLIT { i64 v via split(60); }
}
"""


def random_idl(random: Random) -> str:
    """Returns the text of an IDL; the same text for the same state of `random`."""
    return _Writer(random).module()


class _Writer:
    """Writes one IDL; records name those that were written before them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.records: list[str] = []
        #: Records with one parameter, a small number.
        self.open_records: list[str] = []
        self.variants: list[str] = []
        #: The numbers that records derive.
        self.derived: dict[str, list[str]] = {}
        #: Records that take all bytes of their span.
        self.endless: list[str] = []
        self.names = 0
        #: One byte order for all, since codecs stand in one.
        self.order = random.choice(("", "big"))

    def module(self) -> str:
        parts = [
            _BEGINNING,
            self.struct("struct", "S1"),
            self.struct("union", "U1"),
            self.struct("struct", "S2", "S1"),
            self.message(),
        ]
        for number in range(1, 4 + self.random.randrange(3)):
            parts.append(self.record(f"R{number}"))
            if self.random.random() < 0.4:
                parts.append(self.variant(f"V{number}"))
        parts.append(self.summary())
        return "\n".join(parts)

    def struct(self, kind: str, name: str, inner: str = "") -> str:
        types = [*_STRUCT_TYPES, *([inner, f"list<{inner}>", "U1"] if inner else [])]
        words = ("",) if kind == "union" else ("required ", "optional ", "")
        fields = [
            f"{at}: {self.random.choice(words)}{self.random.choice(types)} f{at}"
            for at in range(1, 3 + self.random.randrange(4))
        ]
        return f"{kind} {name} {{ {'; '.join(fields)} }}"

    def message(self) -> str:
        fields = [f"{at}: {self.random.choice(_MESSAGE_TYPES)} f{at};" for at in range(1, 3 + self.random.randrange(3))]
        return f"message M1 {{ {' '.join(fields)} 9: M1 again; }}"

    def variant(self, name: str) -> str:
        cases = ["0: NONE;", f"1: ONE {{ {' '.join(_Body(self, False).fields(2))} }};"]
        if self.random.random() < 0.5:
            cases.append(f"2, 3: TWO {{ {' '.join(_Body(self, False).fields(1))} }};")
        if self.random.random() < 0.5:
            cases.append("4: AGAIN { u8 next = tag(inside); " + name + "(next) inside; };")
        cases.append(
            "else: OTHER { u8 left where left < 5; bytes raw[left]; };"
            if self.random.random() < 0.4
            else "7: SEVEN { u8 x; };"
        )
        self.variants.append(name)
        return f"variant {name}(u8 kind) on kind{' : big' if self.order else ''} {{ {' '.join(cases)} }}"

    def record(self, name: str) -> str:
        takes = self.random.random() < 0.3
        body = _Body(self, takes)
        fields = body.fields(1 + self.random.randrange(5))
        words = [self.order] if self.order else []
        if self.random.random() < 0.2 and not takes:
            fields += body.placed()
            words += self.random.choice(([], ["gaps"], ["overlaps"]))
        elif self.random.random() < 0.2 and not takes:
            fields += body.to_the_end()
        for_all = f" where {body.condition()}" if self.random.random() < 0.2 else ""
        (self.endless if body.is_endless else self.open_records if takes else self.records).append(name)
        self.derived[name] = body.told_numbers
        head = f"record {name}{'(i32 k)' if takes else ''}{' : ' + ', '.join(words) if words else ''}{for_all}"
        return f"{head} {{\n{textwrap.indent(chr(10).join(fields), '  ')}\n}}"

    def summary(self) -> str:
        """Returns a record that derives a number from inside of what follows."""
        body = _Body(self, False)
        return f"record R9{' : big' if self.order else ''} {{ {' '.join([*body.inner(), *body.fields(1)])} }}"

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"


class _Body:
    """Writes the fields of one record or alternative."""

    def __init__(self, writer: _Writer, takes: bool) -> None:
        self.writer, self.random = writer, writer.random
        self.small = ["k"] if takes else []
        self.told_numbers: list[str] = []
        self.is_endless = False

    def fields(self, count: int) -> list[str]:
        kinds = (
            self.number, self.number, self.derived, self.optional, self.text, self.terminated, self.numbers, self.elements, self.indexed,
            self.until, self.nested, self.spanned, self.coded, self.coded_number, self.struct, self.message, self.variant, self.bits,
            self.bit_fields, self.values, self.checked, self.open, self.told, self.running, self.summed, self.filled, self.inner, self.inner,
        )  # fmt: skip
        return [field for _ in range(count) for field in self.random.choice(kinds)()]

    def expression(self) -> str:
        """Returns a small number."""
        draw, own = self.random.random(), self.random.choice(self.small or ["3"])
        if draw < 0.4:
            return own
        if draw < 0.5:
            return str(self.random.randrange(6))
        other = self.random.choice(self.small or ["2"])
        forms = (
            f"{own} % 3",
            f"{own} + 1",
            f"max({own}, {other})",
            f"({own} & 3)",
            f"({own} > 2 ? 1 : {other})",
            f"{own} - {own} / 2",
        )
        return self.random.choice(forms)

    def condition(self) -> str:
        forms = ("{} {} {}", "({} {} {} or at_end)", "not ({} {} {})", "({} {} {} and true)")
        return self.random.choice(forms[:1] if not self.small else (*forms[:1], *forms[2:])).format(
            self.expression(), self.random.choice(("<", "<=", "==", "!=", ">")), self.expression()
        )

    def name(self, stem: str) -> str:
        return self.writer.fresh(stem)

    def small_number(self) -> tuple[str, str]:
        name = self.name("n")
        self.small.append(name)
        return name, f"{self.random.choice(_INTEGERS)} {name} where 0 <= {name} < {self.random.randrange(3, 7)};"

    def number(self) -> list[str]:
        if self.random.random() < 0.5:
            return [self.small_number()[1]]
        name, type_ = self.name("x"), self.random.choice((*_NUMBERS, *_VARIABLE))
        via = " via enum(Color)" if type_ in ("u8", "u16", "i32") and self.random.random() < 0.3 else ""
        return [f"{type_} {name}{via};"]

    def derived(self) -> list[str]:
        when = f" when {self.condition()}" if self.random.random() < 0.3 else ""
        otherwise = ' else "another number"' if self.random.random() < 0.3 else ""
        name = self.name("d")
        self.told_numbers.append(name)
        return [f"i32 {name} = {self.expression()}{when}{otherwise};"]

    def inner(self) -> list[str]:
        """Returns a number that is derived from what a record behind it derives."""
        choices = [each for each in self.writer.records if self.writer.derived[each]]
        choices += [each for each in self.writer.open_records if self.writer.derived[each]]
        if not choices:
            return self.derived()
        type_, name, number = self.random.choice(choices), self.name("r"), self.name("d")
        inside = self.random.choice(self.writer.derived[type_])
        self.told_numbers.append(number)
        record = f"{type_}({self.expression()})" if type_ in self.writer.open_records else type_
        one = (f"{name}.{inside}", f"{name}.{inside} + 1", f"crc32(little_bytes({name}.{inside}, 8)) % 251")
        two = (f"sum({name}.{inside})", f"last({name}).{inside}", f"fold(x in {name}, t = 0 : t + x.{inside})")
        if self.random.random() < 0.5:
            return [f"i32 {number} = {self.random.choice(one)};", f"{record} {name};"]
        if self.random.random() < 0.3:
            return [f"i32 {number}[i < 2] = {name}[i].{inside};", f"{record} {name}[2];"]
        return [f"i32 {number} = {self.random.choice(two)};", f"{record} {name}[2];"]

    def optional(self) -> list[str]:
        name = self.name("o")
        return [f"{self.random.choice(_NUMBERS[:-3])} {name} if {self.condition()} where {name} < 100;"]

    def text(self) -> list[str]:
        count, name = self.name("c"), self.name("t")
        type_ = self.random.choice(("bytes", "utf8"))
        self.told_numbers.append(count)
        codec = self.random.choice(("", "", " via deflate", " via maybe(true)")) if type_ == "bytes" else ""
        measure = "size" if codec or type_ == "utf8" else "count"
        length = f"size {count}" if codec else f"[{count}]"
        return [
            f"{self.random.choice(_INTEGERS)} {count} = {measure}({name});",
            f"{type_} {name}{'' if codec else ' '}{length if not codec else ' ' + length}{codec};",
        ]

    def terminated(self) -> list[str]:
        draw, name = self.random.random(), self.name("z")
        if draw < 0.5:
            return [f'utf8 {name} until "\\0";']
        count, field = self.small_number()
        return [field, f'{self.random.choice(("utf8", "bytes"))} {name}[{count}] until "\\0";']

    def numbers(self) -> list[str]:
        count, name = self.name("c"), self.name("l")
        self.told_numbers.append(count)
        type_ = self.random.choice((*_NUMBERS, *_VARIABLE))
        when = f" when {count} < 250" if self.random.random() < 0.2 else ""
        dimension = f"[{count} % 8]" if when and self.random.random() < 0.5 else f"[{count}]"
        return [f"u8 {count} = count({name}){when};", f"{type_} {name}{dimension};"]

    def elements(self) -> list[str]:
        if not self.writer.records:
            return self.numbers()
        count, name = self.name("c"), self.name("e")
        self.told_numbers.append(count)
        return [f"u8 {count} = count({name});", f"{self.random.choice(self.writer.records)} {name}[{count}];"]

    def indexed(self) -> list[str]:
        count, field = self.small_number()
        sizes, name = self.name("s"), self.name("i")
        inner = self.random.choice([*self.writer.records, "u16"])
        draw = self.random.random()
        if draw < 0.4 and inner != "u16":
            via = " via deflate" if self.random.random() < 0.4 else ""
            there = f" if {sizes}[i] > 0" if self.random.random() < 0.6 else ""
            return [
                field,
                f"u8 {sizes}[i < {count}] = size({name}[i]);",
                f"{inner} {name}[i < {count}] size {sizes}[i]{via}{there};",
            ]
        if draw < 0.7:
            return [
                field,
                f"bool8 {sizes}[i < {count}] = present({name}[i]);",
                f"{inner} {name}[i < {count}] if {sizes}[i];",
            ]
        clause = self.random.choice((" if i % 2 == 0", f" if i < {self.expression()}", ""))
        return [field, f"{inner} {name}[i < {count}]{clause};"]

    def until(self) -> list[str]:
        name = self.name("u")
        ends = (f"last({name}) == 0", f"count({name}) == {self.random.randrange(1, 4)}", f"sum({name}) > 300")
        return [f"u8 {name}[until {self.random.choice(ends)}];"]

    def nested(self) -> list[str]:
        if not self.writer.records:
            return self.number()
        there = f" if {self.condition()}" if self.random.random() < 0.3 else ""
        return [f"{self.random.choice(self.writer.records)} {self.name('r')}{there};"]

    def spanned(self) -> list[str]:
        arguments = f"({self.expression()})"
        choices = [*self.writer.records, *self.writer.endless, *(each + arguments for each in self.writer.open_records)]
        if not choices:
            return self.number()
        size, name = self.name("s"), self.name("b")
        raw = self.name("w")
        via = self.random.choice(("", "", " via deflate", " via maybe(true)"))
        head = [f"u16 {raw} = raw_size({name});"] if via and self.random.random() < 0.3 else []
        return [f"u16 {size} = size({name});", *head, f"{self.random.choice(choices)} {name} size {size}{via};"]

    def coded(self) -> list[str]:
        count, field = self.small_number()
        codec, name = self.random.choice(("counted", "front")), self.name("v")
        return [field, f"bytes {name}{self.random.choice(('', f'[{count}]', f'[i < {count}]'))} via {codec};"]

    def coded_number(self) -> list[str]:
        count, field = self.small_number()
        codec = self.random.choice(("delta", f"shifted({self.expression()})"))
        dimension = self.random.choice(("", f"[{count}]", f"[i < {count}]"))
        return [field, f"i64 {self.name('y')}{dimension} via {codec};"]

    def struct(self) -> list[str]:
        name = self.name("p")
        if self.random.random() < 0.3:
            return [f"{self.random.choice(('S1', 'S2'))} {name} via compact;"]
        size = self.name("s")
        return [
            f"u16 {size} = size({name});",
            f"{self.random.choice(('S1', 'S2'))} {name} size {size} via compact{self.random.choice(('', ' via deflate'))};",
        ]

    def message(self) -> list[str]:
        size, name = self.name("s"), self.name("m")
        return [f"u16 {size} = size({name});", f"M1 {name} size {size} via protobuf;"]

    def variant(self) -> list[str]:
        if not self.writer.variants:
            return self.derived()
        kind, name = self.name("g"), self.name("h")
        return [f"u8 {kind} = tag({name});", f"{self.random.choice(self.writer.variants)}({kind}) {name};"]

    def bits(self) -> list[str]:
        count, field = self.small_number()
        return [field, f"bits<{self.random.randrange(1, 20)}> {self.name('q')}[{count}];"]

    def bit_fields(self) -> list[str]:
        low = self.random.choice(("", " : low"))
        one, two = self.name("f"), self.name("f")
        clause = self.random.choice(("", f" where {one} < 5", f" = {self.random.randrange(8)}"))
        self.small.append(one)
        return [f"u16 {self.name('w')}{low} {{ {one} : 3{clause}; {two} : 13; }}"]

    def values(self) -> list[str]:
        kind, type_ = self.name("g"), self.name("k")
        count, name = self.name("c"), self.name("a")
        return [
            f"u8 {kind} = tag({type_});",
            f"Type({kind}) {type_};",
            f"u8 {count} = count({name});",
            f"Value({type_}) {name}[{count}];",
        ]

    def checked(self) -> list[str]:
        name = self.name("e")
        draw = self.random.choice(("{} >= {}", "{} != {} + 7", "{} <= {} + 200"))
        return [f'u8 {name} where {draw.format(name, self.expression())} else "not so";']

    def open(self) -> list[str]:
        if not self.writer.open_records:
            return self.number()
        name = self.name("r")
        if self.random.random() < 0.5:
            return [f"{self.random.choice(self.writer.open_records)}({self.expression()}) {name};"]
        count, field = self.small_number()
        return [
            field,
            f"{self.random.choice(self.writer.open_records)}({self.random.choice(('i', self.expression()))}) {name}[i < {count}];",
        ]

    def told(self) -> list[str]:
        crc, name = self.name("x"), self.name("t")
        count, field = self.small_number()
        if self.random.random() < 0.5:
            return [field, f"u32 {crc} = crc32(encoded({name}));", f"bytes {name}[{count}];"]
        text = f"bytes {name}[{count}];"
        return [field, text, *self.bit_fields(), f"u8 {crc}_last;", f"u32 {crc} = crc32(encoded({name}, {crc}_last));"]

    def running(self) -> list[str]:
        """Returns a list whose elements hang on those before them."""
        count, field = self.small_number()
        name = self.name("j")
        forms = (
            f" where i == 0 or {name}[i] > {name}[i - 1]",
            f" where i == 0 or {name}[i] != {name}[i - 1] + 2",
            f" where {name}[i] != i + 200",
            " = i * 3",
        )
        return [field, f"u16 {name}[i < {count}]{self.random.choice(forms)};"]

    def summed(self) -> list[str]:
        count, field = self.small_number()
        name = self.name("l")
        forms = (
            f"sum({name})",
            f"max({name})",
            f"fold(x in {name}, t = 0 : (t + x) % 251)",
            f"count(x in {name} where x > 3)",
            f"min({name})",
        )
        return [field, f"u32 {self.name('d')} = {self.random.choice(forms)};", f"u8 {name}[{count}];"]

    def filled(self) -> list[str]:
        fill = self.random.choice(('b"ab"', "0", '"ab"'))
        clause = self.random.choice((f" = {fill}", ""))
        return [f"bytes {self.name('t')}[2]{clause};"]

    def placed(self) -> list[str]:
        self.is_endless = True
        at, name = self.name("at"), self.name("pl")
        kinds = [*self.writer.records, "u16"]
        draw = self.random.random()
        if draw < 0.4:
            return [f"u16 {at} = offset({name});", f"{self.random.choice(kinds)} {name} at {at};"]
        if draw < 0.7:
            count, field = self.small_number()
            return [field, f"u16 {at}[{count}];", f"{self.random.choice(kinds)} {name}[i < {count}] at {at}[i];"]
        return [
            f"u16 {at};",
            f"u8 {self.name('x')};",
            f"u32 {name} at {at}{self.random.choice(('', ' if ' + at + ' != 0'))};",
        ]

    def to_the_end(self) -> list[str]:
        self.is_endless = True
        name = self.name("z")
        forms = [
            f"u8 {name}[..];",
            f"bytes {name}[..];",
            f"u8 {name} = rest;\nbytes {name}r[..];",
            f"u16 {name} if not at_end;",
            f"u8 {name}[rest];",
        ]
        if self.writer.records:
            forms.append(f"{self.random.choice(self.writer.records)} {name}[..];")
        return [self.random.choice(forms)]
