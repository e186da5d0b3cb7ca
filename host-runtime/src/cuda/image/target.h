// Which image suits which GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of the CUDA C++ Programming Guide, "Binary Compatibility" and "PTX
// Compatibility", as ranks:
//
//     cubin  same major, its minor at most the GPU's (not across embedded GPUs)
//            sm_90a: that GPU exactly    sm_100f: same major, minor at least
//     PTX    any GPU that is not older   compute_90a, 100f: as for cubins
//
// A cubin is preferred to PTX, which the driver has to compile first. Of
// several, the one nearest to the GPU is preferred, then the more specific
// suffix.

#ifndef XCC_SRC_CUDA_IMAGE_TARGET_H
#define XCC_SRC_CUDA_IMAGE_TARGET_H

#include "formats/offload_binary.h"

namespace xcc::rt::cuda {

/// OffloadBinary's image kinds (llvm/Object/OffloadBinary.h).
enum ImageKind : uint16_t { KindCubin = 3, KindPtx = 5 };

/// The parts of "sm_90a".
struct Arch {
  int major = 0, minor = 0;
  char suffix = 0; ///< 0, 'a' (this GPU only) or 'f' (this family)
};

/// Parses "sm_90a". Returns false for other text.
bool parseArch(std::string_view text, Arch &out);

/// Returns 0 if the image cannot run on the GPU; higher is better.
int rankImage(const OffloadImage &image, int major, int minor);

} // namespace xcc::rt::cuda
#endif // XCC_SRC_CUDA_IMAGE_TARGET_H
