// Several indices for each thread of a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that loads one float and stores one has too few bytes in flight to
// use the full memory bandwidth of a large GPU. On an H200, such threads reach
// 3,390 GB/s of 4,800, and threads with four floats reach 4,356. The entry of
// xcc::parallel_for
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
//       else if (contiguous, aligned)           // neighbours: 16-byte accesses
//         x = begin + thread_idx * K;           body(x), ..., body(x + K - 1);
//       else                                    // threads share cache lines
//         x = begin + thread_idx;               body(x), body(x + threads), ...
//     }
//
// Any other kernel of the form
//
//     x = block_idx * threads + thread_idx;
//     if (guard(x)) body(x);
//
// stays as it is, and gets a second entry. That entry has one more argument,
// the number of blocks of the grid:
//
//     begin = block_idx * threads * K;
//     if (begin + threads * K > blocks * threads    // the last block
//         || !(guard(begin) && guard(begin + threads * K - 1)))
//       for (k = 0; k < K; ++k) { x = begin + k * threads + thread_idx;
//                                 if (x < blocks * threads && guard(x))
//                                   body(x); }
//     else ...                                      // as above
//
// The last two branches execute each instruction of the body for all K indices
// before the next instruction, so that K loads are in flight together. This
// order is not visible: in a kernel without barriers, two threads that access
// one address, at least one of them with a write, are a data race. The back end
// combines neighbouring accesses into wide ones. All conditions except the
// innermost are uniform for a block.
//
// The body is one basic block of loads, stores and plain arithmetic. Of the
// thread's position, it only reads the index. The kernel's row has the column
// elements=K or coarse=K. Without that column, a grid has one thread for each
// index.

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

/// Whether the runtime can append an argument: after all other arguments, at a
/// multiple of 8 bytes.
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
  // Code for one launch shape is used only by launches of that shape.
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
