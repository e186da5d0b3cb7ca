// The CPU device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU device is the machine on which the program runs, used like a GPU. The
// blocks of a grid are distributed over its cores, and one core runs the
// threads of a block one after another. Where a GPU has hardware threads, this
// device has loops: the block-function pass (backend/block) puts a kernel's
// body into loops over the threads of a block. It splits the loops at barriers,
// and marks them so that the vectoriser may run several threads in one
// instruction.
//
// An image is an ELF shared object. Each kernel is one xcc_cpu_kernel object
// with the name of the kernel's symbol. The runtime finds it with dlsym and
// puts its address into the dispatch packet's kernel_object.
//
// Archs are the x86-64 levels of the psABI, and "native": the machine that
// compiles. "host" is the default level. Device memory is the host's memory.

#include "Codegen.h"
#include "Names.h"
#include "access/KernelAccess.h"
#include "block/BlockFunction.h"
#include "block/abi/Abi.h"
#include "block/rewrites/ThreadLocals.h"
#include "cpu/bfloats.h"
#include "cpu/freed_notes.h"
#include "cpu/instrument.h"
#include "cpu/model.h"
#include "cpu/vector_library.h"
#include "cpu/vector_math.h"
#include "cpu/wide_products.h"
#include "exceptions/HostCalls.h"
#include "link/Link.h"
#include "link/Variant.h"
#include "support/Analyses.h"
#include "support/WideAtomics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/EntryExitInstrumenter.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace xcc {
namespace {

constexpr StringLiteral Triple = "x86_64-pc-linux-gnu";
/// The level of "host". It has AVX2 and FMA, like every x86-64 server since
/// 2015.
constexpr StringLiteral DefaultLevel = "x86-64-v3";

/// Code generation for the type __bf16 calls these functions. GCC's library has
/// them only from GCC 13 on, so we use our own (device-runtime/cpu/bfloat.cpp).
void keepNarrowing(Module &module) {
  auto isNarrow = [](const Type *type) {
    return type->getScalarType()->isBFloatTy();
  };
  bool found = false;
  for (const Function &function : module) {
    found |= isNarrow(function.getReturnType());
    for (const Instruction &inst : instructions(function))
      found |= isNarrow(inst.getType());
  }
  if (!found)
    return;
  LLVMContext &context = module.getContext();
  Type *narrow = Type::getBFloatTy(context);
  std::pair<StringRef, Type *> functions[] = {
      {"__truncsfbf2", Type::getFloatTy(context)},
      {"__truncdfbf2", Type::getDoubleTy(context)},
      {"__truncxfbf2", Type::getX86_FP80Ty(context)},
      {"__trunctfbf2", Type::getFP128Ty(context)}};
  for (auto [name, from] : functions)
    appendToUsed(
        module,
        {cast<GlobalValue>(
            module.getOrInsertFunction(name, narrow, from).getCallee())});
}

/// The CPU for an arch, and the features that it has in addition.
Machine machineOf(StringRef arch) {
  Machine machine = {"the CPU device", Triple, arch.str(), "", Reloc::PIC_};
  if (arch != "native")
    return machine;
  std::vector<std::string> features;
  for (const auto &[name, on] : sys::getHostCPUFeatures())
    features.push_back(((on ? "+" : "-") + name).str());
  llvm::sort(features);
  machine.processor = sys::getHostCPUName().str();
  machine.features = join(features, ",");
  return machine;
}

/// Pairs of names of a feature: LLVM's, and the one in /proc/cpuinfo. The
/// runtime uses the latter to decide whether a "native" image can run. The list
/// has the features that affect which instructions are generated.
constexpr std::pair<StringLiteral, StringLiteral> CpuInfoNames[] = {
    {"sse3", "pni"},
    {"ssse3", "ssse3"},
    {"sse4.1", "sse4_1"},
    {"sse4.2", "sse4_2"},
    {"sse4a", "sse4a"},
    {"popcnt", "popcnt"},
    {"aes", "aes"},
    {"pclmul", "pclmulqdq"},
    {"avx", "avx"},
    {"avx2", "avx2"},
    {"f16c", "f16c"},
    {"fma", "fma"},
    {"fma4", "fma4"},
    {"xop", "xop"},
    {"tbm", "tbm"},
    {"bmi", "bmi1"},
    {"bmi2", "bmi2"},
    {"lzcnt", "abm"},
    {"movbe", "movbe"},
    {"adx", "adx"},
    {"sha", "sha_ni"},
    {"gfni", "gfni"},
    {"vaes", "vaes"},
    {"vpclmulqdq", "vpclmulqdq"},
    {"avxvnni", "avx_vnni"},
    {"avx512f", "avx512f"},
    {"avx512bw", "avx512bw"},
    {"avx512cd", "avx512cd"},
    {"avx512dq", "avx512dq"},
    {"avx512vl", "avx512vl"},
    {"avx512ifma", "avx512ifma"},
    {"avx512vbmi", "avx512vbmi"},
    {"avx512vbmi2", "avx512_vbmi2"},
    {"avx512vnni", "avx512_vnni"},
    {"avx512bitalg", "avx512_bitalg"},
    {"avx512vpopcntdq", "avx512_vpopcntdq"},
    {"avx512bf16", "avx512_bf16"},
    {"avx512fp16", "avx512_fp16"},
};

std::string cpuInfoFeatures(StringRef features) {
  SmallVector<StringRef> all;
  features.split(all, ',');
  std::string list;
  for (const auto &[llvmName, name] : CpuInfoNames)
    if (is_contained(all, ("+" + llvmName).str()))
      list += (list.empty() ? "" : ",") + name.str();
  return list;
}

/// Makes the arch the target of every function. Features from the source's
/// target attributes or -m options are added.
void setMachine(Module &module, const Machine &machine, bool program) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    std::string features = machine.features;
    StringRef own =
        function.getFnAttribute("target-features").getValueAsString();
    if (!own.empty())
      features = features.empty() ? own.str() : own.str() + "," + features;
    function.addFnAttr("target-cpu", machine.processor);
    if (!program)
      function.removeFnAttr("tune-cpu");
    if (!features.empty())
      function.addFnAttr("target-features", features);
    // A program uses the host's stacks.
    if (program)
      continue;
    // Neither the block pass nor the unwinder needs unwind tables. A
    // sanitizer's report walks the frames, so these stay walkable.
    if (!exceptions::isUnwound(function)) {
      const bool walked = cpu::isInstrumented(function);
      function.setUWTableKind(walked ? UWTableKind::Default
                                     : UWTableKind::None);
      if (walked)
        function.addFnAttr("frame-pointer", "all");
      function.setDoesNotThrow();
    }
    // A frame larger than the guard below a stack could reach the memory beyond
    // it, such as another thread's stack, without a fault.
    if (!function.hasFnAttribute(Attribute::Naked))
      function.addFnAttr("probe-stack", "inline-asm");
  }
}

/// Whether the host's code for this function uses fused multiply-adds.
bool hostFuses(const Function &function) {
  SmallVector<StringRef> features;
  function.getFnAttribute("target-features")
      .getValueAsString()
      .split(features, ',');
  return is_contained(features, "+fma") || is_contained(features, "+fma4");
}

/// Splits every operation that may be fused into a product and a sum.
void separateMultiplyAdds(Function &function) {
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call || call->getIntrinsicID() != Intrinsic::fmuladd)
      continue;
    IRBuilder<> builder(call);
    builder.setFastMathFlags(call->getFastMathFlags());
    Value *product =
        builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1));
    call->replaceAllUsesWith(
        builder.CreateFAdd(product, call->getArgOperand(2)));
    call->eraseFromParent();
  }
}

OptimizationLevel levelOf(unsigned level) {
  switch (level) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  default:
    // Only O3 moves uniform conditions out of thread loops.
    return OptimizationLevel::O3;
  }
}

/// Makes kernel table rows from the kernel objects that the block pass wrote.
rt::KernelTableWriter rowsOf(const Module &module, const KernelTable &kernels) {
  rt::KernelTableWriter rows;
  for (const Kernel &kernel : kernels)
    if (auto object =
            block::readKernelObject(module.getGlobalVariable(kernel.symbol)))
      rows.add(kernel.row(object->groupSegmentSize, object->privateSegmentSize,
                          object->flags));
  return rows;
}

/// The libraries with which objects have to be linked. The objects decide, not
/// the module: code generation adds calls of memcpy and similar functions.
struct Others {
  bool any = false;    ///< whether any library is needed
  bool libcxx = false; ///< whether libc++ is one of them
};

Others othersOf(ArrayRef<StringRef> objects) {
  Others others;
  for (StringRef bytes : objects) {
    auto object = object::ObjectFile::createELFObjectFile(
        MemoryBufferRef(bytes, "device code"));
    if (!object) {
      consumeError(object.takeError());
      others.any = true;
      continue;
    }
    for (const object::SymbolRef &symbol : (*object)->symbols()) {
      Expected<uint32_t> flags = symbol.getFlags();
      Expected<StringRef> name = symbol.getName();
      if (!flags || !name) {
        consumeError(flags.takeError());
        consumeError(name.takeError());
        others.any = true;
      } else if ((*flags & object::SymbolRef::SF_Undefined) != 0 &&
                 (*flags & object::SymbolRef::SF_FormatSpecific) == 0) {
        others.any = true;
        others.libcxx |= isOfLibcxx(*name);
      }
    }
  }
  return others;
}

constexpr TargetOption Options[] = {
    {"-foffload-cpu-services", "reach the C library from the CPU device as "
                               "GPUs do, by calls of the host"},
};

class CPUCodegen : public Codegen {
public:
  using Codegen::Codegen;

private:
  Expected<Machine> chooseMachine() override { return machineOf(arch); }

  Error lower(const Machine &chosen) override {
    if (options.inProgram)
      cpu::defineModel(module);
    cpu::defineRounding(module);
    setMachine(module, chosen, options.program);
    // Without the library, the scalar functions are used instead.
    if (!options.inProgram || !cpu::vectorLibraryOfProcess().empty())
      cpu::provideVectorLibrary(module);
    else
      lacksLibrary = cpu::wantsVectorLibrary(module);
    Analyses analyses(machine.get(), tuningOf(options.optLevel));
    OptimizationLevel level = levelOf(options.optLevel);
    if (options.program)
      analyses.builder.registerPipelineStartEPCallback(
          [](ModulePassManager &mpm, OptimizationLevel) {
            mpm.addPass(createModuleToFunctionPassAdaptor(
                EntryExitInstrumenterPass(/*PostInlining=*/false)));
          });
    else
      access::addToPipeline(analyses.builder, kernels,
                            KernelArguments::Segment);
    // A program's kernels only call the program's own code, which gets the same
    // optimisations as the host's code.
    if (options.program && options.optLevel == 2)
      level = OptimizationLevel::O2;
    addConstantsToPipeline(analyses.builder);
    cpu::addCounters(module, analyses.modules);
    // Only the compiler writes the notes files of coverage.
    if (!options.inProgram)
      cpu::addArcs(module, analyses.modules);
    if (!options.program)
      analyses.builder.registerOptimizerEarlyEPCallback(
          [fuses = machine->getMCSubtargetInfo()->checkFeatures("+fma")](
              ModulePassManager &mpm, OptimizationLevel, ThinOrFullLTOPhase) {
            mpm.addPass(cpu::InlineOwnMathPass(fuses));
          });
    block::addToPipeline(analyses.builder, level, options.program);
    cpu::addInstrumentation(analyses.builder, module);
    pipelineOf(analyses.builder, level).run(module, analyses.modules);
    if (!options.program)
      cpu::noteFreed(module);
    cpu::allowWideProducts(module, *machine);
    cpu::keepSmallBfloats(module, *machine);
    cpu::makeWeak(module);
    cpu::provideArcs(module);
    // All parts of an image share one header.
    if (GlobalVariable *header = module.getGlobalVariable(XCC_SYMBOL_IMAGE))
      header->setLinkage(GlobalValue::WeakAnyLinkage);
    part.features = cpuInfoFeatures(chosen.features);
    part.rows = rowsOf(module, kernels).text();
    return Error::success();
  }

  // Parts would count calls of a shared function separately.
  bool linksParts() const override {
    return !cpu::hasCounters(module) && !cpu::hasArcs(module);
  }
  bool callsOtherParts() const override { return true; }

  Expected<std::vector<DeviceImage>>
  finish(ArrayRef<StringRef> objects) override {
    SmallVector<std::string> args = {
        "-shared",          "--build-id=none", "-z", "defs",       "-Bsymbolic",
        "--hash-style=gnu", "--as-needed",     "-z", "noexecstack"};
    args.push_back("--eh-frame-hdr");
    Others others = othersOf(objects);
    if (options.inProgram && others.any) {
      append_range(args, options.sharedLibraries);
      if (std::string library = cpu::vectorLibraryOfProcess(); !library.empty())
        args.push_back(std::move(library));
    } else if (options.program || others.any) {
      for (const std::string &path : options.libraryPaths)
        args.push_back("-L" + path);
      append_range(args, options.hostLibraries);
      // --device-link does not know which C++ library the link uses.
      if (others.libcxx && options.cxxLibrary != "-lc++")
        args.push_back("-lc++");
      args.push_back(options.cxxLibrary);
      append_range(args,
                   ArrayRef<std::string>{"-lm", "-lgcc_s", "-lgcc", "-lc"});
    }
    Expected<std::unique_ptr<MemoryBuffer>> linked =
        linkWithLLD(objects, args, options);
    if (!linked)
      return linked.takeError();
    linked = cpu::makeStrong(std::move(*linked));
    if (!linked)
      return linked.takeError();
    image.data = std::move(*linked);
    if (lacksLibrary)
      image.lacks = "glibc's libmvec.so.1, which this process cannot load: "
                    "mathematical functions are those of single numbers";
    return only(std::move(image));
  }

  bool lacksLibrary = false; ///< a library that units allow to use
};

class CPU : public Target {
public:
  StringRef triple() const override { return Triple; }
  ArrayRef<TargetOption> options() const override { return Options; }
  ArrayRef<StringRef> runtimeFiles() const override {
    static constexpr StringRef files[] = {"services-cpu.bc", "calls-cpu.bc",
                                          "device-cpu.bc", "exceptions-cpu.bc"};
    return files;
  }
  Expected<std::vector<std::string>>
  libraries(StringRef, const DeviceCodegenOptions &options) const override {
    const std::string &ours = options.runtimeDirectory;
    std::vector<std::string> list;
    if (options.has("-foffload-cpu-services"))
      list.push_back(ours + "/services-cpu.bc");
    list.push_back(ours + "/calls-cpu.bc");
    list.push_back(ours + "/device-cpu.bc");
    return list;
  }
  bool hostProvides(StringRef symbol,
                    const DeviceCodegenOptions &options) const override {
    if (options.cxxLibrary == "-lc++" && isOfLibcxx(symbol))
      return true;
    // libstdc++ also loads libm, libc and libgcc_s, as the link of an image has
    // them.
    static sys::DynamicLibrary library =
        sys::DynamicLibrary::getPermanentLibrary("libstdc++.so.6");
    return library.isValid() &&
           library.getAddressOfSymbol(symbol.str().c_str());
  }
  void prepareForLibraries(Module &module) const override {
    block::endThreads(module);
    cpu::callRounding(module);
    keepNarrowing(module);
    callWideAtomics(module);
  }
  bool sharesHostMemory() const override { return true; }
  bool hasThreadLocals() const override { return true; }
  bool runsHostAssembly() const override { return true; }
  bool runsHostPrograms() const override { return true; }

  StringRef trialArch() const override { return DefaultLevel; }

  std::vector<std::string> archs() const override {
    return {"host", "native", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  }

  std::optional<std::string> parseArch(StringRef arch) const override {
    return StringSwitch<std::optional<std::string>>(arch)
        .Cases({"host", "cpu"}, DefaultLevel.str())
        .Cases({"native", "x86-64-v2", "x86-64-v3", "x86-64-v4"}, arch.str())
        .Default(std::nullopt);
  }

  // The device is the host's machine. So the host's -m options also apply to
  // the device, and so do the intrinsics and layouts that its headers choose by
  // them.
  DevicePassSettings devicePass() const override {
    DevicePassSettings settings;
    settings.instrumented = true;
    return settings;
  }

  // Images are for newer machines than the host's code, with fused
  // multiply-adds. Unless the user asks for fusing, device code fuses only
  // where the host's code also does, so that both round alike.
  void finishPass(Module &module, const GivenOptions &given) const override {
    for (Function &function : module)
      if (!given.fpContract && !hostFuses(function))
        separateMultiplyAdds(function);
    cpu::allowVectorLibrary(module, given);
    cpu::allowOwnMath(module, given);
  }

  void markEntry(Module &module, const Kernel &kernel) const override {
    Function *entry = module.getFunction(kernel.symbol);
    entry->addFnAttr(attribute::CPUKernel, utostr(kernel.fingerprint()));
    entry->addFnAttr(attribute::KernargSize, utostr(kernel.kernargSize));
    if (kernel.maxThreads)
      entry->addFnAttr(attribute::MaxThreads, utostr(kernel.maxThreads));
  }

  std::unique_ptr<Codegen> codegen(const CodegenInput &input) const override {
    return std::make_unique<CPUCodegen>(input);
  }
};

} // namespace

const Target &cpuTarget() {
  static const CPU target;
  return target;
}

} // namespace xcc
