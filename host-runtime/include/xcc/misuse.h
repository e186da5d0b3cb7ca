// Launches and loops in another order than theirs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of launch and parallel_for in the style of other libraries: declared so
// that the compiler says at the call what to write instead. Nothing here is ever
// defined.

#ifndef XCC_MISUSE_H
#define XCC_MISUSE_H

// GCC knows none of Clang's attributes, and would say so at each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC system_header
#endif

#include <xcc/launch.h>
#include <xcc/parallel_for.h>

#ifdef __clang__
#define XCC_SAYS(text) __attribute__((diagnose_if(true, text, "error")))

namespace xcc {
namespace detail {

template <class Type>
inline constexpr bool is_stream = std::is_convertible_v<Type, stream_ref> &&
                                  !std::is_null_pointer_v<std::decay_t<Type>>;
/// Blocks or threads.
template <class Type>
inline constexpr bool is_size = std::is_arithmetic_v<std::decay_t<Type>> ||
                                std::is_same_v<std::decay_t<Type>, dim3>;
template <class Type>
inline constexpr bool is_count = std::is_arithmetic_v<std::decay_t<Type>> ||
                                 std::is_enum_v<std::decay_t<Type>>;

template <class Type, class = void> inline constexpr bool counts_itself = false;
template <class Type>
inline constexpr bool
    counts_itself<Type, std::void_t<decltype(std::declval<Type &>().size())>> =
        true;

/// What stands where a launch or a loop is described, and is a kernel.
template <class Type>
inline constexpr bool is_kernel_first =
    is_function_pointer<std::decay_t<Type>> ||
    (is_object<Type> && !is_size<Type> && !is_stream<Type> &&
     !counts_itself<Type> && !std::is_convertible_v<Type, launch_config> &&
     !std::is_convertible_v<Type, std::size_t>);

/// {blocks, threads, stream}.
struct stream_for_bytes {
  template <class Stream, class = std::enable_if_t<is_stream<Stream>>>
  stream_for_bytes(dim3, dim3, Stream &&);
};

template <class Type>
using if_size = std::enable_if_t<is_size<Type>, std::nullptr_t>;
template <class Type>
using if_stream = std::enable_if_t<is_stream<Type>, std::nullptr_t>;
template <class Type>
using if_kernel = std::enable_if_t<is_kernel_first<Type>, std::nullptr_t>;
template <class... Type>
using if_counts = std::enable_if_t<(is_count<Type> && ...), std::nullptr_t>;
template <class Type>
using if_range = std::enable_if_t<counts_itself<Type> &&
                                      !std::is_convertible_v<Type, std::size_t>,
                                  std::nullptr_t>;

} // namespace detail

template <class Size, class... Rest, detail::if_size<Size> = nullptr>
void launch(Size &&, Rest &&...)
    XCC_SAYS("the blocks and threads are one argument: "
             "xcc::launch({blocks, threads}, kernel, arguments...)");

template <class... Rest>
void launch(dim3, dim3, Rest &&...)
    XCC_SAYS("the blocks and threads are one argument: "
             "xcc::launch({blocks, threads}, kernel, arguments...)");

template <class... Rest>
void launch(const detail::stream_for_bytes &, Rest &&...)
    XCC_SAYS("the stream comes after the bytes of dynamic shared memory: "
             "xcc::launch({blocks, threads, 0, stream}, kernel, arguments...)");
template <class Stream, class... Rest, detail::if_stream<Stream> = nullptr>
void launch(Stream &&, Rest &&...)
    XCC_SAYS("the stream is given with the blocks and threads: "
             "xcc::launch({blocks, threads, 0, stream}, kernel, arguments...)");
template <class Stream, class... Rest, detail::if_stream<Stream> = nullptr>
void launch(Stream &&, const launch_config &, Rest &&...)
    XCC_SAYS("the stream is given with the blocks and threads: "
             "xcc::launch({blocks, threads, 0, stream}, kernel, arguments...)");

template <class Kernel, class... Rest, detail::if_kernel<Kernel> = nullptr>
void launch(Kernel &&, Rest &&...)
    XCC_SAYS("the blocks and threads come first: "
             "xcc::launch({blocks, threads}, kernel, arguments...)");
template <class Kernel, class... Rest, detail::if_kernel<Kernel> = nullptr>
void launch(Kernel &&, const launch_config &, Rest &&...)
    XCC_SAYS("the blocks and threads come first: "
             "xcc::launch({blocks, threads}, kernel, arguments...)");

template <class Body, class Count, detail::if_kernel<Body> = nullptr,
          detail::if_counts<Count> = nullptr>
void parallel_for(Body &&, Count) XCC_SAYS("the number of indices comes first: "
                                           "xcc::parallel_for(count, body)");
template <class First, class Last, class Body,
          detail::if_counts<First, Last> = nullptr,
          detail::if_kernel<Body> = nullptr>
void parallel_for(First, Last, Body &&)
    XCC_SAYS("a loop's indices begin at 0: xcc::parallel_for(last - first, "
             "[=](std::size_t i) { ... first + i ... })");
template <class Count, class Stream, class Body,
          detail::if_counts<Count> = nullptr,
          detail::if_stream<Stream> = nullptr>
void parallel_for(Count, Stream &&, Body &&)
    XCC_SAYS("the stream comes first: "
             "xcc::parallel_for(stream, count, body)");
template <class Range, class Body, detail::if_range<Range> = nullptr>
void parallel_for(Range &&, Body &&)
    XCC_SAYS("a loop takes the number of its indices: "
             "xcc::parallel_for(range.size(), [&](std::size_t i) { ... })");

} // namespace xcc

#undef XCC_SAYS
#endif

#endif // XCC_MISUSE_H
