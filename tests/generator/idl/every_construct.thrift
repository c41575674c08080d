/**
 * Every construct of Thrift's IDL.
 *
 *   Indented text stays indented.
 */
include "shared.thrift"
# A comment in the manner of shells.
cpp_include "<unordered_map>"
namespace py every.construct
namespace * every
namespace xsd every (uri = 'http://example.org/every')

/** A typedef. */
typedef i32 (cpp.type = "int32_t") Number (note = "x")
typedef list<Number> cpp_type "std::vector<int>" Numbers
typedef map cpp_type "std::unordered_map<int, int>" <i32, i32> Mapping
typedef set cpp_type "std::unordered_set<int>" <i32> Unordered

senum Season { "spring", "summer"; "autumn" "winter" }

/** Colours. */
enum Color {
  /** Like fire. */
  RED
  GREEN = 10 (deprecated),
  /* not a doc comment */
  BLUE;
  /** Belongs to nothing. */
  // VIOLET = 12
  BLACK = -5,
  GREY
  /** Belongs to nothing either. */
} (flags = "true")

/** An empty one. */
struct Empty {
}
struct EmptyToo {} struct OnlyComment { /** Nothing. */ }

const Number ANSWER = 42
const i64 HEX = 0xFF, const i64 NEGATIVE_HEX = -0x10
const double SMALL = .5; const double PLUS = +1.5
const bool OFF = 0
const binary BLOB = "bytes"
const uuid ID = "12345678-1234-5678-1234-567812345678"
const list<Color> COLORS = [Color.RED, Color.GREEN, 11]
const map<Color, string> COLOR_NAMES = {Color.RED: "red"; Color.BLUE: "blue"}
const map<list<i32>, string> BY_LIST = {[1, 2]: "a"}
const set<Color> SET_OF_COLORS = [Color.RED, Color.RED]
const shared.Point POINT = shared.ORIGIN
const i32 FROM_ENUM = Color.BLUE
const i32 FROM_INCLUDED = shared.LIMIT
const i32 FORWARD = LATER
const i32 LATER = 3
const Season SEASON = "summer"
const list<i32> NOTHING = {}
const map<i32, i32> NO_PAIRS = []
const shared.Color SHORTER = shared.BLUE

/** All ways to write a field. */
struct Everything xsd_all {
  /** Has an id. */
  1: i32 with_id
  i32 without_id
  string also_without = "x",
  /** Required. */ 2: required Number needed;
  3: optional Color color = Color.GREEN (a = "1", b = "2"; c)
  4: slist words
  5: uuid id = "12345678-1234-5678-1234-567812345678"
  6: binary blob = "blob" xsd_optional
  7: Unordered numbers = [3, 1, 3] xsd_nillable xsd_attrs { 1: i32 attribute }
  8: map<string, map<i32, list<set<i64>>>> deep = {"a": {1: [[2]]}}
  9: list<string (x = "y")> (z = "w") annotated
  10: Everything & itself
  11: i32 struct
  12: i32 required
  13: optional i32 optional
  14: byte list
  15: shared.Point point = {"x": 1, "y": 2}
  16: Choice choice = {"number": 4}
  17: Season season = "spring"
  18: i32 class
} (final, cpp.virtual = "0")

/** Unions. */
union Choice {
  1: i32 number;
  2: string text
  3: Empty nothing
}

exception Failed { 1: string message }

service Nothing {}

/** A service. */
service Everything_ extends Nothing {
  /** A function. */
  void nothing(),
  oneway void forget(1: i32 id)
  async void also_forget(1: i32 id);
  list<string> names(1: i32 a = 3, 2: required string b) throws (1: Failed f, 2: Failed g) (slow = "true")
  i32 implicit(i32 a, string b)
} (owner = "nobody")
