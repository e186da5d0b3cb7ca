// Kernel descriptors in the host module
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostLowering.h"
#include "Annotations.h"
#include "Names.h"
#include "formats/entry_flags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Frontend/Offloading/Utility.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace xcc {
namespace {

class HostLowering {
public:
  HostLowering(Module &module, bool hasDeviceCode)
      : module(module), hasDeviceCode(hasDeviceCode),
        context(module.getContext()), ptr(PointerType::getUnqual(context)),
        i32(Type::getInt32Ty(context)), i64(Type::getInt64Ty(context)) {}

  std::vector<std::string> run(const KernelTable &kernels,
                               const StringSet<> &pointedTo) {
    removeAnnotations();
    for (const Kernel &kernel : kernels) {
      GlobalVariable *descriptor = emitDescriptor(kernel);
      if (!kernel.irFunction.empty())
        byFunction[kernel.irFunction] = descriptor;
      if (pointedTo.contains(kernel.irFunction))
        emitPointer(kernel, descriptor);
      if (Function *stub = module.getFunction(kernel.irName)) {
        stub->replaceAllUsesWith(descriptor);
        stub->eraseFromParent();
      }
    }
    appendToCompilerUsed(module, ownEntries);
    dropSpentAnnotations(module);
    lowerMarkedParameters();
    lowerConstants();
    findEntries();
    return std::move(unknown);
  }

private:
  Module &module;
  bool hasDeviceCode;
  LLVMContext &context;
  PointerType *ptr;
  IntegerType *i32, *i64;
  StringMap<GlobalVariable *> byFunction;
  StringMap<Constant *> strings;
  std::vector<std::string> unknown;
  SmallVector<GlobalValue *> ownEntries; ///< of internal kernels
  Comdat *comdat = nullptr;
  GlobalVariable *unit = nullptr;

  Constant *word(uint32_t value) { return ConstantInt::get(i32, value); }

  Constant *string(StringRef text) {
    Constant *&entry = strings[text];
    if (!entry) {
      Constant *data = ConstantDataArray::getString(context, text);
      auto *global =
          new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                             GlobalValue::PrivateLinkage, data, ".xcc.str");
      global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
      global->setAlignment(Align(1));
      entry = global;
    }
    return entry;
  }

  Constant *table(ArrayRef<Constant *> rows, const Twine &name) {
    if (rows.empty())
      return ConstantPointerNull::get(ptr);
    auto *type = ArrayType::get(rows.front()->getType(), rows.size());
    auto *global = new GlobalVariable(module, type, /*isConstant=*/true,
                                      GlobalValue::PrivateLinkage,
                                      ConstantArray::get(type, rows), name);
    global->setAlignment(Align(8));
    global->setComdat(comdat);
    return global;
  }

  Constant *record(ArrayRef<Constant *> fields) {
    return ConstantStruct::getAnon(context, fields);
  }

  Constant *params(const Kernel &kernel) {
    SmallVector<Constant *> rows;
    for (const KernelParam &p : kernel.params)
      rows.push_back(record({string(p.name), string(p.type), word(p.size),
                             word(p.alignment), word(p.offset), word(p.kind)}));
    return table(rows, ".xcc.params");
  }

  Constant *captures(const Kernel &kernel) {
    SmallVector<Constant *> rows;
    for (const KernelCapture &c : kernel.captures)
      rows.push_back(
          record({string(c.name), string(c.type), word(c.size), word(c.offset),
                  word(c.byReference), word(c.kind)}));
    return table(rows, ".xcc.captures");
  }

  Constant *places(const Kernel &kernel) {
    SmallVector<Constant *> rows;
    for (const KernelPlace &place : kernel.specialized)
      rows.push_back(record({word(place.offset), word(place.size)}));
    return table(rows, ".xcc.specialized");
  }

  /// The linked unit's record, which the device link defines. A link without it
  /// fails with its name. If kernels have no code for any device it is weak,
  /// and a launch reports what is missing.
  GlobalVariable *unitRecord() {
    StringRef name = hasDeviceCode ? XCC_SYMBOL_LINKED : XCC_SYMBOL_BINARY;
    GlobalVariable *global = module.getGlobalVariable(name);
    if (!global) {
      global =
          new GlobalVariable(module, Type::getInt8Ty(context),
                             /*isConstant=*/false,
                             hasDeviceCode ? GlobalValue::ExternalLinkage
                                           : GlobalValue::ExternalWeakLinkage,
                             nullptr, name);
      global->setVisibility(GlobalValue::HiddenVisibility);
    }
    return global;
  }

  /// Sets linkage so that equal kernels of several translation units are
  /// merged, and others stay separate. Hidden, because a descriptor belongs to
  /// the linked unit whose images hold its code.
  void setLinkage(GlobalVariable *global, const Kernel &kernel) {
    if (!kernel.external) {
      global->setLinkage(GlobalValue::InternalLinkage);
      return;
    }
    global->setLinkage(GlobalValue::WeakODRLinkage);
    global->setVisibility(GlobalValue::HiddenVisibility);
    global->setComdat(comdat);
  }

  GlobalVariable *emitDescriptor(const Kernel &kernel) {
    std::string name = XCC_SYMBOL_INFO + kernel.symbol;
    comdat = kernel.external ? module.getOrInsertComdat(name) : nullptr;

    auto *slotType = ArrayType::get(ptr, XCC_KERNEL_SLOTS);
    auto *slots = new GlobalVariable(
        module, slotType, /*isConstant=*/false, GlobalValue::InternalLinkage,
        ConstantAggregateZero::get(slotType), XCC_SYMBOL_SLOTS + kernel.symbol);
    setLinkage(slots, kernel);

    Constant *value =
        record({word(XCC_KERNEL_MAGIC),
                word(XCC_ABI_VERSION),
                string(kernel.name),
                string(kernel.symbol),
                string(kernel.file),
                word(kernel.line),
                word(kernel.column),
                params(kernel),
                captures(kernel),
                word(kernel.params.size()),
                word(kernel.captures.size()),
                word(kernel.kernargSize),
                word(kernel.kernargAlignment),
                ConstantInt::get(i64, kernel.fingerprint()),
                unitRecord(),
                slots,
                places(kernel),
                word(kernel.specialized.size()),
                word(kernel.castsDown ? XCC_KERNEL_CASTS_DOWN : 0),
                unitText(kernel)});
    auto *descriptor =
        new GlobalVariable(module, value->getType(),
                           /*isConstant=*/kernel.external,
                           GlobalValue::InternalLinkage, value, name);
    descriptor->setAlignment(Align(8));
    setLinkage(descriptor, kernel);

    GlobalVariable *entry = offloading::emitOffloadingEntry(
        module, object::OFK_None, descriptor, kernel.symbol,
        module.getDataLayout().getTypeAllocSize(value->getType()),
        /*Flags=*/0, /*Data=*/kernel.fingerprint());
    keepOwn(kernel, entry);
    return descriptor;
  }

  /// Keeps the entry of an internal kernel: a unit with the same text has an
  /// entry of the same name.
  void keepOwn(const Kernel &kernel, GlobalVariable *entry) {
    if (kernel.external)
      return;
    entry->setLinkage(GlobalValue::InternalLinkage);
    ownEntries.push_back(entry);
  }

  /// Emits the record by which the function's address leads to the descriptor.
  /// It is separate from the descriptor's own record, because a link may keep
  /// the one of a unit that takes no address.
  void emitPointer(const Kernel &kernel, GlobalVariable *descriptor) {
    if (Function *function = module.getFunction(kernel.irFunction))
      keepOwn(kernel,
              offloading::emitOffloadingEntry(
                  module, object::OFK_None, descriptor, "&" + kernel.symbol,
                  /*Size=*/0, XCC_ENTRY_OF_FUNCTION, /*Data=*/0, function));
  }

  /// Distinguishes the descriptors of this unit from those of another unit with
  /// the same text. It is a variable, because equal constants may be merged.
  Constant *unitText(const Kernel &kernel) {
    if (kernel.external)
      return ConstantPointerNull::get(ptr);
    if (!unit)
      unit = new GlobalVariable(
          module, i64, /*isConstant=*/false, GlobalValue::InternalLinkage,
          ConstantInt::get(i64, kernel.text), ".xcc.unit");
    return unit;
  }

  /// Removes annotations of the header's functions. The front end has used
  /// them; in the module, they would keep every launch alive.
  void removeAnnotations() {
    GlobalVariable *list = module.getGlobalVariable("llvm.global.annotations");
    auto *rows =
        list ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
    if (!rows)
      return;
    SmallVector<Constant *> kept;
    for (const Use &row : rows->operands()) {
      StringRef text;
      getConstantStringInfo(cast<User>(row)->getOperand(1), text);
      if (!text.starts_with("xcc."))
        kept.push_back(cast<Constant>(row));
    }
    if (kept.size() == rows->getNumOperands())
      return;
    if (!kept.empty()) {
      auto *type = ArrayType::get(kept.front()->getType(), kept.size());
      auto *shorter = new GlobalVariable(module, type, list->isConstant(),
                                         list->getLinkage(),
                                         ConstantArray::get(type, kept), "");
      shorter->setSection(list->getSection());
      shorter->takeName(list);
    }
    list->eraseFromParent();
  }

  /// Replaces kernels that are passed to parameters marked XCC_KERNEL. Clang
  /// annotates such a parameter's stack slot; the argument that is stored there
  /// is the one to replace at every call.
  void lowerMarkedParameters() {
    SmallVector<IntrinsicInst *> marks;
    for (Function &function : module)
      if (function.getIntrinsicID() == Intrinsic::var_annotation)
        for (User *user : function.users())
          if (auto *call = dyn_cast<IntrinsicInst>(user))
            if (annotationOf(*call) == annotation::Kernel)
              marks.push_back(call);
    SmallPtrSet<Argument *, 16> done;
    for (IntrinsicInst *mark : marks) {
      Value *slot = mark->getArgOperand(0)->stripPointerCasts();
      for (User *user : slot->users())
        if (auto *store = dyn_cast<StoreInst>(user))
          if (auto *arg = dyn_cast<Argument>(store->getValueOperand()))
            if (done.insert(arg).second)
              lowerCalls(arg);
    }
    for (IntrinsicInst *mark : marks)
      mark->eraseFromParent();
  }

  /// In a constant expression, kernel_info_for(f) is an address at an offset
  /// from f that no other code uses; see detail::descriptor_of_function.
  void lowerConstants() {
    constexpr uint64_t mark = 0x78636358;
    const DataLayout &layout = module.getDataLayout();
    for (auto &[name, descriptor] : byFunction) {
      Function *function = module.getFunction(name);
      if (!function)
        continue;
      uint64_t size = layout.getTypeAllocSize(descriptor->getValueType());
      SmallVector<GEPOperator *> marked;
      for (User *user : function->users())
        if (auto *place = dyn_cast<GEPOperator>(user)) {
          APInt offset(64, 0);
          if (isa<Constant>(place) &&
              place->accumulateConstantOffset(layout, offset) &&
              offset.uge(mark) && offset.ult(mark + size))
            marked.push_back(place);
        }
      for (GEPOperator *place : marked) {
        APInt offset(64, 0);
        place->accumulateConstantOffset(layout, offset);
        place->replaceAllUsesWith(ConstantExpr::getInBoundsGetElementPtr(
            Type::getInt8Ty(context), descriptor,
            ConstantInt::get(i64, offset.getZExtValue() - mark)));
      }
    }
  }

  void lowerCalls(Argument *arg) {
    for (User *user : arg->getParent()->users()) {
      auto *call = dyn_cast<CallBase>(user);
      if (!call || call->getCalledOperand() != arg->getParent() ||
          arg->getArgNo() >= call->arg_size())
        continue;
      Value *value = call->getArgOperand(arg->getArgNo());
      if (auto *load = dyn_cast<LoadInst>(value))
        if (auto *source = dyn_cast<Constant>(load->getPointerOperand()))
          if (Constant *folded = ConstantFoldLoadFromConstPtr(
                  source, load->getType(), module.getDataLayout()))
            value = folded;
      auto *function = dyn_cast<Function>(value->stripPointerCasts());
      if (!function)
        continue;
      if (GlobalVariable *descriptor = byFunction.lookup(function->getName()))
        call->setArgOperand(arg->getArgNo(), descriptor);
      else if (!isEntry(*function))
        addUnknown("'" + demangle(function->getName()) + "'");
    }
  }

  static bool isEntry(const Function &function) {
    return function.getName().starts_with("_ZN3xcc13object_kernelI") ||
           function.getName().starts_with("_ZN3xcc15function_kernelI");
  }

  /// Entries that are left have no descriptor.
  void findEntries() {
    for (const Function &function : module) {
      if (function.use_empty() || !isEntry(function))
        continue;
      std::string name = demangle(function.getName());
      StringRef text = name;
      text = text.drop_front(text.find("_kernel<") + strlen("_kernel<"));
      text = text.take_front(text.rfind(">("));
      text.consume_front("&");
      addUnknown(("'" + text.take_front(firstArgument(text)) + "'").str());
    }
  }

  /// The length of the first argument: the text before the first comma outside
  /// of brackets.
  static size_t firstArgument(StringRef text) {
    int depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      depth += StringRef("(<[{").contains(text[i]);
      depth -= StringRef(")>]}").contains(text[i]);
      if (text[i] == ',' && depth == 0)
        return i;
    }
    return text.size();
  }

  void addUnknown(std::string kernel) {
    if (!is_contained(unknown, kernel))
      unknown.push_back(std::move(kernel));
  }
};

/// A launch's configuration has adjacent zeros. For each memset that MemCpyOpt
/// makes of such stores, LLVM 22 renames the MemorySSA of the rest of the
/// function, which is quadratic in the number of launches. This attribute stops
/// MemCpyOpt from making memsets.
void keepStoresOfMany(Module &module) {
  constexpr unsigned manyCalls = 256;
  for (Function &function : module)
    if (count_if(instructions(function), [](const Instruction &inst) {
          return isa<CallBase>(inst) && !isa<IntrinsicInst>(inst);
        }) >= manyCalls)
      function.addFnAttr("no-builtin-memset");
}

} // namespace

std::vector<std::string> lowerHostKernels(Module &module,
                                          const KernelTable &kernels,
                                          const StringSet<> &pointedTo,
                                          bool hasDeviceCode) {
  if (!kernels.empty())
    keepStoresOfMany(module);
  return HostLowering(module, hasDeviceCode).run(kernels, pointedTo);
}

} // namespace xcc
