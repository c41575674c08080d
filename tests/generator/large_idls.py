"""IDL texts of a given size that repeat one construct of the grammar as often, or nest it as deeply, as the size allows."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

#: From a number to an IDL that has a construct so often, or so deep.
Text = Callable[[int], str]


def many(text: str, *, first: str = "", last: str = "", between: str = "") -> Text:
    """Returns what repeats a text, in which ``#`` is the number and ``@`` the number before it."""
    return lambda count: first + between.join(numbered(text, each) for each in range(count)) + last


def numbered(text: str, number: int) -> str:
    return text.replace("#", str(number)).replace("@", str(max(number - 1, 0)))


def nested(before: str, inside: str, after: str, *, first: str = "", last: str = "") -> Text:
    return lambda depth: first + before * depth + inside + after * depth + last


def table(first: str, source: str, start: str, loop: str, column: str, columns: int | None = None) -> Text:
    """Returns what has a table of many loops, and as many columns, or one of many loops and few columns."""

    def text(count: int) -> str:
        loops = numbered(start, 0) + "".join(numbered(loop, each) for each in range(1, count))
        shown = range(count) if columns is None else range(count - columns, count)
        return f"{first} table t from {source} {{ {loops} {''.join(numbered(column, each) for each in shown)} }}"

    return text


def using_all(first: str, source: str, start: str, loop: str, term: str) -> Text:
    """Returns what has a table whose columns each use up to 100 loops."""

    def text(count: int) -> str:
        loops = numbered(start, 0) + "".join(numbered(loop, each) for each in range(1, count))
        sums = (
            "+".join(numbered(term, each) for each in range(at, min(at + 100, count))) for at in range(0, count, 100)
        )
        columns = "".join(f"i64 c{number} = {each};" for number, each in enumerate(sums))
        return f"{first} table t from {source} {{ {loops} {columns} }}"

    return text


def chained(item: str, first: str, column: str) -> Text:
    """Returns what has a chain of types, each with a list of the one before it, and a table that goes through all of them."""

    def text(count: int) -> str:
        types = first + "".join(numbered(item, each) for each in range(1, count + 1))
        loops = "".join(f"for a{each} in {f'a{each - 1}.' if each else ''}s " for each in range(count))
        return f"{types}table t from R{count} {{ {loops}{''.join(numbered(column, each) for each in range(count))} }}"

    return text


STRUCTS = (
    "enum E { A = 1 } struct S { 1: i32 v; 2: list<S> s; 3: optional i32 o; 4: list<i32> n; 5: list<string> t; 6: S z; 7: E e } "
    "record R { S r via compact; } "
)
RECORDS = "record E { u8 v; u8 w[2]; u8 n; E s[n] if n > 0; u8 m if n > 2; } record R { u8 n; E s[n]; u8 b[n]; } "
LOOP = "for a# in a@.s "
INDEXED = "for a#, i# in a@.s "

TABLES: dict[str, Text] = {
    "struct loops": table(STRUCTS, "S", "for a# in s ", LOOP, "i32 c# = a#.v;"),
    "struct loops, one column": table(STRUCTS, "S", "for a# in s ", LOOP, "i32 c# = a#.v;", 1),
    "struct loops, indexes": table(STRUCTS, "S", "for a#, i# in s ", INDEXED, "i64 c# = i#;"),
    "struct loops, joined": table(STRUCTS, "S", "for a# in s ", LOOP, 'string c# = join(a#.t, "x");'),
    "struct loops, conditional": table(STRUCTS, "S", "for a# in s ", LOOP, "i32 c# = present(a#.o) ? a#.o : a0.v;"),
    "struct loops, enums": table(STRUCTS, "S", "for a# in s ", LOOP, "string c# = name_of(a#.e);"),
    "struct loops, all used": using_all(STRUCTS, "S", "for a# in s ", LOOP, "a#.v"),
    "struct in record": table(STRUCTS, "R", "for a# in r.s ", LOOP, "i32 c# = a#.v;"),
    "record loops": table(RECORDS, "R", "for a# in s ", LOOP, "i32 c# = a#.v;"),
    "record loops, one column": table(RECORDS, "R", "for a# in s ", LOOP, "i32 c# = a#.v + 1;", 1),
    "record loops, indexes": table(RECORDS, "R", "for a#, i# in s ", INDEXED, "i64 c# = i# + i0;"),
    "record loops, computed": table(RECORDS, "R", "for a# in s ", LOOP, "i32 c# = a#.v + a0.v;"),
    "record loops, conditional": table(RECORDS, "R", "for a# in s ", LOOP, "i32 c# = present(a#.m) ? a#.m : a0.v;"),
    "record loops, selections": table(RECORDS, "R", "for a# in s ", LOOP, "i32 c# = sum((x in a#.w : x + a0.v));"),
    "record loops, all used": using_all(RECORDS, "R", "for a# in s ", LOOP, "a#.v"),
    "side by side": table(RECORDS, "R", "for a# in s ", "for a#, i# in s ", "i32 c# = a#.v + a0.v;"),
    "side by side, all used": using_all(RECORDS, "R", "for a# in s ", "for a#, i# in s ", "a#.v"),
    "side by side, a list each": lambda count: (
        f"record R {{ {''.join(numbered('u8 n#; u8 v#[n#]; ', each) for each in range(count))} }} table t from R {{ "
        f"{''.join(numbered('for a# in v# ', each) for each in range(count))} i32 c = a0; }}"
    ),
    "bytes": using_all(RECORDS, "R", "for a# in b ", "for a# in b ", "a#"),
    "columns": table(RECORDS, "R", "for a0 in s ", "", "i32 c# = a0.v + 1;"),
    "loops through many structs": chained(
        "struct R# { 1: list<R@> s 2: i32 v } ", "struct R0 { 2: i32 v } ", "i32 c# = a#.v;"
    ),
    "loops through many records": chained(
        "record R# { u8 v; R@ s[v]; } ", "record R0 { u8 v; } ", "i32 c# = a#.v + a0.v;"
    ),
    "tables": many("table t# from R { for a in s i32 c = a.v + 1; } ", first=RECORDS),
}

REPEATED: dict[str, Text] = {
    "enums": many("enum E# { A } "),
    "enum members": many("A# ", first="enum E { ", last="}"),
    "enum members in a record": many("A# ", first="enum E { ", last="} record R { u8 e via enum(E); }"),
    "constants": many("const i32 A# = # "),
    "constants by reference": many("const i32 A# = B@ const i32 B# = A# ", first="const i32 B = 1 "),
    "lists in constants": many("#,", first="const list<i32> A = [", last="]"),
    "ranges in constants": many("0..900,", first="const list<i32> A = [", last="]"),
    "maps in constants": many("#: #,", first="const map<i32, i32> A = {", last="}"),
    "typedefs": many("typedef T@ T# ", first="typedef i32 T "),
    "structs": many("struct S# { 1: optional S@ x } "),
    "fields": many("optional i32 a# ", first="struct S { ", last="}"),
    "fields of structs": many("1: S@ x ", first="struct S0 { 1: i32 x } "),
    "defaults": many("i32 a# = # ", first="struct S { ", last="}"),
    "defaults of structs": many(
        "S@ a = {} } struct S# { 1: S@ b = {'a': {}} ", first="struct S0 { 1: i32 x = 1 } struct S { "
    ),
    "annotations": many("a# = 'b' ", first="struct S { 1: i32 x (", last=") }"),
    "services": many("service S# { void f(1: i32 a) } "),
    "functions of services": many("void f#(1: i32 a) ", first="service S { ", last="}"),
    "services that extend": many("service S# extends S@ {} ", first="service S {} "),
    "unions": many("#: i32 a# ", first="union U { ", last="}"),
    "messages": many("message M# { #: i32 a } "),
    "doc comments": many("/** a */ struct S# {} "),
    "includes of nothing": many("include 'x#.idl' "),
    "comments": many("/**/ "),
    "syntax errors": many("struct S# { 1: } "),
    "unknown names": many("#: X# a# ", first="struct S { ", last="}"),
    "redefinitions": many("struct S {} "),
    "record fields": many("u8 a#; ", first="record R { ", last="}"),
    "record lists": many("u8 a#[a@]; ", first="record R { u8 a0; } record Q { u8 a; ", last="}"),
    "record conditions": many("u8 b# if a > #; ", first="record R { u8 a; ", last="}"),
    "record wheres": many("where a != # ", first="record R { u8 a ", last="; }"),
    "record checks": many("u8 b# where b# != a; ", first="record R { u8 a; ", last="}"),
    "derived fields": many("u8 b# = a; ", first="record R { u8 a; ", last="}"),
    "derived of the next": lambda count: (
        "record R { " + "".join(f"u8 a{i} = a{i + 1}; " for i in range(count)) + f"u8 a{count}; }}"
    ),
    "derived of all": many("u8 c# = size(b); ", first="record R { u8 a; ", last="u8 b[a]; }"),
    "counts": lambda count: (
        "record R { "
        + "".join(f"u8 n{i}=count(b{i});" for i in range(count))
        + "".join(f"u8 b{i}[n{i}];" for i in range(count))
        + "}"
    ),
    "sizes": lambda count: (
        "record R { "
        + "".join(f"u8 n{i}=size(b{i});" for i in range(count))
        + "".join(f"bytes b{i} size n{i};" for i in range(count))
        + "}"
    ),
    "places": many("u8 b# at a; ", first="record R { u8 a; ", last="}"),
    "places behind each other": many("u8 b# at offset(b@) + 1; ", first="record R { u8 b at 0; ", last="}"),
    "bit fields": many("b#: 1; ", first="record R { u64 a { ", last="} }"),
    "many bit fields": many("u8 a# { b#: 4; c#: 4; } ", first="record R { ", last="}"),
    "records": many("record R# { u8 a; } "),
    "records in each other": many("record R# { R@ a; } ", first="record R { u8 x; } "),
    "records with lists": many("record R# { u8 n; R@ a[n]; } ", first="record R { u8 x; } "),
    "parameters": many("u8 p#, ", first="record R(", last="u8 p) { u8 a; }"),
    "arguments": lambda count: (
        f"record R({', '.join(f'u8 p{i}' for i in range(count))}) {{ u8 a; }} "
        f"record Q {{ R({', '.join(['1'] * count)}) r; }}"
    ),
    "attributes": many("big, ", first="record R : ", last="big { u8 a; }"),
    "settings": many("with h.a = # ", first="record H { u8 a; } record R { H h ", last="; }"),
    "alternatives": many("#: A# { u8 a; }; ", first="variant V(u8 t) on t { ", last="}"),
    "alternatives alike": many("#: A#; ", first="record R { u8 t; V(t) v; } variant V(u8 t) on t { ", last="}"),
    "tags": many("#, ", first="variant V(u8 t) on t { ", last="999: A { u8 a; }; }"),
    "variants": many("variant V#(u8 t) on t { 1: A { V@(t) v; }; } ", first="record V0(u8 t) { u8 a; } "),
    "codecs": many("codec c#(u8 a) -> bytes { u8 b; } value = b; "),
    "functions": many("fn f#(i64 x) -> i64 = x; "),
    "functions that call": many("fn f#(i64 x) -> i64 = f@(x) + f@(x); ", first="fn f(i64 x) -> i64 = x; "),
    "functions in a record": lambda count: (
        "fn f0(i64 x) -> i64 = x; "
        + "".join(f"fn f{i}(i64 x) -> i64 = f{i - 1}(x) + 1; " for i in range(1, count))
        + f"record R {{ u8 a; u8 b if f{count - 1}(a) > 3; }}"
    ),
    "sums": many("+ a ", first="record R { u8 a; u8 b if a ", last="> 3; }"),
    "sums of 100": many("u8 b# if a" + "+a" * 99 + " > #; ", first="record R { u8 a; ", last="}"),
    "conjunctions": many("and a > # ", first="record R { u8 a; u8 b if a > 1 ", last="; }"),
    "comparisons": many("< # ", first="record R { u8 a; u8 b if a ", last="; }"),
    "shifts": many("u8 b# if (1 << 4000000000) > #; ", first="record R { u8 a; ", last="}"),
    "products": many("u8 b# if a * 99999999999999999999 * 99999999999999 > #; ", first="record R { u8 a; ", last="}"),
    "members": many(".a", first="record R { u8 a; u8 b if a", last=" > 1; }"),
    "indexes": many("[0]", first="record R { u8 a; u8 b if a", last=" > 1; }"),
    "slices": many("[0:1]", first="record R { bytes a size 3; u8 b if a", last=" > 1; }"),
    "calls": many("(1)", first="record R { u8 a; u8 b if a", last=" > 1; }"),
    "long texts": many("x", first='const string A = "', last='"'),
    "escapes": many("\\x41", first='const string A = "', last='"'),
    "open quotes": many('"'),
    "open comments": many("/* "),
    "open braces": many("struct S {"),
    "long names": many("x", first="struct ", last=" {}"),
    "dotted names": many(".x", first="const i32 A = a", last=" "),
    "numbers": many("9", first="const i64 A = ", last=" "),
    "floats": many("9", first="const double A = 1e", last=" "),
    "semicolons": many(";"),
    "magic": many('b"a", ', first='record R : magic("x") { bytes m[1] = "', last='"; }'),
    "encodings": many("case i32 { u8 a; } ", first="encoding C over arrow { ", last="}"),
}

NESTED: dict[str, Text] = {
    "lists": nested("list<", "i32", ">", first="struct S { 1: ", last=" a }"),
    "maps": nested("map<i32, ", "i32", ">", first="struct S { 1: ", last=" a }"),
    "map keys": nested("map<", "i32", ", i32>", first="struct S { 1: ", last=" a }"),
    "constant lists": nested("[", "1", "]", first="const list<i32> A = ", last=""),
    "constant maps": nested("{1: ", "1", "}", first="const map<i32, i32> A = ", last=""),
    "parentheses": nested("(", "a", ")", first="record R { u8 a; u8 b if ", last=" > 1; }"),
    "negatives": nested("- ", "a", "", first="record R { u8 a; u8 b if ", last=" > 1; }"),
    "nots": nested("not ", "a", "", first="record R { u8 a; u8 b if ", last="; }"),
    "conditionals": nested("a ? 1 : ", "a", "", first="record R { u8 a; u8 b if ", last="; }"),
    "conditionals before": nested("(a ? ", "a", " : 1)", first="record R { u8 a; u8 b if ", last="; }"),
    "brackets": nested("a[", "0", "]", first="record R { u8 a[3]; u8 b if ", last="; }"),
    "sums in sums": nested("(a + ", "a", " + 1)", first="record R { u8 a; u8 b if ", last="; }"),
    "calls in calls": nested("f(", "a", ")", first="fn f(i64 x) -> i64 = x; record R { u8 a; u8 b if ", last="; }"),
    "calls that double": nested(
        "f(", "a", ")", first="fn f(i64 x) -> i64 = x + x; record R { u8 a; u8 b if ", last=" > 1; }"
    ),
    "selections": nested("sum((x in a : ", "1", "))", first="record R { u8 a[3]; u8 b if ", last=" > 1; }"),
    "xsd attributes": nested("1: i32 a xsd_attrs { ", "", "} ", first="struct S { ", last="}"),
    "dimensions": nested("", "u8 a", "[2]", first="record R { ", last="; }"),
    "type arguments": nested("T<", "1", ">", first="record R { ", last=" a; }"),
}

ALL = {
    **TABLES,
    **{f"many {name}": text for name, text in REPEATED.items()},
    **{f"nested {n}": t for n, t in NESTED.items()},
}


def sized(text: Text, size: int) -> str:
    """Returns the text with the highest number that has no more characters than ``size``."""
    low, high = 1, 2
    while len(text(high)) <= size:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if len(text(middle)) <= size else (low, middle)
    return text(low)


def sizes(text: Text, size: int) -> Iterator[str]:
    """Yields texts around the numbers at which the compiler has limits, and the longest of a size."""
    longest = sized(text, size)
    found = {longest}
    for number in (30, 90, 200):
        if len(small := text(number)) < len(longest):
            found.add(small)
    yield from sorted(found, key=len)


def mixtures(size: int, seed: int) -> Iterator[str]:
    """Yields texts without end that have several constructs each; their definitions may have the same names."""
    chosen = random.Random(seed)
    names = sorted(ALL)
    while True:
        parts = chosen.sample(names, 3)
        yield " ".join(sized(ALL[each], chosen.randrange(500, size // 2)) for each in parts)[:size]
