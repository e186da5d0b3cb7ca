// Global variables whose initialisers are code: each device runs it once, before
// the first kernel, in the order of C++.
// RUN: %xcc -Wno-offload-globals -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -Wno-offload-globals -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <array>
#include <atomic>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

// Nothing has to run for these.
struct plain {
  int a;
};
plain zero;
std::array<int, 4> zeros;
std::atomic<int> counted{5};
struct tag {
  tag() {}
  explicit tag(int) {}
  ~tag() {}
};
tag empty;
static const tag other(3);
struct point {
  int x, y;
  point(int x, int y) : x(x), y(y) {}
  constexpr explicit point(int both) : x(both), y(both) {}
};
point folded(3, 4), constant(8);
int constants(int) {
  tag copy = empty, second = other;
  (void)copy, (void)second;
  return zero.a + zeros[3] + counted.load() + folded.x * folded.y + constant.x;
}

// Code of one's own: loops, calls, one after the other.
int seven() {
  int sum = 1;
  for (int i = 1; i < 4; ++i)
    sum += i;
  return sum;
}
int first = seven(), second = first + 1;
int &reference = second;
int *const pointer = &reference + (first - 7);
struct crc_table {
  unsigned values[256];
  crc_table() {
    for (unsigned i = 0; i < 256; ++i) {
      unsigned c = i;
      for (int k = 0; k < 8; ++k)
        c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      values[i] = c;
    }
  }
};
const crc_table crc;
int values(int i) {
  return first * 1000 + reference + *pointer + int(crc.values[i] & 0xffff);
}

// Members, templates, inline variables, arrays of classes, function objects.
struct member {
  static int of_class;
  static inline int in_line = seven() * 2;
  template <class T> static T of_template;
};
int member::of_class = seven() * 3;
template <class T> T member::of_template = T(seven()) / 2;
template <class T> struct holder {
  static std::vector<T> list;
};
template <class T> std::vector<T> holder<T>::list{T(1), T(2), T(seven())};
inline const std::array<point, 3> points{point(1, 2), point(seven(), 4),
                                         point(5, 6)};
point array[2][2] = {{{1, 2}, {3, 4}}, {{5, seven()}, {7, 8}}};
auto twice = [by = seven()](int x) { return x * by; };
int members(int i) {
  return member::of_class + member::in_line + member::of_template<int> +
         int(member::of_template<double> * 2) + holder<int>::list[i % 3] +
         int(holder<float>::list.size()) + points[i % 3].y + array[1][0].y +
         twice(i);
}

// Virtual functions: the object is the device's own.
struct shape {
  virtual ~shape() {}
  virtual int area() const = 0;
};
struct square : shape {
  int side;
  explicit square(int side) : side(side) {}
  int area() const override { return side * side; }
};
square made(seven());
const shape *const shapes[] = {&made, new square(3)};
const shape &bound = *shapes[1];
int objects(int i) { return shapes[i % 2]->area() + bound.area(); }

// The library's.
const std::string text = "a text that is too long for the object itself";
const std::vector<std::string> words{"one", "two", "three"};
const std::map<std::string, int> numbers{{"one", 1}, {"two", 2}, {"three", 3}};
const std::unordered_map<int, const char *> names{{1, "I"}, {5, "V"}};
int library(int i) {
  return int(text.size()) + numbers.at(words[i % 3]) + names.at(5)[0] +
         int(names.size());
}

// What the device wrote is there for the next kernel, and nothing runs twice.
int runs = 0;
struct counts {
  counts() { ++runs; }
} counter;
void count(int *out) {
  (void)&counter;
  *out = ++runs;
}

int main() {
  same("constants", 1, [](std::size_t i) { return constants(int(i)); }); // CHECK: constants: same
  same("values", 200, [](std::size_t i) { return values(int(i)); }); // CHECK: values: same
  same("members", 50, [](std::size_t i) { return members(int(i)); }); // CHECK: members: same
  same("objects", 2, [](std::size_t i) { return objects(int(i)); }); // CHECK: objects: same
  same("library", 3, [](std::size_t i) { return library(int(i)); }); // CHECK: library: same
  xcc::buffer<int> out(1);
  int here = 0;
  for (int i = 0; i < 2; ++i)
    xcc::launch({1, 1}, count, out.data());
  out.copy_to(&here, 1);
  std::printf("%d on the device, %d on the host\n", here, runs);
  // CHECK: 3 on the device, 1 on the host
}
