// The devices' parts of a precompiled header
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// foo.h.pch is the host pass's: other targets have other macros and types. So the
// compile that makes it makes one for each device triple, too, in the folder
// foo.h.pch.devices:
//
//     of                          a hash of foo.h.pch, which they belong to
//     amdgcn-amd-amdhsa.pch       Clang's precompiled header
//     amdgcn-amd-amdhsa.faulty    Preamble::faulty of it
//
// A triple has none if the header has kernels or gave rise to messages. A device
// pass that finds none, or another foo.h.pch, parses the header itself.

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

/// Makes them beside the host's, on threads of their own.
class DevicePCHs {
public:
  /// The unit's compile writes a precompiled header. `unit` must outlive this.
  DevicePCHs(const TranslationUnit &unit,
             const clang::CompilerInvocation &host);
  ~DevicePCHs();
  /// Waits for them. The host's is complete: writes the folder.
  void write();

private:
  struct Part {
    const Target *target;
    bool good = false;
    Preamble made;
    std::unique_ptr<llvm::thread> thread;
  };
  std::string host; ///< the path of the host's
  std::list<Part> parts;

  void join();
};

/// One of them, as a device pass uses it.
class DevicePCH {
public:
  /// Null: there is none for this target.
  static std::unique_ptr<DevicePCH>
  find(const clang::CompilerInvocation &invocation, const Target &target);

  const std::string &path() const { return file; }
  /// Whether the module is what it would be without. What Clang has to say of a
  /// function of the header, it does not know any more.
  bool suits(const llvm::Module &module) const;

private:
  std::string file, faulty;
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_DEVICEPCH_H
