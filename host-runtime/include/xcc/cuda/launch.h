// kernel<<<grid, block, shared, stream>>>(arguments) as a call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_LAUNCH_H
#define XCC_CUDA_LAUNCH_H

#include <xcc/cuda/state.h>
#include <xcc/cuda/vectors.h>
#include <xcc/xcc.h>

#include <cstddef>
#include <utility>

namespace xcc::cuda {

/// A kernel with its launch's shape, which the arguments are still to be given.
template <class... Param> class configured {
public:
  configured(const xcc::kernel_info &kernel, const xcc::launch_config &config,
             xcc::stream *stream)
      : kernel_(kernel), config_(config), stream_(stream) {}

  /// Starts it. What goes wrong is the thread's last error, as in CUDA.
  void operator()(Param... args) const {
    (void)detail::attempt([&] {
      detail::streams::get().order(stream_);
      xcc::detail::launch_function(config_, kernel_,
                                   xcc::detail::type_list<Param...>{},
                                   std::forward<Param>(args)...);
    });
  }

private:
  const xcc::kernel_info &kernel_;
  xcc::launch_config config_;
  xcc::stream *stream_;
};

/// launch(kernel, grid, block, shared, stream)(arguments...).
template <class... Param>
inline configured<Param...>
launch(XCC_KERNEL void (*kernel)(Param...), ::dim3 grid, ::dim3 block,
       std::size_t shared = 0, xcc::stream *stream = nullptr,
       const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  return {xcc::detail::info_now<xcc::kernel_info>(kernel),
          {grid, block, shared, stream, file, line},
          stream};
}

/// `configure(grid, block, shared, stream), kernel(arguments)` launches what is
/// called, for `kernel<<<grid, block, shared, stream>>>(arguments)`: with
/// template arguments that the call deduces, with overloads and with default
/// arguments. The compiler makes a call of detail::start of it.
[[clang::annotate("xcc.configure")]]
#if __has_attribute(error)
__attribute__((error("no call of a kernel follows this configuration")))
#endif
int configure(::dim3 grid, ::dim3 block, std::size_t shared = 0,
              xcc::stream *stream = nullptr,
              const char *file = __builtin_FILE(),
              unsigned line = __builtin_LINE());

namespace detail {
template <class Result, class... Param>
[[clang::annotate("xcc.configured_launch")]] inline void
start(XCC_KERNEL Result (*kernel)(Param...), ::dim3 grid, ::dim3 block,
      std::size_t shared, xcc::stream *stream, const char *file, unsigned line,
      Param... args) {
  configured<Param...>(xcc::detail::info_now<xcc::kernel_info>(kernel),
                       {grid, block, shared, stream, file, line},
                       stream)(std::forward<Param>(args)...);
}

template <class... Param, std::size_t... Index>
inline void launch_with(const configured<Param...> &kernel,
                        [[maybe_unused]] void **args,
                        std::index_sequence<Index...>) {
  kernel(static_cast<Param>(
      *static_cast<std::remove_reference_t<Param> *>(args[Index]))...);
}
} // namespace detail
} // namespace xcc::cuda

#endif // XCC_CUDA_LAUNCH_H
