"""Changes of the log alone (restore, convert, properties), and changes of rows in this process."""
