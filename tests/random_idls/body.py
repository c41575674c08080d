"""Random fields of records, in a row."""

# ruff: noqa: E501  (a form of a field is one line)

from __future__ import annotations

from .base import INTEGERS, NUMBERS, VARIABLE
from .clauses import Clauses
from .places import Places


class Body(Clauses, Places):
    """Writes the fields of one record or alternative."""

    def fields(self, count: int) -> list[str]:
        kinds = (
            self.number, self.number, self.derived, self.optional, self.text, self.terminated, self.numbers, self.elements, self.indexed,
            self.until, self.nested, self.spanned, self.coded, self.coded_number, self.struct, self.message, self.variant, self.bits,
            self.bit_fields, self.values, self.checked, self.open, self.told, self.running, self.summed, self.filled, self.inner, self.inner,
            self.computed, self.computed_behind, self.derived_bits, self.floats, self.defaults, self.messages, self.headed, self.headed, self.peeked,
            self.spans, self.tagged, self.coded_lengths, self.checked_records, self.given, self.given, self.deep,
        )  # fmt: skip
        return [field for _ in range(count) for field in self.random.choice(kinds)()]

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
        return [f"{self.random.choice(NUMBERS[:-3])} {name} if {self.condition()} where {name} < 100;"]

    def text(self) -> list[str]:
        count, name = self.name("c"), self.name("t")
        type_ = self.random.choice(("bytes", "utf8"))
        self.told_numbers.append(count)
        codec = self.random.choice(("", "", " via deflate", " via maybe(true)")) if type_ == "bytes" else ""
        measure = "size" if codec or type_ == "utf8" else "count"
        length = f"size {count}" if codec else f"[{count}]"
        return [
            f"{self.random.choice(INTEGERS)} {count} = {measure}({name});",
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
        type_ = self.random.choice((*NUMBERS, *VARIABLE))
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
