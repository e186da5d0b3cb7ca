// Descriptors list captures to any depth: closures in closures, bases, members
// of structures and of parameters, where they hold addresses.
// RUN: %xcc -std=c++20 %s -o %t -emit-kernel-info=%t.json && %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
#include <array>
#include <cstdio>
#include <span>
#include <string_view>
#include <tuple>
#include <xcc/xcc.h>

struct Image {
  int width;
  float *pixels;
};
struct Two : Image {
  const Image *next;
  std::tuple<int, char *> tuple;
};
struct Base {
  int *p;
};
struct Plain {
  int a, b;
};
struct Nothing {};
struct Functor : Nothing, Plain, Base {
  Image images[2];
  union {
    int number;
    int *address;
  };
  struct {
    int k;
    int *in;
  };
  unsigned bits : 3;
  unsigned : 2;
  void operator()(Two, Plain, Image image, std::span<int>) const {}
};

static void print(const xcc::kernel_info &kernel) {
  std::printf("%s\n", kernel.name);
  for (unsigned i = 0; i < kernel.capture_count; ++i) {
    const xcc_capture_info &c = kernel.captures[i];
    std::printf("  %s: %s, %u at %u, kind %u%s\n", c.name, c.type, c.size,
                c.offset, c.kind, c.by_reference ? ", by reference" : "");
  }
}

void function(Two two, Plain, std::array<int *, 2> rows, std::string_view) {}
struct Object {
  int value;
  void run() {
    int local = 0;
    Image image{};
    Plain plain{};
    auto inner = [this, &local, image, plain] {};
    auto outer = [inner, plain, n = 3L] {};
    print(xcc::kernel_info_for(outer));
  }
};

int main() {
  print(xcc::kernel_info_for(Functor()));
  // CHECK: Functor
  // CHECK-NEXT: Plain: Plain, 8 at 0, kind 0
  // CHECK-NEXT: Base::p: int *, 8 at 8, kind 1
  // CHECK-NEXT: images[0].width: int, 4 at 16, kind 0
  // CHECK-NEXT: images[0].pixels: float *, 8 at 24, kind 1
  // CHECK-NEXT: images[1].width: int, 4 at 32, kind 0
  // CHECK-NEXT: images[1].pixels: float *, 8 at 40, kind 1
  // CHECK-NEXT: : Functor::(anonymous union at {{.*}}), 8 at 48, kind 0
  // CHECK-NEXT: k: int, 4 at 56, kind 0
  // CHECK-NEXT: in: int *, 8 at 64, kind 1
  // CHECK-NEXT: bits: unsigned int, 4 at 72, kind 0
  // CHECK-NEXT: parameter 1.Image::width: int, 4 at 80, kind 0
  // CHECK-NEXT: parameter 1.Image::pixels: float *, 8 at 88, kind 1
  // CHECK-NEXT: parameter 1.next: const Image *, 8 at 96, kind 1
  // CHECK-NEXT: parameter 1.tuple: char *, 8 at 104, kind 1
  // CHECK-NEXT: image.width: int, 4 at 128, kind 0
  // CHECK-NEXT: image.pixels: float *, 8 at 136, kind 1
  print(xcc::kernel_info_for(function));
  // CHECK-NEXT: function
  // CHECK-NEXT: two.Image::width: int, 4 at 0, kind 0
  // CHECK-NEXT: two.Image::pixels: float *, 8 at 8, kind 1
  // CHECK-NEXT: two.next: const Image *, 8 at 16, kind 1
  // CHECK-NEXT: two.tuple: char *, 8 at 24, kind 1
  // CHECK-NEXT: rows[0]: int *, 8 at 48, kind 1
  // CHECK-NEXT: rows[1]: int *, 8 at 56, kind 1
  Object().run();
  // CHECK-NEXT: Object::run::(lambda)
  // CHECK-NEXT: inner.this: Object *, 8 at 0, kind 1
  // CHECK-NEXT: inner.local: int, 8 at 8, kind 2, by reference
  // CHECK-NEXT: inner.image.width: int, 4 at 16, kind 0
  // CHECK-NEXT: inner.image.pixels: float *, 8 at 24, kind 1
  // CHECK-NEXT: inner.plain: Plain, 8 at 32, kind 0
  // CHECK-NEXT: plain: Plain, 8 at 40, kind 0
  // CHECK-NEXT: n: long, 8 at 48, kind 0
}
// JSON: "name": "inner.local",
// JSON-NEXT: "type": "int",
// JSON-NEXT: "kind": "reference",
// JSON-NEXT: "by_reference": true,
// JSON-NEXT: "size": 8,
// JSON-NEXT: "offset": 8
