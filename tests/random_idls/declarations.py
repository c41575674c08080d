"""Declarations that random records name: codecs, functions, an enum, and types whose fields are known."""

from __future__ import annotations

import re

#: Declarations by the names that they declare.
_ALL = {
    "Color": "enum Color { RED = 1; GREEN = 2; BLUE = 9 }",
    "deflate": 'codec deflate -> bytes = extern "runtime.compress:Deflate";',
    "text": 'codec text(utf8 encoding) -> bytes = extern "runtime.codecs:Text";',
    "filled": 'codec filled(i64 room, binary terminator, bool keep, i64 fill) -> bytes = extern "runtime.codecs:Filled";',
    "zlib": 'codec zlib(i64 n) -> bytes = extern "runtime.codecs:Zlib";',
    "xor": 'codec xor(u8 k) -> bytes = extern "runtime.codecs:Xor";',
    "maybe": "codec maybe(bool on) -> bytes = on ? deflate : identity;",
    "counted": "codec counted -> bytes { u8 n = count(value); bytes body[n] = value; } value = body;",
    "shifted": "codec shifted(i64 by) -> i64 { svarint32 moved = value - by; } value = moved + by;",
    "delta": "codec delta -> i64 with i64 prev = 0 { svarint32 step = value - prev; } value = prev + step;",
    "front": """codec front -> bytes with bytes prev = b"" {
  u8 shared = common_prefix(prev, value) where shared <= count(prev);
  u8 added = count(value) - shared;
  bytes suffix[added] = value[shared:];
} value = prev[:shared] + suffix;""",
    "split": """codec split(i64 unit) -> i64 {
  i64 whole = value / unit;
  i32 part = value % unit where 0 <= part < unit;
} value = whole * unit + part;""",
    "Type": "variant Type(u8 id) on id { 0: SMALL; 1: WIDE { u8 digits; }; 2: TEXT; 3: SPLIT; }",
    "Value": """encoding Value over Type : big {
  case SMALL { i32 v; }
  case WIDE(digits) if digits < 9 { i64 v; }
  case WIDE { uvarint32 n = count(v); bytes v[n]; }
  case TEXT { uvarint32 n = count(v); utf8 v[n]; }
  case SPLIT { i64 v via split(60); }
}""",
    "twice": "fn twice(i64 n) -> i64 = n * 2;",
    "least": "fn least(i64 a, i64 b) -> i64 = a < b ? a : b;",
    "steps": "fn steps(i64 n) -> i64 = n > 0 ? 1 + steps(n - 1) : 0;",
    "total": "fn total(list<i64> xs) -> i64 = fold(x in xs, t = 0 : (t + x) % 100);",
    "M0": "message M0 { 1: uint32 a; 2: list<sint32> b; 3: optional string c; 4: M00 d; } message M00 { 1: uint32 e; }",
    "S0": "struct S0 { 1: required i32 a; 2: list<i32> b; 3: optional string c; 4: S00 d } struct S00 { 1: i32 e }",
    "H2": "record H2ORDER { H0 hs[2]; }",
    "H1": "record H1ORDER { u8 x; H0 h; }",
    "H0": 'record H0ORDER { bytes m[2] = "H0"; u8 k; u8 n; u32 sum; I0 in; }',
    "I0": "record I0ORDER { u8 q; }",
    "G0": "record G0ORDER { u8 ks; }",
    "E0": "record E0ORDER { u8 n = count(v); u8 v[n]; }",
    "L0": "record L0(u8 n)ORDER { u8 v[n]; }",
    "L1": "record L1ORDER { u8 v[..]; }",
    "L2": "record L2ORDER { u8 k; u8 v[rest > 1 ? rest - 1 : 0]; u8 last if not at_end; }",
    "B0": "record B0ORDER { u8 left = rest; u8 v[..]; }",
    "W0": "record W0ORDER { u16 off; u8 len; }",
    "W1": "record W1ORDER { u16 off; u8 len; u8 k; }",
    "T0": 'record T0ORDER { u8 off; utf8 name until "\\0" at off from source; }',
    "N1": "record N1ORDER { u8 v; u8 next; N1 o at next from source if next != 0; }",
    "G1": "record G1GAPS { u8 k; G2 i; }",
    "G2": "record G2ORDER { u8 p; u8 v at p from G1 if p > 1; }",
    "Q0": "record Q0GAPS { u8 p; u8 v at p; }",
    "Q1": "record Q1ORDER { u8 p; u8 n = count(v); u8 v[n] at p; }",
    "X0": "variant X0(u8 g) on gORDER { 1: A { u8 v; u8 w; }; 2: B { u8 n = count(v); bytes v[n]; }; else: C { u8 v; }; }",
    "C0": "record C0ORDER { u32 sum; }",
    "D0": "record D0(u8 k)ORDER { u8 v = k; u8 w where w < 60; let k2 = k + w; }",
    "D1": "record D1(list<D0> ds)ORDER { u8 m = count(ds); u8 x[count(ds)]; }",
    "N0": "record N0ORDER { u8 n = count(kids); u8 v; N0 kids[n]; u16 total = (v + sum(kids.total)) % 251; }",
    "O0": "record O0ORDER { u16 off; u8 len = count(body); bytes body[len] at off from source; }",
    "O1": "record O1ORDER { u16 off = offset(body); E0 body at off from source; }",
    "O2": "record O2ORDER { u8 p; u8 n = size(x); u8 t = tag(x); X1(t) x at p from source size n if p != 0; }",
    "O3": "record O3ORDER { u8 v; u8 next; O3 node at next from source if next != 0; }",
    "X1": "variant X1(u8 t) on tORDER { 1: A { u8 v; u8 w; }; 2: B { bytes v[..]; }; else: C { u8 v[..]; }; }",
    "P0": """variant P0 on peek(1)ORDER {
  b"a": MARK { bytes mark[1] = "a"; };
  b"b": NUM { bytes mark[1] = "b"; u8 n; };
  else: RAW { u8 x where x < 97 or x > 98; u8 y; };
}""",
}


def declarations(text: str, order: str) -> str:
    """Returns the declarations that a text names."""
    own, needed = "", [text]
    for needs in needed:
        for name, declared in _ALL.items():
            if re.search(rf"\b{name}\b", needs) and declared not in needed:
                needed.append(declared)
    own = "\n".join(declared for declared in _ALL.values() if declared in needed[1:])
    own = own.replace("GAPS", f" : gaps, {order}" if order else " : gaps")
    return own.replace("ORDER", f" : {order}" if order else "") + "\n"
