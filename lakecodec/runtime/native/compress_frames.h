/* The headers of zstd frames and of their blocks, as RFC 8878 lays them out. */
#pragma once

#include <stdint.h>

enum { FRAME_RAW, FRAME_RLE, FRAME_COMPRESSED, FRAME_RESERVED };

static inline uint64_t frame_number(const uint8_t *p, int64_t size) {
    uint64_t number = 0;
    for (int64_t i = 0; i < size; i++) number |= (uint64_t)p[i] << (8 * i);
    return number;
}

/* Whether the bytes are one frame without a dictionary, which says that it holds `content` bytes, and ends with them. */
static int frame_is_whole(const uint8_t *data, int64_t size, int64_t content, int64_t window) {
    static const int64_t content_sizes[] = {0, 2, 4, 8};
    if (size < 5 || frame_number(data, 4) != 0xFD2FB528u) return 0;
    const uint8_t descriptor = data[4];
    const int single = descriptor >> 5 & 1, checksum = descriptor >> 2 & 1;
    int64_t width = content_sizes[descriptor >> 6], at = 5;
    if (descriptor & 0x0B || (!single && width == 0)) return 0;
    if (single && width == 0) width = 1;
    if (size - at < !single + width) return 0;
    if (!single) {
        const uint8_t byte = data[at++];
        const int log = 10 + (byte >> 3);
        if (log > 40 || ((int64_t)1 << log) + (((int64_t)1 << log) >> 3) * (byte & 7) > window) return 0;
    }
    const uint64_t said = frame_number(data + at, width) + (width == 2 ? 256 : 0);
    at += width;
    if (said != (uint64_t)content) return 0;
    for (int last = 0; !last;) {
        if (size - at < 3) return 0;
        const uint64_t header = frame_number(data + at, 3);
        const int kind = (int)(header >> 1 & 3);
        const int64_t stored = kind == FRAME_RLE ? 1 : (int64_t)(header >> 3);
        last = (int)(header & 1);
        at += 3;
        if (kind == FRAME_RESERVED || size - at < stored) return 0;
        at += stored;
    }
    return at + 4 * checksum == size;
}
