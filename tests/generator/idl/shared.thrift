// Included by the other files of this folder.
namespace py shared

enum Color { RED = 1, GREEN, BLUE = 0x10 }

typedef i64 Timestamp

struct Point {
  1: required i32 x
  2: required i32 y
}

const Point ORIGIN = {"x": 0, "y": 0}
const i32 LIMIT = 100
