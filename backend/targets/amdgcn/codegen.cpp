// From a module to a code object
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen.h"
#include "arch.h"
#include "gpu/GPUCodegen.h"
#include "gpu/KernelColumns.h"
#include "gpu/checks/Checks.h"
#include "gpu/checks/Parameters.h"
#include "gpu/stages/AfterPipeline.h"
#include "inline.h"
#include "link/Link.h"
#include "marks.h"
#include "metadata.h"
#include "support/InternalError.h"
#include "unroll.h"
#include "workarounds/workarounds.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace xcc::amdgcn {
namespace {

class AMDGCNCodegen : public gpu::GPUCodegen {
public:
  AMDGCNCodegen(const CodegenInput &input, gpu::BarrierOps barriers)
      : GPUCodegen(input, barriers), id(*parseTargetID(arch)),
        version5(options.value("-mcode-object-version=") == "5"),
        ops(std::move(barriers)) {
    chooseOptions();
    keepElseValues();
    keepMovesBehindCalls();
  }

  /// Generates kernels again, without unrolling, if the unrolled loops need more
  /// registers than there are.
  Expected<GeneratedPart> generate() override {
    if (options.optLevel < 2 || rolled)
      return Codegen::generate();
    rolled.emplace();
    std::unique_ptr<Module> given = CloneModule(module);
    if (isIR(options.output)) { // IR output says nothing about registers, so a
                                // trial generates assembly
      DeviceCodegenOptions asCode = options;
      asCode.output = DeviceOutput::Assembly;
      AMDGCNCodegen trial({*given, arch, kernels, asCode, isPart}, ops);
      SuppressedMessages quiet(module.getContext());
      if (auto made = trial.generate())
        rolled = trial.rolled;
      else // the code generation below has the same error and reports it
        consumeError(made.takeError());
      return Codegen::generate();
    }
    Expected<GeneratedPart> unrolled = Codegen::generate();
    if (!unrolled || !unrolls)
      return unrolled;
    StringSet<> poor;
    for (const Kernel &kernel : kernels)
      if (usage[kernel.symbol].canBeBetter(warpsOf(id.processor)) &&
          mayGain(*given->getFunction(kernel.symbol)))
        poor.insert(kernel.symbol);
    while (!poor.empty()) {
      std::unique_ptr<Module> copy = CloneModule(*given);
      AMDGCNCodegen trial({*copy, arch, kernels, options, isPart}, ops);
      trial.rolled = poor;
      SuppressedMessages quiet(module.getContext());
      Expected<GeneratedPart> made = trial.generate();
      if (!made) {
        consumeError(made.takeError());
        break;
      }
      StringSet<> better;
      for (const auto &symbol : poor)
        if (trial.usage[symbol.getKey()].isBetter(usage[symbol.getKey()]))
          better.insert(symbol.getKey());
      if (better.size() == poor.size()) {
        rolled = std::move(better);
        usage = std::move(trial.usage);
        return made;
      }
      poor = std::move(better);
    }
    return unrolled;
  }

private:
  const TargetID id;
  const bool version5; ///< of code objects
  const gpu::BarrierOps ops;
  /// The kernels whose loops are not unrolled. Unset until that is decided.
  std::optional<StringSet<>> rolled;
  bool unrolls = false; ///< whether there are loops that LLVM may unroll
  KernelUsages usage;   ///< the register usage that the back end reported for
                        ///< kernels

  Expected<Machine> chooseMachine() override {
    if (id.generic && version5)
      return createStringError(
          "the generic target " + arch +
          " needs code object version 6; remove -mcode-object-version=5");
    std::string features = id.features;
    if (id.processor.find("gfx1") == 0 && options.has("-mwavefrontsize64"))
      features +=
          (features.empty() ? "" : ",") + std::string("+wavefrontsize64");
    return Machine{"AMD GPUs", Triple, id.processor, features, Reloc::PIC_};
  }

  void prepare() override {
    makeResultsGeneric(module); // in the libraries too
    module.setModuleFlag(Module::Error, "amdhsa_code_object_version",
                         version5 ? 500u : 600u);
    // With LLVM's code generation for -O0, lanes lose values at divergent
    // branches. So we use the next level. The functions have the attribute
    // optnone.
    if (!options.optLevel)
      machine->setOptLevel(CodeGenOptLevel::Less);
    for (const Kernel &kernel : kernels)
      if (Function *entry = module.getFunction(kernel.symbol))
        entry->setVisibility(GlobalValue::ProtectedVisibility);
    if (rolled)
      for (const auto &symbol : *rolled)
        keepLoops(*module.getFunction(symbol.getKey()));
  }

  void extendPipeline(PassBuilder &builder) override {
    builder.registerOptimizerEarlyEPCallback(
        [](ModulePassManager &manager, OptimizationLevel, ThinOrFullLTOPhase) {
          manager.addPass(gpu::HideSelfCallsPass());
        });
    builder.registerScalarOptimizerLateEPCallback(
        [](FunctionPassManager &manager, OptimizationLevel) {
          manager.addPass(HintSmallPass());
        });
    if (options.optLevel > 1)
      builder.registerLateLoopOptimizationsEPCallback(
          [this](LoopPassManager &manager, OptimizationLevel) {
            manager.addPass(KeepLoopsPass(unrolls));
          });
    // These passes run after the target's own pass, which is LLVM's Attributor.
    builder.registerOptimizerLastEPCallback([this](ModulePassManager &manager,
                                                   OptimizationLevel,
                                                   ThinOrFullLTOPhase) {
      manager.addPass(gpu::ShowSelfCallsPass());
      if (options.optLevel > 1) {
        FunctionPassManager functions;
        functions.addPass(gpu::RejoinChoicePass());
        functions.addPass(gpu::ShiftStepsPass());
        manager.addPass(
            createModuleToFunctionPassAdaptor(std::move(functions)));
      }
    });
  }

  // A simulator lays out NVIDIA GPUs' shared memory itself, and no other's.
  void zoneVariables() override {
    gpu::zoneShared(module, kernels);
    markOrder(module, kernels);
  }

  void applyWorkarounds() override {
    avoidAccumulators(module);
    forgetResults(module);
    alignFrames(module);
    fixDynamicAllocas(module, *machine);
    fixStackPointers(module, *machine);
    fixWideShuffles(module, *machine);
    fixFrameChoices(module);
    splitQuotients(module);
    fixQuotients(module);
    fixHalfProducts(module);
    fixLongQuotients(module);
    if (!options.optLevel)
      fixUnoptimised(module);
  }

  // Implicit arguments follow the explicit ones (hsa/image/metadata.h).
  uint64_t argumentLimit() const override { return 1 << 20; }
  uint64_t sharedLimit() const override { return sharedMemoryOf(id.processor); }

  Error emit(DeviceOutput output, SmallVectorImpl<char> &out) override {
    std::vector<gpu::LargeStack> stacks;
    UsageListener listener(module.getContext(), usage, stacks);
    if (Error error = Codegen::emit(output, out))
      return error;
    return gpu::checkStacks(arch, stacks, kernels);
  }

  void describe() override { gpu::markCalls(part.columns, module, kernels); }

  // A kernel's registers and stack size depend on everything that it calls.
  bool linksParts() const override { return true; }

  Expected<std::vector<DeviceImage>>
  finish(ArrayRef<StringRef> objects) override {
    Expected<std::unique_ptr<MemoryBuffer>> linked = linkWithLLD(
        objects,
        {"-shared", "--no-undefined", "--build-id=none", "--hash-style=sysv"},
        options);
    if (!linked)
      return linked.takeError();
    image.data = std::move(*linked);
    if (objects.size() > 1) {
      auto copy = WritableMemoryBuffer::getNewUninitMemBuffer(
          image.data->getBufferSize());
      std::copy_n(image.data->getBufferStart(), image.data->getBufferSize(),
                  copy->getBufferStart());
      if (Error wrong = joinNotes(copy->getBuffer()))
        return std::move(wrong);
      image.data = std::move(copy);
    }
    if (Error wrong = readMetadata())
      return std::move(wrong);
    return only(std::move(image));
  }

  /// Writes the kernel table and checks the layouts against the metadata.
  Error readMetadata() {
    Metadata metadata;
    if (!metadata.read(image.data->getBuffer()))
      return createStringError(
          internalError("the code object for " + arch + " has no metadata"));
    for (const Kernel &kernel : kernels) {
      auto data = metadata.kernel(kernel.symbol);
      if (!data)
        return gpu::wrongParameters(kernel, arch, "it is missing");
      if (std::string difference = differenceInMetadata(*data, kernel);
          !difference.empty())
        return gpu::wrongParameters(kernel, arch, difference);
      rt::KernelRow row =
          kernel.row(data->number(".group_segment_fixed_size"),
                     data->number(".private_segment_fixed_size"));
      std::string more = columns(*data);
      row.columns = more;
      image.rows.add(row);
      if (options.resourceUsage)
        image.resources.push_back(resourcesOf(kernel, *data));
    }
    return Error::success();
  }

  KernelResources resourcesOf(const Kernel &kernel, KernelMetadata &data) {
    KernelResources resources;
    resources.name = kernel.name;
    resources.registers = data.number(".vgpr_count");
    resources.scalarRegisters = data.number(".sgpr_count");
    resources.spillStores = data.number(".vgpr_spill_count");
    resources.spillLoads = data.number(".sgpr_spill_count");
    resources.stack = data.number(".private_segment_fixed_size");
    resources.shared = data.number(".group_segment_fixed_size");
    if (auto known = usage.find(kernel.symbol); known != usage.end())
      resources.occupancy = double(known->second.waves) / warpsOf(id.processor);
    return resources;
  }
};

} // namespace

std::unique_ptr<Codegen> makeCodegen(const CodegenInput &input,
                                     gpu::BarrierOps barriers) {
  return std::make_unique<AMDGCNCodegen>(input, std::move(barriers));
}

} // namespace xcc::amdgcn
