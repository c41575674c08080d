"""Statistics of columns, shared by the formats and the tables: collected from rows, stated by files, and compared."""
