// Histograms
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of <xcc/algorithm.h>.

#ifndef XCC_ALGORITHM_HISTOGRAM_H
#define XCC_ALGORITHM_HISTOGRAM_H

#include <xcc/algorithm/run.h>
#include <xcc/warp.h>

namespace xcc {

/// For xcc::histogram: \p bins bins of equal width, which divide the numbers from
/// low up to high. Other numbers are in no bin.
template <class Type> class even_bins {
  static_assert(detail::is_floating<Type>,
                "even_bins divides floating-point numbers; for integers, write "
                "which bin each is in: [](int v) { return v / 16; }");

public:
  /// \p bins is the number of bins.
  constexpr even_bins(Type low, Type high, std::size_t bins) noexcept
      : low(low), high(high), scale(Type(bins) / (high - low)), bins(bins) {}
  constexpr std::size_t operator()(Type value) const noexcept {
    if (!(low <= value && value < high))
      return bins;
    // A number just below high may be rounded up to it.
    const std::size_t bin = std::size_t((value - low) * scale);
    return bin < bins ? bin : bins - 1;
  }

private:
  Type low, high, scale;
  std::size_t bins;
};

namespace detail {

/// An element whose value is the number of its bin.
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

/// Counts in one thread. Neighbours that are in one bin do not wait for each
/// other: each has counters of its own.
inline constexpr std::size_t histogram_copies = 4;
template <class In, class Bin>
inline void count_here(const In *from, std::size_t first, std::size_t end,
                       std::uint32_t *counters, std::size_t bins,
                       const Bin &bin) {
  const auto count = [&](std::size_t index, std::size_t copy) {
    const std::size_t into = bin_number(bin(from[index]));
    if (into < bins)
      ++counters[copy * bins + into];
  };
  std::size_t index = first;
  for (; end - index >= histogram_copies; index += histogram_copies) {
    count(index, 0);
    count(index + 1, 1);
    count(index + 2, 2);
    count(index + 3, 3);
  }
  for (; index < end; ++index)
    count(index, 0);
}

/// Counts with the threads of a GPU's block, in shared memory or directly in the
/// result.
inline constexpr std::size_t shared_bins = 4096;
template <class In, class Count, class Bin>
inline void count_block(const In *from, std::size_t first, std::size_t end,
                        Count *counts, std::size_t bins, const Bin &bin) {
  static block_shared<std::uint32_t[shared_bins]> own;
  const unsigned thread = __xcc_thread_idx_x();
  const bool fit = bins <= shared_bins;
  if (fit) {
    for (std::size_t into = thread; into < bins; into += block_threads)
      own[into] = 0;
    sync_block();
  }
  for (std::size_t index = first + thread; index < end;
       index += block_threads) {
    const std::size_t into = bin_number(bin(from[index]));
    if (into >= bins)
      continue;
    if (fit)
      __atomic_fetch_add(own.data() + into, 1u, __ATOMIC_RELAXED);
    else
      __atomic_fetch_add(counts + into, Count(1), __ATOMIC_RELAXED);
  }
  if (fit) {
    sync_block();
    for (std::size_t into = thread; into < bins; into += block_threads)
      if (own[into])
        __atomic_fetch_add(counts + into, Count(own[into]), __ATOMIC_RELAXED);
  }
}

/// Each piece has counters of its own, if there is room for so many.
template <class In, class Count, class Bin>
inline void histogram(const algorithm_run &run, const In *from,
                      std::size_t count, Count *counts, std::size_t bins,
                      const Bin &bin) {
  check_operation<Bin>();
  static_assert(std::is_integral_v<Count> && !std::is_same_v<Count, bool> &&
                    sizeof(Count) >= 4 && sizeof(Count) <= 8,
                "a histogram's counts are integers of 32 or 64 bits");
  // The most elements that the counters of a piece can count.
  constexpr std::size_t most = std::size_t(1) << 31;
  division even =
      run.host ? run.by_thread(count) : run.by_block(count, 16 * block_threads);
  // A piece's counters are cleared first and added up at the end. If that is as
  // much work as the counting, there is only one piece for each core.
  if (run.host && even.piece < bins * 64 && even.pieces > run.units)
    even = division(count, (count + run.units - 1) / run.units);
  const division parts(count, even.piece < most ? even.piece : most);
  if (run.host && parts.pieces && bins <= count / parts.pieces) {
    // Counters of different pieces are in lines of memory of their own.
    const std::size_t stride = (bins * histogram_copies + 31) / 32 * 32;
    temporary<std::uint32_t> own(run, parts.pieces * stride + 1);
    std::uint32_t *const all = own.data;
    run.each(parts.pieces, [=](std::size_t number) {
      captured(all, stride, from, parts, bins, bin);
      if constexpr (!on_gpu) {
        std::uint32_t *const here = all + number * stride;
        for (std::size_t at = 0; at < stride; ++at)
          here[at] = 0;
        count_here(from, parts.first(number), parts.end(number), here, bins,
                   bin);
      }
    });
    parallel_for(run.how, bins, [=](std::size_t into) {
      Count sum = 0;
      for (std::size_t number = 0; number < parts.pieces; ++number)
        for (std::size_t copy = 0; copy < histogram_copies; ++copy)
          sum = Count(sum + Count(all[number * stride + copy * bins + into]));
      counts[into] = sum;
    });
    return;
  }
  parallel_for(run.how, bins, [=](std::size_t into) { counts[into] = 0; });
  run.each_block(parts.pieces, [=](std::size_t number) {
    captured(from, counts, bins, bin, parts);
    const std::size_t first = parts.first(number), end = parts.end(number);
    if constexpr (on_gpu) {
      count_block(from, first, end, counts, bins, bin);
    } else {
      for (std::size_t index = first; index < end; ++index) {
        const std::size_t into = bin_number(bin(from[index]));
        if (into < bins)
          __atomic_fetch_add(counts + into, Count(1), __ATOMIC_RELAXED);
      }
    }
  });
}

} // namespace detail
} // namespace xcc

#endif // XCC_ALGORITHM_HISTOGRAM_H
