// Compares the layouts of host and device passes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayoutComparison.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace xcc {
namespace {

bool sameRecords(const RecordLayouts &ofHost, const RecordLayouts &ofDevice,
                 DiagnosticLog &log) {
  bool same = true;
  for (const auto &[key, device] : ofDevice) {
    auto host = ofHost.find(key);
    if (host == ofHost.end())
      continue;
    std::string difference = layoutDifference(host->second, device);
    if (difference.empty())
      continue;
    log.error(
        device.file, device.line, device.column,
        "'" + device.name +
            "' has another layout on a device than on the host, and kernels "
            "are given the host's objects: " +
            difference +
            "; does it hold a long double or a va_list, or is it defined "
            "differently under some macro?");
    same = false;
  }
  return same;
}

} // namespace

bool sameLayouts(const PassLayouts &host, const PassLayouts &device,
                 DiagnosticLog &log) {
  llvm::StringMap<const Kernel *> bySymbol;
  for (const Kernel &kernel : device.kernels)
    bySymbol[kernel.symbol] = &kernel;
  for (const Kernel &kernel : host.kernels) {
    const Kernel *other = bySymbol.lookup(kernel.symbol);
    std::string difference = other ? layoutDifference(kernel, *other)
                                   : "the device pass does not see it";
    if (difference.empty())
      continue;
    log.error("kernel '" + kernel.name + "' (" + kernel.file + ":" +
              llvm::Twine(kernel.line) +
              ") differs between host and device: " + difference +
              "; is its type defined differently under some macro?");
    return false;
  }
  return sameRecords(host.records, device.records, log);
}

} // namespace xcc
