#include "offered.h"
#include <csetjmp>
#include <cstdio>
#ifndef UNASKED
#include <xcc/xcc.h>
#endif

namespace offered {
static int calls;
[[gnu::noinline]] static int helper(int x) { return ++calls, x + 1; }
int twice(int x) { return counter += x, helper(x) * 2 - 2; }
template <class T> T half(T x) { return x / 2; }
template int half(int);
template double half(double);
const int table[4] = {5, 6, 7, 8};
int counter = 3;
const char *const names[2] = {"one", "two"};

const int Shape::made = 40;
Shape::Shape(int width) : width(width) {}
Shape::~Shape() {}
int Shape::area() const { return width * width; }
Shape *second(Shape *, Shape *b) { return b; }

template <class T> T Box<T>::get() const { return value + spare; }
template <class T> T Box<T>::spare = 9;
template struct Box<int>;

static int plus(int x) { return x + 1; }
static int minus(int x) { return x - 1; }
static int (*const steps[])(int) = {plus, minus};
int (*chosen(int i))(int) { return steps[i]; }

// What no device can run says nothing as long as no kernel reaches it.
static std::jmp_buf place;
int uses_longjmp(int x) { return setjmp(place) ? 1 : x; }
int host_only(int x) {
#ifndef UNASKED
  xcc::synchronize();
#endif
  std::printf("%d\n", x);
  return uses_longjmp(x);
}
} // namespace offered
