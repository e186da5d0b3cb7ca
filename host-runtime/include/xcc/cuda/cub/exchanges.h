// CUB: items that the threads of a block or the lanes of a warp exchange
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocked: each lane has items that are next to each other. Striped: item n of a
// lane is Size items behind its item n - 1. A warp's exchange goes through the
// storage that the program gives, which is in block-shared memory.

#ifndef XCC_CUDA_CUB_EXCHANGES_H
#define XCC_CUDA_CUB_EXCHANGES_H

#include <xcc/cuda/cub/block.h>

namespace cub {

template <class Type, int SizeX, int SizeY = 1, int SizeZ = 1, int = 0>
class BlockShuffle {
  static constexpr int threads = SizeX * SizeY * SizeZ;

public:
  using TempStorage = detail::shared_objects<Type, threads>;
  BlockShuffle() : storage_(detail::own_storage<TempStorage>()) {}
  BlockShuffle(TempStorage &storage) : storage_(storage) {}

  /// The value of the thread `distance` behind; if there is none, `out` stays.
  [[clang::convergent]] void Offset(Type in, Type &out, int distance = 1) {
    share(in);
    const int other = detail::thread() + distance;
    if (other >= 0 && other < threads)
      out = storage_.at()[other];
  }
  [[clang::convergent]] void Rotate(Type in, Type &out, unsigned distance = 1) {
    share(in);
    out =
        storage_
            .at()[(unsigned(detail::thread()) + distance) % unsigned(threads)];
  }
  /// Each item's place gets the item before it. The first one's stays.
  template <int Items>
  [[clang::convergent]] void Up(Type (&in)[Items], Type (&out)[Items]) {
    share(in[Items - 1]);
    const int thread = detail::thread();
    for (int at = Items - 1; at > 0; --at)
      out[at] = in[at - 1];
    if (thread > 0)
      out[0] = storage_.at()[thread - 1];
  }
  template <int Items>
  [[clang::convergent]] void Up(Type (&in)[Items], Type (&out)[Items],
                                Type &last) {
    Up(in, out);
    last = storage_.at()[threads - 1];
  }
  template <int Items>
  [[clang::convergent]] void Down(Type (&in)[Items], Type (&out)[Items]) {
    share(in[0]);
    const int thread = detail::thread();
    for (int at = 0; at + 1 < Items; ++at)
      out[at] = in[at + 1];
    if (thread + 1 < threads)
      out[Items - 1] = storage_.at()[thread + 1];
  }
  template <int Items>
  [[clang::convergent]] void Down(Type (&in)[Items], Type (&out)[Items],
                                  Type &first) {
    Down(in, out);
    first = storage_.at()[0];
  }

private:
  TempStorage &storage_;

  [[clang::convergent]] void share(const Type &value) {
    storage_.at()[detail::thread()] = value;
    xcc::sync_block();
  }
};

namespace detail {
/// Writes each item to place(n) and reads it from other(n), of a warp's items.
template <class Type, class In, class Out, int Items, class To, class From>
[[clang::convergent]] inline void exchange_lanes(Type *memory, In (&in)[Items],
                                                 Out (&out)[Items], To to,
                                                 From from) {
  for (int at = 0; at < Items; ++at)
    memory[to(at)] = in[at];
  xcc::sync_warp();
  for (int at = 0; at < Items; ++at)
    out[at] = memory[from(at)];
}
template <int Items, int Size> struct lane_places {
  static int blocked(int at) {
    return int(lane_group<Size>::rank()) * Items + at;
  }
  static int striped(int at) {
    return at * Size + int(lane_group<Size>::rank());
  }
};
} // namespace detail

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
enum WarpLoadAlgorithm {
  WARP_LOAD_DIRECT,
  WARP_LOAD_STRIPED,
  WARP_LOAD_VECTORIZE,
  WARP_LOAD_TRANSPOSE
};
enum WarpStoreAlgorithm {
  WARP_STORE_DIRECT,
  WARP_STORE_STRIPED,
  WARP_STORE_VECTORIZE,
  WARP_STORE_TRANSPOSE
};

template <class Type, int Items, int Size = 32, int = 0,
          WarpExchangeAlgorithm = WARP_EXCHANGE_SMEM>
class WarpExchange {
  using places = detail::lane_places<Items, Size>;

public:
  using TempStorage = detail::shared_objects<Type, Items * Size>;
  WarpExchange() = delete;
  explicit WarpExchange(TempStorage &storage) : storage_(storage) {}

  template <class Out>
  [[clang::convergent]] void BlockedToStriped(const Type (&in)[Items],
                                              Out (&out)[Items]) {
    detail::exchange_lanes(storage_.at(), in, out, places::blocked,
                           places::striped);
  }
  template <class Out>
  [[clang::convergent]] void StripedToBlocked(const Type (&in)[Items],
                                              Out (&out)[Items]) {
    detail::exchange_lanes(storage_.at(), in, out, places::striped,
                           places::blocked);
  }
  template <class Rank>
  [[clang::convergent]] void ScatterToStriped(Type (&items)[Items],
                                              Rank (&ranks)[Items]) {
    ScatterToStriped(items, items, ranks);
  }
  template <class Out, class Rank>
  [[clang::convergent]] void ScatterToStriped(const Type (&in)[Items],
                                              Out (&out)[Items],
                                              Rank (&ranks)[Items]) {
    detail::exchange_lanes(
        storage_.at(), in, out, [&](int at) { return int(ranks[at]); },
        places::striped);
  }

private:
  TempStorage &storage_;
};

template <class Type, int Items, WarpLoadAlgorithm Way = WARP_LOAD_DIRECT,
          int Size = 32, int = 0>
class WarpLoad {
  using places = detail::lane_places<Items, Size>;
  static int place(int at) {
    return Way == WARP_LOAD_STRIPED ? places::striped(at) : places::blocked(at);
  }

public:
  struct TempStorage {};
  WarpLoad() = default;
  WarpLoad(TempStorage &) {}
  template <class In> void Load(In from, Type (&items)[Items]) {
    for (int at = 0; at < Items; ++at)
      items[at] = from[place(at)];
  }
  template <class In> void Load(In from, Type (&items)[Items], int valid) {
    for (int at = 0; at < Items; ++at)
      if (place(at) < valid)
        items[at] = from[place(at)];
  }
  template <class In, class Other>
  void Load(In from, Type (&items)[Items], int valid, Other other) {
    for (int at = 0; at < Items; ++at)
      items[at] = other;
    Load(from, items, valid);
  }
};

template <class Type, int Items, WarpStoreAlgorithm Way = WARP_STORE_DIRECT,
          int Size = 32, int = 0>
class WarpStore {
  using places = detail::lane_places<Items, Size>;

public:
  struct TempStorage {};
  WarpStore() = default;
  WarpStore(TempStorage &) {}
  template <class Out>
  void Store(Out to, Type (&items)[Items], int valid = Items * Size) {
    for (int at = 0; at < Items; ++at) {
      const int place =
          Way == WARP_STORE_STRIPED ? places::striped(at) : places::blocked(at);
      if (place < valid)
        to[place] = items[at];
    }
  }
};

/// Each lane counts what comes before each of its items. Equal ones keep their
/// order.
template <class Key, int Items, int Size = 32, class Value = NullType,
          int Unused = 0>
class WarpMergeSort
    : public detail::sorts<WarpMergeSort<Key, Items, Size, Value, Unused>, Key,
                           Value, Items, detail::lane_places<Items, Size>> {
  using places = detail::lane_places<Items, Size>;

public:
  using detail::sorts<WarpMergeSort, Key, Value, Items, places>::Sort;
  struct TempStorage {
    detail::shared_objects<Key, Items * Size> keys;
    detail::shared_objects<Value, Items * Size> values;
  };
  WarpMergeSort() = delete;
  WarpMergeSort(TempStorage &storage) : storage_(storage) {}

  template <class Less>
  [[clang::convergent]] void Sort(Key (&keys)[Items], Less less) {
    int ranks[Items];
    count(keys, ranks, less);
    place(storage_.keys.at(), keys, ranks);
  }
  template <class Less>
  [[clang::convergent]] void Sort(Key (&keys)[Items], Value (&values)[Items],
                                  Less less) {
    int ranks[Items];
    count(keys, ranks, less);
    place(storage_.keys.at(), keys, ranks);
    place(storage_.values.at(), values, ranks);
  }

private:
  TempStorage &storage_;

  template <class Less>
  [[clang::convergent]] void count(Key (&keys)[Items], int (&ranks)[Items],
                                   Less less) {
    Key *const all = storage_.keys.at();
    for (int at = 0; at < Items; ++at)
      all[places::blocked(at)] = keys[at];
    xcc::sync_warp();
    for (int at = 0; at < Items; ++at) {
      const int own = places::blocked(at);
      ranks[at] = 0;
      for (int other = 0; other < Items * Size; ++other)
        ranks[at] += other < own ? !less(keys[at], all[other])
                                 : other > own && less(all[other], keys[at]);
    }
    xcc::sync_warp();
  }
  template <class Type>
  [[clang::convergent]] static void place(Type *memory, Type (&items)[Items],
                                          const int (&ranks)[Items]) {
    detail::exchange_lanes(
        memory, items, items, [&](int at) { return ranks[at]; },
        places::blocked);
  }
};

} // namespace cub

#endif // XCC_CUDA_CUB_EXCHANGES_H
