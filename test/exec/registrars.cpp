// What runs before main and fills a table that device code uses, without being
// named there, runs on the device too.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <cstring>
#include <string>
#include <vector>

// Into an array.
struct entry {
  const char *name;
  int (*function)(int);
};
entry table[8];
int entries = 0;
struct registrar {
  registrar(const char *name, int (*function)(int)) {
    table[entries++] = {name, function};
  }
};
int twice(int x) { return 2 * x; }
static registrar add_twice("twice", twice);
static registrar add_square("square", [](int x) { return x * x; });

// Into a function's static variable.
std::vector<std::string> &names() {
  static std::vector<std::string> list;
  return list;
}
template <class T> struct named {
  static bool registered;
};
template <class T> bool named<T>::registered = (names().push_back("named"), true);
template struct named<int>;
namespace {
bool also = [] {
  names().push_back("also");
  return true;
}();
}

// One that another asks for: what fills `level` is needed for `offset`.
int level = 1;
int raised = level += 5;
int offset = level * 10;

// A function that runs before main.
int prepared = 0;
__attribute__((constructor)) void prepare() { prepared += 3; }

int found(int i) {
  const char *wanted = i % 2 ? "square" : "twice";
  for (int k = 0; k < entries; ++k)
    if (!std::strcmp(table[k].name, wanted))
      return table[k].function(i) + offset + prepared;
  return -1;
}

int main() {
  same("table", 10, [](std::size_t i) { return found(int(i)); });
  same("list", 1, [](std::size_t) {
    int sum = 0;
    for (const std::string &name : names())
      sum = sum * 100 + int(name.size());
    return sum;
  });
  std::printf("%d %d\n", found(3), int(names().size()));
}
// CHECK: table: same
// CHECK: list: same
// CHECK: 72 2
