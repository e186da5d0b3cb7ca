// Which members of archives the host's link takes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A member that only code of the host asks for is in the program, and what it
// does before main is done. The device link has to know, before the host's link
// is run: files are read as a linker does.

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

  /// The device code of this object was made by the same command, and is not in
  /// it. Comes before any question.
  void addMade(llvm::StringRef object) { made.insert(object); }

  /// Whether a member, "lib.a(a.o)", takes part in the host's link.
  bool take(llvm::StringRef member);

  /// An object of the host's link that holds no device code and names the
  /// symbol; empty if there is none.
  std::string plainUserOf(llvm::StringRef symbol);

private:
  const Plan &plan;
  std::mutex reading;
  bool read = false;
  llvm::StringSet<> made, taken;
  llvm::StringMap<std::string> plainUsers; ///< the first of each symbol

  void readAll();
};

} // namespace xcc

#endif // XCC_DRIVER_HOSTMEMBERS_H
