// operator new of the program's own, which the C++ library calls too; virtual bases; threads
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --options=-pthread
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <typeinfo>

static int allocations;
void *operator new(std::size_t size) {
  ++allocations;
  return std::malloc(size);
}
void operator delete(void *p) noexcept { std::free(p); }
void operator delete(void *p, std::size_t) noexcept { std::free(p); }

struct A {
  virtual ~A() { std::puts("~A"); }
  virtual int f() { return 1; }
};
struct B : virtual A {
  int f() override { return 2; }
};
struct C : virtual A {};
struct D : B, C {
  ~D() { std::puts("~D"); }
};
static D global;
thread_local int own = 5;

int main() {
  std::string text(100, 'x');
  text += text;
  std::ostringstream stream;
  stream << text << 1.5;
  std::cout << stream.str().size() << " " << allocations << std::endl;
  A *a = &global;
  std::printf("%d %s %d\n", a->f(), typeid(*a).name(), dynamic_cast<C *>(a) != nullptr);
  int seen = 0;
  std::thread thread([&] {
    own = 9;
    seen = own;
  });
  thread.join();
  std::printf("%d %d\n", seen, own);
  return 0;
}
