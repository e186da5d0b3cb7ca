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

#include <xcc/stdpar/host_forms.h>
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
/// policy does. Unless the policy is seq it waits for kernels launched before.
#define XCC_STDPAR(name, device, host_form)                                    \
  template <class Policy, class... Arg,                                        \
            class = std::enable_if_t<::xcc::stdpar::is_policy<Policy>>>        \
  [[clang::annotate("xcc.waits")]] inline auto name(Policy &&policy,           \
                                                    Arg &&...arg) {            \
    return ::xcc::stdpar::run(                                                 \
        policy, #name, ::xcc::stdpar::device{},                                \
        ::xcc::stdpar::host::host_form{},                                      \
        [](auto &&...each) { return std::name(each...); }, arg...);            \
  }
#define XCC_STDPAR_VOID(name, device, host_form)                               \
  template <class Policy, class... Arg,                                        \
            class = std::enable_if_t<::xcc::stdpar::is_policy<Policy>>>        \
  [[clang::annotate("xcc.waits")]] inline void name(Policy &&policy,           \
                                                    Arg &&...arg) {            \
    ::xcc::stdpar::run(                                                        \
        policy, #name, ::xcc::stdpar::device{},                                \
        ::xcc::stdpar::host::host_form{},                                      \
        [](auto &&...each) { (void)std::name(each...); }, arg...);             \
  }

namespace std {
XCC_STDPAR(adjacent_difference, adjacent_difference, in_sequence)
XCC_STDPAR(adjacent_find, adjacent_find, in_sequence)
XCC_STDPAR(all_of, all_of_form, ask_pieces<true>)
XCC_STDPAR(any_of, any_of_form, ask_pieces<false>)
XCC_STDPAR(copy, copy, each_piece<1>)
XCC_STDPAR(copy_if, copy_where<true>, in_sequence)
XCC_STDPAR(copy_n, copy_n, each_counted<1>)
XCC_STDPAR(count, count, count_pieces)
XCC_STDPAR(count_if, count_if, count_pieces)
XCC_STDPAR(destroy, none, each_piece<0>)
XCC_STDPAR(destroy_n, none, each_counted<0>)
XCC_STDPAR(equal, equal, in_sequence)
XCC_STDPAR(exclusive_scan, exclusive_scan, in_sequence)
XCC_STDPAR(fill, fill, each_piece<0>)
XCC_STDPAR(fill_n, fill_n, each_counted<0>)
XCC_STDPAR(find, find, find_pieces)
XCC_STDPAR(find_end, find_sequence<false>, in_sequence)
XCC_STDPAR(find_first_of, find_first_of, in_sequence)
XCC_STDPAR(find_if, find_where<true>, find_pieces)
XCC_STDPAR(find_if_not, find_where<false>, find_pieces)
XCC_STDPAR_VOID(for_each, for_each, each_piece<0>)
XCC_STDPAR(for_each_n, for_each_n, each_counted<0>)
XCC_STDPAR(generate, generate, in_sequence)
XCC_STDPAR(generate_n, generate_n, in_sequence)
XCC_STDPAR(includes, includes, in_sequence)
XCC_STDPAR(inclusive_scan, inclusive_scan, in_sequence)
XCC_STDPAR(inplace_merge, inplace_merge, in_sequence)
XCC_STDPAR(is_heap, is_heap, in_sequence)
XCC_STDPAR(is_heap_until, is_heap_until, in_sequence)
XCC_STDPAR(is_partitioned, is_partitioned, in_sequence)
XCC_STDPAR(is_sorted, is_sorted, in_sequence)
XCC_STDPAR(is_sorted_until, is_sorted_until, in_sequence)
XCC_STDPAR(lexicographical_compare, lexicographical_compare, in_sequence)
XCC_STDPAR(max_element, extreme_element<true>, extreme_pieces<true>)
XCC_STDPAR(merge, merge, in_sequence)
XCC_STDPAR(min_element, extreme_element<false>, extreme_pieces<false>)
XCC_STDPAR(minmax_element, minmax_element, in_sequence)
XCC_STDPAR(mismatch, mismatch, in_sequence)
XCC_STDPAR(move, move, each_piece<1>)
XCC_STDPAR(none_of, none_of_form, ask_pieces<true>)
XCC_STDPAR(nth_element, nth_element, in_sequence)
XCC_STDPAR(partial_sort, partial_sort, partial_sort_pieces)
XCC_STDPAR(partial_sort_copy, partial_sort_copy, in_sequence)
XCC_STDPAR(partition, partition, in_sequence)
XCC_STDPAR(partition_copy, partition_copy, in_sequence)
XCC_STDPAR(reduce, reduce, reduce_pieces)
XCC_STDPAR(remove, remove, in_sequence)
XCC_STDPAR(remove_copy, remove_copy, in_sequence)
XCC_STDPAR(remove_copy_if, copy_where<false>, in_sequence)
XCC_STDPAR(remove_if, remove_if, in_sequence)
XCC_STDPAR(replace, replace, each_piece<0>)
XCC_STDPAR(replace_copy, replace_copy, each_piece<1>)
XCC_STDPAR(replace_copy_if, replace_copy_if, each_piece<1>)
XCC_STDPAR(replace_if, replace_if, each_piece<0>)
XCC_STDPAR(reverse, reverse, in_sequence)
XCC_STDPAR(reverse_copy, reverse_copy, in_sequence)
XCC_STDPAR(rotate, rotate, in_sequence)
XCC_STDPAR(rotate_copy, rotate_copy, in_sequence)
XCC_STDPAR(search, find_sequence<true>, in_sequence)
XCC_STDPAR(search_n, search_n, in_sequence)
XCC_STDPAR(set_difference, set_difference, in_sequence)
XCC_STDPAR(set_intersection, set_intersection, in_sequence)
XCC_STDPAR(set_symmetric_difference, set_symmetric_difference, in_sequence)
XCC_STDPAR(set_union, set_union, in_sequence)
XCC_STDPAR(sort, sort, sort_pieces)
XCC_STDPAR(stable_partition, partition, in_sequence)
XCC_STDPAR(stable_sort, sort, sort_pieces)
XCC_STDPAR(swap_ranges, swap_ranges, each_piece<1>)
XCC_STDPAR(transform, transform, transform_pieces)
XCC_STDPAR(transform_exclusive_scan, transform_exclusive_scan, in_sequence)
XCC_STDPAR(transform_inclusive_scan, transform_inclusive_scan, in_sequence)
XCC_STDPAR(transform_reduce, transform_reduce, transform_reduce_pieces)
XCC_STDPAR(uninitialized_copy, uninitialized_copy, each_piece<1>)
XCC_STDPAR(uninitialized_copy_n, uninitialized_copy_n, each_counted<1>)
XCC_STDPAR(uninitialized_default_construct, none, each_piece<0>)
XCC_STDPAR(uninitialized_default_construct_n, none, each_counted<0>)
XCC_STDPAR(uninitialized_fill, uninitialized_fill, each_piece<0>)
XCC_STDPAR(uninitialized_fill_n, uninitialized_fill_n, each_counted<0>)
XCC_STDPAR(uninitialized_move, uninitialized_move, each_piece<1>)
XCC_STDPAR(uninitialized_move_n, uninitialized_move_n, each_counted<1>)
XCC_STDPAR(uninitialized_value_construct, uninitialized_value_construct,
           each_piece<0>)
XCC_STDPAR(uninitialized_value_construct_n, uninitialized_value_construct_n,
           each_counted<0>)
XCC_STDPAR(unique, unique, in_sequence)
XCC_STDPAR(unique_copy, unique_copy, in_sequence)
#if __cplusplus >= 202002L
XCC_STDPAR(shift_left, shift_left, in_sequence)
XCC_STDPAR(shift_right, shift_right, in_sequence)
#endif
} // namespace std

#undef XCC_STDPAR
#undef XCC_STDPAR_VOID

#endif // XCC_STDPAR_FUNCTIONS_H
