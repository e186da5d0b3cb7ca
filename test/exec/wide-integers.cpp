// Integers of more than 64 bits from and to floating point, powers with integer
// exponents, and mathematics of vectors.
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <cmath>

using int128 = __int128;
using uint128 = unsigned __int128;
using int100 = _BitInt(100);
using int200 = _BitInt(200);
using uint200 = unsigned _BitInt(200);
typedef float float4 __attribute__((ext_vector_type(4)));
typedef int128 two __attribute__((ext_vector_type(2)));

/// All bits of a number that a kernel cannot know.
template <class T> T bits(std::size_t i) {
  uint200 x = uint200(i * 0x9e3779b97f4a7c15u + 1);
  x = x * x * x * 0xdeadbeefcafebabeu;
  x *= x + 7;
  return i % 5 ? T(x) >> (i * 37 % (sizeof(T) * 6)) : T(i);
}
/// Of those that a float can be near to.
template <class T> float narrow(std::size_t i) {
  return float(bits<T>(i) >> (sizeof(T) > 16 ? 73 : 0));
}
template <class T> double wide(std::size_t i) { return double(bits<T>(i)); }
template <class T> double there(std::size_t i) {
  double x = (double(i) - 128.5) * std::ldexp(1.0, int(i * 7 % 80));
  T whole = T(std::is_unsigned_v<T> || T(-1) > T(0) ? std::fabs(x) : x);
  return double(long(whole)) + double(long(whole >> 50));
}
int main() {
  same("int128 to float", 256, [](std::size_t i) { return narrow<int128>(i); });
  same("int100 to float", 256, [](std::size_t i) { return narrow<int100>(i); });
  same("int200 to float", 256, [](std::size_t i) { return narrow<int200>(i); });
  same("uint200 to float", 256,
       [](std::size_t i) { return narrow<uint200>(i); });
  same("int128 to double", 256, [](std::size_t i) { return wide<int128>(i); });
  same("int100 to double", 256, [](std::size_t i) { return wide<int100>(i); });
  same("int200 to double", 256, [](std::size_t i) { return wide<int200>(i); });
  same("uint200 to double", 256,
       [](std::size_t i) { return wide<uint200>(i); });
  same("double to int128", 256, [](std::size_t i) { return there<int128>(i); });
  same("double to int100", 256, [](std::size_t i) { return there<int100>(i); });
  same("double to int200", 256, [](std::size_t i) { return there<int200>(i); });
  same("double to uint200", 256,
       [](std::size_t i) { return there<uint200>(i); });
  same("half and int200", 256, [](std::size_t i) {
    return float((_Float16)int200((_Float16)(float(i) * 1.7f)));
  });
  same("vectors of int128", 64, [](std::size_t i) {
    two x = {bits<int128>(i), bits<int128>(i + 9)};
    auto y =
        __builtin_convertvector(x, double __attribute__((ext_vector_type(2))));
    return y.x + y.y;
  });
  same("powi", 64, [](std::size_t i) {
    return __builtin_powi(1.0 + double(i) / 16, int(i) - 20) +
           __builtin_powif(-1.5f, int(i) - 30);
  });
  std::puts("vectors");
  auto lengths = on_device(32, [](std::size_t i) {
    float x = float(i) / 16;
    float4 v = {x, x + 1, x + 2, x + 3};
    v = __builtin_elementwise_sin(v) + __builtin_elementwise_tan(v) * 0 +
        __builtin_elementwise_pow(v, v) + __builtin_elementwise_exp(-v);
    return v.x + v.y + v.z + v.w;
  });
  for (int i = 0; i < 32; ++i) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
      double x = i / 16.0 + k;
      sum += std::sin(x) + std::pow(x, x) + std::exp(-x);
    }
    check(std::fabs(lengths[i] - sum) < 1e-5 * std::fabs(sum), "vectors");
  }
  std::puts("done");
  // CHECK: {{^}}done
}
