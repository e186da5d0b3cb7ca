// Modules and their kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image is a module, a kernel a function of one.

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
  /// The most bytes of arguments that a launch of the second entry copies.
  static constexpr size_t MostCoarseArguments = 256;
  Function code = nullptr;
  using Kernel::Kernel;
  /// Dynamic shared memory that a launch may have as things are, bytes. Grows
  /// to all there is when a launch needs more than the usual 48 KiB.
  mutable std::atomic<uint32_t> dynamic{0};
  /// The entry of which a block does the work of `coarseBlocks` blocks, for
  /// blocks of so many threads; null: there is none.
  Function coarse = nullptr;
  uint32_t coarseBlocks = 1, coarseThreads = 0;

  /// Raises the limit for good.
  [[gnu::cold]] Result allowShared(CudaDevice &on) const;
};

class CudaImage final : public Image {
public:
  explicit CudaImage(CudaDevice &device) : on(device) {}
  ~CudaImage();
  CudaImage(const CudaImage &) = delete;

  xcc_status load(const OffloadImage &source);
  xcc_status find(const xcc_kernel_info &info, const Kernel **out);
  /// Null when the image has none of that name.
  xcc_status variable(const char *name, void *&out);

private:
  xcc_status describe(const xcc_kernel_info &info, const ErrorSite &site,
                      CudaKernel &k);
  xcc_status findCoarse(const xcc_kernel_info &info, const KernelRow &row,
                        const ErrorSite &site, CudaKernel &k);
  xcc_status checkPlaces(const xcc_kernel_info &info, const ErrorSite &site,
                         const CudaKernel &k);

  /// Variables that images have where their code needs them.
  static constexpr const char *Optional[] = {XCC_SYMBOL_RPC,
                                             XCC_SYMBOL_TRAP_REPORT};

  CudaDevice &on;
  Module loaded = nullptr;
  bool lacks[std::size(Optional)] = {}; ///< which of those
  std::string arch;
  std::string_view table; ///< the unit's
  std::vector<std::unique_ptr<CudaKernel>> kernels;
};

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_IMAGE_IMAGE_H
