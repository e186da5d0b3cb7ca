// CUB: ranks by digits, and runs of equal items, of a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_CUB_RANKS_H
#define XCC_CUDA_CUB_RANKS_H

#include <xcc/cuda/cub/block.h>

#include <cstdint>

namespace cub {

/// The digit of a key that begins at a bit.
template <class Key> struct BFEDigitExtractor {
  std::uint32_t bit_start, num_bits;
  explicit BFEDigitExtractor(std::uint32_t first = 0, std::uint32_t bits = 0)
      : bit_start(first), num_bits(bits) {}
  template <class Bits> std::uint32_t Digit(Bits key) const {
    const auto rest = static_cast<std::uint64_t>(key) >> bit_start;
    return static_cast<std::uint32_t>(rest &
                                      ((std::uint64_t(1) << num_bits) - 1));
  }
};

/// Where each key of the block's would be, sorted by one digit. Keys of the same
/// digit stay in their order.
template <int SizeX, int Bits, bool Descending, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig = cudaSharedMemBankSizeFourByte, int SizeY = 1,
          int SizeZ = 1>
class BlockRadixRank {
  static constexpr int threads = SizeX * SizeY * SizeZ, digits = 1 << Bits;
  using scan = BlockScan<unsigned, SizeX, BLOCK_SCAN_RAKING, SizeY, SizeZ>;

public:
  static constexpr int BINS_TRACKED_PER_THREAD =
      (digits + threads - 1) / threads;
  struct TempStorage {
    /// For each digit, how many keys of it each thread has; then their places.
    unsigned short counts[digits][threads];
    unsigned short end; ///< of all
    typename scan::TempStorage sums;
  };
  BlockRadixRank() : storage_(detail::own_storage<TempStorage>()) {}
  BlockRadixRank(TempStorage &storage) : storage_(storage) {}

  template <class Unsigned, int Items, class Extractor>
  [[clang::convergent]] void
  RankKeys(Unsigned (&keys)[Items], int (&ranks)[Items], Extractor extractor) {
    static_assert(threads * Items < 1 << 16);
    const int thread = detail::thread();
    for (auto &of_digit : storage_.counts)
      of_digit[thread] = 0;
    for (int at = 0; at < Items; ++at)
      ranks[at] = storage_.counts[place(extractor.Digit(keys[at]))][thread]++;
    xcc::sync_block();
    // A thread adds up as many counts as there are digits.
    unsigned short *const own = storage_.counts[0] + thread * digits;
    unsigned sum = 0, before = 0;
    for (int at = 0; at < digits; ++at)
      sum += own[at];
    scan(storage_.sums).ExclusiveSum(sum, before);
    for (int at = 0; at < digits; ++at) {
      const unsigned count = own[at];
      own[at] = static_cast<unsigned short>(before);
      before += count;
    }
    xcc::sync_block();
    for (int at = 0; at < Items; ++at)
      ranks[at] += storage_.counts[place(extractor.Digit(keys[at]))][thread];
  }
  /// Also how many keys have a smaller digit, of the digits that a thread tracks.
  template <class Unsigned, int Items, class Extractor>
  [[clang::convergent]] void RankKeys(Unsigned (&keys)[Items],
                                      int (&ranks)[Items], Extractor extractor,
                                      int (&prefix)[BINS_TRACKED_PER_THREAD]) {
    RankKeys(keys, ranks, extractor);
    for (int at = 0; at < BINS_TRACKED_PER_THREAD; ++at) {
      const int digit = detail::thread() * BINS_TRACKED_PER_THREAD + at;
      if (digit < digits)
        prefix[at] = storage_.counts[place(std::uint32_t(digit))][0];
    }
  }

private:
  TempStorage &storage_;
  static std::uint32_t place(std::uint32_t digit) {
    return Descending ? digits - 1 - digit : digit;
  }
};

/// The items of which each run has so many, or begins at such a place.
template <class Type, int SizeX, int Runs, int Decoded,
          class Offset = std::uint32_t, int SizeY = 1, int SizeZ = 1>
class BlockRunLengthDecode {
  static constexpr int threads = SizeX * SizeY * SizeZ, all = threads * Runs;
  using scan = BlockScan<Offset, SizeX, BLOCK_SCAN_RAKING, SizeY, SizeZ>;

public:
  struct TempStorage {
    Type values[all];
    Offset begins[all];
    typename scan::TempStorage sums;
  };
  template <class Length, class Total>
  [[clang::convergent]]
  BlockRunLengthDecode(TempStorage &storage, Type (&values)[Runs],
                       Length (&lengths)[Runs], Total &total)
      : storage_(storage) {
    Offset begins[Runs], sum = 0;
    for (int at = 0; at < Runs; ++at)
      begins[at] = static_cast<Offset>(lengths[at]);
    scan(storage_.sums).ExclusiveSum(begins, begins, sum);
    total = static_cast<Total>(sum);
    keep(values, begins);
  }
  template <class Place>
  [[clang::convergent]] BlockRunLengthDecode(TempStorage &storage,
                                             Type (&values)[Runs],
                                             Place (&begins)[Runs])
      : storage_(storage) {
    keep(values, begins);
  }
  template <class Length, class Total>
  [[clang::convergent]] BlockRunLengthDecode(Type (&values)[Runs],
                                             Length (&lengths)[Runs],
                                             Total &total)
      : BlockRunLengthDecode(detail::own_storage<TempStorage>(), values,
                             lengths, total) {}
  template <class Place>
  [[clang::convergent]] BlockRunLengthDecode(Type (&values)[Runs],
                                             Place (&begins)[Runs])
      : BlockRunLengthDecode(detail::own_storage<TempStorage>(), values,
                             begins) {}

  /// The thread's items, from item `first` of the block's on, and the place of
  /// each within its run. Items behind the last run are those of the last run.
  template <class Place>
  void RunLengthDecode(Type (&items)[Decoded], Place (&places)[Decoded],
                       Offset first = 0) {
    Offset item =
        first + static_cast<Offset>(detail::thread()) * Offset(Decoded);
    int run = run_of(item);
    for (int at = 0; at < Decoded; ++at, ++item) {
      while (run + 1 < all && storage_.begins[run + 1] <= item)
        ++run;
      items[at] = storage_.values[run];
      places[at] = static_cast<Place>(item - storage_.begins[run]);
    }
  }
  void RunLengthDecode(Type (&items)[Decoded], Offset first = 0) {
    Offset places[Decoded];
    RunLengthDecode(items, places, first);
  }

private:
  TempStorage &storage_;

  template <class Place>
  [[clang::convergent]] void keep(Type (&values)[Runs], Place (&begins)[Runs]) {
    for (int at = 0; at < Runs; ++at) {
      storage_.values[detail::thread() * Runs + at] = values[at];
      storage_.begins[detail::thread() * Runs + at] =
          static_cast<Offset>(begins[at]);
    }
    xcc::sync_block();
  }
  /// The last run that begins at the item or before it.
  int run_of(Offset item) const {
    int low = 0, high = all;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (storage_.begins[middle] <= item ? low : high) = middle;
    }
    return low;
  }
};

} // namespace cub

#endif // XCC_CUDA_CUB_RANKS_H
