// _Float16 computes on every device what it does on the host, operation by
// operation; vectors of it and of float are loaded and stored whole.
// RUN: %xcc -O0 -ffp-contract=off %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -ffp-contract=off %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

#include <cmath>

using half4 = _Float16 __attribute__((vector_size(8)));
struct alignas(16) float4 {
  float x, y, z, w;
};

static _Float16 number(std::size_t i) {
  const unsigned bits = unsigned(i * 2654435761u) >> 16;
  // Not infinities and NaNs, whose bits are the machine's.
  const unsigned short some = (bits & 0x7c00) == 0x7c00 ? bits & 0xbfff : bits;
  _Float16 x;
  __builtin_memcpy(&x, &some, 2);
  return x;
}
/// Equal, or both not a number.
struct value {
  _Float16 x;
  friend bool operator==(value one, value other) {
    return one.x == other.x || (one.x != one.x && other.x != other.x);
  }
};
template <class Op> static void operation(const char *name, Op op) {
  same(name, 4096, [op](std::size_t i) {
    return value{op(number(3 * i), number(3 * i + 1))};
  });
}

int main() {
  operation("+", [](_Float16 a, _Float16 b) { return a + b; });
  operation("-", [](_Float16 a, _Float16 b) { return a - b; });
  operation("*", [](_Float16 a, _Float16 b) { return a * b; });
  operation("/", [](_Float16 a, _Float16 b) { return a / b; });
  operation("sqrt", [](_Float16 a, _Float16 b) {
    return _Float16(std::sqrt(float(a < 0 ? -a : a))) + b;
  });
  operation("from float", [](_Float16 a, _Float16 b) {
    return _Float16(float(a) * 1.37f + float(b) / 3);
  });
  operation("from double", [](_Float16 a, _Float16 b) {
    return _Float16(double(a) / 7 - double(b) * 1.1);
  });
  operation("from int", [](_Float16 a, _Float16) {
    return _Float16(int(a) * 3 + 1);
  });
  operation("less", [](_Float16 a, _Float16 b) { return a < b ? a : b; });
  // What a variable holds has been rounded.
  operation("sums", [](_Float16 a, _Float16 b) {
    _Float16 sum = 0;
    for (int i = 0; i < 9; ++i) {
      const _Float16 product = a * _Float16(i);
      sum = sum + product;
      sum += b;
    }
    return sum;
  });

  same("vectors of halves", 1024, [](std::size_t i) {
    const half4 one = {number(i), number(i + 1), number(i + 2), number(i + 3)};
    const half4 twice = one * _Float16(0.5), sum = twice + one;
    return value{_Float16(sum[0] > sum[1] ? sum[2] : sum[3])};
  });

  xcc::buffer<float4> four(512);
  xcc::launch({{2}, {256}}, [](float4 *all) {
    float4 &own = all[xcc::global_id()];
    own = {float(xcc::global_id()), 1, 2, 3};
  }, four.data());
  xcc::launch({{2}, {256}}, [](float4 *all) {
    const float4 x = all[xcc::global_id()];
    all[xcc::global_id()] = {x.w, x.z, x.y, x.x};
  }, four.data());
  std::vector<float4> host(512);
  four.copy_to(host.data(), 512);
  for (int i = 0; i < 512; ++i)
    check(host[i].x == 3 && host[i].y == 2 && host[i].z == 1 && host[i].w == i,
          "a structure of four");
  std::puts("done");
}
// CHECK-COUNT-10: same
// CHECK: vectors of halves: same
// CHECK: done
