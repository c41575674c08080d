/* The descriptions of fields, from the rows that Python lowers, and how they are found. */
#include "compact.h"

static int by_id(const void *left, const void *right) { return (*(Field *const *)left)->id - (*(Field *const *)right)->id; }

#define DIRECT_IDS 128

/* The slots of an instance none of whose fields has been read. */
static int make_blank(Codec *codec) {
    codec->blank = PyMem_Calloc((size_t)codec->slot_count + 1, sizeof(PyObject *));
    codec->by_slot = PyMem_Calloc((size_t)codec->slot_count + 1, sizeof(Field *));
    if (codec->blank == NULL || codec->by_slot == NULL) return no_memory();
    for (Py_ssize_t i = 0; i < codec->field_count; i++) {
        const Field *field = &codec->fields[i];
        codec->blank[slot_number(field->offset)] = field->absent;
        codec->by_slot[slot_number(field->offset)] = field;
    }
    for (Py_ssize_t i = 0; i < codec->slot_count; i++) {
        codec->nones += codec->blank[i] == Py_None;
        codec->others += codec->blank[i] != NULL && codec->blank[i] != Py_None;
    }
    return 0;
}

/* Builds the lookup tables of the chosen fields. */
int index_fields(Codec *codec) {
    if ((codec->kind == CODEC_STRUCT || codec->kind == CODEC_MESSAGE) && codec->plain && make_blank(codec)) return -1;
    codec->in_order = 1;
    codec->sorted = PyMem_Calloc((size_t)codec->field_count + 1, sizeof(Field *));
    codec->direct = PyMem_Calloc(DIRECT_IDS, sizeof(Field *));
    codec->steps = PyMem_Calloc((size_t)codec->field_count + 1, sizeof(WriteStep));
    if (codec->sorted == NULL || codec->direct == NULL || codec->steps == NULL) return no_memory();
    for (Py_ssize_t i = 0; i < codec->field_count; i++) {
        Field *field = &codec->fields[i];
        codec->defaults += is_default(field);
        codec->in_order &= i == 0 || codec->fields[i - 1].id < field->id;
        field->bit = i < 64 ? (uint64_t)1 << i : 0;
        codec->bits |= field->absent == NULL ? field->bit : 0;
        codec->steps[i] = (WriteStep){(uint32_t)field->offset, (int16_t)field->id, field->type.kind, field->type.wire, field};
        if (!field->chosen) continue;
        codec->sorted[codec->sorted_count++] = field;
        if (field->id >= 0 && field->id < DIRECT_IDS) {
            codec->direct[field->id] = field;
            codec->direct_size = field->id >= codec->direct_size ? field->id + 1 : codec->direct_size;
        }
    }
    qsort(codec->sorted, (size_t)codec->sorted_count, sizeof(Field *), by_id);
    for (Py_ssize_t i = 1; i < codec->sorted_count; i++)
        if (codec->sorted[i - 1]->id == codec->sorted[i]->id)
            return raise_error(PyExc_ValueError, "rows: %U has the field id %d twice", codec->name, codec->sorted[i]->id);
    return 0;
}

Field *find_field(const Codec *codec, int id) {
    Py_ssize_t low = 0, high = codec->sorted_count;
    while (low < high) {
        Py_ssize_t middle = (low + high) / 2;
        Field *field = codec->sorted[middle];
        if (field->id == id) return field;
        if (field->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* row: (name, attribute, id, required, default, factory or None, type row), and of a message: packed, implicit, whether it is a
 * group, the oneof's codec or its number, or None, and the member's name in it, or None. */
static int field_init(Codec *codec, Field *field, PyObject *row, PyObject *codecs, PyObject *singletons) {
    PyObject *name, *attribute, *absent, *factory, *type, *packed = NULL, *implicit, *oneof, *member;
    int required, group = 0;
    const int message = codec->kind == CODEC_MESSAGE;
    if (!PyTuple_Check(row)) return raise_error(PyExc_TypeError, "rows: a field must be a tuple");
    if (!PyArg_ParseTuple(row, message ? "UUipOOOOOpOO" : "UUipOOO", &name, &attribute, &field->id, &required, &absent, &factory, &type,
                          &packed, &implicit, &group, &oneof, &member)) {
        return -1;
    }
    if (!message && codec->kind != CODEC_ONEOF && (field->id < -32768 || field->id > 32767))
        return raise_error(PyExc_ValueError, "rows: the field id %d is outside -32768 to 32767", field->id);
    field->chosen = 1;
    field->required = (uint8_t)required;
    field->name = Py_NewRef(name);
    if (codec->kind == CODEC_UNION || codec->kind == CODEC_ONEOF) {
        field->number = PyLong_FromLong(field->id);
        if (field->number == NULL) return -1;
        PyObject *single = PyDict_GetItemWithError(singletons, field->number);
        if (single == NULL && PyErr_Occurred()) return -1;
        field->single = Py_XNewRef(single);
    } else {
        field->offset = slot_offset(codec->cls, attribute);
        if (field->offset < 0) return -1;
        if (factory != Py_None)
            field->factory = Py_NewRef(factory);
        else if (!required)
            field->absent = Py_NewRef(absent);
    }
    if (type_init(&field->type, type, codecs)) return -1;
    codec->required += required;
    return message ? message_field_init(field, packed, implicit, group, oneof, member, codecs) : 0;
}

int fields_init(Codec *codec, PyObject *rows, PyObject *codecs, PyObject *singletons) {
    Py_ssize_t count = PyTuple_GET_SIZE(rows);
    codec->fields = PyMem_Calloc((size_t)count + 1, sizeof(Field));
    if (codec->fields == NULL) return no_memory();
    codec->field_count = count;
    for (Py_ssize_t i = 0; i < count; i++) {
        Field *field = &codec->fields[i];
        if (field_init(codec, field, PyTuple_GET_ITEM(rows, i), codecs, singletons)) return -1;
    }
    return index_fields(codec);
}
