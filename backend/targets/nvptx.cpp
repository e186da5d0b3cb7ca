// NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM generates PTX, a portable assembly that the driver compiles for the GPU
// it finds. Where a ptxas that knows the arch is installed, it makes the GPU's
// own code (a cubin) at build time; the image of the newest arch also keeps
// its PTX, so that a program runs on GPUs that came after it.
//
// An image is a cubin or PTX text. Its kernels are entries named by the
// kernels' symbols, whose parameters lie as the kernarg segment does, so that
// a launch hands over that segment as one buffer (CUDA Driver API,
// CU_LAUNCH_PARAM_BUFFER_POINTER).

#include "Machine.h"
#include "Target.h"
#include "gpu/GPU.h"
#include "gpu/Passes.h"
#include "gpu/WarpCalls.h"
#include "nvptx/arch.h"
#include "nvptx/ptx.h"
#include "nvptx/ptxas.h"
#include "nvptx/toolkit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <map>

using namespace llvm;

namespace xcc {
using namespace nvptx;
namespace {

constexpr StringLiteral Triple = "nvptx64-nvidia-cuda";

constexpr TargetOption Options[] = {
    {"--cuda-path=", "Take ptxas and libdevice from this CUDA toolkit",
     /*kept=*/false},
    {"-foffload-ptx=",
     "Which archs' PTX a program keeps beside cubins: newest (default), all, "
     "none, or a list"},
    {"-foffload-no-cubin",
     "Embed PTX alone; the driver compiles it at first use"},
    {"-fgpu-flush-denormals-to-zero",
     "Let float arithmetic on GPUs take denormals for zero"},
};

const llvm::Target *backend() {
  std::string error;
  return TargetRegistry::lookupTarget(llvm::Triple(Triple), error);
}

class NVPTX : public Target {
public:
  StringRef triple() const override { return Triple; }
  KernelArguments kernelArguments() const override {
    return KernelArguments::Values;
  }
  ArrayRef<TargetOption> options() const override { return Options; }

  std::vector<std::string> archs() const override {
    std::vector<std::string> list;
    if (auto subtarget = subtargets())
      for (const SubtargetSubTypeKV &cpu :
           subtarget->getAllProcessorDescriptions())
        list.push_back(cpu.Key);
    llvm::sort(list, [](const std::string &a, const std::string &b) {
      Arch x(a), y(b);
      return std::tie(x.version, x.suffix) < std::tie(y.version, y.suffix);
    });
    return list;
  }

  std::optional<std::string> parseArch(StringRef arch) const override {
    if (!arch.starts_with("sm_"))
      return std::nullopt;
    auto subtarget = subtargets();
    if (!subtarget || !subtarget->isCPUStringValid(arch))
      return std::nullopt;
    return arch.str();
  }

  Error checkOption(StringRef option) const override {
    if (option.consume_front("--cuda-path=")) {
      if (!sys::fs::is_directory(option))
        return createStringError("--cuda-path=" + option +
                                 ": there is no such folder");
    } else if (option.consume_front("-foffload-ptx=")) {
      if (option == "newest" || option == "all" || option == "none")
        return Error::success();
      SmallVector<StringRef> names;
      option.split(names, ',');
      for (StringRef name : names)
        if (!parseArch(name))
          return createStringError(
              "-foffload-ptx=" + option + ": '" + name +
              "' is neither newest, all, none nor an arch such as sm_90");
    }
    return Error::success();
  }

  DevicePassSettings devicePass() const override {
    DevicePassSettings pass = gpu::devicePass(Triple);
    pass.relocation = Reloc::Static;
    // ptxas takes source lines beside optimised code, and no more than that.
    pass.linesAlone = true;
    return pass;
  }

  void finishPass(Module &module, const GivenOptions &) const override {
    gpu::placeGlobals(module);
  }

  void markEntry(Module &module, const Kernel &kernel) const override {
    Function *entry = module.getFunction(kernel.symbol);
    entry->setCallingConv(CallingConv::PTX_Kernel);
    for (Argument &arg : entry->args())
      if (arg.hasByValAttr())
        arg.addAttr(Attribute::get(module.getContext(), "nvvm.grid_constant"));
    if (kernel.maxThreads)
      entry->addFnAttr("nvvm.maxntid", utostr(kernel.maxThreads));
    if (kernel.minBlocks)
      entry->addFnAttr("nvvm.minctasm", utostr(kernel.minBlocks));
  }

  void prepareForLibraries(Module &module) const override {
    gpu::ownAvailable(module);
    gpu::removeUnwinding(module);
    gpu::markProgram(module);
    gpu::keepTurns(module, barriers());
    gpu::placeShared(module);
    gpu::lowerMathIntrinsics(module, [](const CallInst &) { return false; });
    gpu::lowerWideConversions(module);
  }

  ArrayRef<StringRef> runtimeFiles() const override {
    static constexpr StringRef files[] = {
        "device-nvptx.bc", "math-libdevice-nvptx.bc", "math-libclc-nvptx.bc"};
    return files;
  }
  Expected<std::vector<std::string>>
  libraries(StringRef, const DeviceCodegenOptions &options) const override {
    const std::string &ours = options.runtimeDirectory;
    std::vector<std::string> list = {ours + "/device-nvptx.bc"};
    if (std::string libdevice = findLibdevice(options); !libdevice.empty()) {
      list.push_back(ours + "/math-libdevice-nvptx.bc");
      list.push_back(libdevice);
    } else {
      list.push_back(ours + "/math-libclc-nvptx.bc");
      StringRef libclc = "/usr/lib/clc/nvptx64--.bc";
      if (sys::fs::exists(libclc))
        list.push_back(libclc.str());
    }
    return list;
  }

  Expected<std::vector<DeviceImage>>
  generate(Module &module, StringRef arch, const KernelTable &kernels,
           const DeviceCodegenOptions &options) const override {
    Arch which(arch);
    std::string features = ptxFeature(which);
    gpu::setMachine(module, arch, features);
    bool flush = options.has("-fgpu-flush-denormals-to-zero");
    if (flush) {
      for (Function &function : module)
        if (!function.isDeclaration())
          function.addFnAttr("denormal-fp-math-f32",
                             "preserve-sign,preserve-sign");
      module.setModuleFlag(Module::Override, "nvvm-reflect-ftz", 1);
    }
    auto made = createMachine(module, Triple, arch, features, std::nullopt,
                              options.optLevel, "NVIDIA GPUs");
    if (!made)
      return made.takeError();
    std::unique_ptr<TargetMachine> machine = std::move(*made);
    if (options.optLevel)
      gpu::keepRestrict(module, kernels);
    gpu::markServices(module);
    gpu::inlineKernels(module, kernels);
    if (Error apart =
            gpu::loopRecursiveBarriers(module, *machine, barriers(), kernels))
      return std::move(apart);
    gpu::optimise(module, *machine, options.optLevel, barriers(),
                  extendPipeline);
    gpu::lowerOwnAtomics(module, Intrinsic::nvvm_isspacep_local,
                         CallingConv::PTX_Kernel);
    orderAtomics(module, which.version);
    if (Error error = gpu::checkBarriersInEntries(module, barriers(), kernels))
      return std::move(error);
    if (Error error = gpu::checkDefined(module, kernels))
      return std::move(error);
    // What a launch asks for may be more, what is declared may not.
    constexpr uint64_t sharedLimit = 48 << 10;
    if (Error error = gpu::checkShared(module, arch, sharedLimit, kernels))
      return std::move(error);
    if (which.version < 30)
      if (Error error = gpu::checkWarpOperations(module, arch, kernels))
        return std::move(error);

    DeviceImage image;
    image.triple = Triple.str();
    image.arch = arch.str();
    image.kind = object::IMG_PTX;
    SmallString<0> text;
    std::vector<gpu::Ahead> ahead;
    if (!isIR(options.output)) {
      wholeBytes(module);
      ahead = gpu::cutCircles(module);
    }
    // An image begins as text too.
    if (Error failed =
            emit(module, *machine,
                 isIR(options.output) ? options.output : DeviceOutput::Assembly,
                 text))
      return std::move(failed);
    if (!isIR(options.output)) {
      declareAhead(text, ahead);
      nameFilesForPTX(text);
      for (const Kernel &kernel : kernels) {
        std::string difference = layoutInPTX(text, kernel);
        if (!difference.empty())
          return createStringError(
              "internal error: the PTX entry of kernel '" + kernel.name +
              "' for " + arch + " is not what the host fills: " + difference +
              "; please report this to the xcc project");
      }
    }
    image.data = MemoryBuffer::getMemBufferCopy(text);
    if (options.output != DeviceOutput::Image)
      return only(std::move(image));
    image.extension = ".ptx";
    auto list = images(std::move(image), which, kernels, options);
    if (list)
      for (DeviceImage &each : *list) {
        gpu::markCalls(each.rows, module, kernels);
        gpu::markStacks(each.rows, module, kernels);
      }
    return list;
  }

private:
  static gpu::BarrierTarget barriers() {
    // bar.sync promises that the whole warp comes to it at once (PTX ISA,
    // ".aligned"), which ptxas takes branches around it to be uniform for.
    return {CallingConv::PTX_Kernel,
            {Intrinsic::nvvm_barrier_cta_sync_aligned_all,
             Intrinsic::nvvm_barrier_cta_sync_all},
            [](IRBuilder<> &builder, Value *predicate) -> Value * {
              return builder.CreateIntrinsic(Intrinsic::nvvm_vote_any_sync,
                                             {builder.getInt32(-1), predicate});
            },
            [](IRBuilder<> &builder) {
              builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_all,
                                      {builder.getInt32(0)});
            },
            [](IRBuilder<> &builder) {
              builder.CreateIntrinsic(Intrinsic::nvvm_exit, {});
            },
            [](CallInst &call) {
              call.setCalledFunction(Intrinsic::getOrInsertDeclaration(
                  call.getModule(), Intrinsic::nvvm_barrier_cta_sync_all));
            },
            /*waysInTurn=*/false,
            [](IRBuilder<> &builder) -> Value * {
              return builder.CreateIntrinsic(Intrinsic::nvvm_activemask, {});
            },
            [](IRBuilder<> &builder, Value *lanes) {
              builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {lanes});
            }};
  }

  static void extendPipeline(PassBuilder &builder, unsigned level) {
    if (level < 2)
      return;
    builder.registerVectorizerStartEPCallback(
        [](FunctionPassManager &manager, OptimizationLevel) {
          manager.addPass(gpu::UnrollSmallPass());
        });
    builder.registerOptimizerLastEPCallback([](ModulePassManager &manager,
                                               OptimizationLevel,
                                               ThinOrFullLTOPhase) {
      FunctionPassManager functions;
      functions.addPass(gpu::FullMaskPass(Intrinsic::nvvm_activemask,
                                          CallingConv::PTX_Kernel));
      functions.addPass(gpu::RejoinChoicePass());
      manager.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
    });
  }

  static std::unique_ptr<MCSubtargetInfo> subtargets() {
    const llvm::Target *target = backend();
    return std::unique_ptr<MCSubtargetInfo>(
        target ? target->createMCSubtargetInfo(llvm::Triple(Triple), "", "")
               : nullptr);
  }

  /// Whether a program keeps this arch's PTX beside its cubin.
  static bool keepsPTX(Arch arch, StringRef name,
                       const DeviceCodegenOptions &options) {
    StringRef which = options.value("-foffload-ptx=").value_or("newest");
    if (which == "none" || which == "all")
      return which == "all";
    if (which != "newest") {
      SmallVector<StringRef> names;
      which.split(names, ',');
      return is_contained(names, name);
    }
    // Of those that later GPUs can run.
    for (StringRef other : options.archs)
      if (Arch o(other); !o.suffix && o.version > arch.version)
        return false;
    return !arch.suffix || options.archs.size() == 1;
  }

  static std::vector<DeviceImage>
  tabled(std::vector<DeviceImage> list, Arch arch, const KernelTable &kernels,
         const std::map<std::string, Usage> &all,
         const DeviceCodegenOptions &options) {
    rt::KernelTableWriter rows;
    for (const Kernel &kernel : kernels) {
      auto found = all.find(kernel.symbol);
      Usage usage = found == all.end() ? Usage() : found->second;
      rows.add(kernel.row(usage.shared, usage.stack));
      if (found == all.end())
        continue;
      rows.column(kernel.symbol, "registers", usage.registers);
      rows.column(kernel.symbol, "spills",
                  usage.spillStores + usage.spillLoads);
      if (!options.resourceUsage)
        continue;
      KernelResources resources;
      resources.name = kernel.name;
      resources.registers = usage.registers;
      resources.spillStores = usage.spillStores;
      resources.spillLoads = usage.spillLoads;
      resources.stack = usage.stack;
      resources.shared = usage.shared;
      resources.occupancy =
          occupancy(arch, kernel.maxThreads ? kernel.maxThreads : 256, usage);
      list.front().resources.push_back(std::move(resources));
    }
    for (DeviceImage &image : list)
      image.rows = rows;
    return list;
  }

  static Expected<std::vector<DeviceImage>>
  images(DeviceImage ptx, Arch arch, const KernelTable &kernels,
         const DeviceCodegenOptions &options) {
    Assembled assembled;
    bool wanted = !options.has("-foffload-no-cubin");
    if (wanted) {
      auto made = assemble(ptx.data->getBuffer(), ptx.arch, options);
      if (!made)
        return made.takeError();
      assembled = std::move(*made);
      if (!assembled.cubin)
        ptx.note = assemblers(options).empty()
                       ? "no ptxas found: NVIDIA images are PTX, which the "
                         "driver compiles at first use (--cuda-path=<toolkit> "
                         "names one)"
                       : "no ptxas here knows " + ptx.arch +
                             ": its image is PTX, which the driver compiles "
                             "at first use";
    }
    std::vector<DeviceImage> list;
    bool keep = !assembled.cubin || keepsPTX(arch, ptx.arch, options);
    if (assembled.cubin) {
      DeviceImage cubin;
      cubin.triple = ptx.triple;
      cubin.arch = ptx.arch;
      cubin.kind = object::IMG_Cubin;
      cubin.data = std::move(assembled.cubin);
      list.push_back(std::move(cubin));
    }
    if (keep)
      list.push_back(std::move(ptx));
    return tabled(std::move(list), arch, kernels, assembled.usage, options);
  }
};

} // namespace

const Target &nvptxTarget() {
  static const NVPTX target;
  return target;
}

} // namespace xcc
