// AMD GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image is a code object: an ELF shared object with a kernel descriptor
// (<symbol>.kd) and machine code for each kernel, linked by lld in this
// process. What a launch must know of a kernel is in the code object's
// metadata, a MessagePack document in a note (User Guide for AMDGPU Backend,
// "Code Object V5 Metadata"); it is read back here and written into the
// image's table, so that the runtime needs no reader of it.
//
// An arch is a target id: a processor, or a generic target for several, with
// features that must be on or off ("gfx90a:sramecc+:xnack-"); a feature that is
// not named runs with either.

#include "Machine.h"
#include "Target.h"
#include "amdgcn/mends.h"
#include "gpu/GPU.h"
#include "gpu/Passes.h"
#include "gpu/WarpCalls.h"
#include "link/Link.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/TargetParser.h"
#include <map>

using namespace llvm;

namespace xcc {
using namespace amdgcn;
namespace {

constexpr StringLiteral Triple = "amdgcn-amd-amdhsa";

constexpr TargetOption Options[] = {
    {"-mcode-object-version=",
     "Version of AMD code objects: 6 (default) or 5, for older drivers"},
    {"-mwavefrontsize64", "Run 64 lanes to a warp on AMD GPUs that offer 32"},
    {"-fgpu-flush-denormals-to-zero", ""},
};

/// A target id taken apart.
struct TargetID {
  std::string processor;
  std::string features; ///< for LLVM: "+sramecc,-xnack"
  bool generic = false;
};

/// A target id as the User Guide for AMDGPU Backend, "Target ID", spells it:
/// "processor(:feature[+-])*", each feature at most once, and only those that
/// the processor has. The canonical form has the features by name.
std::optional<TargetID> parse(StringRef arch, std::string *canonical) {
  auto [processor, rest] = arch.split(':');
  AMDGPU::GPUKind kind = AMDGPU::parseArchAMDGCN(processor);
  if (kind == AMDGPU::GK_NONE || (rest.empty() && arch.ends_with(":")))
    return std::nullopt;
  processor = AMDGPU::getArchNameAMDGCN(kind);
  unsigned has = AMDGPU::getArchAttrAMDGCN(kind);
  std::map<StringRef, char> features;
  while (!rest.empty()) {
    auto [feature, others] = rest.split(':');
    if (others.empty() && rest.ends_with(":"))
      return std::nullopt;
    rest = others;
    if (!feature.ends_with("+") && !feature.ends_with("-"))
      return std::nullopt;
    StringRef name = feature.drop_back();
    bool known = (name == "sramecc" && has & AMDGPU::FEATURE_SRAMECC) ||
                 (name == "xnack" && has & AMDGPU::FEATURE_XNACK);
    if (!known || !features.try_emplace(name, feature.back()).second)
      return std::nullopt;
  }
  TargetID id;
  id.processor = processor.str();
  id.generic = processor.ends_with("-generic");
  if (canonical)
    *canonical = id.processor;
  for (auto [name, state] : features) {
    id.features += (id.features.empty() ? "" : ",") + (state + name.str());
    if (canonical)
      *canonical += ":" + name.str() + state;
  }
  return id;
}

//===----------------------------------------------------------------------===//
// What a code object says of its kernels
//===----------------------------------------------------------------------===//

/// The document in a code object's note; empty when there is none.
std::string readMetadata(StringRef bytes) {
  auto file = object::ELFFile<object::ELF64LE>::create(bytes);
  if (!file) {
    consumeError(file.takeError());
    return "";
  }
  auto sections = file->sections();
  if (!sections) {
    consumeError(sections.takeError());
    return "";
  }
  for (const auto &section : *sections) {
    if (section.sh_type != ELF::SHT_NOTE)
      continue;
    Error error = Error::success();
    for (auto note : file->notes(section, error))
      if (note.getType() == ELF::NT_AMDGPU_METADATA) {
        consumeError(std::move(error));
        return note.getDescAsStringRef(section.sh_addralign).str();
      }
    consumeError(std::move(error));
  }
  return "";
}

class KernelMetadata {
public:
  explicit KernelMetadata(msgpack::MapDocNode map) : map(map) {}

  uint32_t number(StringRef key) {
    auto found = map.find(key);
    if (found == map.end())
      return 0;
    if (found->second.getKind() == msgpack::Type::UInt)
      return found->second.getUInt();
    if (found->second.getKind() == msgpack::Type::Int)
      return found->second.getInt();
    if (found->second.getKind() == msgpack::Type::Boolean)
      return found->second.getBool();
    return 0;
  }
  StringRef text(StringRef key) {
    auto found = map.find(key);
    return found != map.end() &&
                   found->second.getKind() == msgpack::Type::String
               ? found->second.getString()
               : StringRef();
  }
  template <class Visit> void args(Visit visit) {
    auto found = map.find(".args");
    if (found == map.end() || !found->second.isArray())
      return;
    for (msgpack::DocNode &arg : found->second.getArray())
      if (arg.isMap())
        visit(KernelMetadata(arg.getMap()));
  }

private:
  msgpack::MapDocNode map;
};

/// Compares the metadata's explicit arguments with the kernel's layout. Empty
/// when they agree.
std::string layoutInMetadata(KernelMetadata &data, const Kernel &kernel) {
  unsigned index = 0;
  std::string difference;
  data.args([&](KernelMetadata arg) {
    if (!difference.empty() || arg.text(".value_kind").starts_with("hidden_"))
      return;
    if (index == kernel.params.size()) {
      difference = "it has more parameters than the kernel";
      return;
    }
    const KernelParam &param = kernel.params[index++];
    uint32_t offset = arg.number(".offset"), size = arg.number(".size");
    if (offset != param.offset || size != param.size)
      difference = "parameter " + utostr(index) + " is at " + utostr(offset) +
                   " with " + utostr(size) + " bytes, and the host puts " +
                   utostr(param.size) + " bytes at " + utostr(param.offset);
  });
  if (difference.empty() && index != kernel.params.size())
    difference = "it has fewer parameters than the kernel";
  return difference;
}

/// The columns that only AMD's runtime reads.
std::string columns(KernelMetadata &data) {
  std::string hidden;
  data.args([&](KernelMetadata arg) {
    StringRef kind = arg.text(".value_kind");
    if (kind.consume_front("hidden_") && kind != "none")
      hidden += (hidden.empty() ? "" : ",") + kind.str() + ":" +
                utostr(arg.number(".offset")) + ":" +
                utostr(arg.number(".size"));
  });
  std::string text;
  raw_string_ostream os(text);
  os << "kernarg_segment=" << data.number(".kernarg_segment_size")
     << "\tkernarg_align=" << data.number(".kernarg_segment_align")
     << "\twave=" << data.number(".wavefront_size");
  if (data.number(".uses_dynamic_stack"))
    os << "\tdynamic_stack=1";
  if (!hidden.empty())
    os << "\thidden=" << hidden;
  os << "\tvgprs=" << data.number(".vgpr_count")
     << "\tsgprs=" << data.number(".sgpr_count") << "\tspills="
     << data.number(".vgpr_spill_count") + data.number(".sgpr_spill_count");
  return text;
}

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

/// Bytes of local memory that a block may have.
uint64_t localMemory(StringRef arch) {
  StringRef processor = arch.split(':').first;
  return processor == "gfx950" ? 160 << 10 : 64 << 10;
}

/// Waves that one SIMD unit holds at most.
unsigned wavesOf(StringRef processor) {
  if (processor.starts_with("gfx90a") || processor.starts_with("gfx94") ||
      processor.starts_with("gfx95") || processor == "gfx9-4-generic")
    return 8;
  if (processor.starts_with("gfx101") || processor == "gfx10-1-generic")
    return 20;
  if (processor.starts_with("gfx10") || processor.starts_with("gfx11") ||
      processor.starts_with("gfx12"))
    return 16;
  return 10;
}

//===----------------------------------------------------------------------===//
// The target
//===----------------------------------------------------------------------===//

void extendPipeline(PassBuilder &builder, unsigned level) {
  builder.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &manager, OptimizationLevel, ThinOrFullLTOPhase) {
        manager.addPass(gpu::HideSelfCallsPass());
      });
  // Behind the target's own, which is LLVM's Attributor.
  builder.registerOptimizerLastEPCallback(
      [=](ModulePassManager &manager, OptimizationLevel, ThinOrFullLTOPhase) {
        manager.addPass(gpu::ShowSelfCallsPass());
        if (level > 1)
          manager.addPass(
              createModuleToFunctionPassAdaptor(gpu::RejoinChoicePass()));
      });
}

class AMDGCN : public Target {
public:
  StringRef triple() const override { return Triple; }
  KernelArguments kernelArguments() const override {
    return KernelArguments::Values;
  }
  ArrayRef<TargetOption> options() const override { return Options; }

  std::vector<std::string> archs() const override {
    SmallVector<StringRef> list;
    AMDGPU::fillValidArchListAMDGCN(list);
    return std::vector<std::string>(list.begin(), list.end());
  }

  std::optional<std::string> parseArch(StringRef arch) const override {
    std::string canonical;
    if (!arch.starts_with("gfx") || !parse(arch, &canonical))
      return std::nullopt;
    return canonical;
  }

  Error checkOption(StringRef option) const override {
    if (option.consume_front("-mcode-object-version=") && option != "5" &&
        option != "6")
      return createStringError("-mcode-object-version=" + option +
                               ": xcc's runtime loads versions 5 and 6");
    return Error::success();
  }

  DevicePassSettings devicePass() const override {
    DevicePassSettings pass = gpu::devicePass(Triple);
    // Which one is a matter of linking; both take their implicit arguments
    // from the same places.
    pass.codeObjectVersion = CodeObjectVersionKind::COV_5;
    return pass;
  }

  void finishPass(Module &module, const GivenOptions &) const override {
    gpu::placeGlobals(module);
  }

  void markEntry(Module &module, const Kernel &kernel) const override {
    Function *entry = module.getFunction(kernel.symbol);
    entry->setCallingConv(CallingConv::AMDGPU_KERNEL);
    entry->setVisibility(GlobalValue::ProtectedVisibility);
    unsigned threads = kernel.maxThreads ? kernel.maxThreads : 1024;
    entry->addFnAttr("amdgpu-flat-work-group-size", "1," + utostr(threads));
    // Blocks of a compute unit, over its four SIMD units.
    if (kernel.minBlocks)
      entry->addFnAttr(
          "amdgpu-waves-per-eu",
          utostr(divideCeil(kernel.minBlocks * divideCeil(threads, 64u), 4u)));
    entry->addFnAttr("uniform-work-group-size", "true");
  }

  void prepareForLibraries(Module &module) const override {
    gpu::ownAvailable(module);
    gpu::removeUnwinding(module);
    gpu::markProgram(module);
    gpu::keepTurns(module, barriers());
    gpu::placeShared(module);
    gpu::lowerMathIntrinsics(module, [](const CallInst &call) {
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
    });
  }

  ArrayRef<StringRef> runtimeFiles() const override {
    static constexpr StringRef files[] = {"device-amdgcn.bc",
                                          "math-libclc-amdgcn.bc"};
    return files;
  }
  Expected<std::vector<std::string>>
  libraries(StringRef arch,
            const DeviceCodegenOptions &options) const override {
    const std::string &ours = options.runtimeDirectory;
    std::vector<std::string> list = {ours + "/device-amdgcn.bc",
                                     ours + "/math-libclc-amdgcn.bc"};
    std::string processor = parse(arch, nullptr)->processor;
    for (std::string name :
         {processor + "-amdgcn--.bc", std::string("tahiti-amdgcn--.bc")}) {
      std::string path = "/usr/lib/clc/" + name;
      if (sys::fs::exists(path)) {
        list.push_back(path);
        break;
      }
    }
    return list;
  }

  Expected<std::vector<DeviceImage>>
  generate(Module &module, StringRef arch, const KernelTable &kernels,
           const DeviceCodegenOptions &options) const override {
    chooseOptions();
    gpu::keepElseValues();
    std::optional<TargetID> id = parse(arch, nullptr);
    bool version5 = options.value("-mcode-object-version=") == "5";
    if (id->generic && version5)
      return createStringError("the generic target " + arch +
                               " needs code object version 6; leave "
                               "-mcode-object-version=5 away");
    std::string features = id->features;
    if (id->processor.find("gfx1") == 0 && options.has("-mwavefrontsize64"))
      features +=
          (features.empty() ? "" : ",") + std::string("+wavefrontsize64");
    gpu::setMachine(module, id->processor, features);
    for (Function &function : module)
      if (!function.isDeclaration() &&
          options.has("-fgpu-flush-denormals-to-zero"))
        function.addFnAttr("denormal-fp-math-f32",
                           "preserve-sign,preserve-sign");
    module.setModuleFlag(Module::Error, "amdhsa_code_object_version",
                         version5 ? 500u : 600u);

    auto made = createMachine(module, Triple, id->processor, features,
                              Reloc::PIC_, options.optLevel, "AMD GPUs");
    if (!made)
      return made.takeError();
    std::unique_ptr<TargetMachine> machine = std::move(*made);
    // With LLVM's passes for no optimisation, lanes lose values over branches
    // that part them. Functions say themselves that they are not to be
    // optimised.
    if (!options.optLevel)
      machine->setOptLevel(CodeGenOptLevel::Less);
    for (const Kernel &kernel : kernels)
      if (Function *entry = module.getFunction(kernel.symbol))
        entry->setVisibility(GlobalValue::ProtectedVisibility);
    if (options.optLevel)
      gpu::keepRestrict(module, kernels);
    gpu::markServices(module);
    gpu::inlineKernels(module, kernels);
    if (Error apart =
            gpu::loopRecursiveBarriers(module, *machine, barriers(), kernels))
      return std::move(apart);
    gpu::optimise(module, *machine, options.optLevel, barriers(),
                  extendPipeline);
    mendDynamicAllocas(module, *machine);
    mendStackPointers(module, *machine);
    mendWideShuffles(module, *machine);
    mendFrameChoices(module);
    splitQuotients(module);
    mendQuotients(module);
    mendLongQuotients(module);
    if (!options.optLevel)
      mendUnoptimised(module);
    if (Error apart = gpu::checkBarriersInEntries(module, barriers(), kernels))
      return std::move(apart);
    if (Error undefined = gpu::checkDefined(module, kernels))
      return std::move(undefined);
    if (Error tooMuch =
            gpu::checkShared(module, arch, localMemory(arch), kernels))
      return std::move(tooMuch);

    DeviceImage image;
    image.triple = Triple.str();
    image.arch = arch.str();
    SmallString<0> bytes;
    std::map<std::string, unsigned> waves;
    LLVMContext &context = module.getContext();
    if (options.resourceUsage)
      context.setDiagnosticHandler(std::make_unique<OccupancyListener>(
          context.getDiagnosticHandler(), waves));
    Error failed = emit(module, *machine, options.output, bytes);
    if (options.resourceUsage) {
      auto listener = context.getDiagnosticHandler();
      context.setDiagnosticHandler(
          std::move(static_cast<OccupancyListener &>(*listener).next));
    }
    if (failed)
      return std::move(failed);
    if (options.output != DeviceOutput::Image) {
      image.data = MemoryBuffer::getMemBufferCopy(bytes);
      return only(std::move(image));
    }
    Expected<std::unique_ptr<MemoryBuffer>> linked = linkWithLLD(
        bytes,
        {"-shared", "--no-undefined", "--build-id=none", "--hash-style=sysv"},
        options.saveTempsPrefix);
    if (!linked)
      return linked.takeError();
    image.data = std::move(*linked);
    if (Error wrong = describe(image, *id, kernels, waves, options))
      return std::move(wrong);
    gpu::markCalls(image.rows, module, kernels);
    return only(std::move(image));
  }

private:
  static gpu::BarrierTarget barriers() {
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
            /*waysInTurn=*/true,
            [](IRBuilder<> &) -> Value * { return nullptr; },
            // No instruction: a mark that passes keep where it is.
            [](IRBuilder<> &builder, Value *) {
              builder.CreateIntrinsic(Intrinsic::amdgcn_wave_barrier, {});
            }};
  }

  /// Writes the table and checks the layouts against the metadata.
  static Error describe(DeviceImage &image, const TargetID &id,
                        const KernelTable &kernels,
                        const std::map<std::string, unsigned> &waves,
                        const DeviceCodegenOptions &options) {
    auto internal = [&](const Twine &text) {
      return createStringError("internal error: the code object for " +
                               image.arch + " " + text +
                               "; please report this to the xcc project");
    };
    msgpack::Document document;
    std::string blob = readMetadata(image.data->getBuffer());
    if (blob.empty() || !document.readFromBlob(blob, /*Multi=*/false) ||
        !document.getRoot().isMap())
      return internal("has no metadata");
    msgpack::MapDocNode root = document.getRoot().getMap();
    StringMap<msgpack::DocNode> found;
    if (auto list = root.find("amdhsa.kernels");
        list != root.end() && list->second.isArray())
      for (msgpack::DocNode &node : list->second.getArray())
        if (node.isMap())
          found[KernelMetadata(node.getMap()).text(".name")] = node;
    for (const Kernel &kernel : kernels) {
      auto at = found.find(kernel.symbol);
      if (at == found.end())
        return internal("lacks kernel '" + kernel.name + "'");
      KernelMetadata data(at->second.getMap());
      std::string difference = layoutInMetadata(data, kernel);
      if (!difference.empty())
        return internal("does not take kernel '" + kernel.name +
                        "' as the host fills it: " + difference);
      rt::KernelRow row =
          kernel.row(data.number(".group_segment_fixed_size"),
                     data.number(".private_segment_fixed_size"));
      std::string more = columns(data);
      row.columns = more;
      image.rows.add(row);
      if (!options.resourceUsage)
        continue;
      KernelResources resources;
      resources.name = kernel.name;
      resources.registers = data.number(".vgpr_count");
      resources.scalarRegisters = data.number(".sgpr_count");
      resources.spillStores = data.number(".vgpr_spill_count");
      resources.spillLoads = data.number(".sgpr_spill_count");
      resources.stack = data.number(".private_segment_fixed_size");
      resources.shared = data.number(".group_segment_fixed_size");
      auto held = waves.find(kernel.symbol);
      if (held != waves.end())
        resources.occupancy = double(held->second) / wavesOf(id.processor);
      image.resources.push_back(std::move(resources));
    }
    return Error::success();
  }
};

} // namespace

const Target &amdgcnTarget() {
  static const AMDGCN target;
  return target;
}

} // namespace xcc
