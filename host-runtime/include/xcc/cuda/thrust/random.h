// Thrust: random numbers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_THRUST_RANDOM_H
#define XCC_CUDA_THRUST_RANDOM_H

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace thrust {
namespace random {

/// Each number is the one before times Factor, modulo 2^31 - 1: Lehmer's
/// generator, with the numbers of std::minstd_rand. discard takes as many steps
/// as the count has bits.
template <std::uint32_t Factor> class lehmer_engine {
public:
  using result_type = std::uint32_t;
  static constexpr result_type min = 1, max = 2147483646, default_seed = 1;
  explicit constexpr lehmer_engine(result_type seed = default_seed) {
    this->seed(seed);
  }
  constexpr void seed(result_type seed = default_seed) {
    state_ = seed % modulus ? seed % modulus : 1;
  }
  constexpr result_type operator()() { return state_ = times(state_, Factor); }
  constexpr void discard(unsigned long long count) {
    result_type power = Factor;
    for (; count; count >>= 1, power = times(power, power))
      if (count & 1)
        state_ = times(state_, power);
  }

private:
  static constexpr result_type modulus = 2147483647;
  static constexpr result_type times(result_type one, result_type other) {
    return static_cast<result_type>(std::uint64_t(one) * other % modulus);
  }
  result_type state_ = 1;
};
using minstd_rand = lehmer_engine<48271>;
using minstd_rand0 = lehmer_engine<16807>;
using default_random_engine = minstd_rand;

/// From low up to high, without high.
template <class Type = double> class uniform_real_distribution {
public:
  using result_type = Type;
  explicit constexpr uniform_real_distribution(Type low = 0, Type high = 1)
      : low_(low), high_(high) {}
  template <class Engine> constexpr Type operator()(Engine &engine) const {
    const auto range = Type(1) + static_cast<Type>(Engine::max - Engine::min);
    const Type part = static_cast<Type>(engine() - Engine::min) / range;
    const Type made = low_ + part * (high_ - low_);
    return made < high_ ? made : low_; // where it was rounded up
  }
  constexpr Type a() const { return low_; }
  constexpr Type b() const { return high_; }
  constexpr void reset() {}

private:
  Type low_, high_;
};
/// From low up to high, with high.
template <class Type = int> class uniform_int_distribution {
public:
  using result_type = Type;
  explicit constexpr uniform_int_distribution(Type low = 0, Type high = limit())
      : low_(low), high_(high) {}
  template <class Engine> constexpr Type operator()(Engine &engine) const {
    const double width =
        static_cast<double>(high_) - static_cast<double>(low_) + 1;
    const auto offset = static_cast<std::uint64_t>(
        uniform_real_distribution<double>(0, width)(engine));
    return static_cast<Type>(static_cast<std::uint64_t>(low_) + offset);
  }
  constexpr Type a() const { return low_; }
  constexpr Type b() const { return high_; }
  constexpr void reset() {}

private:
  static constexpr Type limit() {
    using bits = std::make_unsigned_t<Type>;
    return std::is_signed_v<Type> ? Type(bits(~bits(0)) >> 1) : Type(~bits(0));
  }
  Type low_, high_;
};
/// By the method of Box and Muller, from two numbers each time.
template <class Type = double> class normal_distribution {
public:
  using result_type = Type;
  explicit constexpr normal_distribution(Type mean = 0, Type deviation = 1)
      : mean_(mean), deviation_(deviation) {}
  template <class Engine> Type operator()(Engine &engine) const {
    const uniform_real_distribution<double> uniform(0, 1);
    const double radius = std::sqrt(-2 * std::log(1 - uniform(engine)));
    const double angle = 6.283185307179586 * uniform(engine);
    return mean_ + deviation_ * static_cast<Type>(radius * std::cos(angle));
  }
  constexpr Type mean() const { return mean_; }
  constexpr Type stddev() const { return deviation_; }
  constexpr void reset() {}

private:
  Type mean_, deviation_;
};
} // namespace random
using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
} // namespace thrust

#endif // XCC_CUDA_THRUST_RANDOM_H
