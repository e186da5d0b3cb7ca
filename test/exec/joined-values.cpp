// Where more than two paths join, after barriers in branches, each lane has the
// elements of its own array: LLVM may move values that cost nothing.
// RUN: %xcc -std=c++20 -O2 -w %s -o %t && %t | FileCheck %s
// CHECK: with_states 513caf659fc9af53
#include "../random/Inputs/threads.h"

template <class T> unsigned u(T x) { return unsigned(long(x)); }

inline unsigned next(unsigned &state) {
  return (state = state * 1664525u + 1013904223u) >> 22;
}
template <class T> void set(T &x, unsigned &state) { x = T(next(state)); }

template <class V> void fill(V &v) {
  unsigned state = 1;
  for (auto &e : v)
    set(e, state);
}

struct Mixed {
  unsigned a;
  short b;
  uchar c;
  ulong d;
  float e;
};
struct Counts {
  unsigned add, differ, either, both, most;
  float real;
  ulong wide, wide_most;
};

inline float real(unsigned x) { return float(x & 1023u); }
inline double large(unsigned x) { return double(x & 0xfffffu); }
inline unsigned mask(std::uint64_t lanes) {
  return unsigned(lanes ^ lanes >> 32) * 2654435761u;
}
inline unsigned digest(const Mixed &x) {
  return x.a * 3u + unsigned(x.b) * 5u + x.c * 7u + unsigned(x.d) * 11u +
         unsigned(x.d >> 32) + unsigned(int(x.e));
}

void with_states(int *p0, unsigned *out, Counts *counts, Mixed given,
                 unsigned n, unsigned w) {
  const unsigned t = thread_of_block(), blk = block_of_grid(), g = blk * 4 + t;
  DYNAMIC(double, dyn);
  SHARED(unsigned, 4, board);
  for (unsigned i = t; i < 4; i += 4)
    board[i] = 0;
  for (unsigned i = 0; i < 3; ++i)
    dyn[t * 3 + i] = double(i + w);
  meet();
  unsigned s0 = 0, s1 = 1, s2 = 2;
  ulong z = g;
  Mixed mixed = given;
  unsigned own[4] = {t, w};
  LOOP for (unsigned round = 0; round < w; ++round) {
    TURN if (((u(int(s1) % int(((own[((255u) & 3)]) & 63u) + 2u)) +
               u(std::trunc(large(s1) / 64.0) +
                 std::fmax(large(u(p0[blk * 16 + ((t ^ 14u) * 4u) % 16u])),
                           7.0)))) %
                 4u !=
             0u) {
      s1 += w > 3 ? mask(BALLOT(
                        ((t % 5 == 0
                              ? u(p0[blk * 16 + (t * 4u + 186u) % 16u])
                              : unsigned((std::uint64_t(0u) * (s1)) >> 22))) %
                            3u >
                        0u))
                  : ALL((((100u + s2) < (own[1] | t) ? (100u + s2)
                                                     : (own[1] | t))) %
                            4u ==
                        0u) +
                        5u;

      if (((u(dyn[((t ^ 22u) * 3u) % 12u]) * u(p0[blk * 16 + (s0) % 16u]))) %
              4u ==
          0u) {
        {
          out[g] = (real((s2 & (s0 + g))) < real(u(dyn[(g) % 12u]))
                        ? (s2 & (s0 + g))
                        : u(dyn[(g) % 12u]));
          return;
        }
      } else {
      }
    }
    else {
    }

    if (w > 4) {
      meet();
    } else {
      meet();
    }
    LOOP for (unsigned i2 = 0, ei2 = (g % 4u + 1u); i2 < ei2; ++i2) {
      TURN own[i2] +=
          (((((s2) % ((i2) | 8u)) + __builtin_bswap32(s2))) % ((s2) | 8u));
    }
    if (w > 8) {
      const std::uint64_t seen = BALLOT(true);
      const unsigned got = u(SHUFFLE_XOR(
          (u(large(u(p0[g * 4 + ((s1) % 4u)])) -
             float(short(
                 ((u(dyn[t * 3 + ((s2) % 3u)]) + own[((s2) & 3)]) ^
                  (100u < u(dyn[t * 3 + 1]) ? 100u : u(dyn[t * 3 + 1]))))))),
          2));
      if (has_value(seen, lane_of_warp() ^ 2u))
        s0 += got;
    } else {
    }

    meet();
  }
  for (unsigned i = 0; i < 4; ++i)
    s0 = s0 * 3u + own[i];
  meet();
  out[g] = s0 * 1 + s1 * 3 + s2 * 5 + digest(mixed) + unsigned(z >> 32) +
           board[t & 3u];
}
std::uint64_t run_with_states() {
  Shape shape = {1, 1, 2, 2, 2, 1, 96};
  unsigned w = 3, n = 6;
  Mixed given = {n, -3, 200, 77, 5.0f};
  Memory<int> b0(32);
  fill(b0.host);
  b0.send();
  Memory<unsigned> output(8);
  Memory<Counts> counters(1);
  counters.host[0].both = ~0u;
  output.send();
  counters.send();
  unsigned *out = output.data();
  Counts *counts = counters.data();
  int *p0 = (int *)b0.data() + 0;
  LAUNCH(shape, with_states, p0, out, counts, given, n, w);
  std::uint64_t sum = 0;
  b0.fetch();
  sum = sum * 31 + sum_of(b0.host.data(), b0.host.size() * sizeof(b0.host[0]));
  output.fetch();
  sum = sum * 31 +
        sum_of(output.host.data(), output.host.size() * sizeof(output.host[0]));
  counters.fetch();
  sum = sum * 31 + sum_of(counters.host.data(),
                          counters.host.size() * sizeof(counters.host[0]));
  return sum;
}

const Part parts[] = {{run_with_states, "with_states"}};
int main(int count, char **words) { return run_parts(parts, count, words); }
