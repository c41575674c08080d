"""Records and variants: base classes, readers and writers, in Python and for the native machine."""
