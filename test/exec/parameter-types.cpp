// Parameters and captures of the types that have a layout of their own: what
// the host puts into the kernarg segment is what threads read.
// RUN: %xcc -O0 -std=c++20 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 -std=c++20 %s -o %t && %t | FileCheck %s
#include "Inputs/expect.h"
#include "Inputs/same.h"
#include <array>
#include <atomic>
#include <complex>
#include <cstddef>
#include <initializer_list>

enum Old { old = 40 };
enum class New : signed char { fresh = -2 };
struct Empty {};
struct alignas(16) EmptyWide {};
struct EmptyTwice : Empty {
  [[no_unique_address]] Empty again;
};
struct ZeroArray {
  int zero[0];
};
struct Flexible {
  int value;
  int more[];
};
struct alignas(128) Wide {
  int value[3];
};
struct __attribute__((packed)) Packed {
  char before;
  int value;
  double behind;
};
struct Bits {
  unsigned a : 3, b : 7;
  _BitInt(5) c : 4;
};
struct Pair {
  int first, second;
};
typedef float Float4 __attribute__((ext_vector_type(4)));
typedef int Int3 __attribute__((ext_vector_type(3)));
typedef double Double8 __attribute__((vector_size(64)));
typedef bool Bool6 __attribute__((ext_vector_type(6)));

void enums(int *p, Old o, New n, bool b) { *p = b ? o + int(n) : 0; }
void odd(int *p, _BitInt(7) a, unsigned _BitInt(100) b, char c, _BitInt(17) d, __int128 e) {
  *p = int(a) + int(b >> 90) + c + int(d) + int(e >> 100);
}
void floats(int *p, _Float16 h, char c, __float128 q, float f) { *p = int(float(h)) + c + int(f); }
void characters(int *p, std::byte b, std::nullptr_t n, char8_t c, char32_t d, wchar_t w) {
  *p = int(b) + (n == nullptr) + c + int(d) + w;
}
void vectors(int *p, char c, Float4 a, Int3 b, bool t, Double8 d, Bool6 e) {
  *p = c + int(a.w) + b.z + int(d[7]) + t + (e[4] && !e[5]);
}
void complexes(int *p, char c, std::complex<double> a, _Complex float b, _Complex int d) {
  *p = c + int(a.imag() + __real__ b) + __imag__ d;
}
#pragma clang diagnostic ignored "-Wdeprecated-volatile"
void volatiles(int *volatile p, volatile int v, const volatile short w) { *p = v + w; }
void atomics(int *p, _Atomic int a, char c, _Atomic short b) { *p = a + b + c; }
[[gnu::noinline]] EmptyWide same_wide(EmptyWide e) { return e; }
[[gnu::noinline]] EmptyTwice same_twice(EmptyTwice e) { return e; }
void empties(Empty, int *p, Empty, ZeroArray, int v, Empty) { *p = v; }
void large_empties(EmptyWide a, int v, EmptyTwice b, EmptyWide, int *p) {
  static_assert(std::is_empty_v<EmptyWide> && std::is_empty_v<EmptyTwice>);
  *p = v + int(sizeof(same_wide(a)) + sizeof(same_twice(b)));
}
void flexible(int *p, Flexible f, int v) { *p = f.value + v; }
void wide(char a, Wide w, char b, int *p) {
  *p = reinterpret_cast<std::uintptr_t>(&w) % 128 ? -1 : a + w.value[2] + b;
}
void packed(char c, Packed q, int *p) { *p = c + q.value + int(q.behind); }
void bits(int *p, Bits b, unsigned v) { *p = b.b + int(b.c) + v; }
void members(int *p, int Pair::*m) {
  Pair pair{1, 42};
  *p = pair.*m;
}
void arrays(int *p, const int (&a)[3], int (&&b)[2], int c[4]) { *p = a[2] + b[1] + (c == p); }
void references(int *p, int &&a, const volatile int &b) { *p = a + b; }
void store(int (&a)[2][2]) { a[1][0] = 41; }
void list(int *p, std::initializer_list<int> l) {
  for (int v : l)
    *p += v;
}
template <class... T> void pack(int *p, T... t) { *p = int((t + ...)); }

/// As much as kernels of every device may take.
template <unsigned Count> struct Large {
  int values[Count];
};
template <unsigned Count> static void large() {
  Large<Count> all;
  for (unsigned i = 0; i < Count; ++i)
    all.values[i] = 7 * int(i);
  xcc::launch({{1}, {1}}, [=, p = out()] {
    int sum = 0;
    for (unsigned i = 0; i < Count; i += Count / 4 - 1)
      sum += all.values[i];
    *p = sum;
  });
  const unsigned step = Count / 4 - 1;
  unsigned steps = 0;
  for (unsigned i = 0; i < Count; i += step)
    steps += i;
  EXPECT(int(7 * steps));
}

int main() {
  xcc::buffer<int> made(4);
  memory = &made;
  memory->fill(0);
  const xcc::launch_config one{{1}, {1}};
  large<1000>();
  large<1200>();
  large<2000>();
  large<8000>();
  xcc::launch(one, enums, out(), old, New::fresh, true);
  EXPECT(38);
  _BitInt(7) seven = -3;
  unsigned _BitInt(100) hundred = (unsigned _BitInt(100))5 << 90;
  xcc::launch(one, odd, out(), seven, hundred, 1, (_BitInt(17))-7, (__int128)9 << 100);
  EXPECT(5);
  xcc::launch(one, [=, p = out()] { *p = int(seven) + int(hundred >> 90); });
  EXPECT(2);
  xcc::launch(one, floats, out(), _Float16(40), 1, 7, 2.5f);
  EXPECT(43);
  xcc::launch(one, characters, out(), std::byte{38}, nullptr, char8_t(1), U'\1', L'\1');
  EXPECT(42);
  Double8 d{};
  d[7] = 4;
  Bool6 truths{};
  truths[4] = true;
  xcc::launch(one, vectors, out(), 1, Float4{0, 0, 0, 2}, Int3{0, 0, 3}, true, d, truths);
  EXPECT(12);
  xcc::launch(one, [=, p = out()] { *p = int(d[7]) + truths[4]; });
  EXPECT(5);
  _Complex float c = 2.0f;
  _Complex int i = 0;
  __imag__ i = 3;
  xcc::launch(one, complexes, out(), 1, std::complex<double>(0, 40), c, i);
  EXPECT(46);
  volatile int v = 40;
  xcc::launch(one, volatiles, out(), v, 2);
  EXPECT(42);
  xcc::launch(one, [=, p = out()] { *p = v; });
  EXPECT(40);
  xcc::launch(one, atomics, out(), 40, 1, 3);
  EXPECT(44);
  xcc::launch(one, empties, Empty(), out(), Empty(), ZeroArray(), 44, Empty());
  EXPECT(44);
  xcc::launch(one, large_empties, EmptyWide(), 24, EmptyTwice(), EmptyWide(), out());
  EXPECT(42);
  EmptyWide empty;
  xcc::launch(one, [empty, p = out()](EmptyTwice t) { *p = int(sizeof(same_wide(empty)) + sizeof(t)); }, EmptyTwice());
  EXPECT(18);
  Flexible f;
  f.value = 45;
  xcc::launch(one, flexible, out(), f, 1);
  EXPECT(46);
  Wide w{{0, 0, 45}};
  xcc::launch(one, wide, 1, w, 1, out());
  EXPECT(47);
  xcc::launch(one, [=, p = out()] { *p = reinterpret_cast<std::uintptr_t>(&w) % 128 ? -1 : w.value[2]; });
  EXPECT(45);
  xcc::launch(one, packed, 1, Packed{1, 46, 1}, out());
  EXPECT(48);
  Bits b{1, 42, -3};
  xcc::launch(one, bits, out(), b, +b.b);
  EXPECT(81);
  xcc::launch(one, members, out(), &Pair::second);
  EXPECT(42);
  auto member = &Pair::first;
  xcc::launch(one, [=, p = out()] { *p = Pair{49, 1}.*member; });
  EXPECT(49);
  int three[3] = {0, 0, 3}, two[2] = {0, 2};
  xcc::launch(one, arrays, out(), three, std::move(two), out());
  xcc::synchronize();
  EXPECT(6);
  xcc::launch(one, references, out(), std::move(three[2]), v);
  xcc::synchronize();
  EXPECT(43);
  int square[2][2] = {};
  xcc::launch(one, store, square);
  xcc::synchronize();
  check(square[1][0] == 41, "an array by reference");
  std::initializer_list<int> numbers{1, 2, 3};
  xcc::launch(one, list, out(), numbers);
  xcc::synchronize();
  EXPECT(6);
  xcc::launch(one, pack<char, double, long>, out(), 1, 40.5, 1);
  EXPECT(42);
  std::puts("all right"); // CHECK: all right
}
