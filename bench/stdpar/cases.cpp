// Each parallel algorithm of the standard, as one side of bench/stdpar/turns.cpp
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same file is compiled for each side: with -foffload-stdpar, with TBB, and
// with -D_GLIBCXX_PARALLEL for GCC's parallel mode, which has no policies.

#include "cases.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>

#ifdef _GLIBCXX_PARALLEL
#include <parallel/algorithm>
#include <parallel/numeric>
#define PAR
#else
#include <execution>
#define PAR std::execution::par,
#endif

namespace {

using std::size_t;
using Value = bench::value;

/// What an algorithm returns is used.
template <class Type> void keep(const Type &result) {
  asm volatile("" : : "g"(&result) : "memory");
}

struct above {
  Value bound;
  bool operator()(Value v) const { return v > bound; }
};
constexpr above most{-1e9}, half{0.5}, none{1e9};
const auto twice = [](Value v) { return v * 2 + 1; };
const auto sum2 = [](Value a, Value b) { return a * 2 + b; };

#define CASE(NAME, BEFORE, ...)                                                \
  {NAME, BEFORE, [](const bench::data &d) {                                    \
     Value *const x = d.numbers, *const y = d.scratch, *const z = d.out;       \
     const size_t n = d.count;                                                 \
     (void)x, (void)y, (void)z, (void)n;                                       \
     __VA_ARGS__;                                                              \
   }}
using bench::before;

const bench::algorithm algorithms[] = {
    CASE("for_each", before::nothing,
         std::for_each(PAR z, z + n, [](Value &v) { v = v * 0.5 + 1; })),
    CASE("transform", before::nothing, std::transform(PAR x, x + n, z, twice)),
    CASE("transform of two", before::nothing,
         std::transform(PAR x, x + n, x, z, sum2)),
    CASE("generate", before::nothing,
         std::generate(PAR z, z + n, [] { return Value(3); })),
    CASE("replace_if", before::numbers,
         std::replace_if(PAR y, y + n, half, Value(0))),
    CASE("replace", before::numbers,
         std::replace(PAR y, y + n, Value(7), Value(8))),
    CASE("count", before::nothing, keep(std::count(PAR x, x + n, Value(7)))),
    CASE("count_if", before::nothing, keep(std::count_if(PAR x, x + n, half))),
    CASE("find_if at the end", before::nothing,
         keep(std::find_if(PAR x, x + n, none))),
    CASE("find at the end", before::nothing,
         keep(std::find(PAR x, x + n, Value(7)))),
    CASE("adjacent_find at the end", before::nothing,
         keep(std::adjacent_find(PAR x, x + n))),
    CASE("mismatch at the end", before::numbers,
         keep(std::mismatch(PAR x, x + n, y))),
    CASE("equal", before::numbers, keep(std::equal(PAR x, x + n, y))),
    CASE("lexicographical_compare", before::numbers,
         keep(std::lexicographical_compare(PAR x, x + n, y, y + n))),
    CASE("min_element", before::nothing, keep(std::min_element(PAR x, x + n))),
    CASE("max_element", before::nothing, keep(std::max_element(PAR x, x + n))),
    CASE("search", before::nothing, const Value pattern[]{7, 8, 9};
         keep(std::search(PAR x, x + n, pattern, pattern + 3))),
    CASE("search_n", before::nothing,
         keep(std::search_n(PAR x, x + n, 4, Value(7)))),
    CASE("find_first_of", before::nothing, const Value some[]{7, 8, 9, 10};
         keep(std::find_first_of(PAR x, x + n, some, some + 4))),
    CASE("adjacent_difference", before::nothing,
         std::adjacent_difference(PAR x, x + n, z)),
    CASE("unique_copy", before::groups,
         keep(std::unique_copy(PAR y, y + n, z))),
    CASE("partition", before::numbers,
         keep(std::partition(PAR y, y + n, half))),
    CASE("sort", before::numbers, std::sort(PAR y, y + n)),
    CASE("sort by a function", before::numbers,
         std::sort(PAR y, y + n, [](Value a, Value b) { return b < a; })),
    CASE("stable_sort", before::numbers, std::stable_sort(PAR y, y + n)),
    CASE("nth_element", before::numbers,
         std::nth_element(PAR y, y + n / 2, y + n)),
    CASE("partial_sort", before::numbers,
         std::partial_sort(PAR y, y + n / 16, y + n)),
    CASE("merge", before::sorted,
         keep(std::merge(PAR y, y + n / 2, y + n / 2, y + n, z))),
    CASE("set_union", before::sorted,
         keep(std::set_union(PAR y, y + n / 2, y + n / 2, y + n, z))),
    CASE("set_intersection", before::sorted,
         keep(std::set_intersection(PAR y, y + n / 2, y + n / 2, y + n, z))),
    CASE("set_difference", before::sorted,
         keep(std::set_difference(PAR y, y + n / 2, y + n / 2, y + n, z))),
    CASE("set_symmetric_difference", before::sorted,
         keep(std::set_symmetric_difference(PAR y, y + n / 2, y + n / 2, y + n,
                                            z))),
#ifdef _GLIBCXX_PARALLEL
    CASE("reduce", before::nothing, keep(std::accumulate(x, x + n, Value(0)))),
    CASE("transform_reduce", before::nothing,
         keep(std::inner_product(x, x + n, x, Value(0)))),
    CASE("inclusive_scan", before::nothing, std::partial_sum(x, x + n, z)),
#else
    CASE("reduce", before::nothing, keep(std::reduce(PAR x, x + n, Value(0)))),
    CASE("transform_reduce", before::nothing,
         keep(std::transform_reduce(PAR x, x + n, x, Value(0)))),
    CASE("inclusive_scan", before::nothing,
         std::inclusive_scan(PAR x, x + n, z)),
    // GCC's parallel mode has none of these.
    CASE("exclusive_scan", before::nothing,
         std::exclusive_scan(PAR x, x + n, z, Value(0))),
    CASE("transform_inclusive_scan", before::nothing,
         std::transform_inclusive_scan(PAR x, x + n, z, std::plus<>(), twice)),
    CASE("fill", before::nothing, std::fill(PAR z, z + n, Value(3))),
    CASE("copy", before::nothing, std::copy(PAR x, x + n, z)),
    CASE("copy_if", before::nothing, keep(std::copy_if(PAR x, x + n, z, half))),
    CASE("remove_if", before::numbers, keep(std::remove_if(PAR y, y + n, half))),
    CASE("remove_copy_if", before::nothing,
         keep(std::remove_copy_if(PAR x, x + n, z, half))),
    CASE("replace_copy_if", before::nothing,
         std::replace_copy_if(PAR x, x + n, z, half, Value(0))),
    CASE("unique", before::groups, keep(std::unique(PAR y, y + n))),
    CASE("reverse", before::nothing, std::reverse(PAR z, z + n)),
    CASE("reverse_copy", before::nothing, std::reverse_copy(PAR x, x + n, z)),
    CASE("rotate", before::numbers, std::rotate(PAR y, y + n / 3, y + n)),
    CASE("rotate_copy", before::nothing,
         std::rotate_copy(PAR x, x + n / 3, x + n, z)),
    CASE("swap_ranges", before::numbers, std::swap_ranges(PAR y, y + n, z)),
    CASE("stable_partition", before::numbers,
         keep(std::stable_partition(PAR y, y + n, half))),
    CASE("partition_copy", before::nothing,
         keep(std::partition_copy(PAR x, x + n, y, z, half))),
    CASE("inplace_merge", before::sorted,
         std::inplace_merge(PAR y, y + n / 2, y + n)),
    CASE("includes", before::sorted,
         keep(std::includes(PAR y, y + n / 2, y, y + n / 2))),
    CASE("is_sorted", before::sorted, keep(std::is_sorted(PAR y, y + n / 2))),
    CASE("is_heap", before::falling, keep(std::is_heap(PAR y, y + n))),
    CASE("is_partitioned", before::falling,
         keep(std::is_partitioned(PAR y, y + n, half))),
    CASE("minmax_element", before::nothing,
         keep(std::minmax_element(PAR x, x + n))),
    CASE("all_of", before::nothing, keep(std::all_of(PAR x, x + n, most))),
    CASE("none_of", before::nothing, keep(std::none_of(PAR x, x + n, none))),
    CASE("uninitialized_fill", before::nothing,
         std::uninitialized_fill(PAR z, z + n, Value(3))),
    CASE("uninitialized_copy", before::nothing,
         std::uninitialized_copy(PAR x, x + n, z)),
#endif
};

} // namespace

extern "C" bench::list bench_algorithms() {
  return {algorithms, sizeof(algorithms) / sizeof(algorithms[0])};
}
