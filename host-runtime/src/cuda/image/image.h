// Modules and their kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image is a module of the driver, and a kernel is a function in it.

#ifndef XCC_SRC_CUDA_IMAGE_IMAGE_H
#define XCC_SRC_CUDA_IMAGE_IMAGE_H

#include "cuda/gpu.h"

#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace xcc::rt {
struct KernelRow;
}

namespace xcc::rt::cuda {

struct CudaKernel : Kernel {
  /// The most bytes of arguments for a launch of the second entry, which copies
  /// them.
  static constexpr size_t MostCoarseArguments = 256;
  Function code = nullptr;
  using Kernel::Kernel;
  /// Bytes of dynamic shared memory that a launch may have now. Grows to the
  /// device's limit when a launch needs more than the usual 48 KiB.
  mutable std::atomic<uint32_t> dynamic{0};
  /// The second entry: a block of it does the work of `coarseBlocks` blocks,
  /// for blocks of up to `coarseThreads` threads. Null if there is none.
  Function coarse = nullptr;
  uint32_t coarseBlocks = 1, coarseThreads = 0;

  /// Raises the limit of dynamic shared memory, permanently.
  [[gnu::cold]] Result allowShared(CudaDevice &on) const;
};

class CudaImage final : public Image {
public:
  explicit CudaImage(CudaDevice &device) : on(device) {}
  ~CudaImage();
  CudaImage(const CudaImage &) = delete;

  xcc_status load(const OffloadImage &source);
  xcc_status find(const xcc_kernel_info &info, const Kernel **out);
  /// Returns null if the image has no variable of that name.
  xcc_status variable(const char *name, void *&out);

private:
  xcc_status describe(const xcc_kernel_info &info, const ErrorSite &site,
                      CudaKernel &k);
  xcc_status findCoarse(const xcc_kernel_info &info, const KernelRow &row,
                        const ErrorSite &site, CudaKernel &k);
  xcc_status checkPlaces(const xcc_kernel_info &info, const ErrorSite &site,
                         const CudaKernel &k);

  /// Variables that only some images have.
  static constexpr const char *Optional[] = {XCC_SYMBOL_RPC,
                                             XCC_SYMBOL_TRAP_REPORT};

  CudaDevice &on;
  Module loaded = nullptr;
  bool lacks[std::size(Optional)] = {}; ///< which of them are missing
  std::string arch;
  std::string_view table; ///< the unit's kernel table
  std::vector<std::unique_ptr<CudaKernel>> kernels;
};

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_IMAGE_IMAGE_H
