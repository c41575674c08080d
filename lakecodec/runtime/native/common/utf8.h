/* ASCII, and UTF-8 validity after RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline int is_ascii(const uint8_t *s, int64_t n) {
    uint64_t word, seen = 0;
    for (; n >= 8; s += 8, n -= 8) {
        memcpy(&word, s, 8);
        seen |= word;
    }
    while (n-- > 0) seen |= *s++;
    return !(seen & 0x8080808080808080u);
}

static inline int row_utf8_valid(const uint8_t *s, int64_t n) {
    const uint8_t *end = s + n;
    while (s < end) {
        if (end - s >= 32) {
            uint64_t x[4];
            memcpy(x, s, 32);
            if (!((x[0] | x[1] | x[2] | x[3]) & 0x8080808080808080u)) {
                s += 32;
                continue;
            }
        }
        if (end - s >= 8) {
            uint64_t x;
            memcpy(&x, s, 8);
            if (!(x & 0x8080808080808080u)) {
                s += 8;
                continue;
            }
        } else if (n >= 8) {
            /* What is before the rest was looked at; where it is ASCII as well, one look at both is enough. */
            uint64_t x;
            memcpy(&x, end - 8, 8);
            if (!(x & 0x8080808080808080u)) return 1;
        }
        const uint8_t a = *s++;
        if (a < 0x80) continue;
        if (a < 0xC2 || a > 0xF4) return 0;
        const int more = a < 0xE0 ? 1 : a < 0xF0 ? 2 : 3;
        if (end - s < more) return 0;
        const uint8_t low = a == 0xE0 ? 0xA0 : a == 0xF0 ? 0x90 : 0x80;
        const uint8_t high = a == 0xED ? 0x9F : a == 0xF4 ? 0x8F : 0xBF;
        if (s[0] < low || s[0] > high) return 0;
        for (int k = 1; k < more; k++)
            if ((s[k] & 0xC0) != 0x80) return 0;
        s += more;
    }
    return 1;
}
