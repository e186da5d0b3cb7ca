// AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image is a code object: an ELF shared object with a kernel descriptor
// (<symbol>.kd) and machine code for each kernel. lld links it in this process.
// A launch needs information about a kernel from the code object's metadata, a
// MessagePack document in a note (User Guide for AMDGPU Backend, "Code Object
// V5 Metadata"). The compiler reads it and writes it into the image's kernel
// table, so that the runtime does not have to read it.
//
// An arch is a target ID: a processor, or a generic target for several
// processors, with features that must be on or off ("gfx90a:sramecc+:xnack-").
// If a feature is not named, the code runs with it on or off.

#include "amdgcn/arch.h"
#include "amdgcn/codegen.h"
#include "amdgcn/workarounds/workarounds.h"
#include "gpu/GPUTarget.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/TargetParser.h"

using namespace llvm;

namespace xcc {
using namespace amdgcn;
namespace {

constexpr TargetOption Options[] = {
    {"-mcode-object-version=",
     "version of AMD code objects: 6 (default) or 5, for older drivers"},
    {"-mwavefrontsize64", "run 64 lanes to a warp on AMD GPUs that support 32"},
    {gpu::FlushDenormals, ""},
    {"-foffload-red-zones", ""},
};

/// Where the implicit arguments have the threads of a block along x, 16 bits.
constexpr int64_t BlockSizeOffset = 12;

/// Whether the value is the block's size along x, from the implicit arguments.
bool isBlockDim(const Value &value) {
  const auto *load = dyn_cast<LoadInst>(&value);
  if (!load || !load->getType()->isIntegerTy(16))
    return false;
  int64_t offset = 0;
  const Value *base = load->getPointerOperand();
  if (const auto *gep = dyn_cast<GEPOperator>(base)) {
    const DataLayout &layout = load->getDataLayout();
    APInt bytes(layout.getIndexTypeSizeInBits(gep->getType()), 0);
    if (!gep->accumulateConstantOffset(layout, bytes))
      return false;
    offset = bytes.getSExtValue();
    base = gep->getPointerOperand();
  }
  const auto *call = dyn_cast<IntrinsicInst>(base);
  return call && call->getIntrinsicID() == Intrinsic::amdgcn_implicitarg_ptr &&
         offset == BlockSizeOffset;
}

class AMDGCN : public gpu::GPUTarget {
public:
  StringRef triple() const override { return Triple; }
  ArrayRef<TargetOption> options() const override { return Options; }

  StringRef trialArch() const override { return "gfx942"; }

  StringRef tellsResources() const override { return "AMD's always do"; }

  // Clang 22 crashes on coroutines if local variables have an address space.
  bool runsCoroutines() const override { return false; }

  std::vector<std::string> archs() const override {
    SmallVector<StringRef> list;
    AMDGPU::fillValidArchListAMDGCN(list);
    llvm::erase_if(list, [](StringRef arch) { return !parseTargetID(arch); });
    return std::vector<std::string>(list.begin(), list.end());
  }

  std::optional<std::string> parseArch(StringRef arch) const override {
    auto id = parseTargetID(arch);
    if (!arch.starts_with("gfx") || !id)
      return std::nullopt;
    return id->canonical;
  }

  Error checkOption(StringRef option) const override {
    if (option.consume_front("-mcode-object-version=") && option != "5" &&
        option != "6")
      return createStringError("-mcode-object-version=" + option +
                               ": xcc's runtime loads versions 5 and 6");
    return Error::success();
  }

  DevicePassSettings devicePass() const override {
    DevicePassSettings pass = GPUTarget::devicePass();
    // The link chooses the version. Both versions have the implicit arguments
    // at the same offsets.
    pass.codeObjectVersion = CodeObjectVersionKind::COV_5;
    return pass;
  }

  void markEntry(Module &module, const Kernel &kernel) const override {
    Function *entry = module.getFunction(kernel.symbol);
    entry->setCallingConv(CallingConv::AMDGPU_KERNEL);
    entry->setVisibility(GlobalValue::ProtectedVisibility);
    unsigned threads = kernel.maxThreads ? kernel.maxThreads : 1024;
    entry->addFnAttr("amdgpu-flat-work-group-size", "1," + utostr(threads));
    // Converts blocks of a compute unit into waves of each of its four SIMD
    // units.
    if (kernel.minBlocks)
      entry->addFnAttr(
          "amdgpu-waves-per-eu",
          utostr(divideCeil(kernel.minBlocks * divideCeil(threads, 64u), 4u)));
    entry->addFnAttr("uniform-work-group-size", "true");
  }

  void finishPass(Module &module, const GivenOptions &given) const override {
    amdgcn::passPaddingAsWords(module);
    amdgcn::makeResultsGeneric(module);
    GPUTarget::finishPass(module, given);
  }

  // This runs before exception handling removes the attributes of results.
  void joinLibraries(Module &module) const override {
    amdgcn::makeResultsGeneric(module);
  }

  ArrayRef<StringRef> runtimeFiles() const override {
    static constexpr StringRef files[] = {
        "x86-amdgcn.bc", "streams-amdgcn.bc", "device-amdgcn.bc",
        "math-libclc-amdgcn.bc", "exceptions-amdgcn.bc"};
    return files;
  }
  Expected<std::vector<std::string>>
  libraries(StringRef arch,
            const DeviceCodegenOptions &options) const override {
    const std::string &ours = options.runtimeDirectory;
    std::vector<std::string> list = {
        ours + "/x86-amdgcn.bc", ours + "/streams-amdgcn.bc",
        ours + "/device-amdgcn.bc", ours + "/math-libclc-amdgcn.bc"};
    // The oldest processor's library works for all processors.
    auto id = parseTargetID(arch);
    for (std::string name : {(id ? id->processor : "") + "-amdgcn--.bc",
                             std::string("tahiti-amdgcn--.bc")}) {
      std::string path = "/usr/lib/clc/" + name;
      if (sys::fs::exists(path)) {
        list.push_back(path);
        break;
      }
    }
    return list;
  }

  std::unique_ptr<Codegen> codegen(const CodegenInput &input) const override {
    return makeCodegen(input, barriers());
  }

protected:
  LaunchQuery launchQuery(const Value &value) const override {
    if (isBlockDim(value))
      return LaunchQuery::BlockDim;
    const auto *call = dyn_cast<IntrinsicInst>(&value);
    switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
    case Intrinsic::amdgcn_workgroup_id_x:
      return LaunchQuery::BlockIdx;
    case Intrinsic::amdgcn_workitem_id_x:
      return LaunchQuery::ThreadIdx;
    default:
      return LaunchQuery::None;
    }
  }
  bool describesLaunch(const IntrinsicInst &call) const override {
    switch (call.getIntrinsicID()) {
    case Intrinsic::amdgcn_dispatch_ptr:
    case Intrinsic::amdgcn_implicitarg_ptr:
    case Intrinsic::amdgcn_queue_ptr:
      return true;
    default:
      return false;
    }
  }

  StringRef registerLetter() const override { return "v"; }
  gpu::BarrierOps barriers() const override {
    return {CallingConv::AMDGPU_KERNEL,
            {Intrinsic::amdgcn_s_barrier},
            [](IRBuilder<> &builder, Value *predicate) -> Value * {
              Value *lanes =
                  builder.CreateIntrinsic(Intrinsic::amdgcn_ballot,
                                          {builder.getInt64Ty()}, {predicate});
              return builder.CreateIsNotNull(lanes);
            },
            [](IRBuilder<> &builder) {
              builder.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, {});
            },
            nullptr,
            [](CallInst &) {},
            /*pathsWithOneProgramCounter=*/true,
            [](IRBuilder<> &) -> Value * { return nullptr; },
            // This makes no instruction. It marks a place where passes must not
            // move it.
            [](IRBuilder<> &builder, Value *) {
              builder.CreateIntrinsic(Intrinsic::amdgcn_wave_barrier, {});
            }};
  }

  bool lowersItself(const CallInst &call) const override {
    Intrinsic::ID id = call.getIntrinsicID();
    if (id == Intrinsic::ldexp || id == Intrinsic::frexp)
      return true;
    if (!call.getType()->isFloatTy() && !call.getType()->isHalfTy())
      return false;
    switch (id) {
    case Intrinsic::exp:
    case Intrinsic::exp2:
    case Intrinsic::exp10:
    case Intrinsic::log:
    case Intrinsic::log2:
    case Intrinsic::log10:
      return true;
    case Intrinsic::sin:
    case Intrinsic::cos:
      return call.hasApproxFunc();
    default:
      return false;
    }
  }
};

} // namespace

const Target &amdgcnTarget() {
  static const AMDGCN target;
  return target;
}

} // namespace xcc
