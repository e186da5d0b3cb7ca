// Code objects and their kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An AMD image is a code object: the HSA runtime loads it into an executable
// and tells of each kernel what a dispatch packet must say. What else is known
// of a kernel stands in the image's table.

#ifndef XCC_SRC_HSA_IMAGE_H
#define XCC_SRC_HSA_IMAGE_H

#include "gpu.h"
#include "metadata.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace xcc::rt::hsa {

struct HsaKernel : Kernel {
  uint64_t Object = 0;        ///< the packet's kernel_object
  uint32_t Segment = 0;       ///< bytes of the kernarg segment
  uint32_t LaunchPrivate = 0; ///< bytes of scratch, dynamic stack included
  void *Heap = nullptr;       ///< what heap_v1 asks for
  KernelMetadata Data;
  const char *TraceName = nullptr;
};

class HsaImage final : public Image {
public:
  static xcc_status load(Gpu &On, const OffloadImage &Source, HsaImage **Out);
  ~HsaImage();
  HsaImage(const HsaImage &) = delete;
  HsaImage &operator=(const HsaImage &) = delete;

  xcc_status find(const xcc_kernel_info &Info, const Kernel **Out);
  /// Null when the image has none of that name.
  xcc_status variable(const char *Name, void *&Out);

private:
  struct Line {
    uint32_t Kernarg, MaxThreads;
    uint64_t Fingerprint;
    bool CallsHost;
    KernelMetadata Data;
  };

  explicit HsaImage(Gpu &On) : On(On) {}
  xcc_status open(const OffloadImage &Source);
  xcc_status readTable(const OffloadImage &Source);

  Gpu &On;
  std::string Arch;
  Reader Code{};
  Executable Loaded{};
  std::unordered_map<std::string, Line> Lines; ///< by symbol
  std::vector<std::unique_ptr<HsaKernel>> Kernels;
  std::vector<void *> Variables; ///< whose places are remembered
};

/// The block size with the most wavefronts on each compute unit.
uint32_t bestBlock(const GpuFacts &On, const HsaKernel &K, uint32_t Dynamic);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_IMAGE_H
