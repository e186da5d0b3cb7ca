// Options of the code generator that every compilation needs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/amdgcn/inline.h"
#include "workarounds.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace xcc::amdgcn {

void chooseOptions() {
  static const bool done = [] {
    auto &all = cl::getRegisteredOptions();
    for (auto [name, value] : {std::pair("disable-promote-alloca-to-lds", true),
                               {"amdgpu-remove-redundant-endcf", false}})
      if (auto found = all.find(name); found != all.end())
        static_cast<cl::opt<bool> *>(found->second)->setInitialValue(value);
    if (auto found = all.find("amdgpu-inline-max-bb"); found != all.end())
      static_cast<cl::opt<size_t> *>(found->second)
          ->setInitialValue(MostBlocks);
    return true;
  }();
  (void)done;
}

} // namespace xcc::amdgcn
