/* Where what makes a column lies in a buffer. */
#pragma once

#include <stdint.h>

/* Offsets count from the start of the buffer. What is not there has the start -1. */
typedef struct ColumnPlace {
    int64_t values_start, values_end, values_count;
    int64_t nulls_start, nulls_count, nulls_width;
    int64_t codes_start, codes_count, codes_width;
    int64_t constant;
} ColumnPlace;
