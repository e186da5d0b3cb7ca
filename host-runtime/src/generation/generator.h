// Generating code at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A portable image is bitcode. If a device has no image of its own, or with
// XCC_JIT=always, libxcc-jit.so generates an image for this very device. The
// library is opened at the first such use, so other programs do not need it.

#ifndef XCC_SRC_GENERATION_GENERATOR_H
#define XCC_SRC_GENERATION_GENERATOR_H

#include "devices/device.h"
#include "formats/jit_interface.h"

#include <string>
#include <vector>

namespace xcc::rt {

struct Variant;

/// The value of XCC_JIT.
enum class JitMode {
  WhenNeeded, ///< "auto": for devices without an image of their own
  Always,     ///< "always": wherever there is a portable image
  Never,      ///< "never"
  Adaptive    ///< "adaptive": as "auto", and specialises for repeated values
};
JitMode jitMode();
/// Fails if XCC_JIT has no valid value.
xcc_status checkJitSetting();

/// Is the image bitcode from which code for the device can be generated?
bool isPortableFor(const OffloadImage &image, const Device &on);

/// Opens the code generator unless it is open. Returns null, or a message that
/// says why it cannot be opened and what to do; the string stays valid. \p
/// image says where the library may be.
const char *openGenerator(const OffloadImage &image);

/// The functions of the open library; null while it is not open.
const xcc_jit_functions *generatorFunctions();

/// Will openGenerator() succeed, as far as is known without opening?
bool generatorIsAvailable(const OffloadImage &image);

/// The number of the group with which a kernel is generated; -1 if the image
/// has no such kernel.
int groupOf(const OffloadImage &portable, const char *symbol);

/// A generated image with its bytes.
struct GeneratedImage {
  std::vector<char> bytes;
  OffloadImage image; ///< refers to bytes
  /// The makes= column of the portable image's initialisers; refers to the
  /// program's bytes.
  std::string_view makes;
  double milliseconds = 0;
  bool found = false; ///< on disk, and not generated now
  std::string text;   ///< its key on disk
};

/// Generates the image for the kernels of a group, or for the group's only
/// kernel as a variant. Looks for it on disk first, unless \p anew. This may
/// take long; any threads may call it at once. Throws std::bad_alloc.
xcc_status generateImage(const OffloadImage &portable, int group,
                         const Variant *variant, Device &on, bool anew,
                         GeneratedImage &out);

} // namespace xcc::rt
#endif // XCC_SRC_GENERATION_GENERATOR_H
