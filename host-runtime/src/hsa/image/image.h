// Code objects and their kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An AMD image is a code object. The HSA runtime loads it into an executable,
// and describes each kernel for a dispatch packet. The image's table has the
// rest.

#ifndef XCC_SRC_HSA_IMAGE_IMAGE_H
#define XCC_SRC_HSA_IMAGE_IMAGE_H

#include "hsa/gpu.h"
#include "metadata.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace xcc::rt::hsa {

struct HsaKernel : Kernel {
  using Kernel::Kernel;
  uint64_t object = 0;        ///< the packet's kernel_object
  uint32_t segment = 0;       ///< bytes of the kernarg segment
  uint32_t launchPrivate = 0; ///< bytes of scratch, dynamic stack included
  void *heap = nullptr;       ///< the value of the heap_v1 argument
  KernelMetadata data;
};

class HsaImage final : public Image {
public:
  static xcc_status load(Gpu &on, const OffloadImage &source, HsaImage **out);
  ~HsaImage();
  HsaImage(const HsaImage &) = delete;
  HsaImage &operator=(const HsaImage &) = delete;

  xcc_status find(const xcc_kernel_info &info, const Kernel **out);
  /// Returns null if the image has no variable of that name.
  xcc_status variable(const char *name, void *&out);

  /// Links the images that stay loaded until the process ends.
  HsaImage *previousKept = nullptr;

private:
  struct Line {
    uint32_t kernarg, maxThreads;
    uint64_t fingerprint;
    bool callsHost;
    bool waitsForGrid;
    std::optional<std::string_view> access, overwrites,
        beside; ///< part of the unit's table
    bool usesHeap;
    KernelMetadata data;
  };

  explicit HsaImage(Gpu &on) : on(on) {}
  xcc_status open(const OffloadImage &source);
  xcc_status readTable(const OffloadImage &source);
  xcc_status describe(const ErrorSite &site, HsaKernel &k, uint32_t &segment,
                      bool &dynamic);

  Gpu &on;
  std::string arch;
  Reader code{};
  Executable loaded{};
  std::unordered_map<std::string, Line> lines; ///< by symbol
  std::vector<std::unique_ptr<HsaKernel>> kernels;
};

/// How many blocks of \p threads threads can run at once on the GPU.
uint64_t residentBlocks(const GpuFacts &on, const HsaKernel &k,
                        uint32_t threads, uint32_t dynamic);
/// The block size with the most resident threads on each compute unit.
uint32_t bestBlock(const GpuFacts &on, const HsaKernel &k, uint32_t dynamic);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_IMAGE_IMAGE_H
