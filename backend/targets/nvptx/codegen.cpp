// From a module to PTX and cubins
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen.h"
#include "arch.h"
#include "coarsen/coarsen.h"
#include "constants.h"
#include "formats/ptx_name.h"
#include "gpu/GPUCodegen.h"
#include "gpu/GPUTarget.h"
#include "gpu/KernelColumns.h"
#include "gpu/checks/Checks.h"
#include "gpu/checks/Parameters.h"
#include "gpu/checks/Uses.h"
#include "gpu/stages/AfterPipeline.h"
#include "ptx.h"
#include "ptxas.h"
#include "strength.h"
#include "toolkit.h"
#include "workarounds/workarounds.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace xcc::nvptx {
namespace {

/// Returns an error if a kernel uses a warp operation. Call it for GPUs too old
/// to have any.
Error checkWarpOperations(const Module &module, StringRef arch,
                          const KernelTable &kernels) {
  for (const Function &function : module)
    if (function.isIntrinsic() && !function.use_empty() &&
        (function.getName().starts_with("llvm.nvvm.shfl.") ||
         function.getName().starts_with("llvm.nvvm.vote.") ||
         function.getName().starts_with("llvm.nvvm.match.") ||
         function.getName().starts_with("llvm.nvvm.activemask") ||
         function.getName().starts_with("llvm.nvvm.bar.warp")))
      return createStringError(gpu::kernelsThatUse(function, kernels) +
                               " uses an operation of warps that " + arch +
                               " does not have; compile for sm_30 or newer\n");
  return Error::success();
}

/// The maximum number of bytes of a thread's local memory (CUDA C++ Programming
/// Guide, "Technical Specifications per Compute Capability").
constexpr uint64_t LocalMemoryLimit = 512 << 10;

class NVPTXCodegen : public gpu::GPUCodegen {
public:
  NVPTXCodegen(const CodegenInput &input, gpu::BarrierOps barriers)
      : GPUCodegen(input, std::move(barriers)), which(arch) {
    image.kind = object::IMG_PTX;
  }

private:
  const Arch which;

  Expected<Machine> chooseMachine() override {
    uint64_t arguments = 0;
    for (const Kernel &kernel : kernels)
      arguments = std::max<uint64_t>(arguments, kernel.kernargSize);
    return Machine{"NVIDIA GPUs", Triple, arch.str(),
                   ptxFeature(which, arguments), std::nullopt};
  }

  void prepare() override {
    limitAlignments(module);
    if (options.has(gpu::FlushDenormals))
      module.setModuleFlag(Module::Override, "nvvm-reflect-ftz", 1);
    // libdevice's functions are compiled together with their callers.
    for (Function &function : module)
      if (!function.isDeclaration() &&
          !function.hasFnAttribute(Attribute::OptimizeNone) &&
          function.getName().starts_with("__nv_"))
        function.removeFnAttr(Attribute::NoInline);
  }

  void extendPipeline(PassBuilder &builder) override {
    if (options.optLevel < 2)
      return;
    builder.registerPeepholeEPCallback(
        [](FunctionPassManager &manager, OptimizationLevel) {
          manager.addPass(gpu::AddressStepsPass());
        });
    builder.registerVectorizerStartEPCallback(
        [this](FunctionPassManager &manager, OptimizationLevel) {
          manager.addPass(gpu::SmallCopiesPass());
          manager.addPass(SROAPass(SROAOptions::PreserveCFG));
          manager.addPass(gpu::UnrollSmallPass(barriers.barriers));
        });
    builder.registerOptimizerLastEPCallback([this](ModulePassManager &manager,
                                                   OptimizationLevel,
                                                   ThinOrFullLTOPhase) {
      FunctionPassManager functions;
      functions.addPass(
          gpu::FullMaskPass(Intrinsic::nvvm_activemask, barriers));
      functions.addPass(gpu::RejoinChoicePass());
      functions.addPass(gpu::ShiftStepsPass());
      manager.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
      manager.addPass(CoarsenPass());
      // The parts of an image share its constant memory. It also holds the
      // pointers to recursive functions.
      manager.addPass(ConstantTablesPass((60 << 10) / parts, barriers));
    });
  }

  void applyWorkarounds() override {
    gpu::lowerOwnAtomics(module, Intrinsic::nvvm_isspacep_local,
                         CallingConv::PTX_Kernel);
    orderAtomics(module, which.version);
    alignShared(module);
    keepShiftGuards(module);
    keepSigns(module);
    copyParameters(module);
    if (options.optLevel > 1) {
      testBitsInPlace(module);
      extendSigned(module);
      loadEarly(module);
      readSizesFirst(module);
      copyInWords(module);
    }
  }

  uint64_t argumentLimit() const override { return mostArguments(which); }
  // A launch may ask for more, but declared variables may not use more.
  uint64_t sharedLimit() const override { return 48 << 10; }

  Error check() override {
    // ptxas accepts more, but the driver then rejects the launch.
    if (Error error = gpu::checkStacks(
            arch, gpu::findLargeStacks(module, LocalMemoryLimit, kernels),
            kernels))
      return error;
    return which.version < 30 ? checkWarpOperations(module, arch, kernels)
                              : Error::success();
  }

  std::unique_ptr<legacy::PassManager> makePassManager() override {
    return std::make_unique<CodegenPasses>(module.getContext());
  }

  // An image is made from PTX text too.
  Error emit(DeviceOutput output, SmallVectorImpl<char> &out) override {
    if (isIR(output))
      return Codegen::emit(output, out);
    // These changes come after the checks, which follow direct calls.
    hideRecursion(module);
    integersToBytes(module);
    passBitsAsIntegers(module);
    placeParameters(module, kernels);
    nameForPTX();
    if (isPart)
      nameAsPart();
    std::vector<gpu::Ahead> ahead = gpu::breakCycles(module);
    if (Error error = Codegen::emit(DeviceOutput::Assembly, out))
      return error;
    nameAsBefore();
    declareForward(out, ahead);
    if (options.optLevel > 1)
      shiftForFields(out);
    nameFilesForPTX(out);
    writeWideParameters(out);
    storeIntegers(out);
    StringRef ptx(out.data(), out.size());
    for (const Kernel &kernel : kernels)
      if (std::string difference = differenceInPTX(ptx, kernel);
          !difference.empty())
        return gpu::wrongParameters(kernel, arch, difference);
    return Error::success();
  }

  void nameForPTX() {
    for (GlobalValue &value : module.global_values())
      if (!isASCII(value.getName()))
        value.setName(ptxName(value.getName()));
  }

  /// Tables refer to kernels by the original symbols.
  void nameAsBefore() {
    for (const Kernel &kernel : kernels)
      if (!isASCII(kernel.symbol))
        if (Function *entry = module.getFunction(ptxName(kernel.symbol)))
          entry->setName(kernel.symbol);
  }

  /// Gives the local symbols of this part names that no other part has.
  void nameAsPart() {
    std::string suffix = "$";
    suffix += kernels.empty()
                  ? "0"
                  : utohexstr(xxh3_64bits(kernels.front().symbol), true);
    for (GlobalValue &value : module.global_values())
      if (value.hasLocalLinkage())
        value.setName(value.getName() + suffix);
  }

  // Line information numbers source files within one PTX text.
  bool linksParts() const override { return !options.debugInfo; }

  void describe() override {
    gpu::markCalls(part.columns, module, kernels);
    gpu::markStacks(part.columns, module, kernels);
    markCoarsened(part.columns, module, kernels);
  }

  Expected<std::vector<DeviceImage>>
  finish(ArrayRef<StringRef> parts) override {
    std::string joined;
    if (parts.size() > 1) {
      auto all = joinPTX(parts);
      if (!all)
        return all.takeError();
      joined = std::move(*all);
    }
    StringRef ptx = parts.size() > 1 ? StringRef(joined) : parts.front();
    Assembled assembled;
    // Inside a program, the driver compiles PTX itself.
    if (!options.has("-foffload-no-cubin") && !options.inProgram &&
        !options.portableTrial) {
      auto made = assemble(ptx, arch, options);
      if (!made)
        return made.takeError();
      assembled = std::move(*made);
      if (!assembled.cubin)
        image.notes.push_back(whyNoCubin());
    }
    rt::KernelTableWriter rows = rowsOf(assembled.usage);

    std::vector<DeviceImage> list;
    if (assembled.cubin) {
      DeviceImage cubin;
      cubin.triple = image.triple;
      cubin.arch = image.arch;
      cubin.library = image.library;
      cubin.kind = object::IMG_Cubin;
      cubin.data = std::move(assembled.cubin);
      list.push_back(std::move(cubin));
    }
    if (list.empty() || keepsPTX()) {
      image.data = MemoryBuffer::getMemBufferCopy(ptx);
      image.extension = ".ptx";
      list.push_back(std::move(image));
    }
    for (DeviceImage &each : list)
      each.rows = rows;
    if (options.resourceUsage)
      list.front().resources = resourcesOf(assembled.usage);
    return list;
  }

  std::string whyNoCubin() const {
    if (assemblers(options).empty())
      return "no ptxas found: NVIDIA images are PTX, which the driver compiles "
             "at first use (--cuda-path=<toolkit> names one)";
    return ("no ptxas here knows " + arch +
            ": its image is PTX, which the driver compiles at first use")
        .str();
  }

  /// Whether a program keeps this arch's PTX beside its cubin.
  bool keepsPTX() const {
    StringRef wanted = options.value("-foffload-ptx=").value_or("newest");
    if (wanted == "none" || wanted == "all")
      return wanted == "all";
    if (wanted != "newest")
      return is_contained(split(wanted, ','), arch);
    // PTX is only useful for archs whose PTX later GPUs can run.
    for (StringRef name : options.archs)
      if (Arch other(name); !other.suffix && other.version > which.version)
        return false;
    return !which.suffix || options.archs.size() == 1;
  }

  rt::KernelTableWriter
  rowsOf(const std::map<std::string, Usage> &usages) const {
    rt::KernelTableWriter rows;
    for (const Kernel &kernel : kernels) {
      auto found = usages.find(ptxName(kernel.symbol));
      if (found == usages.end()) {
        rows.add(kernel.row(0, 0));
        continue;
      }
      const Usage &usage = found->second;
      rows.add(kernel.row(usage.shared, usage.stack));
      rows.column(kernel.symbol, "registers", usage.registers);
      rows.column(kernel.symbol, "spills",
                  usage.spillStores + usage.spillLoads);
    }
    return rows;
  }

  std::vector<KernelResources>
  resourcesOf(const std::map<std::string, Usage> &usages) const {
    std::vector<KernelResources> list;
    for (const Kernel &kernel : kernels) {
      auto found = usages.find(ptxName(kernel.symbol));
      if (found == usages.end())
        continue;
      const Usage &usage = found->second;
      KernelResources resources;
      resources.name = kernel.name;
      resources.registers = usage.registers;
      resources.spillStores = usage.spillStores;
      resources.spillLoads = usage.spillLoads;
      resources.stack = usage.stack;
      resources.shared = usage.shared;
      resources.occupancy =
          occupancy(which, kernel.maxThreads ? kernel.maxThreads : 256, usage);
      list.push_back(std::move(resources));
    }
    return list;
  }
};

} // namespace

std::unique_ptr<Codegen> makeCodegen(const CodegenInput &input,
                                     gpu::BarrierOps barriers) {
  return std::make_unique<NVPTXCodegen>(input, std::move(barriers));
}

} // namespace xcc::nvptx
