// Kernels that are known only when they are launched
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function marked __global__ whose address is taken is a kernel, and its
// descriptor is found by the address. A name is replaced by the descriptor when
// the program is compiled, so both kinds of addresses arrive here.

#ifndef XCC_CUDA_POINTERS_H
#define XCC_CUDA_POINTERS_H

#include <xcc/cuda/state.h>
#include <xcc/xcc.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

/// XCC_KERNEL for a parameter that takes pointers which are known at run time, too.
#define XCC_KERNEL_OR_POINTER [[clang::annotate("xcc.kernel", 1)]]

namespace xcc::cuda::detail {

/// The descriptor of what is launched at that place, a kernel's descriptor or
/// function. Throws xcc::error for other addresses.
inline const xcc::kernel_info &info_at(const void *kernel, const char *file,
                                       unsigned line) {
  std::uint32_t word = 0;
  if (kernel)
    std::memcpy(&word, kernel, sizeof word);
  if (word == XCC_KERNEL_MAGIC)
    return xcc::detail::info_now<xcc::kernel_info>(kernel);
  const xcc::kernel_info *found = nullptr;
  xcc::detail::check(xcc_kernel_of_function(kernel, file, line, &found));
  return *found;
}
template <class Result, class... Param>
inline const xcc::kernel_info &info_of(Result (*kernel)(Param...),
                                       const char *file, unsigned line) {
  return info_at(reinterpret_cast<const void *>(kernel), file, line);
}
inline const xcc::kernel_info &info_of(const void *kernel, const char *file,
                                       unsigned line) {
  return info_at(kernel, file, line);
}

/// The bytes of a kernel's arguments, by the sizes of its parameters.
class packed_arguments {
public:
  packed_arguments(const xcc::kernel_info &kernel, void *const *args)
      : kernel_(kernel),
        alignment_(std::align_val_t(
            kernel.kernarg_alignment > 16 ? kernel.kernarg_alignment : 16u)),
        bytes_(static_cast<char *>(::operator new(
            kernel.kernarg_size ? kernel.kernarg_size : 1, alignment_))) {
    std::memset(bytes_, 0, kernel.kernarg_size);
    for (std::uint32_t i = 0; i < kernel.param_count; ++i) {
      const xcc_param_info &param = kernel.params[i];
      const bool reference = param.kind == XCC_PARAM_REFERENCE;
      std::memcpy(bytes_ + param.offset, reference ? &args[i] : args[i],
                  param.size);
    }
  }
  packed_arguments(const packed_arguments &) = delete;
  packed_arguments &operator=(const packed_arguments &) = delete;
  ~packed_arguments() { ::operator delete(bytes_, alignment_); }

  /// The addresses of the copies, as the arguments are given.
  std::vector<void *> places() const {
    std::vector<void *> all;
    for (std::uint32_t i = 0; i < kernel_.param_count; ++i) {
      char *at = bytes_ + kernel_.params[i].offset;
      all.push_back(kernel_.params[i].kind == XCC_PARAM_REFERENCE
                        ? *reinterpret_cast<void **>(at)
                        : at);
    }
    return all;
  }

  void launch(const xcc::launch_config &config) const {
    xcc::detail::submit(config, kernel_, bytes_, kernel_.kernarg_size);
  }

private:
  const xcc::kernel_info &kernel_;
  std::align_val_t alignment_;
  char *bytes_;
};

} // namespace xcc::cuda::detail

#endif // XCC_CUDA_POINTERS_H
