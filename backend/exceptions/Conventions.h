// How functions are called that may throw, or ask for the thread's exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that may throw returns the pending exception behind its result.
//
// GPUs have no thread_local variables. The state of a thread's exceptions lies
// in the frame of the function that has a handler, or of the kernel. A function
// that asks for it gets its address as the last parameter.
//
// Where the host's code may call device code through a pointer too, a function
// whose address is taken keeps its type. It takes the state from a variable of
// the machine's thread, where a caller in device code leaves it just before, and
// leaves the pending exception there. The host's code leaves no state, and what
// is thrown then ends the launch.

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

/// What a function or a call has besides its C++ type.
struct Convention {
  bool takesState = false;
  bool returnsPending = false;
  bool usesVariable = false; ///< only a call
  bool usesState = false;    ///< only a function: takes or has one
  bool isPlain() const {
    return !takesState && !returnsPending && !usesVariable;
  }
};

/// Without what is promised of a returned value and of memory: a function that
/// throws returns no value, and writes the state.
llvm::AttributeList withoutPromises(llvm::AttributeList list,
                                    llvm::LLVMContext &context);

/// A call as it is now, and what it returned.
struct MadeCall {
  llvm::CallInst *call;
  Pending pending; ///< empty: it throws nothing
};

class Conventions {
public:
  Conventions(llvm::Module &module, const KernelTable &kernels,
              bool sharesCode);

  bool isEntry(const llvm::Function &function) const;
  /// Gives a function its convention. Returns the function that takes its
  /// place; its `ret` instructions stay as they are.
  llvm::Function *apply(llvm::Function &function, Convention how,
                        bool isPointedAt);
  /// The state in a function that has one, or null.
  llvm::Value *stateOf(const llvm::Function &function) const;
  /// Makes a call in the place of a call or an invoke, which stays without uses.
  MadeCall call(llvm::CallBase &call, Convention how) const;
  /// Answers the function's calls that ask for the state.
  void resolve(llvm::Function &function) const;
  /// The calls that end a launch, which were made without a state, give one: the
  /// program's what() may ask for it.
  void giveStates() const;

  const PendingWords words;

private:
  llvm::FunctionType *typeWith(llvm::FunctionType *type, Convention how) const;
  llvm::AttributeList attributesWith(llvm::AttributeList list, Convention how,
                                     unsigned at, unsigned count) const;
  llvm::Function *replace(llvm::Function &function, Convention how, bool keep);
  void keepForPointers(llvm::Function &function, llvm::Function &now,
                       Convention how);
  llvm::Value *giveState(llvm::CallBase &call) const;
  Pending takePending(llvm::CallInst &now, llvm::Value *state) const;

  llvm::Module &module;
  const bool sharesCode;
  llvm::StringSet<> entries;
  llvm::DenseMap<const llvm::Function *, llvm::Value *> states;
  llvm::DenseMap<const llvm::Function *, llvm::Function *> behindPointers;
};

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_CONVENTIONS_H
