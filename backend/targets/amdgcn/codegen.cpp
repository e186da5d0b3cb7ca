// From a module to a code object
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen.h"
#include "arch.h"
#include "gpu/GPU.h"
#include "gpu/GPUCodegen.h"
#include "gpu/checks/Parameters.h"
#include "link/Link.h"
#include "mends.h"
#include "metadata.h"
#include "support/InternalError.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include <map>

using namespace llvm;

namespace xcc::amdgcn {
namespace {

/// Listens for what the back end says of each kernel's occupancy.
class OccupancyListener : public DiagnosticHandler {
public:
  OccupancyListener(std::unique_ptr<DiagnosticHandler> next,
                    std::map<std::string, unsigned> &waves)
      : next(std::move(next)), waves(waves) {}
  std::unique_ptr<DiagnosticHandler> next;

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (const auto *remark = dyn_cast<DiagnosticInfoOptimizationBase>(&info);
        remark && remark->getPassName() == "kernel-resource-usage") {
      for (const auto &arg : remark->getArgs())
        if (remark->getRemarkName() == "Occupancy")
          StringRef(arg.Val).getAsInteger(
              10, waves[remark->getFunction().getName().str()]);
      return true;
    }
    return next && next->handleDiagnostics(info);
  }
  bool isAnalysisRemarkEnabled(StringRef pass) const override {
    return pass == "kernel-resource-usage" ||
           (next && next->isAnalysisRemarkEnabled(pass));
  }
  bool isMissedOptRemarkEnabled(StringRef pass) const override {
    return next && next->isMissedOptRemarkEnabled(pass);
  }
  bool isPassedOptRemarkEnabled(StringRef pass) const override {
    return next && next->isPassedOptRemarkEnabled(pass);
  }
  bool isAnyRemarkEnabled() const override { return true; }

private:
  std::map<std::string, unsigned> &waves;
};

class AMDGCNCodegen : public gpu::GPUCodegen {
public:
  AMDGCNCodegen(const CodegenInput &input, gpu::BarrierOps barriers)
      : GPUCodegen(input, std::move(barriers)), id(*parseTargetID(arch)),
        version5(options.value("-mcode-object-version=") == "5") {
    chooseOptions();
    keepElseValues();
  }

private:
  const TargetID id;
  const bool version5; ///< of code objects
  /// What the back end said of kernels' occupancy: warps of a SIMD unit.
  std::map<std::string, unsigned> occupancy;

  Expected<Machine> chooseMachine() override {
    if (id.generic && version5)
      return createStringError("the generic target " + arch +
                               " needs code object version 6; leave "
                               "-mcode-object-version=5 away");
    std::string features = id.features;
    if (id.processor.find("gfx1") == 0 && options.has("-mwavefrontsize64"))
      features +=
          (features.empty() ? "" : ",") + std::string("+wavefrontsize64");
    return Machine{"AMD GPUs", Triple, id.processor, features, Reloc::PIC_};
  }

  void prepare() override {
    makeResultsGeneric(module); // the libraries' too
    module.setModuleFlag(Module::Error, "amdhsa_code_object_version",
                         version5 ? 500u : 600u);
    // With LLVM's passes for no optimisation, lanes lose values over branches
    // that part them. Functions say themselves that they are not to be
    // optimised.
    if (!options.optLevel)
      machine->setOptLevel(CodeGenOptLevel::Less);
    for (const Kernel &kernel : kernels)
      if (Function *entry = module.getFunction(kernel.symbol))
        entry->setVisibility(GlobalValue::ProtectedVisibility);
  }

  void extendPipeline(PassBuilder &builder) override {
    builder.registerOptimizerEarlyEPCallback(
        [](ModulePassManager &manager, OptimizationLevel, ThinOrFullLTOPhase) {
          manager.addPass(gpu::HideSelfCallsPass());
        });
    // Behind the target's own, which is LLVM's Attributor.
    builder.registerOptimizerLastEPCallback([this](ModulePassManager &manager,
                                                   OptimizationLevel,
                                                   ThinOrFullLTOPhase) {
      manager.addPass(gpu::ShowSelfCallsPass());
      if (options.optLevel > 1)
        manager.addPass(
            createModuleToFunctionPassAdaptor(gpu::RejoinChoicePass()));
    });
  }

  void mend() override {
    forgetResults(module);
    alignFrames(module);
    mendDynamicAllocas(module, *machine);
    mendStackPointers(module, *machine);
    mendWideShuffles(module, *machine);
    mendFrameChoices(module);
    splitQuotients(module);
    mendQuotients(module);
    mendLongQuotients(module);
    if (!options.optLevel)
      mendUnoptimised(module);
  }

  uint64_t sharedLimit() const override { return sharedMemoryOf(id.processor); }

  Error emit(DeviceOutput output, SmallVectorImpl<char> &out) override {
    if (!options.resourceUsage)
      return Codegen::emit(output, out);
    LLVMContext &context = module.getContext();
    context.setDiagnosticHandler(std::make_unique<OccupancyListener>(
        context.getDiagnosticHandler(), occupancy));
    Error failed = Codegen::emit(output, out);
    auto listener = context.getDiagnosticHandler();
    context.setDiagnosticHandler(
        std::move(static_cast<OccupancyListener &>(*listener).next));
    return failed;
  }

  void describe() override { gpu::markCalls(part.columns, module, kernels); }

  // Registers and stacks are laid out for all that a kernel calls.
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

  /// Writes the table and checks the layouts against the metadata.
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
    if (auto held = occupancy.find(kernel.symbol); held != occupancy.end())
      resources.occupancy = double(held->second) / warpsOf(id.processor);
    return resources;
  }
};

} // namespace

std::unique_ptr<Codegen> makeCodegen(const CodegenInput &input,
                                     gpu::BarrierOps barriers) {
  return std::make_unique<AMDGCNCodegen>(input, std::move(barriers));
}

} // namespace xcc::amdgcn
