// Lanes that read each other's values in every way, of every size, and whether or
// not it is known which lane reads which: what each reads is what it read of.
// RUN: %xcc -std=c++20 -O0 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O2 %s -o %t && %t | %FileCheck %s
// RUN: %xcc -std=c++20 -O3 -march=native %s -o %t && %t | %FileCheck %s
#include <xcc/xcc.h>

#include <cstdio>
#include <vector>

struct Wide {
  long a;
  short b;
  char c[3];
};
template <class T> T make(int i) { return T(i * 7 - 100); }
template <> Wide make<Wide>(int i) {
  return {i * 70000000000l, short(i), {char(i), char(i + 1), char(i + 2)}};
}
static bool same(Wide x, Wide y) {
  return x.a == y.a && x.b == y.b && x.c[0] == y.c[0] && x.c[1] == y.c[1] &&
         x.c[2] == y.c[2];
}
template <class T> bool same(T x, T y) { return x == y; }

// Which lane one reads of `all`.
enum Way { Xor, Down, Up, Round, Back, Reversed, Odd, Times, Hashed, Ways };
static unsigned source(int way, unsigned lane, unsigned by, unsigned all) {
  switch (way) {
  case Xor:
    return lane ^ by;
  case Down:
    return lane + by < all ? lane + by : lane;
  case Up:
    return lane >= by ? lane - by : lane;
  case Round:
    return (lane + by) % all;
  case Back:
    return (lane + all - by) % all;
  case Reversed:
    return all - 1 - lane;
  case Odd:
    return lane & 1 ? lane : lane ^ by;
  case Times:
    return lane * 5 % all;
  default:
    lane ^= lane << 3;
    lane *= 2654435761u;
    return (lane ^ lane >> 7) % all;
  }
}
template <class T, int way> T readFrom(T v, unsigned lane, unsigned by) {
  const unsigned all = xcc::warp_size();
  if constexpr (way == Xor)
    return xcc::shuffle_xor(v, by);
  if constexpr (way == Down)
    return xcc::shuffle_down(v, by);
  if constexpr (way == Up)
    return xcc::shuffle_up(v, by);
  return xcc::shuffle(v, source(way, lane, by, all));
}

// A warp for each row; the rest leaves.
template <class T, int way, unsigned by>
static void rows(int count, unsigned more, const T *in, T *out) {
  const unsigned all = xcc::warp_size();
  const int row = (xcc::block_idx().x * xcc::block_dim().x + xcc::thread_idx().x) / all;
  const unsigned lane = xcc::thread_idx().x % all;
  if (row >= count)
    return;
  const T v = in[row * all + lane];
  const T a = readFrom<T, way>(v, lane, by);
  const T b = readFrom<T, way>(a, lane, by);
  const T c = readFrom<T, way>(b, lane, more);
  out[(row * 3 + 0) * all + lane] = a;
  out[(row * 3 + 1) * all + lane] = b;
  out[(row * 3 + 2) * all + lane] = c;
}

static int failures = 0;
template <class T, int way, unsigned by> void check() {
  const unsigned all = xcc::device::current().warp_size();
  const int count = 5;
  const unsigned more = 2;
  std::vector<T> x;
  for (unsigned i = 0; i < count * all; ++i)
    x.push_back(make<T>(i));
  xcc::buffer<T> in(x), out(3 * x.size());
  xcc::launch({{2}, {4 * all}}, rows<T, way, by>, count, more, in.data(), out.data());
  const std::vector<T> y = out.to_vector();
  bool good = true;
  for (int row = 0; row < count; ++row)
    for (unsigned lane = 0; lane < all; ++lane) {
      const unsigned c = source(way, lane, more, all), b = source(way, c, by, all);
      const unsigned a = source(way, b, by, all);
      const unsigned own = source(way, lane, by, all);
      good &= same(y[row * 3 * all + lane], x[row * all + own]);
      good &= same(y[(row * 3 + 1) * all + lane], x[row * all + source(way, own, by, all)]);
      good &= same(y[(row * 3 + 2) * all + lane], x[row * all + a]);
    }
  if (!good)
    std::printf("wrong: size %zu, way %d by %u\n", sizeof(T), way, by);
  failures += !good;
}
template <class T, int way = 0> void checkWays() {
  check<T, way, 11>();
  if constexpr (sizeof(T) == 4)
    check<T, way, 16>();
  if constexpr (way + 1 < Ways)
    checkWays<T, way + 1>();
}
int main() {
  checkWays<int>();
  checkWays<double>();
  checkWays<short>();
  checkWays<Wide>();
  std::puts(failures ? "failed" : "good"); // CHECK: good
}
