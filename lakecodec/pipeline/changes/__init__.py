"""Changes of a table after ingest: DELETE, UPDATE, MERGE, OPTIMIZE, RESTORE and CONVERT.

| change | modules |
|---|---|
| rows | `delete_update`, `merge` (`merge_source`), on `matching` (which files) and `rewriting` (copy on write) |
| files | `optimize`, on `cubes` (which files) and `compact` (files of no order) |
| versions | `restore`, `convert`, `count` |
"""
