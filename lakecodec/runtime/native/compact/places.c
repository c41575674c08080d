/* Values in kept bytes, found by name and decoded in one call: what a look-up waits for in memory is asked for ahead of its use. */
#include "decode.h"

typedef struct Slot {
    uint32_t hash, number; /* the number plus one; 0 in a free slot */
} Slot;

typedef struct Places {
    PyObject_HEAD Codec *codec;
    PyObject *data, *names;
    Slot *slots; /* open addressing, at most half full */
    size_t mask;
    uint32_t *places; /* of all names, once for each group */
    Py_ssize_t count, groups, depth, elements;
} Places;

#define MOST_ON_STACK 64
#define LINE 64

static Slot *first_slot(const Places *places, Py_hash_t hash) { return &places->slots[(size_t)hash & places->mask]; }

static Slot *next_slot(const Places *places, Slot *slot) { return slot == places->slots + places->mask ? places->slots : slot + 1; }

static PyObject *slot_name(const Places *places, const Slot *slot) { return PyTuple_GET_ITEM(places->names, slot->number - 1); }

static uint32_t tag(Py_hash_t hash) { return (uint32_t)((uint64_t)hash >> 32); }

static int is_same(PyObject *name, PyObject *other) {
    return name == other || (PyUnicode_GET_LENGTH(name) == PyUnicode_GET_LENGTH(other) && PyUnicode_KIND(name) == PyUnicode_KIND(other) &&
                             memcmp(PyUnicode_DATA(name), PyUnicode_DATA(other), (size_t)PyUnicode_GET_LENGTH(name) * PyUnicode_KIND(name)) == 0);
}

/* The slot of a name, or the free one that it would have. */
static Slot *find_slot(const Places *places, PyObject *name, Py_hash_t hash) {
    Slot *slot = first_slot(places, hash);
    while (slot->number != 0 && (slot->hash != tag(hash) || !is_same(name, slot_name(places, slot)))) slot = next_slot(places, slot);
    return slot;
}

/* The first slot that may be that of a name by its hash alone, or a free one. */
static const Slot *likely_slot(const Places *places, Py_hash_t hash) {
    Slot *slot = first_slot(places, hash);
    while (slot->number != 0 && slot->hash != tag(hash)) slot = next_slot(places, slot);
    return slot;
}

/* The values at the numbers, of one group after the other; takes the numbers' memory. */
static PyObject *decoded(const Places *places, uint32_t *numbers, Py_ssize_t count) {
    const Py_ssize_t all = count * places->groups;
    uint32_t *at = PyMem_Malloc((size_t)Py_MAX(all, 1) * sizeof(uint32_t));
    if (at == NULL) return PyErr_NoMemory();
    for (Py_ssize_t group = 0; group < places->groups; group++)
        for (Py_ssize_t i = 0; i < count; i++) at[group * count + i] = places->places[group * places->count + numbers[i]];
    PyObject *values = decode_each(places->codec, places->data, at, all, places->depth, places->elements);
    PyMem_Free(at);
    return values;
}

static int fill_slots(Places *places) {
    for (Py_ssize_t i = 0; i < places->count; i++) {
        PyObject *name = PyTuple_GET_ITEM(places->names, i);
        if (!PyUnicode_CheckExact(name)) return raise_error(PyExc_TypeError, "names: a tuple of str is needed");
        const Py_hash_t hash = PyObject_Hash(name);
        if (hash == -1) return -1;
        *find_slot(places, name, hash) = (Slot){tag(hash), (uint32_t)i + 1};
    }
    return 0;
}

static int take_places(Places *places, PyObject *given) {
    Py_buffer view;
    if (PyObject_GetBuffer(given, &view, PyBUF_CONTIG_RO)) return -1;
    const Py_ssize_t all = view.len / (Py_ssize_t)sizeof(uint32_t);
    int failed = view.itemsize != sizeof(uint32_t) || (places->count == 0 ? all != 0 : all % places->count != 0);
    if (failed) PyErr_SetString(PyExc_ValueError, "places: as many 32-bit numbers for each group as there are names are needed");
    places->groups = places->count == 0 ? 0 : all / places->count;
    if (!failed && (places->places = PyMem_Malloc((size_t)Py_MAX(view.len, 1))) == NULL) failed = no_memory();
    if (!failed) memcpy(places->places, view.buf, (size_t)view.len);
    for (Py_ssize_t i = 0; !failed && i < all; i++)
        if ((Py_ssize_t)places->places[i] > PyBytes_GET_SIZE(places->data))
            failed = raise_error(PyExc_ValueError, "places: %zd is outside the data", (Py_ssize_t)places->places[i]);
    PyBuffer_Release(&view);
    return failed ? -1 : 0;
}

static PyObject *places_new(PyTypeObject *type, PyObject *args, PyObject *named) {
    PyObject *codec, *data, *names, *given, *depth, *elements;
    if (named != NULL && PyDict_GET_SIZE(named) > 0) return PyErr_Format(PyExc_TypeError, "Places takes no named arguments");
    if (!PyArg_ParseTuple(args, "O!O!O!OOO:Places", &Codec_Type, &codec, &PyBytes_Type, &data, &PyTuple_Type, &names, &given, &depth, &elements))
        return NULL;
    if (((Codec *)codec)->kind == CODEC_MESSAGE) return PyErr_Format(PyExc_TypeError, "codec: a message has no end of its own");
    Places *places = (Places *)type->tp_alloc(type, 0);
    if (places == NULL) return NULL;
    places->codec = (Codec *)Py_NewRef(codec);
    places->data = Py_NewRef(data);
    places->names = Py_NewRef(names);
    places->count = PyTuple_GET_SIZE(names);
    size_t size = 4;
    while (size < 2 * (size_t)places->count) size *= 2;
    places->mask = size - 1;
    places->slots = PyMem_Calloc(size, sizeof(Slot));
    if (places->slots == NULL) PyErr_NoMemory();
    if (places->slots == NULL || take_limit(depth, "max_depth", &places->depth) || take_limit(elements, "max_elements", &places->elements) ||
        take_places(places, given) || fill_slots(places))
        Py_CLEAR(places);
    return (PyObject *)places;
}

static void places_dealloc(PyObject *self) {
    Places *places = (Places *)self;
    PyMem_Free(places->slots);
    PyMem_Free(places->places);
    Py_XDECREF(places->codec);
    Py_XDECREF(places->data);
    Py_XDECREF(places->names);
    Py_TYPE(self)->tp_free(self);
}

typedef struct Wanted {
    Py_hash_t hash;
    const Slot *slot;
} Wanted;

/* Finds the numbers of names; 1, 0 where a name is not known, or -1. */
static int find_numbers(const Places *places, PyObject *const *names, Py_ssize_t count, Wanted *wanted, uint32_t *numbers) {
    const char *data = PyBytes_AS_STRING(places->data);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!PyUnicode_CheckExact(names[i])) return 0;
        if ((wanted[i].hash = PyObject_Hash(names[i])) == -1) return -1;
        __builtin_prefetch(first_slot(places, wanted[i].hash));
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        const uint32_t number = (wanted[i].slot = likely_slot(places, wanted[i].hash))->number;
        if (number == 0) return 0;
        if (places->groups > 0) __builtin_prefetch(&places->places[number - 1]);
        __builtin_prefetch(&PyTuple_GET_ITEM(places->names, number - 1));
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        const uint32_t number = wanted[i].slot->number - 1;
        const char *name = (const char *)PyTuple_GET_ITEM(places->names, number);
        __builtin_prefetch(name);
        __builtin_prefetch(name + LINE);
        if (places->groups > 0) {
            __builtin_prefetch(data + places->places[number]);
            __builtin_prefetch(data + places->places[number] + LINE);
        }
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        const Slot *slot = find_slot(places, names[i], wanted[i].hash);
        if (slot->number == 0) return 0;
        numbers[i] = slot->number - 1;
    }
    return 1;
}

static PyObject *places_named(PyObject *self, PyObject *names) {
    Wanted few[MOST_ON_STACK], *wanted = few;
    uint32_t few_numbers[MOST_ON_STACK], *numbers = few_numbers;
    PyObject *sequence = PySequence_Fast(names, "names: an iterable of str is needed"), *values = NULL;
    if (sequence == NULL) return NULL;
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence);
    if (count > MOST_ON_STACK) {
        wanted = PyMem_Malloc((size_t)count * sizeof(Wanted));
        numbers = PyMem_Malloc((size_t)count * sizeof(uint32_t));
    }
    int known = wanted == NULL || numbers == NULL
                    ? no_memory()
                    : find_numbers((Places *)self, PySequence_Fast_ITEMS(sequence), count, wanted, numbers);
    if (known == 1)
        values = decoded((Places *)self, numbers, count);
    else if (known == 0)
        values = Py_NewRef(Py_None);
    if (count > MOST_ON_STACK) {
        PyMem_Free(wanted);
        PyMem_Free(numbers);
    }
    Py_DECREF(sequence);
    return values;
}

static PyObject *places_numbered(PyObject *self, PyObject *given) {
    const Places *places = (Places *)self;
    PyObject *sequence = PySequence_Fast(given, "numbers: an iterable of int is needed"), *values = NULL;
    const Py_ssize_t count = sequence == NULL ? 0 : PySequence_Fast_GET_SIZE(sequence);
    uint32_t *numbers = sequence == NULL ? NULL : PyMem_Malloc((size_t)Py_MAX(count, 1) * sizeof(uint32_t));
    if (sequence != NULL && numbers == NULL) PyErr_NoMemory();
    Py_ssize_t done = 0;
    for (; numbers != NULL && done < count; done++) {
        const Py_ssize_t number = PyLong_AsSsize_t(PySequence_Fast_GET_ITEM(sequence, done));
        if (number == -1 && PyErr_Occurred()) break;
        if (number < 0 || number >= places->count) {
            PyErr_Format(PyExc_IndexError, "numbers: %zd is that of no name", number);
            break;
        }
        numbers[done] = (uint32_t)number;
    }
    if (numbers != NULL && done == count) values = decoded(places, numbers, count);
    PyMem_Free(numbers);
    Py_XDECREF(sequence);
    return values;
}

static PyMethodDef places_methods[] = {
    {"named", places_named, METH_O, "named($self, names, /)\n--\n\nThe values of names, of one group after the other; None if a name is not known."},
    {"numbered", places_numbered, METH_O, "numbered($self, numbers, /)\n--\n\nThe same of names by their positions."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject Places_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "lakecodec.runtime.native._compact.Places",
    .tp_doc = "Places(codec, data, names, places, max_depth, max_elements)\n--\n\nValues in bytes, found by name; see compact/places.py.",
    .tp_basicsize = sizeof(Places),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = places_new,
    .tp_dealloc = places_dealloc,
    .tp_methods = places_methods,
};
