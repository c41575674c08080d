"""Fields with places that clauses of other fields are about, in forms that are chosen as a whole."""

from __future__ import annotations

from random import Random

#: In the names of a form, @ stands for a number of its own.
_FORMS = (
    # Places and counts in what is placed.
    "u8 p@; u8 q@; E0 a@ at p@; u8 b@[a@.n] at q@;",
    "u8 p@; W0 i@ at p@; bytes b@[i@.len] at i@.off if i@.off != 0;",
    "L1 b@ at 0 size f@.off; E0 x@ at f@.off size f@.len; W0 f@ with len = size(x@) at end - 3;",
    "u8 p@; u8 q@; I0 a@ at p@; D0(a@.q) b@ at q@;",
    "u8 p@; u8 w@; D0(w@) x@ at p@; L0(x@.w) y@ at p@ + 2; u8 z@ = x@.w;",
    "u8 h@; let t@ = h@ % 4; bytes x@[t@] at h@;",
    "u8 n@ = count(x@); u8 p@[n@]; bool8 t@[n@]; I0 x@[i < n@] at p@[i] if t@[i];",
    "u8 p@; E0 a@ at p@; u8 t@[..] at p@ + 1 + a@.n size 2;",
    # What is derived from what is placed.
    "u8 c@ = sum(all_but(c@)) % 256; u8 p@; u8 f@; u8 q@; bytes x@[2] at p@; u8 y@ at q@ if f@ == 1;",
    "u8 p@; u8 n@ = count(x@) when n@ != 255; u8 k@ = size(x@); bytes x@[..] at p@ size k@; u8 q@ at p@ + k@;",
    "u8 p@; u8 k@ = size(x@); bytes x@[..] at p@ size k@; let e@ = p@ + k@; u8 q@ at e@;",
    "u8 f@ { a@ : 1 = present(x@) ? 1 : 0; b@ : 1; c@ : 6; } u8 p@; u8 q@; u8 x@ at p@ if p@ != 0; u8 y@ at q@ if b@ == 1;",
    "u16 p@; u8 n@ = present(x@) ? count(x@) : 0; u8 x@[..] at p@ size 2 if p@ != 0;",
    "u32 s@ = crc32(little_bytes(x@.n, 2)); u8 p@; E0 x@ at p@;",
    "u8 p@; u8 a@ = x@[0]; u8 x@[2] at p@;",
    "u8 p@; u8 g@ = tag(x@); X0(g@) x@ at p@;",
    # What is set by `with`.
    "W0 e@ with len = present(x@) ? count(x@) : 0; u8 x@[..] at e@.off size e@.len if e@.off != 0;",
    "u8 n@ = count(e@); W0 e@[i < n@] with len = count(d@[i].v); E0 d@[i < n@] at e@[i].off if e@[i].off != 0;",
    "u8 n@ = count(e@); W1 e@[i < n@] with len = size(d@[i]), k = count(d@[i].v); E0 d@[i < n@] at e@[i].off size e@[i].len;",
    "H0 h@ with n = count(x@), sum = sum(x@); u8 x@[h@.n] at h@.k;",
    "H0 h@ with n = count(x@) when h@.k != 1; u8 x@[h@.n] at h@.k;",
    "H1 h@ with h.n = count(x@), h.in.q = size(x@); u16 x@[h@.h.n] at h@.x;",
    # Rules.
    "u8 p@; u8 m@ where m@ == max(x@); u8 x@[2] at p@;",
    "u8 p@; u8 q@; I0 a@ at p@; I0 b@ at q@ where not present(a@) or b@.q >= a@.q;",
    "u8 n@ = count(x@); u8 p@[n@]; I0 x@[i < n@] at p@[i] where x@[i].q != n@;",
    "u8 k@; u8 p@; u8 x@ at p@ where x@ != k@;",
    # Conditions about what is measured of the field itself.
    "u8 p@; u8 k@ = size(x@); bytes x@[k@] at p@ if k@ > 0;",
    "u8 p@; u8 k@ = size(x@); L1 x@ at p@ size k@ if k@ != 0;",
    "W0 e@ with len = size(x@); L1 x@ at e@.off size e@.len if e@.len > 0;",
    "u8 p@ = offset(x@); E0 x@ at p@ if p@ != 0;",
    "u8 k@ = size(x@); L1 x@ at end - k@ size k@;",
    "u8 n@ = count(p@); u8 p@[n@]; u8 s@[i < n@] = size(x@[i]); bytes x@[i < n@][s@[i]] at p@[i] if s@[i] > 0;",
    # Codecs, structs and messages.
    "u8 k@; u8 p@; bytes q@[3] at p@ via xor(k@);",
    'u8 p@; u8 q@; utf8 t@[..] at p@ size 4 via filled(4, b"", false, 0); u8 y@ at q@;',
    'u8 n@ = count(p@); u8 p@[n@]; utf8 t@[i < n@][..] at p@[i] size 4 via filled(4, b"", false, 0);',
    "u8 p@; u8 s@ = size(x@); u8 n@ = count(x@); bytes x@[..] at p@ size s@ via zlib(n@);",
    "u8 p@; u8 s@ = size(m@); M0 m@ at p@ size s@ via protobuf; u8 q@; u8 z@ = size(t@); S0 t@ at q@ size z@ via compact;",
    "u8 p@; bits<5> b@[3] at p@;",
    # Codecs, arguments and alternatives that are told by numbers derived from what is placed.
    "u8 n@ = count(x@); u8 s@ = size(x@); u8 p@; bytes x@[..] at p@ from source size s@ via zlib(n@);",
    "u8 d@ = n@ + 1; u8 s@ = size(x@); u8 n@ = count(x@.v); u8 p@; L0(d@ - 1) x@ at p@ size s@;",
    "W1 e@ with k = raw_size(x@), len = size(x@); bytes x@[..] at e@.off size e@.len via zlib(e@.k);",
    "W1 e@[i < 2] with k = count(x@[i]), len = size(x@[i]); bytes x@[i < 2][..] at e@[i].off size e@[i].len via zlib(e@[i].k);",
    "bytes x@[..] at e@.off size e@.len via zlib(e@.k); W1 e@ with len = size(x@), k = count(x@) at end - 4;",
    "u8 s@ = size(x@); u8 g@ = tag(x@); u8 p@; X1(g@) x@ at p@ from source size s@ if p@ != 0;",
    "u8 g@ = tag(x@); u8 p@; X1(g@) x@ at p@;",
    "u8 n@ = count(s@); O2 s@[n@];",
    "O3 o@;",
    # Records that place fields.
    "u8 p@; O0 o@ at p@;",
    "u8 p@; O1 o@ at p@;",
    "u8 p@; O2 o@ at p@ if p@ != 0;",
    "u8 p@; O3 o@ at p@ if p@ != 0;",
    "u8 n@ = count(s@); T0 s@[n@]; u8 a@; u8 m@ = size(o@); bytes o@[..] at a@ size m@;",
    "u8 p@; N1 o@ at p@ if p@ != 0;",
    "u8 p@; u8 n@ = size(x@); Q0 x@ at p@ size n@;",
    "u8 p@; u8 n@ = size(x@); Q1 x@ at p@ size n@;",
)


def described(random: Random, number: int) -> list[str]:
    """Returns fields with names of a number of their own."""
    return [random.choice(_FORMS).replace("@", str(number))]
