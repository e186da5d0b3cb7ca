// The list of device targets
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Target.h"
#include "Names.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;

namespace xcc {

std::optional<StringRef> DeviceCodegenOptions::value(StringRef name) const {
  for (StringRef option : reverse(targetOptions))
    if (option.consume_front(name))
      return option;
  return std::nullopt;
}

bool DeviceCodegenOptions::has(StringRef name) const {
  std::string opposite = TargetOption{name, ""}.opposite();
  for (StringRef option : reverse(targetOptions))
    if (option == name || option == opposite)
      return option == name;
  return false;
}

std::string TargetOption::opposite() const {
  if (name.ends_with("=") || name.starts_with("--"))
    return "";
  return (name.take_front(2) + "no-" + name.drop_front(2)).str();
}

bool TargetOption::matches(StringRef arg) const {
  return name.ends_with("=") ? arg.starts_with(name)
                             : arg == name || arg == opposite();
}

std::vector<std::string> keptOptions(const Target &target,
                                     ArrayRef<std::string> args) {
  std::vector<std::string> list;
  for (const TargetOption &option : target.options()) {
    if (!option.kept)
      continue;
    for (StringRef arg : reverse(args))
      if (option.matches(arg)) {
        list.push_back(arg.str());
        break;
      }
  }
  return list;
}

bool isUndefined(const GlobalObject &object) {
  if (const auto *variable = dyn_cast<GlobalVariable>(&object);
      variable && variable->hasAttribute(attribute::InOtherPart))
    return false;
  if (const auto *function = dyn_cast<Function>(&object);
      function && function->hasFnAttribute(attribute::InOtherPart))
    return false;
  return object.isDeclaration() && !object.use_empty() &&
         !object.getName().starts_with("llvm.") &&
         object.getName() != "__xcc_dynamic_shared_bytes" &&
         object.getName() != OwnFunctionTest;
}

ArrayRef<const Target *> allTargets() {
  static const Target *const list[] = {&cpuTarget(), &nvptxTarget(),
                                       &amdgcnTarget()};
  return list;
}

std::string portableArch(const Target &target) {
  return (PortablePrefix + target.triple().split('-').first).str();
}

const Target *findTarget(StringRef arch, std::string &canonical) {
  for (const Target *target : allTargets())
    if (arch == portableArch(*target)) {
      canonical = arch.str();
      return target;
    }
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
