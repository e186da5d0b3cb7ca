// Which image an AMD GPU can run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target id is a processor and the features for which code was compiled:
// "gfx90a:sramecc+:xnack-". A device has each feature that its processor knows
// either on or off. An image that does not name a feature works with both. A
// generic processor ("gfx11-generic") covers several; LLVM's "User Guide for
// AMDGPU Backend" lists them and these rules.

#ifndef XCC_SRC_HSA_IMAGE_TARGET_H
#define XCC_SRC_HSA_IMAGE_TARGET_H

#include <cstdint>
#include <string_view>

namespace xcc::rt::hsa {

enum class Feature : uint8_t { Any, Off, On };

/// The parts of a target id; they refer to its text.
struct TargetId {
  std::string_view processor;
  Feature sramecc = Feature::Any, xnack = Feature::Any;

  /// Returns false if the text is not a target id.
  static bool parse(std::string_view text, TargetId &out);
};

/// Does the generic processor cover this processor?
bool covers(std::string_view generic, std::string_view processor);

/// Rates an image's target for a device: 0 if it cannot run, else higher is
/// better. An exact processor is better than a generic one, then more matching
/// features. If the result is 0 because of a feature, \p missing names it, a
/// static string.
int rank(const TargetId &image, const TargetId &device, const char *&missing);

} // namespace xcc::rt::hsa
#endif // XCC_SRC_HSA_IMAGE_TARGET_H
