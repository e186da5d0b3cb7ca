// kernel<<<grid, block, shared, stream>>>(arguments) as a call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_CUDA_LAUNCH_H
#define XCC_CUDA_LAUNCH_H

#include <xcc/cuda/pointers.h>
#include <xcc/cuda/state.h>
#include <xcc/cuda/vectors.h>
#include <xcc/xcc.h>

#include <cstddef>
#include <utility>

namespace xcc::cuda {

/// A kernel with its launch's shape, which the arguments are still to be given.
template <class... Param> class configured {
public:
  /// Without a kernel nothing is started: what was wrong has been noted.
  configured(const xcc::kernel_info *kernel, const xcc::launch_config &config,
             xcc::stream *stream)
      : kernel_(kernel), config_(config), stream_(stream) {}

  /// Starts it. What goes wrong is the thread's last error, as in CUDA.
  void operator()(Param... args) const {
    if (!kernel_)
      return;
    (void)detail::attempt([&] {
      detail::streams::get().order(stream_);
      xcc::detail::launch_function(config_, *kernel_,
                                   xcc::detail::type_list<Param...>{},
                                   std::forward<Param>(args)...);
    });
  }

private:
  const xcc::kernel_info *kernel_;
  xcc::launch_config config_;
  xcc::stream *stream_;
};

namespace detail {
/// The descriptor; null after an error, which is noted.
template <class Result, class... Param>
inline const xcc::kernel_info *find_kernel(Result (*kernel)(Param...),
                                           const char *file, unsigned line) {
  const xcc::kernel_info *found = nullptr;
  (void)attempt([&] { found = &info_of(kernel, file, line); });
  return found;
}
} // namespace detail

/// launch(kernel, grid, block, shared, stream)(arguments...).
template <class... Param>
inline configured<Param...>
launch(XCC_KERNEL_OR_POINTER void (*kernel)(Param...), ::dim3 grid,
       ::dim3 block, std::size_t shared = 0, xcc::stream *stream = nullptr,
       const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  return {detail::find_kernel(kernel, file, line),
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
start(XCC_KERNEL_OR_POINTER Result (*kernel)(Param...), ::dim3 grid,
      ::dim3 block, std::size_t shared, xcc::stream *stream, const char *file,
      unsigned line, Param... args) {
  configured<Param...>(find_kernel(kernel, file, line),
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

/// Of a function, whose parameters have types.
template <class... Param>
inline void launch_by_addresses(void (*kernel)(Param...),
                                const xcc::launch_config &config,
                                xcc::stream *stream, void **args) {
  launch_with(configured<Param...>(&info_of(kernel, config.file, config.line),
                                   config, stream),
              args, std::index_sequence_for<Param...>{});
}
/// Of an address without a type.
inline void launch_by_addresses(const void *kernel,
                                const xcc::launch_config &config,
                                xcc::stream *stream, void **args) {
  const xcc::kernel_info &info = info_at(kernel, config.file, config.line);
  streams::get().order(stream);
  packed_arguments(info, args).launch(config);
}
/// What went wrong is the result and the thread's last error.
template <class Kernel>
inline status launch_kernel(Kernel kernel, const xcc::launch_config &config,
                            void **args, xcc::stream *stream) {
  last_failure &failure = last_failure::get();
  const unsigned long before = failure.count();
  (void)attempt([&] { launch_by_addresses(kernel, config, stream, args); });
  return failure.count() == before ? status::success : failure.last();
}
} // namespace detail
} // namespace xcc::cuda

#endif // XCC_CUDA_LAUNCH_H
