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
/// Calls the handler of std::set_terminate. What comes out of that ends the launch.
inline constexpr llvm::StringLiteral TerminateName =
    "__xcc_call_terminate_handler";
/// Ends the launch that an exception leaves.
inline constexpr llvm::StringLiteral UncaughtName = "__xcc_uncaught";

/// Follows calls. A call through a pointer may reach every function of that
/// type whose address is taken. Clang's nounwind is not asked: code that is
/// compiled without exceptions has it, and exceptions pass through such code.
///
/// A function that *asks* reads what its callers may have caught: it throws
/// again what is handled, or calls std::current_exception. It gets the state as
/// a parameter. Any other function with a handler has a state of its own.
class Throwers {
public:
  /// Drops the module's invokes that nothing throws into.
  Throwers(llvm::Module &module, bool sharesCode);

  bool mayThrow(const llvm::Function &function) const {
    return throwing.contains(&function);
  }
  bool mayThrow(const llvm::CallBase &call) const;
  bool asks(const llvm::Function &function) const {
    return asking.contains(&function);
  }
  bool asks(const llvm::CallBase &call) const;

  /// Whether it has the state as a parameter.
  bool takesState(const llvm::Function &function) const;
  bool takesState(const llvm::CallBase &call) const;
  /// Whether it returns a pending exception behind its result. One that
  /// pointers lead to does so if any other of its type may throw.
  bool returnsPending(const llvm::Function &function) const;
  bool returnsPending(const llvm::CallBase &call) const;
  /// Whether the state is handed on by a variable, as the host's code may be
  /// what is called.
  bool usesVariable(const llvm::CallBase &call) const;
  /// Whether some call in the function needs a state.
  bool usesState(const llvm::Function &function) const;

  /// Whether its address is taken, so that pointers may lead to it.
  bool isPointedAt(const llvm::Function &function) const {
    return pointedAt.contains(&function);
  }

private:
  bool findThrows(llvm::Function &function);
  bool findAsks(llvm::Function &function);
  bool isQuestion(const llvm::CallBase &call) const;
  /// Calls what cannot throw, and removes what would follow its throw.
  void dropIdleInvokes(llvm::Function &function);

  const bool sharesCode;
  llvm::DenseSet<const llvm::Function *> throwing, asking, pointedAt;
  llvm::DenseSet<const llvm::FunctionType *> throwingTypes, askingTypes;
};

/// The function that a call names, null where it goes through a pointer.
llvm::Function *calleeOf(const llvm::CallBase &call);

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_THROWERS_H
