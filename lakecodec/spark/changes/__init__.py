"""Changes of a table by Spark jobs: DELETE, UPDATE, MERGE and OPTIMIZE.

| change | modules |
|---|---|
| rows | `delete_update`, `merge` (`merge_source`), on `matching` (which files) and `rewriting` (copy on write) |
| files | `optimize`, `compact` (files without an order); `lake.changes.cubes` chooses the files |
"""
