"""Changes that only write the log (restore, convert, properties), and changes of rows in this process."""
