// The devices' parts of a precompiled header
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// foo.h.pch is the host pass's. Other targets have other macros and types. So
// the compile that makes it also makes one for each device triple, in the
// folder foo.h.pch.devices:
//
//     of                          a hash of foo.h.pch, to which they belong
//     amdgcn-amd-amdhsa.pch       Clang's precompiled header
//     amdgcn-amd-amdhsa.faulty    its Preamble::faulty
//
// A triple has none if the header has kernels or caused messages. A device pass
// that finds none, or finds another foo.h.pch, parses the header itself.

#ifndef XCC_FRONTEND_UNIT_DEVICEPCH_H
#define XCC_FRONTEND_UNIT_DEVICEPCH_H

#include "Compilation.h"
#include "Preamble.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/thread.h"
#include <list>
#include <memory>

namespace xcc {

/// Makes the device parts beside the host's, on threads of their own.
class DevicePCHs {
public:
  /// Starts them if the unit's compile writes a precompiled header. `unit` must
  /// outlive this object.
  DevicePCHs(const TranslationUnit &unit,
             const clang::CompilerInvocation &host);
  ~DevicePCHs();
  /// Waits for the parts and writes the folder. Call when the host's file is
  /// complete.
  void write();

private:
  struct Part {
    const Target *target;
    bool good = false;
    Preamble made;
    std::unique_ptr<llvm::thread> thread;
  };
  std::string host; ///< the path of the host's file
  std::list<Part> parts;

  void join();
};

/// A device part, as a device pass uses it.
class DevicePCH {
public:
  /// The part for this target, or null.
  static std::unique_ptr<DevicePCH>
  find(const clang::CompilerInvocation &invocation, const Target &target);

  const std::string &path() const { return file; }
  /// Whether the module is the same as without a precompiled header. It is not
  /// if the module uses faulty functions of the header: their messages were not
  /// stored.
  bool suits(const llvm::Module &module) const;

private:
  std::string file, faulty;
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_DEVICEPCH_H
