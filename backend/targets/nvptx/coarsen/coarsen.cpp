// Several indices for each thread of a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that loads one float and stores one keeps too few bytes on their way
// to fill the memory of a large GPU: on an H200, 3,390 GB/s of 4,800; a thread that
// takes four floats reaches 4,356. The entry of xcc::parallel_for
//
//     x = block_idx * threads + thread_idx;
//     if (x < count) body(x);
//
// becomes
//
//     if (grid_dim * threads >= count) {        // one index for each thread
//       if (x < count) body(x);
//     } else {                                  // K, if the runtime chooses it
//       begin = block_idx * threads * K;
//       if (begin + threads * K > count)        // the last block
//         for (k = 0; k < K; ++k) { x = begin + k * threads + thread_idx;
//                                   if (x < count) body(x); }
//       else if (contiguous and aligned)        // K neighbours: accesses of 16 bytes
//         x = begin + thread_idx * K;           body(x), ..., body(x + K - 1);
//       else                                    // neighbouring threads share lines
//         x = begin + thread_idx;               body(x), body(x + threads), ...
//     }
//
// Any other kernel of the form
//
//     x = block_idx * threads + thread_idx;
//     if (guard(x)) body(x);
//
// stays as it is, and gets a second entry, which has the number of the grid's
// blocks as a further argument:
//
//     begin = block_idx * threads * K;
//     if (begin + threads * K > blocks * threads    // the last block
//         || !(guard(begin) && guard(begin + threads * K - 1)))
//       for (k = 0; k < K; ++k) { x = begin + k * threads + thread_idx;
//                                 if (x < blocks * threads && guard(x)) body(x); }
//     else ...                                      // as above
//
// The last two of a loop do each instruction of the body for all K indices before
// the next: K loads are on their way at once. Two threads of a kernel without
// barriers that use one place, one of them to write, are a data race, so nobody
// can tell. The back end makes wide accesses of what is next to each other. All
// conditions but the innermost are the same for all threads of a block.
//
// The body is one basic block of loads, stores and plain arithmetic, and reads
// nothing of where its thread is but the index. The kernel's row says elements=K
// or coarse=K; without that column a grid has a thread for each index.

#include "coarsen.h"
#include "Names.h"
#include "copies.h"
#include "formats/ptx_name.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace xcc::nvptx {
namespace {

using coarsen::Comparison;
using coarsen::IndexedKernel;

bool coarsenLoop(Function &entry) {
  IndexedKernel kernel;
  if (!matchLoop(entry, kernel) || !readBody(kernel))
    return false;
  makeCopies(kernel, {});
  entry.addFnAttr(attribute::Elements, utostr(kernel.indices));
  return true;
}

/// Is an argument behind all others where the runtime puts it: after their bytes,
/// at a multiple of 8?
bool canAppend(const Function &entry) {
  return all_of(entry.args(), [&](const Argument &arg) {
    const DataLayout &layout = entry.getDataLayout();
    const Type *type = arg.getType();
    return arg.hasByValAttr()
               ? arg.getParamAlign().valueOrOne() <= Align(8)
               : !type->isVectorTy() && !type->isAggregateType() &&
                     layout.getTypeAllocSize(arg.getType()) <= 8;
  });
}

/// A copy of an entry with one more argument.
Function *cloneWithNumber(Function &entry) {
  SmallVector<Type *> types(entry.getFunctionType()->params());
  types.push_back(Type::getInt64Ty(entry.getContext()));
  Function *copy =
      Function::Create(FunctionType::get(entry.getReturnType(), types, false),
                       GlobalValue::ExternalLinkage,
                       coarseName(entry.getName()), entry.getParent());
  ValueToValueMapTy values;
  for (auto [from, to] : zip(entry.args(), copy->args())) {
    to.setName(from.getName());
    values[&from] = &to;
  }
  SmallVector<ReturnInst *> returns;
  CloneFunctionInto(copy, &entry, values,
                    CloneFunctionChangeType::LocalChangesOnly, returns);
  copy->setVisibility(entry.getVisibility());
  copy->setDSOLocal(entry.isDSOLocal());
  return copy;
}

bool coarsenGrid(Function &entry) {
  if (entry.size() > 3 || entry.getInstructionCount() > coarsen::MostCopies ||
      !canAppend(entry))
    return false;
  Function *copy = cloneWithNumber(entry);
  IndexedKernel kernel;
  SmallVector<Comparison> guard;
  if (!matchGrid(*copy, kernel) || !readBody(kernel) ||
      !readGuard(kernel, guard)) {
    copy->eraseFromParent();
    return false;
  }
  kernel.blocks = copy->getArg(copy->arg_size() - 1);
  makeCopies(kernel, guard);
  entry.addFnAttr(attribute::Coarse, utostr(kernel.indices));
  return true;
}

void mark(std::vector<KernelColumn> &columns, const Module &module,
          const KernelTable &kernels, StringRef attribute, StringRef column) {
  for (const Kernel &kernel : kernels)
    if (const Function *entry = module.getFunction(kernel.symbol))
      if (Attribute number = entry->getFnAttribute(attribute); number.isValid())
        columns.push_back(
            {kernel.symbol, column.str(), number.getValueAsString().str()});
}

} // namespace

PreservedAnalyses CoarsenPass::run(Module &module, ModuleAnalysisManager &) {
  // Code for one shape of launches is used by those launches only.
  if (module.getNamedMetadata(attribute::Shape))
    return PreservedAnalyses::all();
  SmallVector<Function *> entries;
  for (Function &function : module)
    if (function.getCallingConv() == CallingConv::PTX_Kernel &&
        !function.isDeclaration() && !function.hasOptNone())
      entries.push_back(&function);
  bool changed = false;
  for (Function *entry : entries)
    changed |= entry->hasFnAttribute(attribute::Loop) ? coarsenLoop(*entry)
                                                      : coarsenGrid(*entry);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

void markCoarsened(std::vector<KernelColumn> &columns, const Module &module,
                   const KernelTable &kernels) {
  mark(columns, module, kernels, attribute::Elements, "elements");
  mark(columns, module, kernels, attribute::Coarse, "coarse");
}

} // namespace xcc::nvptx
