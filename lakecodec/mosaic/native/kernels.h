/* Byte pair encoding: training over joined names, tokens to bytes and back. */
#pragma once

#include <stdint.h>
#include <string.h>

#define BPE_FIRST_RULE 128
#define BPE_MAX_RULES 128
/* The separator of names. It is also the token of the last rule, whose use is never counted. */
#define BPE_SEPARATOR 255

/* ---- training ---- */

/* Counts of (left, right) at left * 256 + right; pairs with a separator are counted and never looked at. */
static void bpe_count(const uint8_t *tokens, int64_t n, uint32_t *counts) {
    for (int64_t i = 0; i + 1 < n; i++) counts[tokens[i] << 8 | tokens[i + 1]]++;
}

/* The pair with the largest count, of several the largest pair; tokens are below `used`. */
static int bpe_most_frequent(const uint32_t *counts, int used, uint32_t *count) {
    uint32_t best = 0;
    int row = 0, right = 0;
    for (int left = 0; left < used; left++) {
        const uint32_t *at = counts + (left << 8);
        uint32_t most = 0;
        for (int k = 0; k < used; k++) most = at[k] > most ? at[k] : most;
        if (most >= best) { best = most; row = left; }
    }
    for (int k = 0; k < used; k++) if (counts[row << 8 | k] == best) right = k;
    *count = best;
    return row << 8 | right;
}

/* The next position from i on at which left is followed by right, or n. */
static int64_t bpe_find(const uint8_t *tokens, int64_t i, int64_t n, uint8_t left, uint8_t right) {
    for (; i + 33 <= n; i += 32) {
        uint8_t hit = 0;
        for (int k = 0; k < 32; k++) hit |= (uint8_t)((tokens[i + k] == left) & (tokens[i + k + 1] == right));
        if (hit) break;
    }
    for (; i + 1 < n; i++) if (tokens[i] == left && tokens[i + 1] == right) return i;
    return n;
}

/* Replaces the pair everywhere and keeps the counts exact; returns the new number of tokens.
 * Occurrences that touch each other are one stretch: only the pairs in it and at its two ends change. */
static int64_t bpe_merge(uint8_t *tokens, int64_t n, uint8_t left, uint8_t right, uint8_t token, uint32_t *counts) {
    int64_t written = 0, copied = 0, i = 0;
    while ((i = bpe_find(tokens, i, n, left, right)) < n) {
        int64_t end = i;
        while (end + 1 < n && tokens[end] == left && tokens[end + 1] == right) end += 2;
        const uint32_t merged = (uint32_t)((end - i) / 2);
        memmove(tokens + written, tokens + copied, i - copied);
        written += i - copied;
        const uint8_t before = written ? tokens[written - 1] : BPE_SEPARATOR;
        const uint8_t after = end < n ? tokens[end] : BPE_SEPARATOR;
        counts[before << 8 | left]--;
        counts[left << 8 | right] -= merged;
        counts[right << 8 | left] -= merged - 1;
        counts[right << 8 | after]--;
        counts[before << 8 | token]++;
        counts[token << 8 | token] += merged - 1;
        counts[token << 8 | after]++;
        memset(tokens + written, token, merged);
        written += merged;
        copied = i = end;
    }
    memmove(tokens + written, tokens + copied, n - copied);
    return written + n - copied;
}

/* Writes left and right token of each rule; returns the number of rules. `counts` has 65536 zeros. */
static int bpe_train(uint8_t *tokens, int64_t n, int max_rules, uint32_t *counts, uint8_t *rules) {
    bpe_count(tokens, n, counts);
    for (int made = 0; made < max_rules; made++) {
        uint32_t count;
        const int pair = bpe_most_frequent(counts, BPE_FIRST_RULE + made, &count);
        if (count < 2) return made;
        rules[2 * made] = (uint8_t)(pair >> 8);
        rules[2 * made + 1] = (uint8_t)pair;
        if (made + 1 < max_rules)
            n = bpe_merge(tokens, n, rules[2 * made], rules[2 * made + 1], (uint8_t)(BPE_FIRST_RULE + made), counts);
    }
    return max_rules;
}

/* ---- coding ---- */

/* Bytes that tokens stand for, limit + 1 when they are more; -1 - i when token i is neither a character nor a rule. */
static int64_t bpe_decoded_size(const uint8_t *tokens, int64_t n, const int64_t *lengths, int used, int64_t limit) {
    int64_t size = 0;
    for (int64_t i = 0; i < n; i++) {
        if (tokens[i] >= used) return -1 - i;
        size += lengths[tokens[i]];
        if (size > limit) size = limit + 1;
    }
    return size;
}

/* Rules refer to smaller ones, so at most one token per rule is pending. */
static void bpe_decode(const uint8_t *tokens, int64_t n, const uint8_t *rules, uint8_t *out) {
    uint8_t waiting[BPE_MAX_RULES + 1];
    for (int64_t i = 0; i < n; i++) {
        int depth = 0;
        uint8_t token = tokens[i];
        for (;;) {
            while (token >= BPE_FIRST_RULE) {
                const uint8_t *rule = rules + 2 * (token - BPE_FIRST_RULE);
                waiting[depth++] = rule[1];
                token = rule[0];
            }
            *out++ = token;
            if (!depth) break;
            token = waiting[--depth];
        }
    }
}

/* Expansions of tokens up to this size are kept. */
#define BPE_CHUNK 16

/* Writes the expansion of each token that is short enough, BPE_CHUNK bytes a token. */
static void bpe_expand(const uint8_t *rules, int count, const int64_t *lengths, uint8_t *chunks) {
    for (int token = 0; token < BPE_FIRST_RULE; token++) chunks[token * BPE_CHUNK] = (uint8_t)token;
    for (int i = 0; i < count; i++) {
        const int left = rules[2 * i], right = rules[2 * i + 1];
        uint8_t *chunk = chunks + (BPE_FIRST_RULE + i) * BPE_CHUNK;
        if (lengths[BPE_FIRST_RULE + i] > BPE_CHUNK) continue;
        memcpy(chunk, chunks + left * BPE_CHUNK, (size_t)lengths[left]);
        memcpy(chunk + lengths[left], chunks + right * BPE_CHUNK, (size_t)lengths[right]);
    }
}

/* The bytes that tokens stand for; their number, or -1 where they are more than `room` or must be looked at closely.
 * `out` has room for BPE_CHUNK bytes more. */
static int64_t bpe_decode_short(const uint8_t *tokens, int64_t n, const int64_t *lengths, int used, const uint8_t *chunks,
                                uint8_t *out, int64_t room) {
    int64_t size = 0;
    for (int64_t i = 0; i < n; i++) {
        const int token = tokens[i];
        if (token >= used || lengths[token] > BPE_CHUNK || size + lengths[token] > room) return -1;
        memcpy(out + size, chunks + token * BPE_CHUNK, BPE_CHUNK);
        size += lengths[token];
    }
    return size;
}

/* Applies the rules in place; returns the number of tokens. `numbers` holds 1 + rule at left * 256 + right, else 0.
 * A rule's pair cannot come into being once a later rule has been applied, so the smallest rule present is the next. */
static int64_t bpe_encode(uint8_t *tokens, int64_t n, const uint8_t *numbers) {
    for (;;) {
        int next = BPE_MAX_RULES + 1;
        for (int64_t i = 0; i + 1 < n; i++) {
            const int number = numbers[tokens[i] << 8 | tokens[i + 1]];
            if (number && number < next) next = number;
        }
        if (next > BPE_MAX_RULES) return n;
        int64_t written = 0;
        for (int64_t i = 0; i < n; written++) {
            if (i + 1 < n && numbers[tokens[i] << 8 | tokens[i + 1]] == next) {
                tokens[written] = (uint8_t)(BPE_FIRST_RULE + next - 1);
                i += 2;
            } else {
                tokens[written] = tokens[i++];
            }
        }
        n = written;
    }
}
