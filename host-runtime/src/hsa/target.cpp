// Which image an AMD GPU can run
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "target.h"

namespace xcc::rt::hsa {

/// Takes what stands before the next colon.
static std::string_view takePart(std::string_view &Text) {
  size_t End = Text.find(':');
  std::string_view Part = Text.substr(0, End);
  Text =
      End == std::string_view::npos ? std::string_view() : Text.substr(End + 1);
  return Part;
}

bool TargetId::parse(std::string_view Text, TargetId &Out) {
  Out = TargetId();
  bool Ends = Text.ends_with(':');
  Out.Processor = takePart(Text);
  if (!Out.Processor.starts_with("gfx") || Ends)
    return false;
  while (!Text.empty()) {
    std::string_view Part = takePart(Text);
    if (Part.empty() || (Part.back() != '+' && Part.back() != '-'))
      return false;
    std::string_view Name = Part.substr(0, Part.size() - 1);
    Feature *Which = Name == "sramecc" ? &Out.Sramecc
                     : Name == "xnack" ? &Out.Xnack
                                       : nullptr;
    if (!Which || *Which != Feature::Any)
      return false;
    *Which = Part.back() == '+' ? Feature::On : Feature::Off;
  }
  return true;
}

namespace {
/// A generic processor's processors, separated by spaces.
struct Generic {
  std::string_view Name, Processors;
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

bool covers(std::string_view Generic, std::string_view Processor) {
  for (const auto &G : Generics) {
    if (G.Name != Generic)
      continue;
    std::string_view Rest = G.Processors;
    while (!Rest.empty()) {
      size_t End = Rest.find(' ');
      if (Rest.substr(0, End) == Processor)
        return true;
      Rest = End == std::string_view::npos ? std::string_view()
                                           : Rest.substr(End + 1);
    }
  }
  return false;
}

/// What the image gains when its feature is the device's; -1 when it cannot
/// run. A device that does not say has the feature neither on nor off.
static int match(Feature Image, Feature Device) {
  if (Image == Feature::Any)
    return 0;
  return Image == Device ? 1 : -1;
}

int rank(const TargetId &Image, const TargetId &Device, const char *&Missing) {
  bool Exact = Image.Processor == Device.Processor;
  if (!Exact && !covers(Image.Processor, Device.Processor))
    return 0;
  int Sramecc = match(Image.Sramecc, Device.Sramecc);
  int Xnack = match(Image.Xnack, Device.Xnack);
  if (Sramecc < 0) {
    Missing = Image.Sramecc == Feature::On ? "sramecc+" : "sramecc-";
    return 0;
  }
  if (Xnack < 0) {
    Missing = Image.Xnack == Feature::On ? "xnack+; see HSA_XNACK" : "xnack-";
    return 0;
  }
  return (Exact ? 20 : 10) + Sramecc + Xnack;
}

} // namespace xcc::rt::hsa
