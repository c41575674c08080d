(struct name: (identifier) @name) @definition.class
(record name: (identifier) @name) @definition.class
(variant name: (identifier) @name) @definition.class
(enum name: (identifier) @name) @definition.enum
(encoding name: (identifier) @name) @definition.type
(table name: (identifier) @name) @definition.type
(codec name: (identifier) @name) @definition.function
(function_definition name: (identifier) @name) @definition.function
(service name: (identifier) @name) @definition.interface
(const name: (identifier) @name) @definition.constant
(type (identifier) @name) @reference.type
