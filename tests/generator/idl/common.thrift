/** Constructs that all implementations of Thrift agree on. */
namespace py common
namespace * common

include "shared.thrift"

typedef i32 Count
typedef list<Count> Counts
typedef map<string, list<Count>> CountsByName

enum Level {
  LOW
  MIDDLE = 5,
  HIGH;
}

const bool YES = true
const byte SMALL = -128
const i16 SHORT = 0x7f
const i32 NUMBER = 2147483647;
const i64 BIG = -9223372036854775808
const double RATIO = 1.5e-3
const double WHOLE = 3
const string NAME = 'single "quoted"'
const string ESCAPED = "tab\tline\nquote\"backslash\\"
const list<i32> NUMBERS = [1, 2, 3]
const list<string> NAMES = ["a", "b";]
const set<i32> SET = [1, 2, 1]
const map<string, i32> MAP = {"a": 1, "b": 2}
const map<string, list<i32>> NESTED = {"a": [1], "b": []}
const i32 COPY = NUMBER
const Level LEVEL = Level.MIDDLE
const shared.Color COLOR = shared.Color.GREEN
const shared.Point POINT = {"x": 1, "y": 2}

struct Empty {}

struct Scalars {
  1: bool a
  2: byte b;
  3: i8 c,
  4: i16 d
  5: i32 e
  6: i64 f
  7: double g
  8: string h
  9: binary i
}

struct Fields {
  1: required i32 must
  2: optional i32 may
  3: i32 plain
  4: optional Count count = 7
  5: list<Counts> nested
  6: map<i32, set<string>> sets
  10: required shared.Color color = shared.Color.BLUE
  11: optional shared.Timestamp at
  12: Level level = Level.HIGH
  13: list<i32> numbers = [1, 2]
  14: map<string, i32> counts = {"a": 1}
  15: double ratio = 2
  16: bool flag = 1
  17: bool other = false
  18: string text = "x"
  200: CountsByName by_name
  32767: optional Later later
}

struct Later {
  1: optional Later following
  2: list<Later> children
  3: optional Choice choice
}

union Choice {
  1: i32 number
  2: string text
  3: Empty nothing
}

exception Failed {
  1: string reason
  2: i32 code = 3
}

service Base {
  void ping()
}

service Store extends Base {
  Later get(1: i32 id, 2: string name) throws (1: Failed failed),
  oneway void forget(1: i32 id);
}
