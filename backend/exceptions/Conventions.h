// Calling conventions of functions that may throw or use the exception state
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that may throw returns the pending exception behind its result.
//
// GPUs have no thread_local variables, so the state of a thread's exceptions
// lies in the frame of the function that has a handler, or of the kernel. A
// function that uses the state gets its address as the last parameter.
//
// If host code may call device code through a pointer too, a function whose
// address is taken keeps its type. A caller in device code leaves the state's
// address in a variable of the machine thread, and the function leaves the
// pending exception in that state. Host code leaves no state. An exception is
// then thrown through the host's frames, or ends the launch if they do not
// catch it.

#ifndef XCC_BACKEND_EXCEPTIONS_CONVENTIONS_H
#define XCC_BACKEND_EXCEPTIONS_CONVENTIONS_H

#include "Kernel.h"
#include "Pending.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Attributes.h"

namespace llvm {
class CallBase;
class CallInst;
class Function;
class Module;
class Value;
} // namespace llvm

namespace xcc::exceptions {

/// What a function or a call has in addition to its C++ type.
struct Convention {
  bool takesState = false;
  bool returnsPending = false;
  bool usesVariable = false; ///< only of a call
  bool usesState = false;    ///< only of a function: takes or has one
  bool isPlain() const {
    return !takesState && !returnsPending && !usesVariable;
  }
};

/// \p list without promises about the returned value and about memory: a
/// function that throws returns no value, and writes the state.
llvm::AttributeList withoutPromises(llvm::AttributeList list,
                                    llvm::LLVMContext &context);

/// A call with its new convention, and the exception that it returns.
struct MadeCall {
  llvm::CallInst *call;
  Pending pending; ///< empty if it never throws
};

class Conventions {
public:
  Conventions(llvm::Module &module, const KernelTable &kernels,
              bool sharesCode);

  bool isEntry(const llvm::Function &function) const;
  /// Gives a function its convention. \returns the function that takes its
  /// place; its `ret` instructions stay as they are.
  llvm::Function *apply(llvm::Function &function, Convention how,
                        bool isPointedAt);
  /// The state in \p function, or null if it has none.
  llvm::Value *stateOf(const llvm::Function &function) const;
  /// Makes a call in the place of a call or an invoke, which stays without uses.
  MadeCall call(llvm::CallBase &call, Convention how) const;
  /// Replaces the function's calls that query the state by the state.
  void resolve(llvm::Function &function) const;
  /// Passes a state to the calls that end a launch, which were made without
  /// one: the program's what() may use it.
  void addStateParameters() const;

  const PendingWords words;

private:
  llvm::FunctionType *typeWith(llvm::FunctionType *type, Convention how) const;
  llvm::AttributeList attributesWith(llvm::AttributeList list, Convention how,
                                     unsigned at, unsigned count) const;
  llvm::Function *replace(llvm::Function &function, Convention how, bool keep);
  void makePointerEntry(llvm::Function &function, llvm::Function &now,
                        Convention how);
  llvm::Value *addStateParameter(llvm::CallBase &call) const;
  Pending takePending(llvm::CallInst &now, llvm::Value *state) const;

  llvm::Module &module;
  const bool sharesCode;
  llvm::StringSet<> entries;
  llvm::DenseMap<const llvm::Function *, llvm::Value *> states;
  llvm::DenseMap<const llvm::Function *, llvm::Function *> behindPointers;
};

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_CONVENTIONS_H
