// Code that is generated where the program runs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A portable image is bitcode. Where a device has no image of its own, or
// XCC_JIT=always, libxcc-jit.so makes one for that very device. The library is
// opened then and not before: programs that need none do without.

#ifndef XCC_SRC_GENERATION_GENERATOR_H
#define XCC_SRC_GENERATION_GENERATOR_H

#include "devices/device.h"
#include "formats/jit_interface.h"

#include <string>
#include <vector>

namespace xcc::rt {

struct Variant;

/// XCC_JIT.
enum class JitMode {
  WhenNeeded, ///< "auto": for devices without an image of their own
  Always,     ///< "always": wherever there is a portable image
  Never,      ///< "never"
  Adaptive ///< "adaptive": as "auto", and again for values that stay the same
};
JitMode jitMode();
/// An error where XCC_JIT says something else.
xcc_status checkJitSetting();

/// Is this bitcode from which code for the device can be generated?
bool isPortableFor(const OffloadImage &image, const Device &on);

/// Opens the code generator, if it is not open. Null when it is, else why it
/// cannot be, with what to do; the string lives for good. \p image tells where
/// it may be.
const char *openGenerator(const OffloadImage &image);

/// What the open library exports; null while it is not open.
const xcc_jit_functions *generatorFunctions();

/// Whether openGenerator will do so, as far as is known without.
bool generatorIsThere(const OffloadImage &image);

/// The number of the group that a kernel is generated with; -1: the image has
/// no such kernel.
int groupOf(const OffloadImage &portable, const char *symbol);

/// An image that was generated, with its bytes.
struct GeneratedImage {
  std::vector<char> bytes;
  OffloadImage image; ///< views of bytes
  /// The makes= of the portable image's initialisers, of the program's bytes.
  std::string_view makes;
  double milliseconds = 0;
  bool found = false; ///< on disk, and not generated now
  std::string text;   ///< what it was found by
};

/// Generates what a device needs to run the kernels of a group, or the group's
/// only kernel as a variant of it, or finds it on disk, unless it is to be made \p anew. Takes its time; from any thread, and
/// from several at once. Throws std::bad_alloc.
xcc_status generateImage(const OffloadImage &portable, int group,
                         const Variant *variant, Device &on, bool anew,
                         GeneratedImage &out);

} // namespace xcc::rt
#endif // XCC_SRC_GENERATION_GENERATOR_H
