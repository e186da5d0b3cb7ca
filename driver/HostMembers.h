// Finds the archive members that the host link takes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A member that only host code needs is in the program, and its initialisers
// run. The device link must know that before the host link runs, so this class
// resolves symbols as a linker does.

#ifndef XCC_DRIVER_HOSTMEMBERS_H
#define XCC_DRIVER_HOSTMEMBERS_H

#include "Plan.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <mutex>

namespace xcc {

/// Reads the files of a link at the first query. Thread-safe.
class HostMembers {
public:
  explicit HostMembers(const Plan &plan) : plan(plan) {}

  /// Records that this command has made the object's device code, which is not
  /// in the object. Must be called before the queries.
  void addMade(llvm::StringRef object) { made.insert(object); }

  /// Whether the host link takes a member, "lib.a(a.o)".
  bool take(llvm::StringRef member);

  /// An object of the host link that has no device code and names the symbol;
  /// empty if there is none.
  std::string plainUserOf(llvm::StringRef symbol);

private:
  const Plan &plan;
  std::mutex reading;
  bool read = false;
  llvm::StringSet<> made, taken;
  llvm::StringMap<std::string> plainUsers; ///< first user of each symbol

  void readAll();
};

} // namespace xcc

#endif // XCC_DRIVER_HOSTMEMBERS_H
