// Which image an AMD GPU can run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target id is a processor and the features that code was compiled for:
// "gfx90a:sramecc+:xnack-". A device has each feature that its processor knows
// on or off. An image that does not mention a feature works with either. A
// generic processor ("gfx11-generic") stands for several; LLVM's "User Guide
// for AMDGPU Backend" lists them and these rules.

#ifndef XCC_SRC_HSA_IMAGE_TARGET_H
#define XCC_SRC_HSA_IMAGE_TARGET_H

#include <cstdint>
#include <string_view>

namespace xcc::rt::hsa {

enum class Feature : uint8_t { Any, Off, On };

/// A target id taken apart; views into its text.
struct TargetId {
  std::string_view processor;
  Feature sramecc = Feature::Any, xnack = Feature::Any;

  /// False when the text is no target id.
  static bool parse(std::string_view text, TargetId &out);
};

/// Is the processor one of those that the generic one stands for?
bool covers(std::string_view generic, std::string_view processor);

/// How well an image's target suits a device's: 0 not at all, else higher is
/// better: an exact processor before a generic one, and then the image that
/// was compiled for more of the device's features. When 0 because of a feature,
/// \p missing says which, a static string.
int rank(const TargetId &image, const TargetId &device, const char *&missing);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_IMAGE_TARGET_H
