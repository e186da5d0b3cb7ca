// Values of a warp's lanes together: match, reduce and scan
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     const xcc::lane_mask same = xcc::match_any(bin[i]);
//     const int sum = xcc::warp_reduce(same, weight[i], std::plus<>());
//     if (xcc::lane_id() == same.first())        // one update for each bin
//       std::atomic_ref(histogram[bin[i]]) += sum;
//
// Like every operation of a warp, these are among the lanes that execute them
// together. With a lane_mask as first argument they are among the lanes of the
// caller's mask; lanes may have different masks.
//
// Functions whose names other scopes have too begin with warp_. Errors and
// threads: as in <xcc/device.h>.

#ifndef XCC_WARP_H
#define XCC_WARP_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <xcc/device.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

extern "C" {
[[clang::convergent]] std::uint64_t
__xcc_match_any_32(std::uint32_t value) noexcept;
[[clang::convergent]] std::uint64_t
__xcc_match_any_64(std::uint64_t value) noexcept;
// The CPU device's lanes have a slot each, for all to read until the next
// __xcc_sync_warp. The result is which lanes have written theirs.
[[clang::convergent]] std::uint32_t
__xcc_publish_32(std::uint32_t value) noexcept;
[[clang::convergent]] std::uint32_t
__xcc_publish_64(std::uint64_t value) noexcept;
[[gnu::const]] const std::uint32_t *__xcc_published_32() noexcept;
[[gnu::const]] const std::uint64_t *__xcc_published_64() noexcept;
// Where __xcc_reductions() says so, a GPU reduces in one instruction.
[[gnu::const]] bool __xcc_reductions() noexcept;
[[clang::convergent]] std::uint32_t
__xcc_reduce_add_32(std::uint32_t value) noexcept;
[[clang::convergent]] std::uint32_t
__xcc_reduce_and_32(std::uint32_t value) noexcept;
[[clang::convergent]] std::uint32_t
__xcc_reduce_or_32(std::uint32_t value) noexcept;
[[clang::convergent]] std::uint32_t
__xcc_reduce_xor_32(std::uint32_t value) noexcept;
[[clang::convergent]] std::int32_t
__xcc_reduce_min_32(std::int32_t value) noexcept;
[[clang::convergent]] std::int32_t
__xcc_reduce_max_32(std::int32_t value) noexcept;
[[clang::convergent]] std::uint32_t
__xcc_reduce_umin_32(std::uint32_t value) noexcept;
[[clang::convergent]] std::uint32_t
__xcc_reduce_umax_32(std::uint32_t value) noexcept;
}

namespace xcc {

//===----------------------------------------------------------------------===//
// Match
//===----------------------------------------------------------------------===//

namespace detail {
/// A floating-point number, _Float16 and __bf16 too, which <type_traits> may not
/// know.
#ifdef __clang__
template <class Type>
inline constexpr bool is_floating =
    __is_floating_point(Type) && !std::is_same_v<Type, long double>;
#else
template <class Type>
inline constexpr bool is_floating =
    std::is_floating_point_v<Type> && !std::is_same_v<Type, long double>;
#endif
} // namespace detail

/// Returns the lanes that passed the same value, bit by bit: 0.0 and -0.0 differ,
/// a NaN equals itself. Type has no padding.
///
///     const xcc::lane_mask same = xcc::match_any(bin[i]);
template <class Type>
[[clang::convergent]] inline lane_mask match_any(Type value) {
  static_assert(std::is_trivially_copyable_v<Type> &&
                    (std::has_unique_object_representations_v<Type> ||
                     detail::is_floating<Type>),
                "match compares bits: T must be trivially copyable and without "
                "padding; pass a member or a hash");
  if constexpr (sizeof(Type) <= 4) {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, __builtin_addressof(value), sizeof(Type));
    return lane_mask(__xcc_match_any_32(bits));
  } else {
    constexpr std::size_t count = (sizeof(Type) + 7) / 8;
    std::uint64_t words[count] = {};
    __builtin_memcpy(words, __builtin_addressof(value), sizeof(Type));
    std::uint64_t same = ~std::uint64_t(0);
#ifdef __clang__
#pragma clang loop unroll(full)
#endif
    for (std::size_t at = 0; at < count; ++at)
      same &= __xcc_match_any_64(words[at]);
    return lane_mask(same);
  }
}
/// Does the same among the lanes of the mask.
template <class Type>
[[clang::convergent]] inline lane_mask match_any(lane_mask lanes, Type value) {
  return lane_mask(match_any(value).bits & lanes.bits);
}
/// Returns all lanes that take part if they passed the same value, else no lane.
///
///     const bool one_bin = xcc::match_all(bin[i]).bits != 0;
template <class Type>
[[clang::convergent]] inline lane_mask match_all(Type value) {
  const lane_mask here = active_lanes();
  return match_any(value) == here ? here : lane_mask(0);
}
/// Does the same among the lanes of the mask.
template <class Type>
[[clang::convergent]] inline lane_mask match_all(lane_mask lanes, Type value) {
  const lane_mask here(active_lanes().bits & lanes.bits);
  return match_any(lanes, value) == here ? here : lane_mask(0);
}

//===----------------------------------------------------------------------===//
// Scans and reductions
//===----------------------------------------------------------------------===//

namespace detail {
struct lane_sum {
  template <class Type> constexpr Type operator()(Type one, Type other) const {
    return static_cast<Type>(one + other);
  }
};
struct lane_least {
  template <class Type> constexpr Type operator()(Type one, Type other) const {
    return other < one ? other : one;
  }
};
struct lane_most {
  template <class Type> constexpr Type operator()(Type one, Type other) const {
    return one < other ? other : one;
  }
};
struct lane_and {
  template <class Type> constexpr Type operator()(Type one, Type other) const {
    return static_cast<Type>(one & other);
  }
};
struct lane_or {
  template <class Type> constexpr Type operator()(Type one, Type other) const {
    return static_cast<Type>(one | other);
  }
};
struct lane_xor {
  template <class Type> constexpr Type operator()(Type one, Type other) const {
    return static_cast<Type>(one ^ other);
  }
};

/// The lane before this one among the lanes, or this one if it is the first.
inline unsigned lane_before(std::uint64_t lanes, unsigned lane) {
  const std::uint64_t below = lanes & ((std::uint64_t(1) << lane) - 1);
  return below ? 63 - static_cast<unsigned>(__builtin_clzll(below)) : lane;
}
inline unsigned last_lane(std::uint64_t lanes) {
  return 63 - static_cast<unsigned>(__builtin_clzll(lanes | 1));
}

#ifdef __XCC_SHUFFLES_BY_DISTANCE__
[[clang::convergent]] inline std::uint64_t
lanes_here(lane_mask lanes = lane_mask(~std::uint64_t(0))) {
  return active_lanes().bits & lanes.bits;
}
/// Combines each lane's value with those of the lanes before it among its lanes,
/// in order. In each iteration a lane has the result for the lanes after `before`
/// up to itself, and continues at `before`.
template <class Type, class Op>
[[clang::convergent]] inline Type scan_lanes(std::uint64_t lanes, Type value,
                                             Op &op) {
  const unsigned lane = lane_id();
  unsigned before = lane_before(lanes, lane);
  bool more = before != lane;
  for (unsigned reach = 1; reach < warp_size(); reach *= 2) {
    const Type other = shuffle(value, before);
    const unsigned next = shuffle(more ? before : 64u, before);
    if (more)
      value = op(other, value);
    more = more && next != 64;
    before = more ? next : lane;
  }
  return value;
}
/// Combines the values of all lanes, in order; each lane gets the result.
template <class Type, class Op>
[[clang::convergent]] inline Type reduce_lanes(std::uint64_t lanes, Type value,
                                               Op &op) {
  return shuffle(scan_lanes(lanes, value, op), last_lane(lanes));
}
/// Combines the values of the lanes before the caller.
template <class Type, class Op>
[[clang::convergent]] inline Type
scan_lanes_before(std::uint64_t lanes, Type value, Type init, Op &op) {
  const unsigned lane = lane_id(), before = lane_before(lanes, lane);
  const Type other = shuffle(scan_lanes(lanes, value, op), before);
  return before == lane ? init : static_cast<Type>(op(init, other));
}
#else
// Lanes read each other's values from memory, if it is known which lanes take
// part.
inline std::uint64_t
lanes_here(lane_mask lanes = lane_mask(~std::uint64_t(0))) {
  return lanes.bits;
}
template <class Type, class Op, class Value>
inline Type fold(std::uint64_t lanes, Type sum, bool begun, Op &op,
                 Value value) {
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes >> lane & 1) {
      const Type other = value(lane);
      sum = begun ? static_cast<Type>(op(sum, other)) : other;
      begun = true;
    }
  return sum;
}
template <class Type, class Op>
[[clang::convergent]] inline Type fold_lanes(std::uint64_t lanes, Type value,
                                             Type sum, bool begun, Op &op) {
  static_assert(std::is_trivially_copyable_v<Type>,
                "lanes exchange bytes: T must be trivially copyable");
  if constexpr (sizeof(Type) <= 8) {
    using chunk_type =
        std::conditional_t<(sizeof(Type) <= 4), std::uint32_t, std::uint64_t>;
    chunk_type bits = 0;
    __builtin_memcpy(&bits, __builtin_addressof(value), sizeof(Type));
    const chunk_type *all;
    if constexpr (sizeof(Type) <= 4) {
      lanes &= __xcc_publish_32(bits);
      all = __xcc_published_32();
    } else {
      lanes &= __xcc_publish_64(bits);
      all = __xcc_published_64();
    }
    sum = fold<Type>(lanes, sum, begun, op, [=](unsigned lane) {
      Type other = value;
      __builtin_memcpy(static_cast<void *>(__builtin_addressof(other)),
                       all + lane, sizeof(Type));
      return other;
    });
    __xcc_sync_warp();
    return sum;
  } else {
    constexpr std::size_t count = (sizeof(Type) + 7) / 8;
    std::uint64_t words[32][count] = {}, own[count] = {};
    __builtin_memcpy(own, __builtin_addressof(value), sizeof(Type));
    for (std::size_t at = 0; at < count; ++at) {
      const std::uint32_t here = __xcc_publish_64(own[at]);
      lanes &= here;
      for (unsigned lane = 0; lane < 32; ++lane)
        words[lane][at] = here >> lane & 1 ? __xcc_published_64()[lane] : 0;
      __xcc_sync_warp();
    }
    return fold<Type>(lanes, sum, begun, op, [&](unsigned lane) {
      Type other = value;
      __builtin_memcpy(static_cast<void *>(__builtin_addressof(other)),
                       words[lane], sizeof(Type));
      return other;
    });
  }
}
template <class Type, class Op>
[[clang::convergent]] inline Type scan_lanes(std::uint64_t lanes, Type value,
                                             Op &op) {
  return fold_lanes(lanes & (~std::uint64_t(0) >> (63 - lane_id())), value,
                    value, false, op);
}
template <class Type, class Op>
[[clang::convergent]] inline Type reduce_lanes(std::uint64_t lanes, Type value,
                                               Op &op) {
  return fold_lanes(lanes, value, value, false, op);
}
template <class Type, class Op>
[[clang::convergent]] inline Type
scan_lanes_before(std::uint64_t lanes, Type value, Type init, Op &op) {
  return fold_lanes(lanes & ((std::uint64_t(1) << lane_id()) - 1), value, init,
                    true, op);
}
#endif
} // namespace detail

/// Returns the caller's value combined with those of all lanes before it: op(op(a,
/// b), c), in the order of lanes. op is associative and need not be commutative;
/// the grouping is not specified. Without op it is the sum.
///
///     int upTo = xcc::warp_inclusive_scan(x[i]);
template <class Type, class Op = detail::lane_sum>
[[clang::convergent]] inline Type warp_inclusive_scan(lane_mask lanes,
                                                      Type value, Op op = {}) {
  return detail::scan_lanes<Type>(detail::lanes_here(lanes), value, op);
}
template <class Type, class Op = detail::lane_sum>
[[clang::convergent]] inline detail::shuffled<Type>
warp_inclusive_scan(Type value, Op op = {}) {
  return detail::scan_lanes<Type>(detail::lanes_here(), value, op);
}

/// Returns init combined with the values of all lanes before the caller.
///
///     int before = xcc::warp_exclusive_scan(x[i], 0);
template <class Type, class Op = detail::lane_sum>
[[clang::convergent]] inline Type
warp_exclusive_scan(lane_mask lanes, Type value, Type init, Op op = {}) {
  return detail::scan_lanes_before<Type>(detail::lanes_here(lanes), value, init,
                                         op);
}
template <class Type, class Op = detail::lane_sum>
[[clang::convergent]] inline detail::shuffled<Type>
warp_exclusive_scan(Type value, Type init, Op op = {}) {
  return detail::scan_lanes_before<Type>(detail::lanes_here(), value, init, op);
}

/// Returns to every lane the values of all lanes combined, in the order of lanes.
/// op is as for warp_inclusive_scan.
///
///     auto most = [](int a, int b) { return a > b ? a : b; };
///     int largest = xcc::warp_reduce(x[i], most);
template <class Type, class Op = detail::lane_sum>
[[clang::convergent]] inline Type warp_reduce(lane_mask lanes, Type value,
                                              Op op = {}) {
  return detail::reduce_lanes<Type>(detail::lanes_here(lanes), value, op);
}
template <class Type, class Op = detail::lane_sum>
[[clang::convergent]] inline detail::shuffled<Type> warp_reduce(Type value,
                                                                Op op = {}) {
#ifdef __XCC_SHUFFLES_BY_DISTANCE__
  const std::uint64_t here = active_lanes().bits;
  if (here != ~std::uint64_t(0) >> (64 - warp_size()))
    return detail::reduce_lanes<Type>(here, value, op);
  // All lanes take part: each computes the result by itself.
  const unsigned lane = lane_id();
  for (unsigned reach = 1; reach < warp_size(); reach *= 2) {
    const Type other = shuffle_xor(value, reach);
    value = lane & reach ? op(other, value) : op(value, other);
  }
  return value;
#else
  return detail::reduce_lanes<Type>(~std::uint64_t(0), value, op);
#endif
}

// What GPUs since sm_80 have an instruction for, for integers of up to 32 bits.
#ifdef __XCC_WARP_REDUCTIONS__
#define XCC_REDUCE_LANES(kind, other)                                          \
  if constexpr (std::is_integral_v<Type> && sizeof(Type) <= 4)                 \
    if (__xcc_reductions()) {                                                  \
      if constexpr (std::is_signed_v<Type>)                                    \
        return static_cast<Type>(__xcc_reduce_##kind##_32(value));             \
      else                                                                     \
        return static_cast<Type>(__xcc_reduce_##other##_32(value));            \
    }
#else
#define XCC_REDUCE_LANES(kind, other)
#endif
#define XCC_REDUCE(name, operation, kind, other)                               \
  template <class Type>                                                        \
  [[clang::convergent]] inline Type warp_##name(Type value) {                  \
    XCC_REDUCE_LANES(kind, other)                                              \
    return warp_reduce(value, detail::operation());                            \
  }                                                                            \
  template <class Type>                                                        \
  [[clang::convergent]] inline Type warp_##name(lane_mask lanes, Type value) { \
    return warp_reduce(lanes, value, detail::operation());                     \
  }                                                                            \
  template <class Type>                                                        \
  [[deprecated("call xcc::warp_" #name), clang::convergent]] inline Type name( \
      Type value) {                                                            \
    return warp_##name(value);                                                 \
  }                                                                            \
  template <class Type>                                                        \
  [[deprecated("call xcc::warp_" #name), clang::convergent]] inline Type name( \
      lane_mask lanes, Type value) {                                           \
    return warp_##name(lanes, value);                                          \
  }
/// warp_reduce_add(x) and the others return the sum, the minimum, the maximum, or
/// the bitwise and, or, exclusive or of the values of all lanes.
///
///     int sum = xcc::warp_reduce_add(x[i]), least = xcc::warp_reduce_min(x[i]);
XCC_REDUCE(reduce_add, lane_sum, add, add)
XCC_REDUCE(reduce_min, lane_least, min, umin)
XCC_REDUCE(reduce_max, lane_most, max, umax)
XCC_REDUCE(reduce_and, lane_and, and, and)
XCC_REDUCE(reduce_or, lane_or, or, or)
XCC_REDUCE(reduce_xor, lane_xor, xor, xor)
#undef XCC_REDUCE
#undef XCC_REDUCE_LANES

} // namespace xcc

#endif // XCC_WARP_H
