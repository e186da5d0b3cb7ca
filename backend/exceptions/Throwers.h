// Which functions may throw, and which ask for the thread's exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_EXCEPTIONS_THROWERS_H
#define XCC_BACKEND_EXCEPTIONS_THROWERS_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class Function;
class FunctionType;
class Module;
} // namespace llvm

namespace xcc::exceptions {

/// The two functions by which device-runtime/exceptions/ asks for the state of
/// the thread's exceptions, and returns to its caller with a pending one.
inline constexpr llvm::StringLiteral StateName = "__xcc_exceptions";
inline constexpr llvm::StringLiteral UnwindName = "__xcc_unwind";

/// Follows calls. A call through a pointer may reach every function of that
/// type whose address is taken. Clang's nounwind is not asked: code that is
/// compiled without exceptions has it, and exceptions pass through such code.
class Throwers {
public:
  /// Drops the module's invokes that nothing throws into.
  Throwers(llvm::Module &module, bool sharesCode);

  bool mayThrow(const llvm::Function &function) const {
    return throwing.contains(&function);
  }
  bool mayThrow(const llvm::CallBase &call) const;
  /// Whether it has to be told where the state of the thread's exceptions is.
  bool needsState(const llvm::Function &function) const {
    return needing.contains(&function);
  }
  bool needsState(const llvm::CallBase &call) const;
  /// Whether its address is taken, so that pointers may lead to it.
  bool isPointedAt(const llvm::Function &function) const {
    return pointedAt.contains(&function);
  }

private:
  bool findThrows(llvm::Function &function);
  bool findNeeds(llvm::Function &function);
  /// Calls what cannot throw, and removes what would follow its throw.
  void dropIdleInvokes(llvm::Function &function);

  const bool sharesCode;
  llvm::DenseSet<const llvm::Function *> throwing, needing, pointedAt;
  llvm::DenseSet<const llvm::FunctionType *> throwingTypes, needingTypes;
};

/// The function that a call names, null where it goes through a pointer.
llvm::Function *calleeOf(const llvm::CallBase &call);

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_THROWERS_H
