"""Reading tables: into Spark and without it, skipping what cannot match.

| stage | modules |
|---|---|
| predicates as they are written | `sql` (`sql.lark`), `terms`, `spark_column` -> `predicate` |
| on the columns of a table | `bind` -> `bounds` (what can be skipped), `expression` (which rows are left) |
| planning | `plan`, `select`, `partitions`, `explain` |
| reading | `reader`, `open_file`, `parquet_file`, `mosaic_file`, `conform` |
| for users | `scan`, `spark` |
"""
