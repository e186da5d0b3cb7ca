//===-- Target.cpp - The list of device targets
//----------------------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Target.h"

using namespace llvm;

namespace xcc {

ArrayRef<const Target *> allTargets() {
  static const Target *const list[] = {&cpuTarget()};
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
