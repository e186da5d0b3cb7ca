//===-- Target.cpp - The list of device targets
//----------------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "llvm/IR/GlobalObject.h"

using namespace llvm;

namespace xcc {

std::optional<StringRef> DeviceCodegenOptions::value(StringRef name) const {
  for (StringRef option : reverse(targetOptions))
    if (option.consume_front(name))
      return option;
  return std::nullopt;
}

bool DeviceCodegenOptions::has(StringRef name) const {
  return is_contained(targetOptions, name);
}

bool isLacking(const GlobalObject &object) {
  return object.isDeclaration() && !object.use_empty() &&
         !object.getName().starts_with("llvm.") &&
         object.getName() != "__xcc_dynamic_shared_bytes";
}

ArrayRef<const Target *> allTargets() {
  static const Target *const list[] = {&cpuTarget(), &nvptxTarget(),
                                       &amdgcnTarget()};
  return list;
}

const Target *findTarget(StringRef arch, std::string &canonical) {
  for (const Target *target : allTargets())
    if (auto name = target->parseArch(arch)) {
      canonical = *name;
      return target;
    }
  return nullptr;
}

const Target *findTargetByTriple(StringRef triple) {
  for (const Target *target : allTargets())
    if (target->triple() == triple)
      return target;
  return nullptr;
}

} // namespace xcc
