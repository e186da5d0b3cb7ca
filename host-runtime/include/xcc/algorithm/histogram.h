// Histograms
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>.

#ifndef XCC_ALGORITHM_HISTOGRAM_H
#define XCC_ALGORITHM_HISTOGRAM_H

#include <xcc/algorithm/run.h>

namespace xcc {

/// For xcc::histogram: so many bins of one width, which divide the numbers from
/// low up to high; what is not among these is in no bin.
template <class Type> class even_bins {
  static_assert(std::is_floating_point_v<Type>,
                "even_bins divides floating-point numbers; for integers, write "
                "which bin each is in: [](int v) { return v / 16; }");

public:
  constexpr even_bins(Type low, Type high, std::size_t bins) noexcept
      : low(low), high(high), scale(Type(bins) / (high - low)), bins(bins) {}
  constexpr std::size_t operator()(Type value) const noexcept {
    if (!(low <= value && value < high))
      return bins;
    // What lies just below high may be rounded up to it.
    const std::size_t bin = std::size_t((value - low) * scale);
    return bin < bins ? bin : bins - 1;
  }

private:
  Type low, high, scale;
  std::size_t bins;
};

namespace detail {

/// An element that says itself which bin it is in.
struct own_bin {
  template <class Type> constexpr Type operator()(Type value) const {
    return value;
  }
};

template <class Result> inline std::size_t bin_number(Result bin) {
  static_assert(std::is_integral_v<Result> || std::is_enum_v<Result>,
                "the bin of a histogram is an integer: for floating-point "
                "numbers, xcc::even_bins says which");
  // A negative one is more than there are.
  return static_cast<std::size_t>(bin);
}

/// Each piece counts by itself, where there is room for so many counters.
template <class In, class Count, class Bin>
inline void histogram(const algorithm_run &run, const In *from,
                      std::size_t count, Count *counts, std::size_t bins,
                      const Bin &bin) {
  check_operation<Bin>();
  static_assert(std::is_integral_v<Count> && !std::is_same_v<Count, bool>,
                "a histogram's counts are integers");
  // What fits into the counters of a piece.
  constexpr std::size_t most = std::size_t(1) << 31;
  const std::size_t even = run.piece(count);
  const std::size_t piece = even < most ? even : most;
  const std::size_t pieces = run.pieces(count, piece);
  if (pieces < 2 || (bins <= count / pieces && bins < most)) {
    // Neighbours that are in one bin do not wait for each other.
    constexpr std::size_t ways = 4;
    // Counters of different pieces are in lines of memory of their own.
    const std::size_t stride = (bins * ways + 31) / 32 * 32;
    temporary<std::uint32_t> own(run, pieces * stride + 1);
    std::uint32_t *const all = own.data;
    run.each(pieces, [=](std::size_t number) {
      std::uint32_t *const here = all + number * stride;
      for (std::size_t at = 0; at < stride; ++at)
        here[at] = 0;
      const std::size_t first = number * piece;
      const std::size_t end = end_of_piece(first, piece, count);
      for (std::size_t index = first; index < end; ++index) {
        const std::size_t into = bin_number(bin(from[index]));
        if (into < bins)
          ++here[into * ways + index % ways];
      }
    });
    parallel_for(run.how, bins, [=](std::size_t into) {
      Count sum = 0;
      for (std::size_t number = 0; number < pieces; ++number)
        for (std::size_t way = 0; way < ways; ++way)
          sum = Count(sum + Count(all[number * stride + into * ways + way]));
      counts[into] = sum;
    });
    return;
  }
  parallel_for(run.how, bins, [=](std::size_t into) { counts[into] = 0; });
  run.each(pieces, [=](std::size_t number) {
    const std::size_t first = number * piece;
    const std::size_t end = end_of_piece(first, piece, count);
    for (std::size_t index = first; index < end; ++index) {
      const std::size_t into = bin_number(bin(from[index]));
      if (into < bins)
        __atomic_fetch_add(counts + into, Count(1), __ATOMIC_RELAXED);
    }
  });
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_HISTOGRAM_H
