// Where a function finds the state of its thread's exceptions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPUs have no thread_local variables. The state lies in the frame of the
// kernel, and whoever needs it gets its address as the last parameter. In a
// kernel whose calls are inlined it becomes registers.
//
// Where the host's code may call device code through a pointer too, a function
// whose address is taken keeps its type. It takes the state from a variable of
// the machine's thread, where a caller of device code leaves it just before;
// the host's code leaves none, and what is thrown then ends the launch.

#ifndef XCC_BACKEND_EXCEPTIONS_STATEPARAMETER_H
#define XCC_BACKEND_EXCEPTIONS_STATEPARAMETER_H

#include "Kernel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Attributes.h"

namespace llvm {
class CallBase;
class Function;
class Module;
class Value;
} // namespace llvm

namespace xcc::exceptions {

/// Without what is promised of a returned value and of memory: a function that
/// throws returns no value, and writes the state.
llvm::AttributeList withoutPromises(llvm::AttributeList list,
                                    llvm::LLVMContext &context);

class StateParameters {
public:
  StateParameters(llvm::Module &module, const KernelTable &kernels,
                  bool sharesCode);

  bool isEntry(const llvm::Function &function) const;
  /// Gives a function the parameter, or a kernel the state itself. Returns the
  /// function that takes its place.
  llvm::Function *add(llvm::Function &function, bool mayThrow,
                      bool isPointedAt);
  /// The state in a function that has it, or null.
  llvm::Value *of(const llvm::Function &function) const;
  /// Hands the state to a call, and returns the call that takes its place.
  llvm::CallBase *pass(llvm::CallBase &call) const;
  /// Answers the function's calls that ask for the state.
  void resolve(llvm::Function &function) const;

private:
  void keepForPointers(llvm::Function &function, llvm::Function &now);

  llvm::Module &module;
  const bool sharesCode;
  llvm::StringSet<> entries;
  llvm::DenseMap<const llvm::Function *, llvm::Value *> states;
  llvm::DenseMap<const llvm::Function *, llvm::Function *> behindPointers;
};

} // namespace xcc::exceptions

#endif // XCC_BACKEND_EXCEPTIONS_STATEPARAMETER_H
