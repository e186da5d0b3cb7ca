// NVIDIA GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM generates PTX, a portable assembly language that the driver compiles for
// the GPU that it finds. If a ptxas that knows the arch is installed, ptxas
// generates the GPU's own code (a cubin) at build time. The image of the newest
// arch also contains its PTX, so that the program runs on later GPUs.
//
// An image is a cubin or PTX text. Its kernels are entries with the names of
// the kernels' symbols. Their parameters have the layout of the kernarg
// segment, so that a launch passes that segment as one buffer (CUDA Driver API,
// CU_LAUNCH_PARAM_BUFFER_POINTER).

#include "Names.h"
#include "gpu/AddressSpaces.h"
#include "gpu/GPUTarget.h"
#include "gpu/stages/BeforeLibraries.h"
#include "nvptx/arch.h"
#include "nvptx/codegen.h"
#include "nvptx/toolkit.h"
#include "nvptx/uniform.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace xcc {
using namespace nvptx;
namespace {

constexpr TargetOption Options[] = {
    {"--cuda-path=", "take ptxas and libdevice from this CUDA toolkit",
     /*kept=*/false},
    {"-foffload-ptx=",
     "which archs' PTX a program keeps beside cubins: newest (default), all, "
     "none, or a list"},
    {"-foffload-no-cubin",
     "embed PTX alone; the driver compiles it at first use"},
    {gpu::FlushDenormals,
     "let float arithmetic on GPUs take denormals for zero"},
    {"-foffload-red-zones", "put zones around variables of GPUs and, on AMD "
                            "GPUs, marks of what orders "
                            "threads, for the checks of simulators"},
};

/// The largest alignment of a variable in a GPU's memory. Drivers do not align
/// variables to more in practice, whatever PTX and cubins ask for.
constexpr uint64_t LargestAlignment = 512;

class NVPTX : public gpu::GPUTarget {
public:
  StringRef triple() const override { return Triple; }
  ArrayRef<TargetOption> options() const override { return Options; }

  StringRef trialArch() const override { return "sm_90"; }

  StringRef tellsResources() const override {
    return "NVIDIA's do when ptxas is installed";
  }

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

  // The driver accepts PTX for older GPUs.
  std::optional<std::string> nearestArch(StringRef arch) const override {
    Arch wanted(arch);
    std::optional<std::string> best;
    if (arch.starts_with("sm_"))
      for (const std::string &name : archs())
        if (Arch known(name); !known.suffix && known.version <= wanted.version)
          best = name;
    return best;
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
    DevicePassSettings pass = GPUTarget::devicePass();
    pass.relocation = Reloc::Static;
    // Some archs have instructions for warp reductions; see xcc/warp.h.
    pass.defined.push_back("__XCC_WARP_REDUCTIONS__=1");
    // Some archs copy to shared memory asynchronously; see xcc/shared_copy.h.
    pass.defined.push_back("__XCC_SHARED_COPIES__=1");
    // For optimised code, ptxas accepts only source lines as debug information.
    pass.linesAlone = true;
    return pass;
  }

  void markEntry(Module &module, const Kernel &kernel) const override {
    Function *entry = module.getFunction(kernel.symbol);
    entry->setCallingConv(CallingConv::PTX_Kernel);
    for (Argument &arg : entry->args())
      if (arg.hasByValAttr()) {
        arg.addAttr(Attribute::get(module.getContext(), "nvvm.grid_constant"));
        // No other address leads to the parameter, so a parameter that is only
        // read needs no copy.
        arg.addAttr(Attribute::NoAlias);
      }
    if (kernel.maxThreads)
      entry->addFnAttr("nvvm.maxntid", utostr(kernel.maxThreads));
    if (kernel.minBlocks)
      entry->addFnAttr("nvvm.minctasm", utostr(kernel.minBlocks));
    if (kernel.isLoop)
      entry->addFnAttr(attribute::Loop);
  }

  void prepareForLibraries(Module &module) const override {
    GPUTarget::prepareForLibraries(module);
    gpu::lowerWideConversions(module);
  }

  void checkVariables(const Module &module,
                      std::vector<std::string> &warnings) const override {
    for (const GlobalVariable &variable : module.globals()) {
      const uint64_t align = variable.getAlign().valueOrOne().value();
      if (align > LargestAlignment && !variable.isDeclaration() &&
          variable.getAddressSpace() != gpu::SharedAddressSpace)
        warnings.push_back(
            formatv("warning: '{0}' needs an alignment of {1} bytes, and "
                    "NVIDIA's driver aligns variables to at most {2} "
                    "[-Woffload-globals]\n"
                    "note: make the variable larger, and align an address in "
                    "it: std::align\n",
                    demangle(variable.getName()), align, LargestAlignment)
                .str());
    }
  }

  ArrayRef<StringRef> runtimeFiles() const override {
    static constexpr StringRef files[] = {
        "x86-nvptx.bc",         "streams-nvptx.bc",
        "device-nvptx.bc",      "math-libdevice-nvptx.bc",
        "math-libclc-nvptx.bc", "exceptions-nvptx.bc"};
    return files;
  }
  Expected<std::vector<std::string>>
  libraries(StringRef, const DeviceCodegenOptions &options) const override {
    const std::string &ours = options.runtimeDirectory;
    std::vector<std::string> list = {ours + "/x86-nvptx.bc",
                                     ours + "/streams-nvptx.bc",
                                     ours + "/device-nvptx.bc"};
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

  std::unique_ptr<Codegen> codegen(const CodegenInput &input) const override {
    return makeCodegen(input, barriers());
  }

protected:
  LaunchQuery launchQuery(const Value &value) const override {
    const auto *call = dyn_cast<IntrinsicInst>(&value);
    switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
      return LaunchQuery::BlockIdx;
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
      return LaunchQuery::BlockDim;
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
      return LaunchQuery::ThreadIdx;
    default:
      return LaunchQuery::None;
    }
  }

  StringRef registerLetter() const override { return "r"; }
  gpu::BarrierOps barriers() const override {
    // bar.sync promises that the whole warp reaches it together (PTX ISA,
    // ".aligned"). ptxas then assumes that branches around it are uniform.
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
            /*pathsWithOneProgramCounter=*/false,
            [](IRBuilder<> &builder) -> Value * {
              return builder.CreateIntrinsic(Intrinsic::nvvm_activemask, {});
            },
            [](IRBuilder<> &builder, Value *lanes) {
              builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {lanes});
            },
            isUniform};
  }

private:
  static std::unique_ptr<MCSubtargetInfo> subtargets() {
    std::string error;
    const llvm::Target *target =
        TargetRegistry::lookupTarget(llvm::Triple(Triple), error);
    return std::unique_ptr<MCSubtargetInfo>(
        target ? target->createMCSubtargetInfo(llvm::Triple(Triple), "", "")
               : nullptr);
  }
};

} // namespace

const Target &nvptxTarget() {
  static const NVPTX target;
  return target;
}

} // namespace xcc
