/* The texts of numbers, such as the names of an enum's members. */
#include "columns.h"

/* Texts that fit are copied with what follows them, which is cheaper than exactly. */
#define SHORT 24

typedef struct Name {
    int64_t number;
    const char *text;
    Py_ssize_t size;
    char start[SHORT];
} Name;

typedef struct Names {
    Name *sorted;
    Py_ssize_t count;
    /* Where numbers are close together: by their distance from the first, without a text where there is none. */
    Name *dense;
    uint64_t span;
    /* The size of the longest text. */
    Py_ssize_t longest;
} Names;

#define MOST_DENSE 1024
/* The sign and digits of any number. */
#define MOST_DIGITS 21

static int by_number(const void *left, const void *right) {
    const int64_t a = ((const Name *)left)->number, b = ((const Name *)right)->number;
    return (a > b) - (a < b);
}

static int names_init(Names *names, PyObject *texts) {
    PyObject *key, *text;
    Py_ssize_t at = 0;
    names->sorted = calloc((size_t)PyDict_GET_SIZE(texts) + 1, sizeof(Name));
    if (names->sorted == NULL) return no_memory();
    while (PyDict_Next(texts, &at, &key, &text)) {
        Name *name = &names->sorted[names->count++];
        name->number = PyLong_AsLongLong(key);
        if ((name->number == -1 && PyErr_Occurred()) || (name->text = PyUnicode_AsUTF8AndSize(text, &name->size)) == NULL) return -1;
        if (name->size > names->longest) names->longest = name->size;
        memcpy(name->start, name->text, (size_t)(name->size < SHORT ? name->size : SHORT));
    }
    if (names->count == 0) return 0;
    qsort(names->sorted, (size_t)names->count, sizeof(Name), by_number);
    const uint64_t first = (uint64_t)names->sorted[0].number;
    names->span = (uint64_t)names->sorted[names->count - 1].number - first + 1;
    if (names->span == 0 || names->span > MOST_DENSE) return 0;
    names->dense = calloc((size_t)names->span, sizeof(Name));
    if (names->dense == NULL) return no_memory();
    for (Py_ssize_t i = 0; i < names->count; i++) names->dense[(uint64_t)names->sorted[i].number - first] = names->sorted[i];
    return 0;
}

static inline const Name *find_name(const Names *names, int64_t number) {
    if (likely(names->dense != NULL)) {
        const uint64_t place = (uint64_t)number - (uint64_t)names->sorted[0].number;
        const Name *name = place < names->span ? &names->dense[place] : NULL;
        return name != NULL && name->text != NULL ? name : NULL;
    }
    const Name wanted = {.number = number};
    return bsearch(&wanted, names->sorted, (size_t)names->count, sizeof(Name), by_number);
}

static inline int64_t number_at(const uint8_t *numbers, int width, Py_ssize_t place) {
    if (width == 8) return (int64_t)load64(numbers + 8 * place);
    int32_t number;
    memcpy(&number, numbers + 4 * place, sizeof number);
    return number;
}

/* The texts one after the other, into a room that they fit, and where each ends; their size, or -1 with an exception. */
static Py_ssize_t spell(const Names *names, const uint8_t *numbers, int width, Py_ssize_t count, int32_t *offsets, char *data) {
    char *at = data;
    offsets[0] = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        const int64_t number = number_at(numbers, width, i);
        const Name *name = find_name(names, number);
        if (likely(name != NULL)) {
            if (likely(name->size <= SHORT))
                memcpy(at, name->start, SHORT);
            else
                memcpy(at, name->text, (size_t)name->size);
            at += name->size;
        } else {
            char digits[MOST_DIGITS + 1];
            const int length = snprintf(digits, sizeof digits, "%lld", (long long)number);
            memcpy(at, digits, (size_t)length);
            at += length;
        }
        if (unlikely(at - data > INT32_MAX)) return raise_error(PyExc_ValueError, MOST_BYTES);
        offsets[i + 1] = (int32_t)(at - data);
    }
    return at - data;
}

/* Memory of a size, in an arena where that pays; NULL with an exception. */
static void *take_memory(Arena *arena, size_t size) {
    void *memory = arena == NULL ? malloc(size) : arena_take(arena, size);
    return memory == NULL ? PyErr_NoMemory() : memory;
}

/* The offsets and the bytes of the texts as buffers. */
static PyObject *spelled(const Names *names, const uint8_t *numbers, int width, Py_ssize_t count) {
    /* Room for the longest text each time: what is not written is never touched. */
    const Py_ssize_t most = names->longest > MOST_DIGITS ? names->longest : MOST_DIGITS;
    if (count > (PY_SSIZE_T_MAX / 2 - SHORT) / (most + (Py_ssize_t)sizeof(int32_t))) return PyErr_NoMemory();
    const size_t ends = sizeof(int32_t) * (size_t)(count + 1), room = (size_t)(count * most) + SHORT;
    Arena *arena = ends + room < LEAST_ARENA ? NULL : arena_new(ends + room + 2 * ARENA_ALIGNMENT);
    int32_t *offsets = take_memory(arena, ends);
    char *data = offsets == NULL ? NULL : take_memory(arena, room);
    const Py_ssize_t size = data == NULL ? -1 : spell(names, numbers, width, count, offsets, data);
    PyObject *result = NULL;
    if (size >= 0) {
        PyObject *made = buffer_own(offsets, (Py_ssize_t)ends, arena);
        PyObject *texts = buffer_own(data, size, arena);
        result = made == NULL || texts == NULL ? NULL : PyTuple_Pack(2, made, texts);
        Py_XDECREF(made);
        Py_XDECREF(texts);
    } else if (arena == NULL) {
        free(offsets);
        free(data);
    }
    arena_drop(arena);
    return result;
}

PyObject *compact_names(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (check_count("names", count, 3)) return NULL;
    const long width = PyLong_AsLong(args[1]);
    if (!PyDict_Check(args[2]) || (width != 4 && width != 8)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "names: a width of 4 or 8 and a dict are needed");
        return NULL;
    }
    Py_buffer view;
    if (take_buffer(args[0], &view)) return NULL;
    Names names = {0};
    PyObject *result = names_init(&names, args[2]) ? NULL : spelled(&names, view.buf, (int)width, view.len / width);
    free(names.sorted);
    free(names.dense);
    PyBuffer_Release(&view);
    return result;
}
