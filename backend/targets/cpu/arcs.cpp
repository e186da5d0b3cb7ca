// gcov counters in code for the CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end has recorded where notes and counts are stored. LLVM's pass
// expects a module with one unit, and makes it register itself with the runtime
// library of the program. Here the pass runs once for each unit, and libxcc
// collects the counts.

#include "Names.h"
#include "instrument.h"
#include "xcc/abi.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Instrumentation/GCOVProfiler.h"
#include "llvm/Transforms/Utils/CtorUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace xcc::cpu {
namespace {

/// The functions that write counts, in the order of XCC_SYMBOL_ARCS.
constexpr StringLiteral Writers[] = {
    "llvm_gcda_start_file", "llvm_gcda_emit_function", "llvm_gcda_emit_arcs",
    "llvm_gcda_summary_info", "llvm_gcda_end_file"};

/// The function that calls them.
constexpr StringLiteral WriteName = "xcc.gcov.write";

StringRef textOf(const MDNode &node, unsigned index) {
  return cast<MDString>(node.getOperand(index))->getString();
}

/// Adds counters to the functions of one unit. Returns the function that writes
/// them, or null if there are none.
Function *addUnit(Module &module, ModuleAnalysisManager &analyses,
                  const GCOVOptions &how, const Metadata *unit) {
  std::vector<std::pair<Function *, DISubprogram *>> others;
  for (Function &function : module)
    if (DISubprogram *of = function.getSubprogram();
        of && of->getUnit() != unit)
      others.push_back({&function, of});
  for (auto [function, of] : others)
    function->setSubprogram(nullptr);
  GCOVProfilerPass(how).run(module, analyses);
  for (auto [function, of] : others)
    function->setSubprogram(of);
  optimizeGlobalCtorsList(module, [](uint32_t, Function *function) {
    return function->getName() == "__llvm_gcov_init";
  });
  // Only the program's library would call them. The next unit uses the same names.
  for (StringRef name : {"__llvm_gcov_init", "__llvm_gcov_reset"})
    if (Function *made = module.getFunction(name)) {
      made->removeDeadConstantUsers();
      if (made->use_empty())
        made->eraseFromParent();
      else
        made->setName("xcc.gcov.unused");
    }
  Function *writes = module.getFunction("__llvm_gcov_writeout");
  if (writes)
    writes->setName("xcc.gcov.writeout");
  return writes;
}

/// Calls the functions that write counts through the table, because the program
/// defines them.
void takeFrom(GlobalVariable &table, Module &module) {
  for (auto [index, name] : enumerate(Writers)) {
    Function *writer = module.getFunction(name);
    if (!writer)
      continue;
    for (User *user : make_early_inc_range(writer->users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> builder(call);
      call->setCalledOperand(builder.CreateLoad(
          builder.getPtrTy(),
          builder.CreateConstInBoundsGEP2_32(table.getValueType(), &table, 0,
                                             unsigned(index) + 1)));
    }
    writer->eraseFromParent();
  }
}

} // namespace

bool hasArcs(const Module &module) {
  return module.getNamedMetadata(attribute::Coverage) &&
         module.getNamedMetadata("llvm.gcov");
}

void addArcs(Module &module, ModuleAnalysisManager &analyses) {
  if (!hasArcs(module))
    return;
  GCOVOptions how = GCOVOptions::getDefault();
  const MDNode &asked =
      *module.getNamedMetadata(attribute::Coverage)->getOperand(0);
  copy(textOf(asked, 0), how.Version);
  how.Filter = textOf(asked, 1).str();
  how.Exclude = textOf(asked, 2).str();
  how.Atomic = true; // blocks run on many cores
  NamedMDNode &units = *module.getOrInsertNamedMetadata("llvm.dbg.cu");
  const SmallVector<MDNode *> all(units.operands());
  SmallVector<Function *> writers;
  for (MDNode *files : module.getNamedMetadata("llvm.gcov")->operands()) {
    auto *unit = dyn_cast_or_null<MDNode>(files->getOperand(2));
    if (!unit)
      continue;
    how.EmitNotes = !textOf(*files, 0).empty();
    how.EmitData = !textOf(*files, 1).empty();
    units.clearOperands();
    units.addOperand(unit);
    if (Function *writes = addUnit(module, analyses, how, unit))
      writers.push_back(writes);
  }
  units.clearOperands();
  for (MDNode *unit : all)
    units.addOperand(unit);
  if (writers.empty())
    return;

  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), false);
  Function *write =
      Function::Create(type, GlobalValue::InternalLinkage, WriteName, module);
  write->addFnAttr(Attribute::NoProfile);
  IRBuilder<> builder(BasicBlock::Create(context, "", write));
  for (Function *writer : writers)
    builder.CreateCall(writer);
  builder.CreateRetVoid();
  appendToUsed(module, {write});
  // These functions do not use threads or barriers.
  for (StringRef name : Writers)
    if (Function *writer = module.getFunction(name)) {
      writer->addFnAttr(Attribute::NoCallback);
      writer->addFnAttr(Attribute::NoUnwind);
    }
}

void provideArcs(Module &module) {
  Function *write = module.getFunction(WriteName);
  if (!write)
    return;
  auto *pointer = PointerType::getUnqual(module.getContext());
  SmallVector<Constant *> fields(std::size(Writers) + 1,
                                 ConstantPointerNull::get(pointer));
  fields.front() = write;
  auto *type = ArrayType::get(pointer, fields.size());
  auto *table = new GlobalVariable(
      module, type, /*isConstant=*/false, GlobalValue::ExternalLinkage,
      ConstantArray::get(type, fields), XCC_SYMBOL_ARCS);
  appendToUsed(module, {table});
  takeFrom(*table, module);
}

} // namespace xcc::cpu
