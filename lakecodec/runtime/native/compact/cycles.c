/* Which instances can be part of a reference cycle, and so need the garbage collector.
 *
 * A well-typed value holds itself only if its type can reach itself through its fields. All other instances, and lists of them,
 * are freed by reference counts alone; keeping a tree of them out of the collector's sight saves it from walking the tree.
 */
#include "compact.h"

static int reaches(Codec *codec, const Codec *target);

static int type_reaches(const Type *type, const Codec *target) {
    return (type->codec != NULL && reaches(type->codec, target)) || (type->key != NULL && type_reaches(type->key, target)) ||
           (type->value != NULL && type_reaches(type->value, target));
}

static int fields_reach(const Codec *codec, const Codec *target) {
    for (Py_ssize_t i = 0; i < codec->field_count; i++)
        if (type_reaches(&codec->fields[i].type, target)) return 1;
    return 0;
}

/* A hand-written codec makes objects that may hold anything. */
static int reaches(Codec *codec, const Codec *target) {
    if (codec == target || codec->kind == CODEC_CUSTOM) return 1;
    if (codec->visited) return 0;
    codec->visited = 1;
    return fields_reach(codec, target);
}

static void forget(const Type *type) {
    if (type->codec != NULL && type->codec->visited) {
        type->codec->visited = 0;
        for (Py_ssize_t i = 0; i < type->codec->field_count; i++) forget(&type->codec->fields[i].type);
    }
    if (type->key != NULL) forget(type->key);
    if (type->value != NULL) forget(type->value);
}

/* Whether a container of the type must be seen by the collector. */
static uint8_t mark_type(Type *type) {
    uint8_t track = type->codec != NULL && (type->codec->track || type->codec->kind == CODEC_CUSTOM);
    if (type->key != NULL) track |= mark_type(type->key);
    if (type->value != NULL) track |= mark_type(type->value);
    type->track = track;
    return track;
}

void find_cycles(PyObject *codecs) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(codecs); i++) {
        Codec *codec = (Codec *)PyList_GET_ITEM(codecs, i);
        codec->track = (uint8_t)fields_reach(codec, codec);
        for (Py_ssize_t j = 0; j < codec->field_count; j++) forget(&codec->fields[j].type);
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(codecs); i++) {
        Codec *codec = (Codec *)PyList_GET_ITEM(codecs, i);
        for (Py_ssize_t j = 0; codec->kind == CODEC_ONEOF && j < codec->field_count; j++) {
            /* Messages refer to the members of a oneof themselves, so that no path leads back to it. */
            codec->track |= codec->fields[j].type.codec != NULL && codec->fields[j].type.codec->track;
        }
        for (Py_ssize_t j = 0; j < codec->field_count; j++) mark_type(&codec->fields[j].type);
        free_without_cycles(codec);
        read_when_asked(codec);
    }
}
