// Thrust: reductions, scans and what is found by them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_THRUST_SUMS_H
#define XCC_CUDA_THRUST_SUMS_H

#include <xcc/cuda/thrust/elements.h>

namespace thrust {
namespace detail {

struct transform_reduce_work {
  template <class Run, class In, class Change, class Type, class Op>
  Type operator()(const Run &run, In first, In last, Change change, Type init,
                  Op op) const {
    return run.template reduce<Type>(
        length(first, last),
        [from = run.raw(first), change](std::size_t index) -> Type {
          return change(element(from, index));
        },
        op, init);
  }
};
struct reduce_work {
  template <class Run, class In>
  iterator_value_t<In> operator()(const Run &run, In first, In last) const {
    return (*this)(run, first, last, iterator_value_t<In>());
  }
  template <class Run, class In, class Type, class Op = std::plus<bare<Type>>>
  bare<Type> operator()(const Run &run, In first, In last, const Type &init,
                        Op op = Op()) const {
    return run.template reduce<Type>(
        length(first, last),
        [from = run.raw(first)](std::size_t index) -> Type {
          return element(from, index);
        },
        op, init);
  }
};
struct inner_product_work {
  template <class Run, class In, class Other, class Type,
            class Op = std::plus<Type>, class Pair = std::multiplies<Type>>
  Type operator()(const Run &run, In first, In last, Other other, Type init,
                  Op op = Op(), Pair pair = Pair()) const {
    return run.template reduce<Type>(
        length(first, last),
        [from = run.raw(first), with = run.raw(other),
         pair](std::size_t index) -> Type {
          return pair(element(from, index), element(with, index));
        },
        op, init);
  }
};
struct count_if_work {
  template <class Run, class In, class Holds>
  std::ptrdiff_t operator()(const Run &run, In first, In last,
                            Holds holds) const {
    return run.template reduce<std::ptrdiff_t>(
        length(first, last),
        [from = run.raw(first), holds](std::size_t index) -> std::ptrdiff_t {
          return bool(holds(element(from, index)));
        },
        std::plus<std::ptrdiff_t>(), std::ptrdiff_t(0));
  }
};
struct count_work {
  template <class Run, class In, class Type>
  std::ptrdiff_t operator()(const Run &run, In first, In last,
                            const Type &value) const {
    return count_if_work()(run, first, last, equals<Type>{value});
  }
};
/// The first index that something holds for; `count` if there is none.
template <class Run, class Holds>
inline std::size_t first_of(const Run &run, std::size_t count,
                            const Holds &holds) {
  return run.template reduce<std::size_t>(
      count,
      [holds, count](std::size_t index) {
        return holds(index) ? index : count;
      },
      minimum<std::size_t>(), count);
}
struct find_if_work {
  template <class Run, class In, class Holds>
  In operator()(const Run &run, In first, In last, Holds holds) const {
    return first + static_cast<std::ptrdiff_t>(first_of(
                       run, length(first, last),
                       [from = run.raw(first), holds](std::size_t index) {
                         return bool(holds(element(from, index)));
                       }));
  }
};
struct find_if_not_work {
  template <class Run, class In, class Holds>
  In operator()(const Run &run, In first, In last, Holds holds) const {
    return find_if_work()(run, first, last, not_fn(holds));
  }
};
struct find_work {
  template <class Run, class In, class Type>
  In operator()(const Run &run, In first, In last, const Type &value) const {
    return find_if_work()(run, first, last, equals<Type>{value});
  }
};
struct any_of_work {
  template <class Run, class In, class Holds>
  bool operator()(const Run &run, In first, In last, Holds holds) const {
    return count_if_work()(run, first, last, holds) != 0;
  }
};
struct none_of_work {
  template <class Run, class In, class Holds>
  bool operator()(const Run &run, In first, In last, Holds holds) const {
    return count_if_work()(run, first, last, holds) == 0;
  }
};
struct all_of_work {
  template <class Run, class In, class Holds>
  bool operator()(const Run &run, In first, In last, Holds holds) const {
    return count_if_work()(run, first, last, not_fn(holds)) == 0;
  }
};
struct mismatch_work {
  template <class Run, class In, class Other, class Same = std::equal_to<>>
  pair<In, Other> operator()(const Run &run, In first, In last, Other other,
                             Same same = Same()) const {
    const auto at = static_cast<std::ptrdiff_t>(
        first_of(run, length(first, last),
                 [from = run.raw(first), with = run.raw(other),
                  same](std::size_t index) {
                   return !same(element(from, index), element(with, index));
                 }));
    return {first + at, other + at};
  }
};
struct equal_work {
  template <class Run, class In, class Other, class Same = std::equal_to<>>
  bool operator()(const Run &run, In first, In last, Other other,
                  Same same = Same()) const {
    return mismatch_work()(run, first, last, other, same).first == last;
  }
};
struct is_sorted_until_work {
  template <class Run, class In, class Less = std::less<>>
  In operator()(const Run &run, In first, In last, Less less = Less()) const {
    return first + static_cast<std::ptrdiff_t>(first_of(
                       run, length(first, last),
                       [from = run.raw(first), less](std::size_t index) {
                         return index != 0 && less(element(from, index),
                                                   element(from, index - 1));
                       }));
  }
};
struct is_sorted_work {
  template <class Run, class In, class Less = std::less<>>
  bool operator()(const Run &run, In first, In last, Less less = Less()) const {
    return is_sorted_until_work()(run, first, last, less) == last;
  }
};

/// The first index whose element `before` puts before all others.
template <class Run, class In, class Before>
inline In first_element(const Run &run, In first, In last,
                        const Before &before) {
  const std::size_t count = length(first, last);
  if (!count)
    return last;
  return first + static_cast<std::ptrdiff_t>(run.template reduce<std::size_t>(
                     count, [](std::size_t index) { return index; },
                     [from = run.raw(first), before](std::size_t one,
                                                     std::size_t other) {
                       return before(element(from, other), element(from, one))
                                  ? other
                                  : one;
                     },
                     std::size_t(0)));
}
template <class Less> struct backwards {
  Less less;
  template <class One, class Other>
  constexpr bool operator()(const One &one, const Other &other) const {
    return less(other, one);
  }
};
struct min_element_work {
  template <class Run, class In, class Less = std::less<>>
  In operator()(const Run &run, In first, In last, Less less = Less()) const {
    return first_element(run, first, last, less);
  }
};
struct max_element_work {
  template <class Run, class In, class Less = std::less<>>
  In operator()(const Run &run, In first, In last, Less less = Less()) const {
    return first_element(run, first, last, backwards<Less>{less});
  }
};
struct minmax_element_work {
  template <class Run, class In, class Less = std::less<>>
  pair<In, In> operator()(const Run &run, In first, In last,
                          Less less = Less()) const {
    return {min_element_work()(run, first, last, less),
            max_element_work()(run, first, last, less)};
  }
};

//===-- Scans -------------------------------------------------------------===//

struct transform_inclusive_scan_work {
  template <class Run, class In, class Out, class Change, class Op>
  Out operator()(const Run &run, In first, In last, Out out, Change change,
                 Op op) const {
    using Type = bare<decltype(change(std::declval<iterator_value_t<In>>()))>;
    const std::size_t count = length(first, last);
    run.template scan<Type>(
        count,
        [from = run.raw(first), change](std::size_t index) -> Type {
          return change(element(from, index));
        },
        op,
        [to = run.raw(out)](std::size_t index, const Type &, const Type &now) {
          to[static_cast<std::ptrdiff_t>(index)] = now;
        });
    return out + static_cast<std::ptrdiff_t>(count);
  }
};
struct transform_exclusive_scan_work {
  template <class Run, class In, class Out, class Change, class Type, class Op>
  Out operator()(const Run &run, In first, In last, Out out, Change change,
                 Type init, Op op) const {
    const std::size_t count = length(first, last);
    run.template scan<Type>(
        count,
        [from = run.raw(first), change](std::size_t index) -> Type {
          return change(element(from, index));
        },
        op,
        [to = run.raw(out)](std::size_t index, const Type &before,
                            const Type &) {
          to[static_cast<std::ptrdiff_t>(index)] = before;
        },
        xcc::detail::start_with<Type>{init});
    return out + static_cast<std::ptrdiff_t>(count);
  }
};
struct inclusive_scan_work {
  template <class Run, class In, class Out,
            class Op = std::plus<iterator_value_t<In>>>
  Out operator()(const Run &run, In first, In last, Out out,
                 Op op = Op()) const {
    return transform_inclusive_scan_work()(run, first, last, out, identity<>(),
                                           op);
  }
};
struct exclusive_scan_work {
  template <class Run, class In, class Out>
  Out operator()(const Run &run, In first, In last, Out out) const {
    return (*this)(run, first, last, out, iterator_value_t<In>());
  }
  template <class Run, class In, class Out, class Type,
            class Op = std::plus<Type>>
  Out operator()(const Run &run, In first, In last, Out out, Type init,
                 Op op = Op()) const {
    return transform_exclusive_scan_work()(run, first, last, out, identity<>(),
                                           init, op);
  }
};

//===-- By key ------------------------------------------------------------===//

/// What a group of neighbouring elements with the same key comes to so far.
template <class Type> struct group_sum {
  Type value;
  bool begins;
};
template <class Type, class Op> struct add_in_group {
  Op op;
  constexpr group_sum<Type> operator()(const group_sum<Type> &one,
                                       const group_sum<Type> &other) const {
    return other.begins
               ? other
               : group_sum<Type>{Type(op(one.value, other.value)), one.begins};
  }
};
/// Does a group begin at that index?
template <class Keys, class Same> struct begins_group {
  Keys keys;
  Same same;
  constexpr bool operator()(std::size_t index) const {
    return index == 0 || !same(element(keys, index - 1), element(keys, index));
  }
};
/// put(n, what the group's elements up to n come to).
template <class Type, class Run, class Begins, class Get, class Op, class Put>
inline void scan_groups(const Run &run, std::size_t count, const Begins &begins,
                        const Get &get, const Op &op, const Put &put) {
  run.template scan<group_sum<Type>>(
      count,
      [begins, get](std::size_t index) {
        return group_sum<Type>{get(index), begins(index)};
      },
      add_in_group<Type, Op>{op},
      [put](std::size_t index, const group_sum<Type> &,
            const group_sum<Type> &now) { put(index, now.value); });
}
struct inclusive_scan_by_key_work {
  template <class Run, class Keys, class In, class Out,
            class Same = std::equal_to<>,
            class Op = std::plus<iterator_value_t<In>>>
  Out operator()(const Run &run, Keys first, Keys last, In in, Out out,
                 Same same = Same(), Op op = Op()) const {
    using Type = iterator_value_t<In>;
    const std::size_t count = length(first, last);
    scan_groups<Type>(
        run, count,
        begins_group<decltype(run.raw(first)), Same>{run.raw(first), same},
        [from = run.raw(in)](std::size_t index) -> Type {
          return element(from, index);
        },
        op,
        [to = run.raw(out)](std::size_t index, const Type &now) {
          to[static_cast<std::ptrdiff_t>(index)] = now;
        });
    return out + static_cast<std::ptrdiff_t>(count);
  }
};
struct exclusive_scan_by_key_work {
  template <class Run, class Keys, class In, class Out>
  Out operator()(const Run &run, Keys first, Keys last, In in, Out out) const {
    return (*this)(run, first, last, in, out, iterator_value_t<In>());
  }
  template <class Run, class Keys, class In, class Out, class Type,
            class Same = std::equal_to<>, class Op = std::plus<Type>>
  Out operator()(const Run &run, Keys first, Keys last, In in, Out out,
                 Type init, Same same = Same(), Op op = Op()) const {
    // The output may be the input, of which the element before is needed.
    const std::size_t count = length(first, last);
    typename Run::template scratch<Type> made(run, count);
    const begins_group<decltype(run.raw(first)), Same> begins{run.raw(first),
                                                              same};
    scan_groups<Type>(
        run, count, begins,
        [from = run.raw(in), begins, init](std::size_t index) -> Type {
          if (begins(index))
            return init;
          return element(from, index - 1);
        },
        op,
        [to = made.data](std::size_t index, const Type &now) {
          to[index] = now;
        });
    put_back(run, made.data, count, out);
    return out + static_cast<std::ptrdiff_t>(count);
  }
};
struct reduce_by_key_work {
  template <class Run, class Keys, class In, class OutKeys, class Out,
            class Same = std::equal_to<>,
            class Op = std::plus<iterator_value_t<In>>>
  pair<OutKeys, Out> operator()(const Run &run, Keys first, Keys last, In in,
                                OutKeys out_keys, Out out, Same same = Same(),
                                Op op = Op()) const {
    using Type = iterator_value_t<In>;
    const std::size_t count = length(first, last);
    typename Run::template scratch<Type> sums(run, count);
    const begins_group<decltype(run.raw(first)), Same> begins{run.raw(first),
                                                              same};
    scan_groups<Type>(
        run, count, begins,
        [from = run.raw(in)](std::size_t index) -> Type {
          return element(from, index);
        },
        op,
        [to = sums.data](std::size_t index, const Type &now) {
          to[index] = now;
        });
    const auto groups = static_cast<std::ptrdiff_t>(run.select(
        count,
        [begins, count](std::size_t index) {
          return index + 1 == count || begins(index + 1);
        },
        [begins, sum = sums.data, keys = run.raw(out_keys),
         to = run.raw(out)](std::size_t index, std::size_t rank) {
          keys[static_cast<std::ptrdiff_t>(rank)] = element(begins.keys, index);
          to[static_cast<std::ptrdiff_t>(rank)] = sum[index];
        }));
    return {out_keys + groups, out + groups};
  }
};
} // namespace detail

XCC_THRUST_ALGORITHM(reduce)
XCC_THRUST_ALGORITHM(transform_reduce)
XCC_THRUST_ALGORITHM(inner_product)
XCC_THRUST_ALGORITHM(count)
XCC_THRUST_ALGORITHM(count_if)
XCC_THRUST_ALGORITHM(find)
XCC_THRUST_ALGORITHM(find_if)
XCC_THRUST_ALGORITHM(find_if_not)
XCC_THRUST_ALGORITHM(any_of)
XCC_THRUST_ALGORITHM(none_of)
XCC_THRUST_ALGORITHM(all_of)
XCC_THRUST_ALGORITHM(mismatch)
XCC_THRUST_ALGORITHM(equal)
XCC_THRUST_ALGORITHM(is_sorted)
XCC_THRUST_ALGORITHM(is_sorted_until)
XCC_THRUST_ALGORITHM(min_element)
XCC_THRUST_ALGORITHM(max_element)
XCC_THRUST_ALGORITHM(minmax_element)
XCC_THRUST_ALGORITHM(inclusive_scan)
XCC_THRUST_ALGORITHM(exclusive_scan)
XCC_THRUST_ALGORITHM(transform_inclusive_scan)
XCC_THRUST_ALGORITHM(transform_exclusive_scan)
XCC_THRUST_ALGORITHM(inclusive_scan_by_key)
XCC_THRUST_ALGORITHM(exclusive_scan_by_key)
XCC_THRUST_ALGORITHM(reduce_by_key)

} // namespace thrust

#endif // XCC_CUDA_THRUST_SUMS_H
