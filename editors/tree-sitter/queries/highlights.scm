[ "include" "cpp_include" "namespace" "const" "typedef" "enum" "senum" "struct" "union" "exception" "message" "oneof" "service" "extends" "throws" "record" "variant"
  "encoding" "codec" "fn" "table" "from" "for" "in" "case" "let" "null" "required" "optional" "oneway" "async" "void" ] @keyword
(keyword) @keyword
(comment) @comment
(doc_comment) @comment.documentation
(string) @string
(number) @number
(operator) @operator
(type (identifier) @type)
(struct name: (identifier) @type.definition)
(enum name: (identifier) @type.definition)
(record name: (identifier) @type.definition)
(variant name: (identifier) @type.definition)
(encoding name: (identifier) @type.definition)
(table name: (identifier) @type.definition)
(codec name: (identifier) @function)
(function_definition name: (identifier) @function)
(service_function name: (identifier) @function)
(enum_member name: (identifier) @constant)
(variant_case name: (identifier) @constant)
(const name: (identifier) @constant)
(field id: (number) @label)
(field name: (identifier) @property)
(record_field name: (identifier) @property)
(bit_field name: (identifier) @property)
(column name: (identifier) @property)
(computed name: (identifier) @property)
[ ";" "," ":" ] @punctuation.delimiter
[ "(" ")" "[" "]" "{" "}" "<" ">" ] @punctuation.bracket
