// The IDL for editors: definitions, their members and names, for colours, folding and outlines. Expressions and clauses are runs of
// tokens: the compiler says what is wrong in them, and new clauses need no change here.

const CLAUSES = [
  "if", "at", "size", "until", "via", "arrow", "where", "else", "from", "when", "write", "with", "in", "is", "or", "and", "not", "case", "null", "value", "for",
  "on", "over", "extern", "let", "default", "align",
];
const THRIFT = ["required", "optional", "oneway", "async", "void", "throws", "extends", "message", "oneof", "record", "variant", "encoding", "codec", "fn", "table"];
const DEFINERS = ["struct", "union", "exception", "enum", "senum", "service", "const", "typedef", "namespace", "include", "cpp_include"];

const sep = $ => optional(choice(",", ";"));

module.exports = grammar({
  name: "lakecodec_idl",
  word: $ => $.identifier,
  extras: $ => [/\s/, $.comment, $.doc_comment],

  rules: {
    source_file: $ => repeat($._definition),

    _definition: $ => choice(
      $.include, $.namespace, $.const, $.typedef, $.enum, $.senum, $.struct, $.service, $.record, $.variant, $.encoding, $.codec, $.function_definition, $.table,
    ),

    // ---- Thrift ----

    include: $ => seq(choice("include", "cpp_include"), $.string),
    namespace: $ => seq("namespace", choice("*", $._name), $._name, optional($.annotations)),
    const: $ => seq("const", field("type", $.type), field("name", $._name), "=", $._const_value, sep($)),
    typedef: $ => seq("typedef", field("type", $.type), field("name", $._name), optional($.annotations), sep($)),
    enum: $ => seq("enum", field("name", $._name), "{", repeat($.enum_member), "}", optional($.annotations)),
    enum_member: $ => prec.right(seq(field("name", $._name), optional(seq("=", $.number)), optional($.annotations), sep($))),
    senum: $ => seq("senum", field("name", $._name), "{", repeat(seq($.string, sep($))), "}", optional($.annotations)),
    struct: $ => seq(
      choice("struct", "union", "exception", "message", "oneof"), field("name", $._name), optional("xsd_all"), "{", repeat($.field), "}", optional($.annotations),
    ),
    field: $ => seq(
      optional(seq(field("id", $.number), ":")), optional(choice("required", "optional")), field("type", $.type), optional("&"), field("name", $._field_name),
      optional(seq("=", $._const_value)), repeat(choice("xsd_optional", "xsd_nillable", seq("xsd_attrs", "{", repeat($.field), "}"))), optional($.annotations), sep($),
    ),
    service: $ => seq(
      "service", field("name", $._name), optional(seq("extends", $._name)), "{", repeat($.service_function), "}", optional($.annotations),
    ),
    service_function: $ => seq(
      optional(choice("oneway", "async")), field("type", choice("void", $.type)), field("name", $._name), "(", repeat($.field), ")",
      optional(seq("throws", "(", repeat($.field), ")")), optional($.annotations), sep($),
    ),
    annotations: $ => prec(1, seq("(", repeat(seq($._name, optional(seq("=", $.string)), sep($))), ")")),
    type: $ => prec.right(seq(
      $.identifier, optional(seq("cpp_type", $.string)), optional($.type_arguments), optional(seq("cpp_type", $.string)), optional($.group),
    )),
    type_arguments: $ => prec(2, seq("<", $._type_argument, repeat(seq(",", $._type_argument)), ">")),
    _type_argument: $ => prec.left(repeat1(choice($.type, $.number, $.string, $.group, alias(/[-+*\/%&|^]/, $.operator)))),
    _const_value: $ => choice($.number, $.string, $._name, $.const_list, $.const_map),
    const_list: $ => seq("[", repeat(seq(choice(seq($.number, "..", $.number), $._const_value), sep($))), "]"),
    const_map: $ => seq("{", repeat(seq($._const_value, ":", $._const_value, sep($))), "}"),

    // ---- extensions ----

    record: $ => seq("record", field("name", $._name), repeat($._token), $.body),
    body: $ => seq("{", repeat(choice($.record_field, $.computed, $.bit_field)), "}"),
    computed: $ => seq("let", field("name", $._name), "=", repeat1($._token), ";"),
    record_field: $ => seq(field("type", $.type), field("name", $._name), repeat($._token), choice(";", $.body)),
    bit_field: $ => seq(field("name", $._name), ":", $.number, repeat($._token), ";"),
    variant: $ => seq("variant", field("name", $._name), repeat($._token), "{", repeat($.variant_case), "}"),
    variant_case: $ => seq(repeat1($._tag), ":", field("name", $._name), optional($.body), repeat($._token), ";"),
    encoding: $ => seq("encoding", field("name", $._name), repeat($._token), "{", repeat($.shape), "}"),
    shape: $ => prec.right(seq("case", repeat1($._shape_token), $.body, optional(seq("null", $.body)), sep($))),
    codec: $ => seq("codec", field("name", $._name), repeat($._token), optional(seq($.body, repeat($._token))), ";"),
    function_definition: $ => seq("fn", field("name", $._name), repeat($._token), ";"),
    table: $ => seq("table", field("name", $._name), "from", $._name, "{", repeat($.loop), repeat($.column), "}"),
    loop: $ => prec.right(seq("for", field("name", $._name), optional(seq(",", field("name", $._name))), "in", $._name, repeat(choice($.group, $.index)), sep($))),
    column: $ => seq(field("type", $.type), field("name", $._name), optional($.group), "=", repeat1($._token), ";"),

    // ---- runs of tokens ----

    _token: $ => choice($._tag, ":"),
    _tag: $ => choice($._shape_token, alias("null", $.keyword), alias("case", $.keyword)),
    _shape_token: $ => choice(
      $.identifier, alias(choice(...CLAUSES.filter(each => each !== "case" && each !== "null"), ...THRIFT, ...DEFINERS), $.keyword), $.number, $.string, $.operator, ",",
      $.group, $.index,
    ),
    group: $ => seq("(", repeat($._token), ")"),
    index: $ => seq("[", repeat($._token), "]"),

    // ---- words ----

    // Where a name stands, clauses and the words of extensions are names like all others.
    _name: $ => choice($.identifier, alias(choice(...CLAUSES, ...THRIFT), $.identifier)),
    _field_name: $ => choice($._name, alias(choice(...DEFINERS), $.identifier)),
    identifier: _ => /[A-Za-z_]\w*(\.\w+)*/,
    number: _ => token(prec(1, /[+-]?(0x[0-9a-fA-F]+|\d+(\.\d+)?([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?)/)),
    string: _ => token(choice(/b?"([^"\\\n]|\\.)*"/, /'([^'\\\n]|\\.)*'/)),
    operator: _ => token(choice("->", "==", "!=", "<=", ">=", "<<", ">>", "..", /[-+*\/%&|^<>=?.!~@]/)),
    doc_comment: _ => token(prec(2, /\/\*\*[^*]*\*+([^/*][^*]*\*+)*\//)),
    comment: _ => token(prec(1, choice(/\/\*[^*]*\*+([^/*][^*]*\*+)*\//, /(\/\/|#)[^\n]*/))),
  },
});
