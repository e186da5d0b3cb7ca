// CUB: reductions, scans, loads and sorts of the threads of a block
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scan takes three barriers: the values go to shared memory, up to 32 threads
// scan a part each, one scans the sums of the parts, and each thread reads what
// comes before it. Groupings differ from CUB's, so sums of floating-point
// numbers may differ by rounding.

#ifndef XCC_CUDA_CUB_BLOCK_H
#define XCC_CUDA_CUB_BLOCK_H

#include <xcc/algorithm/radix_sort.h>
#include <xcc/cuda/cub/warp.h>

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm {
  BLOCK_SCAN_RAKING,
  BLOCK_SCAN_RAKING_MEMOIZE,
  BLOCK_SCAN_WARP_SCANS
};
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

namespace detail {
inline int thread() { return static_cast<int>(xcc::cuda::detail::rank()); }

/// Memory for objects, in block-shared memory.
template <class Type, int Count> struct shared_objects {
  alignas(Type) unsigned char bytes[sizeof(Type) * Count];
  Type *at() { return reinterpret_cast<Type *>(bytes); }
};
/// The storage of a primitive that was given none.
template <class Storage> inline Storage &own_storage() {
  static xcc::block_shared<Storage> storage;
  return storage.get();
}

/// What every thread learns of a scan of one value each.
template <class Type> struct place_in_scan {
  Type before; ///< what those before it come to, if has_before
  bool has_before;
  Type total; ///< of all
};
template <class Type, int Threads> struct scan_storage {
  static constexpr int part = (Threads + 31) / 32;
  static constexpr int parts = (Threads + part - 1) / part;
  shared_objects<Type, Threads> values;
  shared_objects<Type, parts> sums;
  shared_objects<Type, 1> carried;
};
/// Of the first `valid` threads' values. Whole: also what comes before each.
template <class Type, int Threads, class Op>
[[clang::convergent]] inline place_in_scan<Type>
scan_block(scan_storage<Type, Threads> &in, const Type &value, Op op,
           int valid = Threads) {
  using storage = scan_storage<Type, Threads>;
  const int thread = detail::thread();
  Type *const values = in.values.at(), *const sums = in.sums.at();
  values[thread] = value;
  xcc::sync_block();
  const int first = thread * storage::part;
  if (thread < storage::parts && first < valid) {
    const int left = valid - first;
    Type sum = values[first];
    for (int at = 1; at < storage::part && at < left; ++at)
      values[first + at] = sum = op(sum, values[first + at]);
    sums[thread] = sum;
  }
  xcc::sync_block();
  const int parts = (valid + storage::part - 1) / storage::part;
  if (thread == 0)
    for (int at = 1; at < parts; ++at)
      sums[at] = op(sums[at - 1], sums[at]);
  xcc::sync_block();
  const int own = thread / storage::part, within = thread % storage::part;
  place_in_scan<Type> found{value, thread != 0,
                            sums[parts > 0 ? parts - 1 : 0]};
  if (thread == 0 || thread >= valid)
    return found;
  if (own == 0)
    found.before = values[thread - 1];
  else if (within == 0)
    found.before = sums[own - 1];
  else
    found.before = op(sums[own - 1], values[thread - 1]);
  return found;
}
template <class Type, int Items, class Op>
inline Type reduce_items(const Type (&items)[Items], Op op) {
  Type sum = items[0];
  for (int at = 1; at < Items; ++at)
    sum = op(sum, items[at]);
  return sum;
}
} // namespace detail

/// The result is thread 0's.
template <class Type, int SizeX,
          BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int SizeY = 1,
          int SizeZ = 1, int = 0>
class BlockReduce {
  static constexpr int threads = SizeX * SizeY * SizeZ;

public:
  using TempStorage = detail::scan_storage<Type, threads>;
  BlockReduce() : storage_(detail::own_storage<TempStorage>()) {}
  BlockReduce(TempStorage &storage) : storage_(storage) {}

  template <class Op> [[clang::convergent]] Type Reduce(Type value, Op op) {
    return detail::scan_block(storage_, value, op).total;
  }
  template <class Op>
  [[clang::convergent]] Type Reduce(Type value, Op op, int valid) {
    return detail::scan_block(storage_, value, op,
                              valid < threads ? valid : threads)
        .total;
  }
  template <int Items, class Op>
  [[clang::convergent]] Type Reduce(Type (&values)[Items], Op op) {
    return Reduce(detail::reduce_items(values, op), op);
  }
  [[clang::convergent]] Type Sum(Type value) {
    return Reduce(value, std::plus<>());
  }
  [[clang::convergent]] Type Sum(Type value, int valid) {
    return Reduce(value, std::plus<>(), valid);
  }
  template <int Items> [[clang::convergent]] Type Sum(Type (&values)[Items]) {
    return Reduce(values, std::plus<>());
  }

private:
  TempStorage &storage_;
};

template <class Type, int SizeX, BlockScanAlgorithm = BLOCK_SCAN_RAKING,
          int SizeY = 1, int SizeZ = 1, int = 0>
class BlockScan {
  static constexpr int threads = SizeX * SizeY * SizeZ;
  struct none {};

  /// begin(total) is what comes before the block, unless it is none. Returns
  /// the total of the values alone.
  template <bool Inclusive, int Items, class Begin, class Op>
  [[clang::convergent]] Type scan(const Type (&in)[Items], Type (&out)[Items],
                                  const Begin &begin, Op op) {
    const auto place =
        detail::scan_block(storage_, detail::reduce_items(in, op), op);
    Type now = place.before;
    bool has = place.has_before;
    if constexpr (!std::is_same_v<Begin, none>) {
      const Type start = begin(place.total);
      now = has ? Type(op(start, now)) : start;
      has = true;
    }
    for (int at = 0; at < Items; ++at) {
      const Type value = in[at];
      const Type next = has ? Type(op(now, value)) : value;
      out[at] = Inclusive ? next : now;
      now = next;
      has = true;
    }
    return place.total;
  }
  static auto from(const Type &init) {
    return [&init](const Type &) { return init; };
  }
  /// What thread 0's callback returns.
  template <class Prefix> auto after(Prefix &prefix) {
    return [&](const Type &total) {
      Type *const carried = storage_.carried.at();
      if (detail::thread() == 0)
        *carried = prefix(total);
      xcc::sync_block();
      return *carried;
    };
  }
  template <class Given>
  using if_prefix = std::enable_if_t<std::is_class_v<Given> &&
                                     std::is_invocable_v<Given &, Type>>;

public:
  using TempStorage = detail::scan_storage<Type, threads>;
  BlockScan() : storage_(detail::own_storage<TempStorage>()) {}
  BlockScan(TempStorage &storage) : storage_(storage) {}

  // Of several values of each thread.
  template <int Items, class Op>
  [[clang::convergent]] void InclusiveScan(Type (&in)[Items],
                                           Type (&out)[Items], Op op) {
    scan<true>(in, out, none(), op);
  }
  template <int Items, class Op>
  [[clang::convergent]] void
  InclusiveScan(Type (&in)[Items], Type (&out)[Items], Op op, Type &total) {
    total = scan<true>(in, out, none(), op);
  }
  template <int Items, class Op, class Prefix, class = if_prefix<Prefix>>
  [[clang::convergent]] void
  InclusiveScan(Type (&in)[Items], Type (&out)[Items], Op op, Prefix &prefix) {
    scan<true>(in, out, after(prefix), op);
  }
  /// Thread 0's first result is not specified.
  template <int Items, class Op>
  [[clang::convergent]] void ExclusiveScan(Type (&in)[Items],
                                           Type (&out)[Items], Op op) {
    scan<false>(in, out, none(), op);
  }
  template <int Items, class Op>
  [[clang::convergent]] void
  ExclusiveScan(Type (&in)[Items], Type (&out)[Items], Type init, Op op) {
    scan<false>(in, out, from(init), op);
  }
  template <int Items, class Op>
  [[clang::convergent]] void ExclusiveScan(Type (&in)[Items],
                                           Type (&out)[Items], Type init, Op op,
                                           Type &total) {
    total = scan<false>(in, out, from(init), op);
  }
  template <int Items, class Op, class Prefix, class = if_prefix<Prefix>>
  [[clang::convergent]] void
  ExclusiveScan(Type (&in)[Items], Type (&out)[Items], Op op, Prefix &prefix) {
    scan<false>(in, out, after(prefix), op);
  }
  template <int Items>
  [[clang::convergent]] void InclusiveSum(Type (&in)[Items],
                                          Type (&out)[Items]) {
    scan<true>(in, out, none(), std::plus<>());
  }
  template <int Items>
  [[clang::convergent]] void InclusiveSum(Type (&in)[Items], Type (&out)[Items],
                                          Type &total) {
    total = scan<true>(in, out, none(), std::plus<>());
  }
  template <int Items, class Prefix, class = if_prefix<Prefix>>
  [[clang::convergent]] void InclusiveSum(Type (&in)[Items], Type (&out)[Items],
                                          Prefix &prefix) {
    scan<true>(in, out, after(prefix), std::plus<>());
  }
  template <int Items>
  [[clang::convergent]] void ExclusiveSum(Type (&in)[Items],
                                          Type (&out)[Items]) {
    scan<false>(in, out, from(Type(0)), std::plus<>());
  }
  template <int Items>
  [[clang::convergent]] void ExclusiveSum(Type (&in)[Items], Type (&out)[Items],
                                          Type &total) {
    total = scan<false>(in, out, from(Type(0)), std::plus<>());
  }
  template <int Items, class Prefix, class = if_prefix<Prefix>>
  [[clang::convergent]] void ExclusiveSum(Type (&in)[Items], Type (&out)[Items],
                                          Prefix &prefix) {
    scan<false>(in, out, after(prefix), std::plus<>());
  }
  // Of one value of each thread: the same with arrays of one.
#define XCC_CUB_OF_ONE(name)                                                   \
  template <class... More>                                                     \
  [[clang::convergent]] void name(Type in, Type &out, More &&...more) {        \
    Type from[1] = {in}, to[1];                                                \
    name(from, to, std::forward<More>(more)...);                               \
    out = to[0];                                                               \
  }
  XCC_CUB_OF_ONE(InclusiveScan)
  XCC_CUB_OF_ONE(ExclusiveScan)
  XCC_CUB_OF_ONE(InclusiveSum)
  XCC_CUB_OF_ONE(ExclusiveSum)
#undef XCC_CUB_OF_ONE

private:
  TempStorage &storage_;
};

//===-- Loads, stores and exchanges ---------------------------------------===//

template <class Type, int Items, class In>
inline void LoadDirectBlocked(int thread, In from, Type (&items)[Items]) {
  for (int at = 0; at < Items; ++at)
    items[at] = from[thread * Items + at];
}
template <class Type, int Items, class In>
inline void LoadDirectBlocked(int thread, In from, Type (&items)[Items],
                              int valid) {
  for (int at = 0; at < Items; ++at)
    if (thread * Items + at < valid)
      items[at] = from[thread * Items + at];
}
template <int Threads, class Type, int Items, class In>
inline void LoadDirectStriped(int thread, In from, Type (&items)[Items]) {
  for (int at = 0; at < Items; ++at)
    items[at] = from[at * Threads + thread];
}
template <int Threads, class Type, int Items, class In>
inline void LoadDirectStriped(int thread, In from, Type (&items)[Items],
                              int valid) {
  for (int at = 0; at < Items; ++at)
    if (at * Threads + thread < valid)
      items[at] = from[at * Threads + thread];
}
template <class Type, int Items, class Out>
inline void StoreDirectBlocked(int thread, Out to, const Type (&items)[Items]) {
  for (int at = 0; at < Items; ++at)
    to[thread * Items + at] = items[at];
}
template <class Type, int Items, class Out>
inline void StoreDirectBlocked(int thread, Out to, const Type (&items)[Items],
                               int valid) {
  for (int at = 0; at < Items; ++at)
    if (thread * Items + at < valid)
      to[thread * Items + at] = items[at];
}
template <int Threads, class Type, int Items, class Out>
inline void StoreDirectStriped(int thread, Out to, const Type (&items)[Items]) {
  for (int at = 0; at < Items; ++at)
    to[at * Threads + thread] = items[at];
}
template <int Threads, class Type, int Items, class Out>
inline void StoreDirectStriped(int thread, Out to, const Type (&items)[Items],
                               int valid) {
  for (int at = 0; at < Items; ++at)
    if (at * Threads + thread < valid)
      to[at * Threads + thread] = items[at];
}

/// All algorithms but the striped one give a thread neighbouring elements,
/// which it reads itself.
template <class Type, int SizeX, int Items,
          BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int SizeY = 1,
          int SizeZ = 1, int = 0>
class BlockLoad {
  static constexpr int threads = SizeX * SizeY * SizeZ;

public:
  struct TempStorage {};
  BlockLoad() = default;
  BlockLoad(TempStorage &) {}
  template <class In, class... Valid>
  void Load(In from, Type (&items)[Items], Valid... valid) {
    static_assert(sizeof...(Valid) <= 1);
    if constexpr (Algorithm == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<threads>(detail::thread(), from, items, valid...);
    else
      LoadDirectBlocked(detail::thread(), from, items, valid...);
  }
  template <class In, class Default>
  void Load(In from, Type (&items)[Items], int valid, Default other) {
    for (int at = 0; at < Items; ++at)
      items[at] = static_cast<Type>(other);
    Load(from, items, valid);
  }
};
template <class Type, int SizeX, int Items,
          BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int SizeY = 1,
          int SizeZ = 1, int = 0>
class BlockStore {
  static constexpr int threads = SizeX * SizeY * SizeZ;

public:
  struct TempStorage {};
  BlockStore() = default;
  BlockStore(TempStorage &) {}
  template <class Out, class... Valid>
  void Store(Out to, const Type (&items)[Items], Valid... valid) {
    static_assert(sizeof...(Valid) <= 1);
    if constexpr (Algorithm == BLOCK_STORE_STRIPED)
      StoreDirectStriped<threads>(detail::thread(), to, items, valid...);
    else
      StoreDirectBlocked(detail::thread(), to, items, valid...);
  }
};

namespace detail {
/// Puts items at their ranks in shared memory, and takes those at others.
template <class Type, int Items, class To, class From>
[[clang::convergent]] inline void
exchange(Type *shared, const Type (&in)[Items], Type (&out)[Items],
         const To &to, const From &from) {
  for (int at = 0; at < Items; ++at)
    shared[to(at)] = in[at];
  xcc::sync_block();
  for (int at = 0; at < Items; ++at)
    out[at] = shared[from(at)];
}
/// Where a thread's items are in its block.
template <int Threads, int Items> struct places {
  static int blocked(int at) { return thread() * Items + at; }
  static int striped(int at) { return at * Threads + thread(); }
};
} // namespace detail

template <class Type, int SizeX, int Items, bool = false, int SizeY = 1,
          int SizeZ = 1, int = 0>
class BlockExchange {
  static constexpr int threads = SizeX * SizeY * SizeZ;
  using places = detail::places<threads, Items>;

public:
  using TempStorage = detail::shared_objects<Type, threads * Items>;
  BlockExchange() : storage_(detail::own_storage<TempStorage>()) {}
  BlockExchange(TempStorage &storage) : storage_(storage) {}

  [[clang::convergent]] void StripedToBlocked(const Type (&in)[Items],
                                              Type (&out)[Items]) {
    detail::exchange(storage_.at(), in, out, places::striped, places::blocked);
  }
  [[clang::convergent]] void StripedToBlocked(Type (&items)[Items]) {
    StripedToBlocked(items, items);
  }
  [[clang::convergent]] void BlockedToStriped(const Type (&in)[Items],
                                              Type (&out)[Items]) {
    detail::exchange(storage_.at(), in, out, places::blocked, places::striped);
  }
  [[clang::convergent]] void BlockedToStriped(Type (&items)[Items]) {
    BlockedToStriped(items, items);
  }
  template <class Rank>
  [[clang::convergent]] void ScatterToBlocked(const Type (&in)[Items],
                                              Type (&out)[Items],
                                              const Rank (&ranks)[Items]) {
    detail::exchange(
        storage_.at(), in, out, [&](int at) { return int(ranks[at]); },
        places::blocked);
  }
  template <class Rank>
  [[clang::convergent]] void ScatterToBlocked(Type (&items)[Items],
                                              const Rank (&ranks)[Items]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class Rank>
  [[clang::convergent]] void ScatterToStriped(const Type (&in)[Items],
                                              Type (&out)[Items],
                                              const Rank (&ranks)[Items]) {
    detail::exchange(
        storage_.at(), in, out, [&](int at) { return int(ranks[at]); },
        places::striped);
  }
  template <class Rank>
  [[clang::convergent]] void ScatterToStriped(Type (&items)[Items],
                                              const Rank (&ranks)[Items]) {
    ScatterToStriped(items, items, ranks);
  }

private:
  TempStorage &storage_;
};

//===-- Sorts -------------------------------------------------------------===//

namespace detail {
/// Orders keys by some of their bits, as unsigned digits.
template <class Key, bool Descending> struct less_bits {
  using digits = xcc::detail::digits_of<Key, false>;
  int first, end;
  auto bits(Key key) const {
    using word = typename digits::bits;
    const auto all = digits::ascending(key);
    constexpr int width = 8 * int(sizeof(word));
    const int count = (end < width ? end : width) - first;
    if (count <= 0)
      return word(0);
    const word moved = word(all >> first);
    return count >= width ? moved : word(moved & word((word(1) << count) - 1));
  }
  bool operator()(const Key &one, const Key &other) const {
    return Descending ? bits(other) < bits(one) : bits(one) < bits(other);
  }
};

/// A stable merge sort of the block's items: in each round an item finds its
/// place in two neighbouring runs. ranks[n] is then where item n of the thread
/// was at first.
template <int Threads, class Key, int Items, class Less>
[[clang::convergent]] inline void sort_block(Key *shared, Key (&keys)[Items],
                                             int *origins, int (&ranks)[Items],
                                             Less less) {
  constexpr int count = Threads * Items;
  using places = detail::places<Threads, Items>;
  for (int at = 0; at < Items; ++at)
    ranks[at] = places::blocked(at);
  for (int width = 1; width < count; width *= 2) {
    for (int at = 0; at < Items; ++at)
      shared[places::blocked(at)] = keys[at];
    xcc::sync_block();
    int to[Items];
    for (int at = 0; at < Items; ++at) {
      const int place = places::blocked(at), begin = place / width * width;
      const bool second = place / width % 2;
      const int other = second ? begin - width : begin + width;
      const int end = other + width < count ? other + width : count;
      int low = other < count ? other : count, high = end > low ? end : low;
      const int first = low;
      while (low < high) {
        const int middle = low + (high - low) / 2;
        if (second ? !less(keys[at], shared[middle])
                   : less(shared[middle], keys[at]))
          low = middle + 1;
        else
          high = middle;
      }
      to[at] = (second ? other : begin) + (place - begin) + (low - first);
    }
    xcc::sync_block();
    for (int at = 0; at < Items; ++at) {
      shared[to[at]] = keys[at];
      origins[to[at]] = ranks[at];
    }
    xcc::sync_block();
    for (int at = 0; at < Items; ++at) {
      keys[at] = shared[places::blocked(at)];
      ranks[at] = origins[places::blocked(at)];
    }
    xcc::sync_block();
  }
}
/// The sorts that a Sorter makes of its Sort(keys, less) and
/// Sort(keys, values, less), which are stable.
template <class Sorter, class Key, class Value, int Items, class Places>
class sorts {
public:
  /// Of the first `valid` keys, with one that is behind all others.
  template <class Less>
  [[clang::convergent]] void Sort(Key (&keys)[Items], Less less, int valid,
                                  Key last) {
    for (int at = 0; at < Items; ++at)
      if (Places::blocked(at) >= valid)
        keys[at] = last;
    sorter().Sort(keys, less);
  }
  template <class Less>
  [[clang::convergent]] void StableSort(Key (&keys)[Items], Less less) {
    sorter().Sort(keys, less);
  }
  template <class Less>
  [[clang::convergent]] void StableSort(Key (&keys)[Items],
                                        Value (&values)[Items], Less less) {
    sorter().Sort(keys, values, less);
  }

private:
  Sorter &sorter() { return static_cast<Sorter &>(*this); }
};
} // namespace detail

/// By merges: stable, in time of n log n.
template <class Key, int SizeX, int Items, class Value = NullType,
          int SizeY = 1, int SizeZ = 1>
class BlockMergeSort
    : public detail::sorts<
          BlockMergeSort<Key, SizeX, Items, Value, SizeY, SizeZ>, Key, Value,
          Items, detail::places<SizeX * SizeY * SizeZ, Items>> {
  static constexpr int threads = SizeX * SizeY * SizeZ;
  static constexpr bool has_values = !std::is_same_v<Value, NullType>;
  using places = detail::places<threads, Items>;

public:
  using detail::sorts<BlockMergeSort, Key, Value, Items, places>::Sort;
  struct TempStorage {
    detail::shared_objects<Key, threads * Items> keys;
    detail::shared_objects<Value, has_values ? threads * Items : 1> values;
    int origins[threads * Items];
  };
  BlockMergeSort() : storage_(detail::own_storage<TempStorage>()) {}
  BlockMergeSort(TempStorage &storage) : storage_(storage) {}

  template <class Less>
  [[clang::convergent]] void Sort(Key (&keys)[Items], Less less) {
    int ranks[Items];
    detail::sort_block<threads>(storage_.keys.at(), keys, storage_.origins,
                                ranks, less);
  }
  template <class Less>
  [[clang::convergent]] void Sort(Key (&keys)[Items], Value (&values)[Items],
                                  Less less) {
    int ranks[Items];
    detail::sort_block<threads>(storage_.keys.at(), keys, storage_.origins,
                                ranks, less);
    detail::exchange(storage_.values.at(), values, values, places::blocked,
                     [&](int at) { return ranks[at]; });
  }

private:
  TempStorage &storage_;
};

/// The same results, by merges.
template <class Key, int SizeX, int Items, class Value = NullType, int = 4,
          bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0,
          int SizeY = 1, int SizeZ = 1, int = 0>
class BlockRadixSort {
  static constexpr int threads = SizeX * SizeY * SizeZ;
  static constexpr int all_bits = 8 * int(sizeof(Key));
  using sorter = BlockMergeSort<Key, SizeX, Items, Value, SizeY, SizeZ>;
  using places = detail::places<threads, Items>;

public:
  using TempStorage = typename sorter::TempStorage;
  BlockRadixSort() : storage_(detail::own_storage<TempStorage>()) {}
  BlockRadixSort(TempStorage &storage) : storage_(storage) {}

#define XCC_CUB_SORT(name, descending)                                         \
  [[clang::convergent]] void name(Key(&keys)[Items], int first = 0,            \
                                  int end = all_bits) {                        \
    sorter(storage_).Sort(keys,                                                \
                          detail::less_bits<Key, descending>{first, end});     \
  }                                                                            \
  template <class Given>                                                       \
  [[clang::convergent]] void name(Key(&keys)[Items], Given(&values)[Items],    \
                                  int first = 0, int end = all_bits) {         \
    sorter(storage_).Sort(keys, values,                                        \
                          detail::less_bits<Key, descending>{first, end});     \
  }                                                                            \
  [[clang::convergent]] void name##BlockedToStriped(                           \
      Key(&keys)[Items], int first = 0, int end = all_bits) {                  \
    name(keys, first, end);                                                    \
    detail::exchange(storage_.keys.at(), keys, keys, places::blocked,          \
                     places::striped);                                         \
  }                                                                            \
  template <class Given>                                                       \
  [[clang::convergent]] void name##BlockedToStriped(                           \
      Key(&keys)[Items], Given(&values)[Items], int first = 0,                 \
      int end = all_bits) {                                                    \
    name(keys, values, first, end);                                            \
    xcc::sync_block();                                                         \
    detail::exchange(storage_.keys.at(), keys, keys, places::blocked,          \
                     places::striped);                                         \
    detail::exchange(storage_.values.at(), values, values, places::blocked,    \
                     places::striped);                                         \
  }
  XCC_CUB_SORT(Sort, false)
  XCC_CUB_SORT(SortDescending, true)
#undef XCC_CUB_SORT

private:
  TempStorage &storage_;
};

//===-- Histograms and neighbours -----------------------------------------===//

template <class Type, int SizeX, int Items, int Bins,
          BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int SizeY = 1,
          int SizeZ = 1, int = 0>
class BlockHistogram {
  static constexpr int threads = SizeX * SizeY * SizeZ;

public:
  struct TempStorage {};
  BlockHistogram() = default;
  BlockHistogram(TempStorage &) {}
  template <class Counter>
  [[clang::convergent]] void InitHistogram(Counter (&counts)[Bins]) {
    for (int at = detail::thread(); at < Bins; at += threads)
      counts[at] = 0;
  }
  template <class Counter>
  [[clang::convergent]] void Composite(Type (&items)[Items],
                                       Counter (&counts)[Bins]) {
    xcc::sync_block();
    for (int at = 0; at < Items; ++at)
      atomicAdd(&counts[items[at]], Counter(1));
    xcc::sync_block();
  }
  template <class Counter>
  [[clang::convergent]] void Histogram(Type (&items)[Items],
                                       Counter (&counts)[Bins]) {
    InitHistogram(counts);
    Composite(items, counts);
  }
};

/// Which items differ from their neighbours.
template <class Type, int SizeX, int SizeY = 1, int SizeZ = 1, int = 0>
class BlockDiscontinuity {
  static constexpr int threads = SizeX * SizeY * SizeZ;

public:
  using TempStorage = detail::shared_objects<Type, threads>;
  BlockDiscontinuity() : storage_(detail::own_storage<TempStorage>()) {}
  BlockDiscontinuity(TempStorage &storage) : storage_(storage) {}

  template <int Items, class Flag, class Differs>
  [[clang::convergent]] void FlagHeads(Flag (&flags)[Items],
                                       Type (&items)[Items], Differs differs) {
    heads(flags, items, differs);
    if (detail::thread() == 0)
      flags[0] = Flag(1);
  }
  template <int Items, class Flag, class Differs>
  [[clang::convergent]] void FlagHeads(Flag (&flags)[Items],
                                       Type (&items)[Items], Differs differs,
                                       Type before) {
    heads(flags, items, differs);
    if (detail::thread() == 0)
      flags[0] = Flag(differs(before, items[0]));
  }
  template <int Items, class Flag, class Differs>
  [[clang::convergent]] void FlagTails(Flag (&flags)[Items],
                                       Type (&items)[Items], Differs differs) {
    tails(flags, items, differs);
    if (detail::thread() == threads - 1)
      flags[Items - 1] = Flag(1);
  }
  template <int Items, class Flag, class Differs>
  [[clang::convergent]] void FlagTails(Flag (&flags)[Items],
                                       Type (&items)[Items], Differs differs,
                                       Type behind) {
    tails(flags, items, differs);
    if (detail::thread() == threads - 1)
      flags[Items - 1] = Flag(differs(items[Items - 1], behind));
  }

private:
  TempStorage &storage_;

  template <int Items, class Flag, class Differs>
  [[clang::convergent]] void heads(Flag (&flags)[Items], Type (&items)[Items],
                                   Differs differs) {
    const int thread = detail::thread();
    storage_.at()[thread] = items[Items - 1];
    xcc::sync_block();
    if (thread != 0)
      flags[0] = Flag(differs(storage_.at()[thread - 1], items[0]));
    for (int at = 1; at < Items; ++at)
      flags[at] = Flag(differs(items[at - 1], items[at]));
  }
  template <int Items, class Flag, class Differs>
  [[clang::convergent]] void tails(Flag (&flags)[Items], Type (&items)[Items],
                                   Differs differs) {
    const int thread = detail::thread();
    storage_.at()[thread] = items[0];
    xcc::sync_block();
    if (thread != threads - 1)
      flags[Items - 1] =
          Flag(differs(items[Items - 1], storage_.at()[thread + 1]));
    for (int at = 0; at + 1 < Items; ++at)
      flags[at] = Flag(differs(items[at], items[at + 1]));
  }
};

} // namespace cub

#endif // XCC_CUDA_CUB_BLOCK_H
