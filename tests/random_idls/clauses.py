"""Random fields that other clauses are about: computed attributes, `with`, defaults, floats, peeking, messages in expressions, elements before."""

# ruff: noqa: E501  (a form of a field is one line)

from __future__ import annotations

from .base import Base


class Clauses(Base):
    """Fields of a record, by clause."""

    def computed(self) -> list[str]:
        """Returns an attribute without bytes, from numbers before it."""
        name, form = (
            self.name("l"),
            self.random.choice(("twice({}) % 5", "{} > 1 ? 1 : 0", "steps({} % 4)", "least({}, 3)", "{} % 4")),
        )
        first = [] if self.small else [self.small_number()[1]]
        fields = [*first, f"let {name} = {form.format(self.random.choice(self.small))};"]
        self.small.append(name)
        self.told_numbers.append(name)
        return fields

    def computed_behind(self) -> list[str]:
        """Returns an attribute of a list, and what is derived from it."""
        count, name, told = self.name("c"), self.name("l"), self.name("d")
        self.told_numbers += [f"{told}_l", told]
        form = self.random.choice(
            (f"sum({name}) % 7", f"count({name})", f"total({name})", f"count({name}) > 0 ? {name}[0] : 2")
        )
        derived = f"i64 {told} = {told}_l{self.random.choice(('', ' + 1', f' when count({name}) != 1'))};"
        fields = [f"u8 {count} = count({name});", f"u8 {name}[{count}];", f"let {told}_l = {form};"]
        return [derived, *fields] if self.random.random() < 0.5 else [*fields, derived]

    def derived_bits(self) -> list[str]:
        count, name, low = self.name("f"), self.name("l"), self.random.choice(("", " : low"))
        self.told_numbers.append(count)
        other = self.name("f")
        self.small.append(other)
        type_ = self.random.choice(("u8", "u16", "i16"))
        return [
            f"u8 {self.name('w')}{low} {{ {count} : 4 = count({name}); {other} : 2; {other}r : 2; }}",
            f"{type_} {name}[{count}];",
        ]

    def floats(self) -> list[str]:
        type_, name, told = self.random.choice(("f16", "f32", "f64")), self.name("x"), self.name("d")
        forms = (
            [f"{type_} {name};", f"u8 {told} = {name} == 0.5 ? 1 : 0;"],
            [f"{type_} {name};", f"u8 {told} if {name} > 0.1;"],
            [f"{type_} {name} where {name} >= 0.1 or {name} == 0;"],
            [f"{type_} {name} = 0.1;"],
            [f"{type_} {name};", f"{self.random.choice(('f32', 'f64'))} {told} = {name};"],
            [f"{type_} {told} = max({name});", f"u8 {told}n = count({name});", f"{type_} {name}[{told}n];"],
            [f"u8 {told}n = count({name});", f"{type_} {name}[{told}n];", f"f64 {told} = sum({name});"],
            [f"{type_} {name} default 0.1;"],
        )
        return self.random.choice(forms)

    def defaults(self) -> list[str]:
        name = self.name("v")
        forms = (
            f"u8 {name} default 7;",
            f"i16 {name} default -1 where {name} < 9;",
            f"bytes {name}[3] default 0;",
            f'bytes {name}[2] default b"ab";',
            f'utf8 {name} until "\\0" default "x";',
            f"bool8 {name} default true;",
        )
        return [self.random.choice(forms)]

    def messages(self) -> list[str]:
        """Returns a message or a struct whose fields expressions name."""
        size, name, told = self.name("s"), self.name("m"), self.name("d")
        type_, via = self.random.choice((("M0", "protobuf"), ("S0", "compact")))
        form = self.random.choice(
            (
                "{0}.a",
                "count({0}.b)",
                "sum({0}.b)",
                "{0}.d.e",
                "present({0}.c) ? 1 : 0",
                "count({0}.c)",
                "{0}.a > 3 ? 1 : 0",
            )
        )
        fields = [f"u8 {size} = size({name});", f"{type_} {name} size {size} via {via};"]
        if self.random.random() < 0.3:
            return [*fields, f"u8 {told}l[{form.format(name)} & 3];"]
        self.told_numbers.append(told)
        derived = f"i64 {told} = {form.format(name)};"
        return [derived, *fields] if self.random.random() < 0.5 else [*fields, derived]

    def headed(self) -> list[str]:
        """Returns a record with fields that are set from outside, by `with`."""
        head, name = self.name("h"), self.name("l")
        kind = self.random.choice(("bytes", "u16", "u8", "E0"))
        form = self.random.random()
        if form < 0.35:
            when = self.random.choice(("", "", f" when {head}.k != 1"))
            sums = self.random.choice(
                ("", f", sum = crc32(encoded({name}))", f", sum = size({name})", f", in.q = count({name})")
            )
            return [f"H0 {head} with n = count({name}){when}{sums};", f"{kind} {name}[{head}.n];"]
        if form < 0.5:
            return [f"H1 {head} with h.n = count({name}), h.in.q = size({name});", f"{kind} {name}[{head}.h.n];"]
        if form < 0.7:
            count = self.name("c")
            return [
                f"u8 {count} = count({name});",
                f"H0 {head}[i < {count}] with n = count({name}[i].v);",
                f"L0({head}[i].n) {name}[i < {count}];",
            ]
        if form < 0.85:
            return [f"H2 {head} with hs[i].n = count({name}[i].v);", f"L0({head}.hs[i].n) {name}[i < 2];"]
        return [
            f"H2 {head} with hs[i].n = size({name}[i]);",
            f"L1 {name}[i < 2] size {head}.hs[i].n{self.random.choice(('', ' via deflate'))};",
        ]

    def peeked(self) -> list[str]:
        name, forms = self.name("k"), []
        count, field = self.small_number()
        forms = (
            [f"u8 {name}s if peek(1)[0] >= 128;", f"u8 {name};"],
            [f"P0 {name};"],
            [field, f"P0 {name}[{count}];"],
            [f"P0 {name}[until {name}[count({name}) - 1] is MARK];"],
            [f"u8 {name}s = size({name});", f"P0 {name}[..] size {name}s;"],
            [f'bytes {name}[ahead(b"\\n")];', f"u8 {name}_end = 10;"],
            [f"u8 {name}[peek(1)[0] & 3];"],
            [f'u8 {name} if peek(2) == b"ab";', f"u16 {name}x;"],
        )
        return self.random.choice(forms)

    def spans(self) -> list[str]:
        """Returns fields that are about the end of a span."""
        size, name = self.name("s"), self.name("z")
        inner = self.random.choice([*self.writer.records, *self.writer.endless, "E0", "u16", "u8", "L2", "B0"])
        via = self.random.choice(("", "", "", " via deflate"))
        if inner in ("E0", "u16", "u8", *self.writer.records):
            dimension = self.random.choice(
                ("[..]", "[..]", f"[until count({name}) == 2 or at_end]" if inner == "u8" else "[..]")
            )
            return [f"u8 {size} = size({name});", f"{inner} {name}{dimension} size {size}{via};"]
        return [f"u8 {size} = size({name});", f"{inner} {name} size {size}{via};"]

    def tagged(self) -> list[str]:
        """Returns a list of variants whose tags stand before it."""
        if not self.writer.variants:
            return self.number()
        type_, tags, name = self.random.choice(self.writer.variants), self.name("g"), self.name("h")
        count, field = self.small_number()
        forms = (
            [field, f"u8 {tags}[i < {count}] = tag({name}[i]);", f"{type_}({tags}[i]) {name}[i < {count}];"],
            [field, f"G0 {tags} with ks = tag({name});", f"{type_}({tags}.ks) {name};"],
            [f"u8 {tags};", f"u8 {tags}n = count({name});", f"{type_}({tags}) {name}[{tags}n] where true;"],
        )
        return self.random.choice(forms)

    def coded_lengths(self) -> list[str]:
        size, name, count = self.name("s"), self.name("t"), self.name("c")
        forms = (
            [
                f"u8 {size} = size({name});",
                f"u8 {count} = count({name});",
                f"bytes {name}[{count}] size {size} via deflate;",
            ],
            [f"u8 {size} = size({name});", f"bytes {name}[{size}] via deflate;"],
            [f"u8 {size} = size({name});", f'utf8 {name}[..] size {size} via text("latin-1");'],
            [
                f"u8 {size} = size({name});",
                f"u8 {count} = raw_size({name});",
                f'utf8 {name}[{count}] size {size} via text("utf-16-le");',
            ],
            [
                f"u8 {size} = size({name});",
                f"u8 {count} = count({name});",
                f"u16 {name}[{count}] size {size} via deflate;",
            ],
            [f"u8 {size} = count({name});", f"utf8 {name}[{size}];"],
            [f'utf8 {name}[..] size 4 via filled(4, b"", false, 0);'],
        )
        return self.random.choice(forms)

    def checked_records(self) -> list[str]:
        sum_, name = self.name("x"), self.name("r")
        inner = self.random.choice([*self.writer.records, "E0", "L2"])
        if inner == "L2":
            return [f"u32 {sum_} = crc32(encoded({name}));", f"u8 {name}s = size({name});", f"L2 {name} size {name}s;"]
        return [f"u32 {sum_} = crc32(encoded({name}));", f"{inner} {name};", f"u8 {sum_}n = size({name});"]

    def given(self) -> list[str]:
        """Returns records with parameters of other fields and elements."""
        name, keys, count = self.name("r"), self.name("k"), self.name("c")
        told = self.name("d")
        self.told_numbers.append(told)
        forms = (
            [f"u8 {count} = count({keys});", f"u8 {keys}[{count}];", f"D0({keys}[i]) {name}[i < {count}];"],
            [f"u8 {count} = count({name});", f"D0(i) {name}[i < {count}];"],
            [f"u8 {count} = count({name});", f"D0(2) {name}[{count}];", f"D1({name}) {name}_x;"],
            [f"u8 {count} = count({name});", f"D0(count({name}) > 0 ? last({name}).w : 1) {name}[{count}];"],
            [f"u8 {count} = count({name});", f"D0(count({name})) {name}[{count}];"],
        )
        number = self.random.choice(
            (f"sum({name}.v)", f"sum({name}.k2)", f"count({name}) > 0 ? last({name}).v : 0", f"max({name}.w)")
        )
        fields = self.random.choice(forms)
        derived = f"i64 {told} = {number};"
        return [derived, *fields] if self.random.random() < 0.5 else [*fields, derived]

    def deep(self) -> list[str]:
        name, told = self.name("r"), self.name("d")
        self.told_numbers.append(told)
        return [f"u16 {told} = {name}.total;", f"N0 {name};"]
