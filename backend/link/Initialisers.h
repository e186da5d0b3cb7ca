// Code that runs before an image's first kernel and after its last
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang makes a function of each initialiser that is not constant, and lists a
// unit's in llvm.global_ctors. The link removes those that no kernel needs. It
// evaluates those it can, and stores the results as the variables' values. The
// rest becomes a kernel of one thread (XCC_SYMBOL_INIT), which the runtime
// launches after it loads the image. Destructors that code registers run in
// another kernel (XCC_SYMBOL_FINI) before the image is unloaded.

#ifndef XCC_BACKEND_LINK_INITIALISERS_H
#define XCC_BACKEND_LINK_INITIALISERS_H

#include "Kernel.h"
#include "targets/Target.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class Function;
class GlobalObject;
class GlobalVariable;
class IRBuilderBase;
class Module;
class Value;
} // namespace llvm

namespace xcc {

/// Returns the functions that llvm.global_ctors or llvm.global_dtors lists, in
/// the order of their calls, and removes the list.
std::vector<llvm::Function *> takeList(llvm::Module &module,
                                       llvm::StringRef name);

/// The functions of such a list that still must be called, one for each
/// initialiser. `keep` first selects from the list; those that can be evaluated
/// become values.
using FunctionList = std::vector<llvm::Function *>;
FunctionList
reduceInitialisers(llvm::Module &module, const FunctionList &listed,
                   llvm::function_ref<FunctionList(FunctionList)> keep);

/// Adds an empty kernel of the link's own for blocks of up to `maxThreads`
/// threads (0: any size), with its row in the table.
llvm::Function *makeKernel(llvm::Module &module, const Target &target,
                           llvm::StringRef symbol, llvm::StringRef name,
                           KernelTable &kernels, unsigned maxThreads = 1,
                           llvm::ArrayRef<KernelParam> params = {});

/// The parameters of such a kernel, passed as the target's kernels are.
llvm::SmallVector<llvm::Value *, 4>
argumentsOf(llvm::Function &entry, const Target &target,
            llvm::ArrayRef<KernelParam> params, llvm::IRBuilderBase &builder);

/// What the link knows about initialisers that no kernel names.
struct InitialiserContext {
  /// Whether a library that is not linked yet, or the host's process, defines a
  /// symbol that the module lacks. Null if unknown.
  std::function<bool(llvm::StringRef symbol)> isProvided;
  /// As in DeviceLinkOptions.
  std::function<std::string(llvm::StringRef symbol)> notesOfUndefined;
  /// Receives messages for the user, with places; may be null.
  std::vector<std::string> *warnings = nullptr;
};

/// The variable that an initialiser initialises: the last one that it, or a
/// function that it calls (a constructor), writes. Null if the function is not
/// an initialiser by Clang.
const llvm::GlobalVariable *madeBy(const llvm::Function &initialiser);

/// Makes the kernels above from a linked module's lists, as far as code is
/// left, and adds them to `kernels`. Call it before libraries are linked. What
/// a library exports counts as needed.
void makeInitialisers(llvm::Module &module, const Target &target,
                      KernelTable &kernels,
                      const InitialiserContext &context = {});

/// Makes the first of those kernels, created if necessary, start with a call of
/// `call`.
void initialiseFirst(llvm::Module &module, const Target &target,
                     llvm::Function &call, KernelTable &kernels);

using GlobalObjects = llvm::SmallSetVector<const llvm::GlobalObject *, 32>;
/// Calls `visit` with each variable and the functions and variables that its
/// initial value and initialisers reach. Call it before makeInitialisers.
void visitNeeds(
    llvm::Module &module, llvm::ArrayRef<llvm::GlobalVariable *> variables,
    llvm::function_ref<void(llvm::GlobalVariable &, const GlobalObjects &)>
        visit);

} // namespace xcc

#endif // XCC_BACKEND_LINK_INITIALISERS_H
