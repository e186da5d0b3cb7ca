// Which functions may throw, and which use their callers' exception state
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

/// device-runtime/exceptions/ calls these functions to get the state of the
/// thread's exceptions, and to return to its caller with a pending one.
inline constexpr llvm::StringLiteral StateName = "__xcc_exceptions";
inline constexpr llvm::StringLiteral UnwindName = "__xcc_unwind";
/// Calls the handler of std::set_terminate. An exception that leaves the
/// handler ends the launch.
inline constexpr llvm::StringLiteral TerminateName =
    "__xcc_call_terminate_handler";
/// Ends the launch because an exception leaves its kernel.
inline constexpr llvm::StringLiteral UncaughtName = "__xcc_uncaught";

/// Follows calls. A call through a pointer may reach every function of that
/// type whose address is taken. Clang's nounwind is ignored: code that is
/// compiled without exceptions has it, but exceptions pass through such code.
///
/// A function that *asks* reads exceptions that its callers may have caught: it
/// throws a handled exception again, or calls std::current_exception. It gets
/// the state as a parameter. Any other function with a handler has a state of
/// its own.
class Throwers {
public:
  /// Also replaces invokes of functions that throw nothing by calls.
  Throwers(llvm::Module &module, bool sharesCode);

  bool mayThrow(const llvm::Function &function) const {
    return throwing.contains(&function);
  }
  bool mayThrow(const llvm::CallBase &call) const;
  bool queriesState(const llvm::Function &function) const {
    return querying.contains(&function);
  }
  bool queriesState(const llvm::CallBase &call) const;

  /// Whether it has the state as a parameter.
  bool takesState(const llvm::Function &function) const;
  bool takesState(const llvm::CallBase &call) const;
  /// Whether \p function returns a pending exception behind its result. A
  /// function that pointers lead to does so if any function of its type may
  /// throw.
  bool returnsPending(const llvm::Function &function) const;
  bool returnsPending(const llvm::CallBase &call) const;
  /// Whether the state is passed in a variable, because the call may reach host
  /// code.
  bool usesVariable(const llvm::CallBase &call) const;
  /// Whether some call in the function needs a state.
  bool usesState(const llvm::Function &function) const;

  /// Whether its address is taken, so that pointers may lead to it.
  bool isPointedAt(const llvm::Function &function) const {
    return pointedAt.contains(&function);
  }

private:
  bool findThrows(llvm::Function &function);
  bool findQueries(llvm::Function &function);
  bool isQuery(const llvm::CallBase &call) const;
  /// Replaces invokes that cannot throw by calls, and removes unreachable code.
  void dropIdleInvokes(llvm::Function &function);

  const bool sharesCode;
  llvm::DenseSet<const llvm::Function *> throwing, querying, pointedAt;
  llvm::DenseSet<const llvm::FunctionType *> throwingTypes, queryingTypes;
};

/// The function that a call names; null for a call through a pointer.
llvm::Function *calleeOf(const llvm::CallBase &call);

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_THROWERS_H
