// cuRAND's generators in kernels, by its names and with its numbers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     curandState state;
//     curand_init(seed, thread, 0, &state);
//     const float x = curand_uniform(&state);         // in (0, 1]
//
// XORWOW (Marsaglia), MRG32k3a (L'Ecuyer) and Philox4x32-10 (Salmon and others).
// For a seed, a subsequence and an offset they make cuRAND's bits and its
// uniform numbers. Normal numbers are made from the same bits by the same
// formula; their last digits are those of this device's sin and log.
// A subsequence is 2^67 (XORWOW), 2^76 (MRG32k3a) or 2^66 numbers long.

#ifndef XCC_CUDA_RANDOM_H
#define XCC_CUDA_RANDOM_H

#include <xcc/cuda/vectors.h>
#include <xcc/cuda/xorwow_jumps.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace xcc::cuda::detail {

/// The second of two normal numbers, which the next call returns.
struct normal_left {
  float single = 0;
  double full = 0;
  bool has_single = false, has_full = false;
};

//===-- XORWOW ------------------------------------------------------------===//

struct xorwow {
  unsigned d = 0, v[5] = {};
  normal_left left;

  void step() {
    const unsigned t = v[0] ^ (v[0] >> 2);
    for (int i = 0; i < 4; ++i)
      v[i] = v[i + 1];
    v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
  }
  unsigned next() {
    step();
    d += weyl;
    return d + v[4];
  }
  void seed(std::uint64_t with) {
    const unsigned low = unsigned(with) ^ 0xaad26b49u,
                   high = unsigned(with >> 32) ^ 0xf7dcefddu;
    const unsigned a = 1099087573u * low, b = 2591861531u * high;
    d = 6615241u + b + a;
    v[0] = 123456789u + a;
    v[1] = 362436069u ^ a;
    v[2] = 521288629u + b;
    v[3] = 88675123u ^ b;
    v[4] = 5783321u + a;
  }
  void skip(std::uint64_t count) {
    jump(count, 0);
    d += weyl * unsigned(count);
  }
  void skip_sequences(std::uint64_t count) { jump(count, 67); }

private:
  static constexpr unsigned weyl = 362437;

  /// count * 2^from steps of the linear part.
  void jump(std::uint64_t count, int from) {
    for (int bit = from; count; count >>= 1, ++bit)
      if (count & 1)
        jump_by(xorwow_jumps[bit]);
  }
  void jump_by(const unsigned (&polynomial)[5]) {
    unsigned sum[5] = {};
    for (int word = 0; word < 5; ++word) {
      unsigned bits = polynomial[word];
      for (int bit = 0; bit < 32; ++bit, bits >>= 1) {
        const unsigned taken = 0u - (bits & 1);
        for (int i = 0; i < 5; ++i)
          sum[i] ^= v[i] & taken;
        step();
      }
    }
    for (int i = 0; i < 5; ++i)
      v[i] = sum[i];
  }
};

//===-- MRG32k3a ----------------------------------------------------------===//

struct mrg32k3a {
  std::uint64_t first[3] = {}, second[3] = {};
  normal_left left;

  static constexpr std::uint64_t m1 = 4294967087u, m2 = 4294944443u;

  /// From 1 to m1.
  std::uint64_t next() {
    const std::uint64_t p =
        (1403580u * first[1] + 810728u * (m1 - first[0])) % m1;
    const std::uint64_t q =
        (527612u * second[2] + 1370589u * (m2 - second[0])) % m2;
    shift(first, p);
    shift(second, q);
    return p <= q ? p + m1 - q : p - q;
  }
  void seed(std::uint64_t with) {
    for (int i = 0; i < 3; ++i)
      first[i] = second[i] = 12345;
    if (with == 0)
      return;
    const std::uint64_t low = unsigned(with) ^ 0x55555555u,
                        high = unsigned(with >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
      first[i] = (i == 1 ? high : low) % m1 * 12345 % m1;
      second[i] = (i == 1 ? low : high) % m2 * 12345 % m2;
    }
  }
  void skip(std::uint64_t count) { jump(count, 0); }
  void skip_subsequences(std::uint64_t count) { jump(count, 76); }
  void skip_sequences(std::uint64_t count) { jump(count, 127); }

private:
  struct matrix {
    std::uint64_t at[3][3];
  };
  static void shift(std::uint64_t (&state)[3], std::uint64_t next) {
    state[0] = state[1];
    state[1] = state[2];
    state[2] = next;
  }
  static matrix product(const matrix &a, const matrix &b, std::uint64_t m) {
    matrix made = {};
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        for (int i = 0; i < 3; ++i)
          made.at[row][column] =
              (made.at[row][column] + a.at[row][i] * b.at[i][column] % m) % m;
    return made;
  }
  static void apply(const matrix &a, std::uint64_t (&state)[3],
                    std::uint64_t m) {
    std::uint64_t made[3] = {};
    for (int row = 0; row < 3; ++row)
      for (int i = 0; i < 3; ++i)
        made[row] = (made[row] + a.at[row][i] * state[i] % m) % m;
    for (int i = 0; i < 3; ++i)
      state[i] = made[i];
  }
  /// count * 2^from steps.
  void jump(std::uint64_t count, int from) {
    if (count == 0)
      return;
    matrix a = {{{0, 1, 0}, {0, 0, 1}, {m1 - 810728u, 1403580u, 0}}};
    matrix b = {{{0, 1, 0}, {0, 0, 1}, {m2 - 1370589u, 0, 527612u}}};
    for (int i = 0; i < from; ++i) {
      a = product(a, a, m1);
      b = product(b, b, m2);
    }
    for (; count; count >>= 1) {
      if (count & 1) {
        apply(a, first, m1);
        apply(b, second, m2);
      }
      a = product(a, a, m1);
      b = product(b, b, m2);
    }
  }
};

//===-- Philox4x32-10 -----------------------------------------------------===//

struct philox {
  unsigned counter[4] = {}, key[2] = {}, made[4] = {};
  unsigned used = 0; ///< of `made`, of which one at least is left
  normal_left left;

  unsigned next() {
    const unsigned value = made[used];
    if (++used == 4)
      next_four();
    return value;
  }
  uint4 four() {
    unsigned taken[4];
    for (unsigned &value : taken)
      value = next();
    return {taken[0], taken[1], taken[2], taken[3]};
  }
  void seed(std::uint64_t with) {
    key[0] = unsigned(with);
    key[1] = unsigned(with >> 32);
    generate();
  }
  void skip(std::uint64_t count) {
    const unsigned place = used + unsigned(count & 3);
    used = place & 3;
    add(0, (count >> 2) + (place >> 2));
    generate();
  }
  void skip_sequences(std::uint64_t count) {
    add(2, count);
    generate();
  }

private:
  void next_four() {
    used = 0;
    add(0, 1);
    generate();
  }
  /// Adds to the 128 bits of the counter, from a word on.
  void add(int word, std::uint64_t value) {
    for (; word < 4; ++word) {
      const std::uint64_t sum = counter[word] + (value & 0xffffffffu);
      counter[word] = unsigned(sum);
      value = (value >> 32) + (sum >> 32);
    }
  }
  void generate() {
    unsigned x[4] = {counter[0], counter[1], counter[2], counter[3]};
    unsigned k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t a = std::uint64_t(0xd2511f53u) * x[0],
                          b = std::uint64_t(0xcd9e8d57u) * x[2];
      x[0] = unsigned(b >> 32) ^ x[1] ^ k0;
      x[1] = unsigned(b);
      x[2] = unsigned(a >> 32) ^ x[3] ^ k1;
      x[3] = unsigned(a);
      k0 += 0x9e3779b9u;
      k1 += 0xbb67ae85u;
    }
    for (int i = 0; i < 4; ++i)
      made[i] = x[i];
  }
};

//===-- Numbers from bits -------------------------------------------------===//

inline constexpr float pi2 = 6.2831855f, single_step = 2.3283064e-10f;
inline constexpr double full_step = 1.1102230246251565e-16,
                        mrg_step = 2.3283065498378288e-10;

inline float uniform(unsigned bits) {
  return float(bits) * single_step + single_step / 2;
}
inline double uniform_of_two(unsigned low, unsigned high) {
  const std::uint64_t bits = std::uint64_t(low) ^ (std::uint64_t(high) << 21);
  return double(bits) * full_step + full_step / 2;
}
/// Two normal numbers of a radius and an angle (Box and Muller).
inline float2 box_muller(float u, float angle) {
  const float radius = std::sqrt(-2.0f * std::log(u));
  return {std::sin(angle) * radius, std::cos(angle) * radius};
}
inline double2 box_muller(double u, double halfturns) {
  const double radius = std::sqrt(-2.0 * std::log(u)),
               angle = halfturns * 3.14159265358979323846;
  return {std::sin(angle) * radius, std::cos(angle) * radius};
}
inline float2 normal_pair(unsigned x, unsigned y) {
  constexpr float turn = single_step * pi2;
  return box_muller(uniform(x), float(y) * turn + turn / 2);
}
inline double2 normal_pair(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const std::uint64_t y = std::uint64_t(y0) ^ (std::uint64_t(y1) << 21);
  return box_muller(uniform_of_two(x0, x1),
                    double(y) * (full_step * 2) + full_step);
}

template <class State> inline float2 two_normals(State *state) {
  const unsigned x = state->next(), y = state->next();
  return normal_pair(x, y);
}
inline float2 two_normals(mrg32k3a *state) {
  const float x = float(double(state->next()) * mrg_step);
  const float y = float(double(state->next()) * mrg_step);
  return box_muller(x, y * pi2);
}
template <class State> inline double2 two_normal_doubles(State *state) {
  const unsigned x0 = state->next(), x1 = state->next();
  const unsigned y0 = state->next(), y1 = state->next();
  return normal_pair(x0, x1, y0, y1);
}
inline double2 two_normal_doubles(mrg32k3a *state) {
  const double x = double(state->next()) * mrg_step;
  const double y = double(state->next()) * mrg_step;
  return box_muller(x, y * 2.0);
}
} // namespace xcc::cuda::detail

using curandStateXORWOW_t = xcc::cuda::detail::xorwow;
using curandStateXORWOW = curandStateXORWOW_t;
using curandState_t = curandStateXORWOW_t;
using curandState = curandStateXORWOW_t;
using curandStateMRG32k3a_t = xcc::cuda::detail::mrg32k3a;
using curandStateMRG32k3a = curandStateMRG32k3a_t;
using curandStatePhilox4_32_10_t = xcc::cuda::detail::philox;
using curandStatePhilox4_32_10 = curandStatePhilox4_32_10_t;

//===-- Begin and skip ----------------------------------------------------===//

template <class State>
inline auto skipahead(unsigned long long count, State *state)
    -> decltype(state->skip(count)) {
  state->skip(count);
}
template <class State>
inline auto skipahead_sequence(unsigned long long count, State *state)
    -> decltype(state->skip_sequences(count)) {
  state->skip_sequences(count);
}
inline void skipahead_subsequence(unsigned long long count,
                                  curandStateMRG32k3a_t *state) {
  state->skip_subsequences(count);
}
template <class State>
inline auto curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, State *state)
    -> decltype(state->seed(seed)) {
  *state = State();
  state->seed(seed);
  if constexpr (std::is_same_v<State, curandStateMRG32k3a_t>)
    state->skip_subsequences(subsequence);
  else
    state->skip_sequences(subsequence);
  state->skip(offset);
}

//===-- Numbers -----------------------------------------------------------===//

inline unsigned curand(curandStateXORWOW_t *state) { return state->next(); }
inline unsigned curand(curandStatePhilox4_32_10_t *state) {
  return state->next();
}
inline unsigned curand(curandStateMRG32k3a_t *state) {
  return unsigned(double(state->next()) * 1.000000048662);
}
inline uint4 curand4(curandStatePhilox4_32_10_t *state) {
  return state->four();
}

/// In (0, 1].
template <class State>
inline auto curand_uniform(State *state) -> decltype(float(state->next())) {
  return xcc::cuda::detail::uniform(state->next());
}
inline float curand_uniform(curandStateMRG32k3a_t *state) {
  return float(double(state->next()) * xcc::cuda::detail::mrg_step);
}
inline double curand_uniform_double(curandStateXORWOW_t *state) {
  const unsigned low = state->next(), high = state->next();
  return xcc::cuda::detail::uniform_of_two(low, high);
}
inline double curand_uniform_double(curandStatePhilox4_32_10_t *state) {
  constexpr double step = 2.3283064365386963e-10;
  return state->next() * step + step;
}
inline double curand_uniform_double(curandStateMRG32k3a_t *state) {
  return double(state->next()) * xcc::cuda::detail::mrg_step;
}
inline float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  const uint4 bits = state->four();
  using xcc::cuda::detail::uniform;
  return {uniform(bits.x), uniform(bits.y), uniform(bits.z), uniform(bits.w)};
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  const uint4 bits = state->four();
  using xcc::cuda::detail::uniform_of_two;
  return {uniform_of_two(bits.x, bits.y), uniform_of_two(bits.z, bits.w)};
}

template <class State>
inline auto curand_normal2(State *state)
    -> decltype(state->left.single, float2()) {
  return xcc::cuda::detail::two_normals(state);
}
template <class State>
inline auto curand_normal2_double(State *state)
    -> decltype(state->left.full, double2()) {
  return xcc::cuda::detail::two_normal_doubles(state);
}
template <class State>
inline auto curand_normal(State *state) -> decltype(state->left.single) {
  if (state->left.has_single) {
    state->left.has_single = false;
    return state->left.single;
  }
  const float2 made = curand_normal2(state);
  state->left.single = made.y;
  state->left.has_single = true;
  return made.x;
}
template <class State>
inline auto curand_normal_double(State *state) -> decltype(state->left.full) {
  if (state->left.has_full) {
    state->left.has_full = false;
    return state->left.full;
  }
  const double2 made = curand_normal2_double(state);
  state->left.full = made.y;
  state->left.has_full = true;
  return made.x;
}
inline float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  const float2 a = curand_normal2(state), b = curand_normal2(state);
  return {a.x, a.y, b.x, b.y};
}
template <class State>
inline auto curand_log_normal(State *state, float mean, float deviation)
    -> decltype(state->left.single) {
  return std::exp(mean + deviation * curand_normal(state));
}
template <class State>
inline auto curand_log_normal_double(State *state, double mean,
                                     double deviation)
    -> decltype(state->left.full) {
  return std::exp(mean + deviation * curand_normal_double(state));
}

#endif // XCC_CUDA_RANDOM_H
