// Properties of an AMD GPU that follow from its name
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arch.h"
#include "llvm/TargetParser/TargetParser.h"
#include <map>

using namespace llvm;

namespace xcc::amdgcn {

/// Before gfx700 an address does not say which memory it is of, and the HSA
/// runtime has no such devices.
static bool hasFlatMemory(StringRef processor) {
  return AMDGPU::getIsaVersion(processor).Major >= 7;
}

std::optional<TargetID> parseTargetID(StringRef arch) {
  auto [processor, rest] = arch.split(':');
  AMDGPU::GPUKind kind = AMDGPU::parseArchAMDGCN(processor);
  if (kind == AMDGPU::GK_NONE || (rest.empty() && arch.ends_with(":")))
    return std::nullopt;
  processor = AMDGPU::getArchNameAMDGCN(kind);
  if (!hasFlatMemory(processor))
    return std::nullopt;
  unsigned has = AMDGPU::getArchAttrAMDGCN(kind);
  std::map<StringRef, char> features;
  while (!rest.empty()) {
    auto [feature, others] = rest.split(':');
    if (others.empty() && rest.ends_with(":"))
      return std::nullopt;
    rest = others;
    if (!feature.ends_with("+") && !feature.ends_with("-"))
      return std::nullopt;
    StringRef name = feature.drop_back();
    bool known = (name == "sramecc" && has & AMDGPU::FEATURE_SRAMECC) ||
                 (name == "xnack" && has & AMDGPU::FEATURE_XNACK);
    if (!known || !features.try_emplace(name, feature.back()).second)
      return std::nullopt;
  }
  TargetID id;
  id.processor = processor.str();
  id.generic = processor.ends_with("-generic");
  id.canonical = id.processor;
  for (auto [name, state] : features) {
    id.features += (id.features.empty() ? "" : ",") + (state + name.str());
    id.canonical += ":" + name.str() + state;
  }
  return id;
}

uint64_t sharedMemoryOf(StringRef processor) {
  return processor == "gfx950" ? 160 << 10 : 64 << 10;
}

unsigned warpsOf(StringRef processor) {
  if (processor.starts_with("gfx90a") || processor.starts_with("gfx94") ||
      processor.starts_with("gfx95") || processor == "gfx9-4-generic")
    return 8;
  if (processor.starts_with("gfx101") || processor == "gfx10-1-generic")
    return 20;
  if (processor.starts_with("gfx10") || processor.starts_with("gfx11") ||
      processor.starts_with("gfx12"))
    return 16;
  return 10;
}

} // namespace xcc::amdgcn
