// A kernel that reads a variable reaches what its initial value points at, and not
// what only the expression of that value mentions.
// RUN: not %xcc -std=c++20 -Wno-offload-globals -fsyntax-only %s 2>&1 | FileCheck %s
#include <cstdio>
#include <xcc/xcc.h>

XCC_HOST int hosts(int);
int undefined(int); // another file's, perhaps
static int unknown(int);
int dynamic = unknown(3);
int *const table[] = {&dynamic, nullptr};
struct Entry {
  const char *name;
  int *place;
  int (*step)(int);
} entries[2] = {{"one", nullptr, undefined}, {"two", nullptr, hosts}};
void one(int *p) { *p = *table[*p]; }
// CHECK-DAG: :10:15: error: device code calls 'unknown', which is not defined in this translation unit
// CHECK-DAG: :[[#@LINE-2]]:26: note: 'dynamic', whose initialiser runs on the device too, is used by 'one' here
void two(int *p) { *p = *entries[*p].place; }
// CHECK-DAG: :[[#@LINE-1]]:26: error: device code may only call a function that runs on the host

constexpr int fill(int *values) {
  if (!values)
    return hosts(2);
  return values[0] = 1;
}
constexpr int filled(int i) {
  int values[1]{};
  return fill(values) + i;
}
constexpr int numbers[] = {filled(1), filled(2)};
int *const none = true ? nullptr : &dynamic;
void three(int *p) { *p = numbers[*p] + (none == nullptr); }

int main() {
  int x, *p = &x;
  xcc::launch({{1}, {1}}, one, p);
  xcc::launch({{1}, {1}}, two, p);
  xcc::launch({{1}, {1}}, three, p);
}
// CHECK-DAG: 2 errors generated.
