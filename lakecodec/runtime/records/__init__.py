"""Records and variants: base classes, readers and writers of bodies of fields, in Python and over the native machine."""
