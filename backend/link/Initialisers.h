// What runs before an image's first kernel, and after its last
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang makes a function of each initialiser that is not a constant, and lists
// those of a translation unit in llvm.global_ctors. What no kernel needs of
// them goes, what can be computed here becomes the variables' values, and what
// is left becomes a kernel of one thread that the runtime launches when it has
// loaded the image (XCC_SYMBOL_INIT). Destructors that code registers run in
// another (XCC_SYMBOL_FINI) before the image goes.

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

/// The functions that llvm.global_ctors or llvm.global_dtors lists, in the order
/// in which they are called; the list is gone then.
std::vector<llvm::Function *> takeList(llvm::Module &module,
                                       llvm::StringRef name);

/// What is to be called of such a list, each initialiser by itself, once what
/// can be computed here has become the variables' values. `keep` chooses first.
using FunctionList = std::vector<llvm::Function *>;
FunctionList
reduceInitialisers(llvm::Module &module, const FunctionList &listed,
                   llvm::function_ref<FunctionList(FunctionList)> keep);

/// A kernel of the link's own that does nothing yet, for blocks of up to so many
/// threads (0: of any size), with its row in the table.
llvm::Function *makeKernel(llvm::Module &module, const Target &target,
                           llvm::StringRef symbol, llvm::StringRef name,
                           KernelTable &kernels, unsigned maxThreads = 1,
                           llvm::ArrayRef<KernelParam> params = {});

/// The parameters of such a kernel, which has them as its target's kernels do.
llvm::SmallVector<llvm::Value *, 4>
argumentsOf(llvm::Function &entry, const Target &target,
            llvm::ArrayRef<KernelParam> params, llvm::IRBuilderBase &builder);

/// What the link knows about initialisers that no kernel names.
struct InitialiserContext {
  /// Whether a library that is yet to be linked, or the host's process, has a
  /// symbol that the module lacks; null where that is not asked.
  std::function<bool(llvm::StringRef symbol)> isProvided;
  /// As in DeviceLinkOptions.
  std::function<std::string(llvm::StringRef symbol)> notesOfLacking;
  /// Messages for the user, with places; null if there is nobody to read them.
  std::vector<std::string> *warnings = nullptr;
};

/// The variable that an initialiser initialises: the last one that it writes, or
/// that a function it calls, such as a constructor, writes. Null if the function
/// is not an initialiser of Clang.
const llvm::GlobalVariable *madeBy(const llvm::Function &initialiser);

/// Makes the kernels above of a linked module's lists, as far as any code is
/// left, and adds them to the table. Libraries are yet to be linked.
/// What a library has for others is wanted as what kernels use is.
void makeInitialisers(llvm::Module &module, const Target &target,
                      KernelTable &kernels,
                      const InitialiserContext &context = {});

/// Has the first of those kernels, which may have to be made, call a function
/// before all else.
void initialiseFirst(llvm::Module &module, const Target &target,
                     llvm::Function &call, KernelTable &kernels);

using GlobalObjects = llvm::SmallSetVector<const llvm::GlobalObject *, 32>;
/// Calls `visit` with each variable and what its value takes: what its initial
/// value and initialisers lead to. Before the above.
void visitNeeds(
    llvm::Module &module, llvm::ArrayRef<llvm::GlobalVariable *> variables,
    llvm::function_ref<void(llvm::GlobalVariable &, const GlobalObjects &)>
        visit);

} // namespace xcc

#endif // XCC_BACKEND_LINK_INITIALISERS_H
