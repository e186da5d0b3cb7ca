// Every way in which a program in C++ ends
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --run throw --run terminate --run noexcept --run exit --run caught --run static
// RUN: %compare %s --run pure
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

struct Loud {
  const char *name;
  explicit Loud(const char *name) : name(name) { std::printf("+%s\n", name); }
  ~Loud() { std::printf("-%s\n", name); }
};
static Loud global("global");

struct Base {
  Base() { call(); }
  void call() { pure(); }
  virtual void pure() = 0;
};
struct Derived : Base {
  void pure() override {}
};
static void never() noexcept { throw 1; }
static Loud &local() {
  static Loud made("static");
  return made;
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  Loud own("local");
  std::fflush(stdout);
  if (!std::strcmp(how, "throw"))
    throw std::runtime_error("nobody catches this");
  if (!std::strcmp(how, "terminate"))
    std::terminate();
  if (!std::strcmp(how, "pure"))
    Derived();
  if (!std::strcmp(how, "noexcept"))
    never();
  if (!std::strcmp(how, "exit"))
    std::exit(5);
  if (!std::strcmp(how, "static"))
    local();
  if (!std::strcmp(how, "caught"))
    try {
      Loud inner("inner");
      try {
        throw std::out_of_range("first");
      } catch (const std::logic_error &e) {
        std::printf("%s\n", e.what());
        throw;
      }
    } catch (...) {
      std::puts("again");
    }
  return 4;
}
