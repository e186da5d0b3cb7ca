// What has no type of its own is no argument of a template: the message says how
// it gets one.
// RUN: not %xcc -std=c++20 -fsyntax-only -ferror-limit=0 %s 2>&1 | FileCheck %s
#include <xcc/xcc.h>

consteval void immediate(int) {}
void several(int) {}
void several(float) {}
template <class T> void generic(T) {}
struct Point {
  int x, y;
};
void takes(Point) {}
void body(int) {}
void body(std::size_t) {}

int main() {
  // CHECK: :[[#@LINE+1]]:8: error: the kernel is missing, or it or an argument has no type of its own: cast an overloaded function to one type, give a function template its arguments, and a list in braces its type: static_cast<void (*)(int)>(f), f<int>, T{...}
  xcc::launch({{1}, {1}}, several, 1);
  // CHECK: :[[#@LINE+1]]:8: error: the kernel is missing, or it or an argument
  xcc::launch({{1}, {1}}, generic, 1);
  // CHECK: :[[#@LINE+1]]:8: error: the kernel is missing, or it or an argument
  xcc::launch({{1}, {1}}, takes, {1, 2});
  // CHECK: :[[#@LINE+1]]:8: error: the kernel is missing, or it or an argument
  xcc::parallel_for(1, body);
  // CHECK: :[[#@LINE+1]]:14: error: the kernel is missing, or it or an argument
  (void)xcc::kernel_info_for(several);
  struct {
    int mode : 3;
  } flags{1};
  // CHECK: :[[#@LINE+1]]:41: error: non-const reference cannot bind to bit-field 'mode'
  xcc::launch({{1}, {1}}, generic<int>, flags.mode);
  xcc::launch({{1}, {1}}, generic<int>, +flags.mode);
  // CHECK: :[[#@LINE+1]]:27: error: cannot take address of consteval function 'immediate'
  xcc::launch({{1}, {1}}, immediate, 1);
  // CHECK-NOT: known at compile time
  // CHECK: call to consteval function {{.*}} is not a constant expression
  xcc::launch({{1}, {1}}, [](int) consteval {}, 1);
  xcc::launch({{1}, {1}}, static_cast<void (*)(int)>(several), 1);
  xcc::launch({{1}, {1}}, generic<int>, 1);
  xcc::launch({{1}, {1}}, takes, Point{1, 2});
}
