// The standard's functions with an execution policy, with -foffload-stdpar
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each tries the device first, where it has a form for that, and else calls the
// function without a policy. Their names in objects differ from libstdc++'s, so
// files that were compiled with and without the option can be linked.

#ifndef XCC_STDPAR_FUNCTIONS_H
#define XCC_STDPAR_FUNCTIONS_H

#include <algorithm>
#include <memory>
#include <numeric>

#include <xcc/stdpar/sorted_ranges.h>

namespace xcc {
namespace stdpar {
/// An algorithm that has no form for devices.
struct none {};
using all_of_form = asks<false, false>;
using any_of_form = asks<true, true>;
using none_of_form = asks<true, false>;
} // namespace stdpar
} // namespace xcc

/// The function of that name. Returns void where the standard's form with a
/// policy does.
#define XCC_STDPAR(name, device)                                               \
  template <class Policy, class... Arg,                                        \
            class = std::enable_if_t<::xcc::stdpar::is_policy<Policy>>>        \
  inline auto name(Policy &&, Arg &&...arg) {                                  \
    return ::xcc::stdpar::run<Policy>(                                         \
        #name, ::xcc::stdpar::device{},                                        \
        [](auto &...each) { return std::name(each...); }, arg...);             \
  }
#define XCC_STDPAR_VOID(name, device)                                          \
  template <class Policy, class... Arg,                                        \
            class = std::enable_if_t<::xcc::stdpar::is_policy<Policy>>>        \
  inline void name(Policy &&, Arg &&...arg) {                                  \
    ::xcc::stdpar::run<Policy>(                                                \
        #name, ::xcc::stdpar::device{},                                        \
        [](auto &...each) { (void)std::name(each...); }, arg...);              \
  }

namespace std {
XCC_STDPAR(adjacent_difference, adjacent_difference)
XCC_STDPAR(adjacent_find, adjacent_find)
XCC_STDPAR(all_of, all_of_form)
XCC_STDPAR(any_of, any_of_form)
XCC_STDPAR(copy, copy)
XCC_STDPAR(copy_if, copy_where<true>)
XCC_STDPAR(copy_n, copy_n)
XCC_STDPAR(count, count)
XCC_STDPAR(count_if, count_if)
XCC_STDPAR(destroy, none)
XCC_STDPAR(destroy_n, none)
XCC_STDPAR(equal, equal)
XCC_STDPAR(exclusive_scan, exclusive_scan)
XCC_STDPAR(fill, fill)
XCC_STDPAR(fill_n, fill_n)
XCC_STDPAR(find, find)
XCC_STDPAR(find_end, find_sequence<false>)
XCC_STDPAR(find_first_of, find_first_of)
XCC_STDPAR(find_if, find_where<true>)
XCC_STDPAR(find_if_not, find_where<false>)
XCC_STDPAR_VOID(for_each, for_each)
XCC_STDPAR(for_each_n, for_each_n)
XCC_STDPAR(generate, generate)
XCC_STDPAR(generate_n, generate_n)
XCC_STDPAR(includes, includes)
XCC_STDPAR(inclusive_scan, inclusive_scan)
XCC_STDPAR(inplace_merge, inplace_merge)
XCC_STDPAR(is_heap, is_heap)
XCC_STDPAR(is_heap_until, is_heap_until)
XCC_STDPAR(is_partitioned, is_partitioned)
XCC_STDPAR(is_sorted, is_sorted)
XCC_STDPAR(is_sorted_until, is_sorted_until)
XCC_STDPAR(lexicographical_compare, lexicographical_compare)
XCC_STDPAR(max_element, extreme_element<true>)
XCC_STDPAR(merge, merge)
XCC_STDPAR(min_element, extreme_element<false>)
XCC_STDPAR(minmax_element, minmax_element)
XCC_STDPAR(mismatch, mismatch)
XCC_STDPAR(move, move)
XCC_STDPAR(none_of, none_of_form)
XCC_STDPAR(nth_element, sort_part)
XCC_STDPAR(partial_sort, sort_part)
XCC_STDPAR(partial_sort_copy, partial_sort_copy)
XCC_STDPAR(partition, partition)
XCC_STDPAR(partition_copy, partition_copy)
XCC_STDPAR(reduce, reduce)
XCC_STDPAR(remove, remove)
XCC_STDPAR(remove_copy, remove_copy)
XCC_STDPAR(remove_copy_if, copy_where<false>)
XCC_STDPAR(remove_if, remove_if)
XCC_STDPAR(replace, replace)
XCC_STDPAR(replace_copy, replace_copy)
XCC_STDPAR(replace_copy_if, replace_copy_if)
XCC_STDPAR(replace_if, replace_if)
XCC_STDPAR(reverse, reverse)
XCC_STDPAR(reverse_copy, reverse_copy)
XCC_STDPAR(rotate, rotate)
XCC_STDPAR(rotate_copy, rotate_copy)
XCC_STDPAR(search, find_sequence<true>)
XCC_STDPAR(search_n, search_n)
XCC_STDPAR(set_difference, set_part<true>)
XCC_STDPAR(set_intersection, set_part<false>)
XCC_STDPAR(set_symmetric_difference, set_sum<false>)
XCC_STDPAR(set_union, set_sum<true>)
XCC_STDPAR(sort, sort)
XCC_STDPAR(stable_partition, partition)
XCC_STDPAR(stable_sort, sort)
XCC_STDPAR(swap_ranges, swap_ranges)
XCC_STDPAR(transform, transform)
XCC_STDPAR(transform_exclusive_scan, transform_exclusive_scan)
XCC_STDPAR(transform_inclusive_scan, transform_inclusive_scan)
XCC_STDPAR(transform_reduce, transform_reduce)
XCC_STDPAR(uninitialized_copy, uninitialized_copy)
XCC_STDPAR(uninitialized_copy_n, uninitialized_copy_n)
XCC_STDPAR(uninitialized_default_construct, none)
XCC_STDPAR(uninitialized_default_construct_n, none)
XCC_STDPAR(uninitialized_fill, uninitialized_fill)
XCC_STDPAR(uninitialized_fill_n, uninitialized_fill_n)
XCC_STDPAR(uninitialized_move, uninitialized_move)
XCC_STDPAR(uninitialized_move_n, uninitialized_move_n)
XCC_STDPAR(uninitialized_value_construct, uninitialized_value_construct)
XCC_STDPAR(uninitialized_value_construct_n, uninitialized_value_construct_n)
XCC_STDPAR(unique, unique)
XCC_STDPAR(unique_copy, unique_copy)
#if __cplusplus >= 202002L
XCC_STDPAR(shift_left, shift_left)
XCC_STDPAR(shift_right, shift_right)
#endif
} // namespace std

#undef XCC_STDPAR
#undef XCC_STDPAR_VOID

#endif // XCC_STDPAR_FUNCTIONS_H
