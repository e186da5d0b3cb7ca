// Finds the file of a link that defines a symbol which device code lacks
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_DRIVER_HOSTSYMBOLS_H
#define XCC_DRIVER_HOSTSYMBOLS_H

#include "Plan.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

namespace xcc {

/// Reads the symbols of objects, archives and shared libraries at the first
/// query. Thread-safe.
class HostSymbols {
public:
  explicit HostSymbols(const Plan &plan) : plan(plan) {}

  /// A note that names the file and how to compile it; empty if no file defines
  /// the symbol.
  std::string noteOf(llvm::StringRef symbol, const DeviceArch &arch);

private:
  struct Definition {
    std::string name; ///< "a.o", "lib.a(a.o)", or a source of this command
    std::string file;
    bool shared = false;
  };
  const Plan &plan;
  std::mutex reading;
  bool read = false;
  llvm::StringMap<Definition> definitions; ///< first definition of each symbol

  /// The source from which this command makes the object, or the object.
  std::string sourceOf(const std::string &file) const;
  void readAll();
  void readFile(const std::string &file);
};

} // namespace xcc

#endif // XCC_DRIVER_HOSTSYMBOLS_H
