// What a descriptor says, at run time and as JSON, for a unit and a program.
// RUN: %xcc -std=c++20 %s -o %t -emit-kernel-info=%t.json && %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %xcc -std=c++20 -c %s -o %t.o -emit-kernel-info=%t.unit.json
// RUN: cmp %t.json %t.unit.json
// RUN: %xcc %t.o -o %t -emit-kernel-info=%t.linked.json && cmp %t.json %t.linked.json
#include <cstdio>
#include <span>
#include <xcc/xcc.h>

struct Pair { char c; double d; };
namespace math {
template <class T>
void apply(T *out, const T &scale, std::span<const T> in, Pair pair, char c) {}
} // namespace math

static void print(const xcc::kernel_info &k) {
  std::printf("%s at line %u: %u bytes\n", k.name, k.line, k.kernarg_size);
  for (unsigned i = 0; i < k.param_count; ++i)
    std::printf("  %s: %s, %u at %u, align %u, kind %u\n", k.params[i].name,
                k.params[i].type, k.params[i].size, k.params[i].offset,
                k.params[i].alignment, k.params[i].kind);
  for (unsigned i = 0; i < k.capture_count; ++i)
    std::printf("  capture %s: %s, %u at %u, by reference %u\n",
                k.captures[i].name, k.captures[i].type, k.captures[i].size,
                k.captures[i].offset, k.captures[i].by_reference);
}

int main() {
  print(xcc::kernel_info_for(math::apply<float>));
  // CHECK: math::apply<float> at line 14: 49 bytes
  // CHECK-NEXT: out: float *, 8 at 0, align 8, kind 1
  // CHECK-NEXT: scale: const float &, 8 at 8, align 8, kind 2
  // CHECK-NEXT: in: std::span<const float>, 16 at 16, align 8, kind 3
  // CHECK-NEXT: pair: Pair, 16 at 32, align 8, kind 0
  // CHECK-NEXT: c: char, 1 at 48, align 1, kind 0
  char small = 1;
  double wide = 2;
  print(xcc::kernel_info_for([small, &wide](int n) { wide = n + small; }));
  // CHECK: main::(lambda) at line 39: 20 bytes
  // CHECK-NEXT: (lambda), 16 at 0, align 8, kind 4
  // CHECK-NEXT: n: int, 4 at 16, align 4, kind 0
  // CHECK-NEXT: capture small: char, 1 at 0, by reference 0
  // CHECK-NEXT: capture wide: double, 8 at 8, by reference 1
}
// JSON: "xcc_abi": {{[0-9]+}}
// JSON: "name": "math::apply<float>"
// JSON: "linkage": "external"
// JSON: "name": "scale"
// JSON-NEXT: "type": "const float &"
// JSON-NEXT: "kind": "reference"
// JSON-NEXT: "size": 8
// JSON-NEXT: "alignment": 8
// JSON-NEXT: "offset": 8
// JSON: "linkage": "internal"
// JSON: "by_reference": true
