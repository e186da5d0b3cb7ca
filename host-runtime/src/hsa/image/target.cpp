// Which image an AMD GPU can run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "target.h"

namespace xcc::rt::hsa {

/// Removes and returns the text before the next colon.
static std::string_view takePart(std::string_view &text) {
  size_t end = text.find(':');
  std::string_view part = text.substr(0, end);
  text =
      end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return part;
}

bool TargetId::parse(std::string_view text, TargetId &out) {
  out = TargetId();
  bool ends = text.ends_with(':');
  out.processor = takePart(text);
  if (!out.processor.starts_with("gfx") || ends)
    return false;
  while (!text.empty()) {
    std::string_view part = takePart(text);
    if (part.empty() || (part.back() != '+' && part.back() != '-'))
      return false;
    std::string_view name = part.substr(0, part.size() - 1);
    Feature *which = name == "sramecc" ? &out.sramecc
                     : name == "xnack" ? &out.xnack
                                       : nullptr;
    if (!which || *which != Feature::Any)
      return false;
    *which = part.back() == '+' ? Feature::On : Feature::Off;
  }
  return true;
}

namespace {
/// A generic processor, and the processors that it covers.
struct Generic {
  std::string_view name, processors;
};
} // namespace

static constexpr Generic Generics[] = {
    {"gfx9-generic", "gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c"},
    {"gfx9-4-generic", "gfx942 gfx950"},
    {"gfx10-1-generic", "gfx1010 gfx1011 gfx1012 gfx1013"},
    {"gfx10-3-generic",
     "gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036"},
    {"gfx11-generic",
     "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153"},
    {"gfx12-generic", "gfx1200 gfx1201"},
};

bool covers(std::string_view generic, std::string_view processor) {
  for (const auto &g : Generics) {
    if (g.name != generic)
      continue;
    std::string_view rest = g.processors;
    while (!rest.empty()) {
      size_t end = rest.find(' ');
      if (rest.substr(0, end) == processor)
        return true;
      rest = end == std::string_view::npos ? std::string_view()
                                           : rest.substr(end + 1);
    }
  }
  return false;
}

/// The bonus of an image whose feature setting is the device's; -1 if the image
/// cannot run. A device without the feature matches neither setting.
static int match(Feature image, Feature device) {
  if (image == Feature::Any)
    return 0;
  return image == device ? 1 : -1;
}

int rank(const TargetId &image, const TargetId &device, const char *&missing) {
  bool exact = image.processor == device.processor;
  if (!exact && !covers(image.processor, device.processor))
    return 0;
  int sramecc = match(image.sramecc, device.sramecc);
  int xnack = match(image.xnack, device.xnack);
  if (sramecc < 0) {
    missing = image.sramecc == Feature::On ? "sramecc+" : "sramecc-";
    return 0;
  }
  if (xnack < 0) {
    missing = image.xnack == Feature::On ? "xnack+; see HSA_XNACK" : "xnack-";
    return 0;
  }
  return (exact ? 20 : 10) + sramecc + xnack;
}

} // namespace xcc::rt::hsa
