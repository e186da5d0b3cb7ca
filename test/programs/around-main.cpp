// What runs before main and after it: by priority, in the order of the source, and back
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --levels=-O2 --run "" --run exit --run static
#include <cstdio>
#include <cstdlib>

struct Loud {
  const char *name;
  explicit Loud(const char *name) : name(name) { std::printf("+%s\n", name); }
  ~Loud() { std::printf("-%s\n", name); }
};
static Loud second("second");
__attribute__((init_priority(200))) static Loud first("first");
static void __attribute__((constructor(150))) earliest() { std::puts("constructor"); }
static void __attribute__((destructor(150))) latest() { std::puts("destructor"); }
template <class T> struct Holder {
  static Loud loud;
};
template <class T> Loud Holder<T>::loud("of a template");
inline Loud shared("inline");
struct Silent {
  constexpr Silent() {}
  ~Silent() { std::puts("-silent"); }
};
static Silent silent;

int main(int argc, char **) {
  std::atexit([] { std::puts("at exit"); });
  std::printf("%s\n", Holder<int>::loud.name);
  if (argc > 1) {
    static Loud local("static");
    std::exit(6);
  }
  return 2;
}
