// A random engine that is a function of a counter
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     xcc::parallel_for(n, [=](std::size_t i) {
//       xcc::philox4x32 engine(seed);
//       engine.set_counter({0, i, 0, 0}); // thread i's own 2^66 numbers
//       y[i] = std::normal_distribution<float>()(engine);
//     });
//
// philox_engine is C++26's [rand.eng.philox]: the same names and the same
// numbers, in C++17, on the host and in kernels. It needs no set-up and keeps
// nothing between kernels: a number is a function of the key (the seed) and of a
// counter. Each thread takes a range of the counter. An engine has 44 bytes
// (philox4x32) or 88 (philox4x64), and is in registers if it is a local variable.
//
// Errors. No function fails; >> sets the stream's failbit. Threads. An engine is
// for one thread at a time.
//
// Not part of <xcc/xcc.h>. The distributions are those of <random>.

#ifndef XCC_RANDOM_H
#define XCC_RANDOM_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <ios>
#include <type_traits>

namespace xcc {

namespace detail {
/// A word of so many bits. uint_fast32_t, which the standard's engine of 32 bits
/// returns, has 8 bytes on many machines.
template <std::size_t Bits>
using random_word =
    std::conditional_t<(Bits <= 32), std::uint32_t, std::uint64_t>;
__extension__ typedef unsigned __int128 random_product;
} // namespace detail

/// C++26's std::philox_engine. A counter of word_count words, of word_size bits
/// each, becomes as many numbers by round_count rounds of multiplications. Consts
/// are the multiplier and the round constant of each two words.
///     xcc::philox4x32 engine(seed);
///     const float value = std::uniform_real_distribution<float>()(engine);
template <class UIntType, std::size_t Bits, std::size_t Count,
          std::size_t Rounds, UIntType... consts>
class philox_engine {
  static_assert(std::is_unsigned_v<UIntType>, "results are unsigned");
  static_assert(Count == 2 || Count == 4, "a counter has 2 or 4 words");
  static_assert(sizeof...(consts) == Count,
                "each two words have a multiplier and a round constant");
  static_assert(Rounds > 0, "there is at least one round");
  static_assert(Bits > 0 && Bits <= 64 && Bits <= sizeof(UIntType) * 8,
                "a word_type is no wider than a result");

  using word_type = detail::random_word<Bits>;
  static constexpr std::size_t half = Count / 2;
  static constexpr UIntType mask =
      UIntType(~UIntType(0)) >> (sizeof(UIntType) * 8 - Bits);

  static constexpr std::array<UIntType, half> every_other(std::size_t first) {
    const UIntType all[] = {consts...};
    std::array<UIntType, half> result = {};
    for (std::size_t at = 0; at < half; ++at)
      result[at] = all[2 * at + first];
    return result;
  }
  template <class Seq>
  using sequence =
      std::enable_if_t<!std::is_convertible_v<Seq, UIntType> &&
                       !std::is_same_v<std::remove_cv_t<Seq>, philox_engine>>;

public:
  using result_type = UIntType;

  static constexpr std::size_t word_size = Bits;
  static constexpr std::size_t word_count = Count;
  static constexpr std::size_t round_count = Rounds;
  static constexpr std::array<result_type, half> multipliers = every_other(0);
  static constexpr std::array<result_type, half> round_consts = every_other(1);
  /// The least and the largest number that the engine gives.
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return mask; }
  static constexpr result_type default_seed = 20111115u;

  constexpr philox_engine() : philox_engine(default_seed) {}
  constexpr explicit philox_engine(result_type value) { seed(value); }
  template <class Seq, class = sequence<Seq>>
  explicit philox_engine(Seq &from) {
    seed(from);
  }

  /// Begins the sequence of that seed again:
  ///     engine.seed(42);
  constexpr void seed(result_type value = default_seed) {
    begin();
    for (std::size_t at = 0; at < half; ++at)
      key_[at] = at == 0 ? static_cast<word_type>(value & mask) : 0;
  }
  template <class Seq, class = sequence<Seq>> void seed(Seq &from) {
    constexpr std::size_t pieces = (Bits + 31) / 32;
    std::uint_least32_t made[half * pieces] = {};
    from.generate(made + 0, made + half * pieces);
    begin();
    for (std::size_t at = 0; at < half; ++at) {
      std::uint64_t all = 0;
      for (std::size_t piece = 0; piece < pieces; ++piece)
        all |= std::uint64_t(made[at * pieces + piece]) << 32 * piece;
      key_[at] = static_cast<word_type>(all & mask);
    }
  }

  /// Continues with the numbers of this counter, whose first word is the most
  /// significant:
  ///     engine.set_counter({0, i, 0, 0});
  constexpr void set_counter(const std::array<result_type, Count> &counter) {
    for (std::size_t at = 0; at < Count; ++at)
      counter_[at] = static_cast<word_type>(counter[Count - 1 - at] & mask);
    index_ = Count - 1;
  }

  /// The next number:
  ///     const std::uint32_t bits = engine();
  constexpr result_type operator()() {
    if (++index_ == Count) {
      generate();
      advance(1);
      index_ = 0;
    }
    // Not by a variable subscript, for which the numbers would lie in memory.
    word_type result = numbers_[0];
    for (std::uint32_t at = 1; at < Count; ++at)
      result = index_ == at ? numbers_[at] : result;
    return result;
  }

  /// Skips \p count numbers, in a time that does not depend on it:
  ///     engine.discard(1000 * i);
  constexpr void discard(unsigned long long count) {
    const std::uint32_t left = Count - 1 - index_;
    if (count <= left) {
      index_ += static_cast<std::uint32_t>(count);
      return;
    }
    count -= left + 1;
    advance(count / Count);
    generate();
    advance(1);
    index_ = static_cast<std::uint32_t>(count % Count);
  }

  friend constexpr bool operator==(const philox_engine &one,
                                   const philox_engine &other) {
    bool same = one.index_ == other.index_;
    for (std::size_t at = 0; at < Count; ++at)
      same &= one.counter_[at] == other.counter_[at];
    for (std::size_t at = 0; at < half; ++at)
      same &= one.key_[at] == other.key_[at];
    return same;
  }
  friend constexpr bool operator!=(const philox_engine &one,
                                   const philox_engine &other) {
    return !(one == other);
  }

  /// Key, counter and which of the counter's numbers was the last.
  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits> &
  operator<<(std::basic_ostream<Char, Traits> &to,
             const philox_engine &engine) {
    const auto flags = to.flags(std::ios_base::dec | std::ios_base::left);
    const Char space = to.widen(' '), fill = to.fill(space);
    for (word_type part : engine.key_)
      to << part << space;
    for (word_type part : engine.counter_)
      to << part << space;
    to << engine.index_;
    to.flags(flags);
    to.fill(fill);
    return to;
  }
  template <class Char, class Traits>
  friend std::basic_istream<Char, Traits> &
  operator>>(std::basic_istream<Char, Traits> &from, philox_engine &engine) {
    const auto flags = from.flags(std::ios_base::dec | std::ios_base::skipws);
    philox_engine read;
    for (word_type &part : read.key_)
      from >> part;
    for (word_type &part : read.counter_)
      from >> part;
    from >> read.index_;
    if (from && read.index_ >= Count)
      from.setstate(std::ios_base::failbit);
    if (from) {
      // The numbers are those of the counter before this one.
      read.retreat();
      read.generate();
      read.advance(1);
      engine = read;
    }
    from.flags(flags);
    return from;
  }

private:
  constexpr void begin() {
    for (word_type &part : counter_)
      part = 0;
    index_ = Count - 1;
  }
  constexpr void advance(unsigned long long count) {
    std::uint64_t carry = count;
    for (word_type &part : counter_) {
      const std::uint64_t sum = (std::uint64_t(part) + carry);
      // In 64 bits the sum may have lost its carry.
      carry = Bits == 64 ? sum < carry : sum >> (Bits % 64);
      part = static_cast<word_type>(sum & mask);
    }
  }
  constexpr void retreat() {
    bool borrow = true;
    for (word_type &part : counter_) {
      const bool zero = part == 0;
      if (borrow)
        part = static_cast<word_type>((part - 1) & mask);
      borrow = borrow && zero;
    }
  }
  /// The two halves of a product, of which the lower one is returned.
  static constexpr word_type multiply(word_type one, result_type other,
                                      word_type &high) {
    using product =
        std::conditional_t<(Bits <= 32), std::uint64_t, detail::random_product>;
    const product both = product(one) * product(other);
    high = static_cast<word_type>((both >> Bits) & mask);
    return static_cast<word_type>(both & mask);
  }
  constexpr void generate() {
    for (std::size_t at = 0; at < Count; ++at)
      numbers_[at] = counter_[at];
    word_type key[half] = {};
    for (std::size_t at = 0; at < half; ++at)
      key[at] = key_[at];
#ifdef __clang__
#pragma clang loop unroll(full)
#endif
    for (std::size_t round = 0; round < Rounds; ++round) {
      if constexpr (Count == 4) {
        const word_type first = numbers_[0];
        numbers_[0] = numbers_[2];
        numbers_[2] = first;
      }
      for (std::size_t at = 0; at < half; ++at) {
        word_type high = 0;
        const word_type low = multiply(numbers_[2 * at], multipliers[at], high);
        numbers_[2 * at] =
            static_cast<word_type>(high ^ key[at] ^ numbers_[2 * at + 1]);
        numbers_[2 * at + 1] = low;
        key[at] = static_cast<word_type>((key[at] + round_consts[at]) & mask);
      }
    }
  }

  // The counter is that of the numbers after these.
  word_type counter_[Count] = {}, key_[half] = {}, numbers_[Count] = {};
  std::uint32_t index_ = Count - 1;
};

/// C++26's std::philox4x32 and std::philox4x64.
using philox4x32 = philox_engine<std::uint_fast32_t, 32, 4, 10, 0xCD9E8D57,
                                 0x9E3779B9, 0xD2511F53, 0xBB67AE85>;
using philox4x64 =
    philox_engine<std::uint_fast64_t, 64, 4, 10, 0xCA5A826395121157,
                  0x9E3779B97F4A7C15, 0xD2E7470EE14C6C93, 0xBB67AE8584CAA73B>;

} // namespace xcc

#endif // XCC_RANDOM_H
