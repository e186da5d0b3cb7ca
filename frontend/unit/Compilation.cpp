// One translation unit through the host and device passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compilation.h"
#include "HostPass.h"
#include "Invocations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/thread.h"

namespace xcc {

Compilation::Compilation(const TranslationUnit &unit)
    : unit(unit), promises(unit.targets.size()) {}
Compilation::~Compilation() = default;

std::vector<std::future<DeviceModule>> Compilation::devices() {
  std::vector<std::future<DeviceModule>> list;
  if (!unit.embeds())
    for (std::promise<DeviceModule> &promise : promises)
      list.push_back(promise.get_future());
  return list;
}

TranslationUnitResult Compilation::run() {
  TranslationUnitResult result;
  size_t begun = 0;
  llvm::thread thread(std::optional<unsigned>(StackBytes), [&] {
    HostPass host(unit, promises, result);
    host.run();
    begun = host.begun();
  });
  thread.join();
  // Passes that did not start have no module.
  for (std::promise<DeviceModule> &promise : llvm::drop_begin(promises, begun))
    promise.set_value({});
  return result;
}

} // namespace xcc
