/* The instances in fields of unread ones that live only as long as somebody uses them. */
#include "tape.h"

#include "common/instance_free.h"

typedef struct Live Live;

Live live[MOST_LIVE];
int live_count;

/* The note of an instance whose class may have been changed. */
static inline Unread *note_of(PyObject *parent) { return unread_of(parent, slots_owner(Py_TYPE(parent), instance_dealloc)); }

/* Ends the life of an entry: the child is kept in its slot if that is free and it has to be. */
static inline void end_live(Live *entry, int keep) {
    PyObject *parent = entry->parent, *child = entry->child;
    const Field *field = entry->field;
    Unread *above = entry->above, *unread = note_of(child);
    *entry = (Live){NULL, NULL, NULL, NULL};
    live_count--;
    unread->live = NULL;
    unread->asked &= FORGOT;
    if (keep && SLOT(parent, field->offset) == NULL) {
        SLOT(parent, field->offset) = Py_NewRef(child);
        above->asked |= field->bit;
    } else {
        above->asked |= FORGOT;
    }
    Py_DECREF(parent);
}

void keep_live(Unread *unread) { end_live(unread->live, 1); }

void settle_all(void) {
    for (int i = 0; i < MOST_LIVE && live_count > 0; i++)
        if (live[i].parent != NULL) end_live(&live[i], 1);
}

int let_go(PyObject *self, Unread *unread) {
    Live *entry = unread->live;
    /* What was only read is not kept: a value was set. */
    if (has_values(self, unread->layout->codec) && SLOT(entry->parent, entry->field->offset) == NULL) {
        Py_SET_REFCNT(self, 1);
        end_live(entry, 1);
        Py_DECREF(self);
        return 1;
    }
    end_live(entry, 0);
    return 0;
}
