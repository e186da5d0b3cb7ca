// From image bytes to callable kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CPU image is an ELF shared object in memory. The loader checks it, lets
// the dynamic linker map it from an anonymous file, and connects it with the
// runtime's services.

#ifndef XCC_SRC_CPU_IMAGE_IMAGE_H
#define XCC_SRC_CPU_IMAGE_IMAGE_H

#include "counters.h"
#include "cpu/workers/dispatch.h"

#include <memory>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace xcc::rt::cpu {

class CpuImage final : public Image {
public:
  static xcc_status load(const OffloadImage &source, CpuImage **out);
  ~CpuImage();
  CpuImage(const CpuImage &) = delete;
  CpuImage &operator=(const CpuImage &) = delete;

  /// The address of a variable that the image exports, or null.
  void *variable(const char *name) const;
  xcc_status find(const xcc_kernel_info &info, const Kernel **out);

private:
  CpuImage() = default;
  xcc_status open(const OffloadImage &source);

  std::string arch;
  std::string_view table; ///< the unit's kernel table
  void *handle = nullptr; ///< from dlopen
  int file = -1;          ///< kept open: its number is part of the path that
                          ///< the dynamic linker knows the image by
  std::pair<dev_t, ino_t> identity{}; ///< device and inode of that file
  std::vector<std::unique_ptr<CpuKernel>> kernels;
  std::unique_ptr<Counters> counters;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_IMAGE_IMAGE_H
