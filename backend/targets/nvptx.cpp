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

#include "Target.h"
#include "gpu/GPU.h"
#include "gpu/Passes.h"
#include "support/Files.h"
#include "support/Processes.h"
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

/// sm_90a is 90 with the suffix 'a'.
struct Arch {
  unsigned version = 0;
  char suffix = 0; ///< 'a': this GPU alone, 'f': its family, 0: it and later
  explicit Arch(StringRef name) {
    name.consume_front("sm_");
    if (name.ends_with("a") || name.ends_with("f")) {
      suffix = name.back();
      name = name.drop_back();
    }
    name.getAsInteger(10, version);
  }
};

/// The PTX version to write. Drivers and ptxas take older ones, so this is the
/// oldest that has what we use: 7.8 (CUDA 11.8) for GPUs with independent
/// threads, or what the arch came with (PTX ISA, release notes).
std::string ptxFeature(Arch arch) {
  unsigned version = 63;
  if (arch.version >= 70)
    version = 78;
  if (arch.version >= 100)
    version = 86;
  switch (arch.version) {
  case 88:
  case 110:
    version = 90;
    break;
  case 90:
    version = arch.suffix ? 80 : 78;
    break;
  case 120:
    version = 87;
    break;
  case 103:
  case 121:
    version = 88;
    break;
  default:
    break;
  }
  if (arch.suffix == 'f')
    version = std::max(version, 88u);
  return "+ptx" + utostr(version);
}

//===----------------------------------------------------------------------===//
// The CUDA toolkit, where there is one
//===----------------------------------------------------------------------===//

/// Folders that may hold a toolkit, best first.
std::vector<std::string> toolkits(const DeviceCodegenOptions &options) {
  std::vector<std::string> found;
  auto add = [&](const Twine &path) {
    std::string text = path.str();
    if (!text.empty() && !is_contained(found, text))
      found.push_back(text);
  };
  if (auto given = options.value("--cuda-path="))
    add(*given);
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *value = getenv(variable))
      add(value);
  if (auto program = sys::findProgramByName("ptxas")) {
    SmallString<128> real;
    if (!sys::fs::real_path(*program, real))
      add(sys::path::parent_path(sys::path::parent_path(real)));
  }
  add("/usr/local/cuda");
  std::vector<std::string> versions;
  std::error_code error;
  for (sys::fs::directory_iterator at("/usr/local", error), end;
       !error && at != end; at.increment(error))
    if (sys::path::filename(at->path()).starts_with("cuda-"))
      versions.push_back(at->path());
  llvm::sort(versions, std::greater<>());
  for (const std::string &version : versions)
    add(version);
  add("/opt/cuda");
  add("/usr/lib/nvidia-cuda-toolkit"); // Debian
  add("/usr");
  return found;
}

std::string findIn(ArrayRef<std::string> toolkits, ArrayRef<StringRef> places) {
  for (const std::string &toolkit : toolkits)
    for (StringRef place : places) {
      std::string path = toolkit + "/" + place.str();
      if (sys::fs::exists(path))
        return path;
    }
  return "";
}

std::string findLibdevice(const DeviceCodegenOptions &options) {
  return findIn(toolkits(options),
                {"nvvm/libdevice/libdevice.10.bc", "libdevice/libdevice.10.bc",
                 "lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc"});
}

std::vector<std::string> assemblers(const DeviceCodegenOptions &options) {
  std::vector<std::string> list;
  for (const std::string &toolkit : toolkits(options)) {
    std::string path = toolkit + "/bin/ptxas";
    SmallString<128> real;
    if (sys::fs::can_execute(path) && !sys::fs::real_path(path, real) &&
        !is_contained(list, real.str()))
      list.push_back(real.str().str());
  }
  return list;
}

/// What one run of ptxas said of one kernel.
struct Usage {
  uint32_t registers = 0, stack = 0, spillStores = 0, spillLoads = 0,
           shared = 0;
};

/// The number before `what` in a line such as "8 bytes stack frame, ...".
uint32_t numberBefore(StringRef line, StringRef what) {
  size_t at = line.find(what);
  if (at == StringRef::npos)
    return 0;
  StringRef head = line.take_front(at).rtrim();
  size_t digits = head.find_last_not_of("0123456789");
  uint32_t number = 0;
  head.drop_front(digits == StringRef::npos ? 0 : digits + 1)
      .getAsInteger(10, number);
  return number;
}

std::map<std::string, Usage> readUsage(StringRef text) {
  std::map<std::string, Usage> all;
  Usage *current = nullptr;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    if (size_t at = line.find("Compiling entry function '");
        at != StringRef::npos) {
      StringRef name = line.drop_front(at).split('\'').second;
      current = &all[name.split('\'').first.str()];
    } else if (line.contains("Function properties for")) {
      StringRef name = line.rsplit(' ').second.trim();
      auto found = all.find(name.str());
      current = found == all.end() ? nullptr : &found->second;
    } else if (current && line.contains("bytes stack frame")) {
      current->stack = numberBefore(line, "bytes stack frame");
      current->spillStores = numberBefore(line, "bytes spill stores");
      current->spillLoads = numberBefore(line, "bytes spill loads");
    } else if (current && line.contains("Used ")) {
      current->registers = numberBefore(line, "registers");
      current->shared = numberBefore(line, "bytes smem");
    }
  }
  return all;
}

struct Assembled {
  std::unique_ptr<MemoryBuffer> cubin; ///< null: no ptxas knows the arch
  std::map<std::string, Usage> usage;
};

/// Runs the first ptxas that knows the arch and the PTX version.
Expected<Assembled> assemble(StringRef ptx, StringRef arch,
                             const DeviceCodegenOptions &options) {
  Assembled result;
  std::vector<std::string> programs = assemblers(options);
  if (programs.empty())
    return result;
  std::vector<TemporaryFile> files;
  for (StringRef suffix : {"ptx", "cubin", "txt"}) {
    auto file = TemporaryFile::create("xcc-device", suffix);
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
  }
  StringRef input = files[0].path(), output = files[1].path(),
            messages = files[2].path();
  if (Error error = writeFile(input, [&](raw_ostream &os) { os << ptx; }))
    return createStringError("cannot write '" + input +
                             "': " + toString(std::move(error)));
  for (const std::string &program : programs) {
    SmallVector<StringRef> args = {program, "-v", "-arch", arch, "-o", output};
    std::string level = "-O" + utostr(options.optLevel);
    args.push_back(level);
    if (options.debugInfo)
      args.push_back(options.optLevel ? "-lineinfo" : "-g");
    args.push_back(input);
    std::string failure;
    std::optional<StringRef> redirects[] = {StringRef(""), messages, messages};
    int code = executeAndWait(program, args, redirects, &failure);
    auto said = MemoryBuffer::getFile(messages);
    StringRef text = said ? (*said)->getBuffer() : StringRef();
    if (code == 0) {
      auto cubin = MemoryBuffer::getFile(output, false, false);
      if (!cubin)
        return createStringError("cannot read what '" + program +
                                 "' wrote: " + cubin.getError().message());
      result.cubin = MemoryBuffer::getMemBufferCopy((*cubin)->getBuffer());
      result.usage = readUsage(text);
      return result;
    }
    // It is older or younger than the arch.
    if (text.contains("is not defined for option 'gpu-name'") ||
        text.contains("Unsupported .version") ||
        text.contains("Unsupported .target"))
      continue;
    if (code < 0 && text.empty())
      return createStringError("cannot run '" + program + "': " + failure);
    // Among its errors are the lines of -v.
    std::string errors;
    for (StringRef line : split(text, '\n'))
      if (!line.contains("info    :") && !line.starts_with("    "))
        errors += (line.trim() + "\n").str();
    return createStringError("'" + program + "' refused the PTX for " + arch +
                             ":\n" + StringRef(errors).rtrim());
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Checking what the back end made
//===----------------------------------------------------------------------===//

/// Compares an entry's .param list with the kernel's layout. Empty when they
/// agree.
std::string layoutInPTX(StringRef ptx, const Kernel &kernel) {
  std::string head = ".entry " + kernel.symbol + "(";
  size_t at = ptx.find(head);
  if (at == StringRef::npos)
    return kernel.params.empty() ? "" : "the entry is missing";
  StringRef list = ptx.drop_front(at + head.size());
  list = list.take_front(list.find(')'));
  SmallVector<StringRef> lines;
  list.split(lines, ',', -1, false);
  uint32_t offset = 0;
  unsigned index = 0;
  for (StringRef line : lines) {
    line = line.trim();
    if (!line.consume_front(".param"))
      continue;
    if (index == kernel.params.size())
      return "it has more parameters than the kernel";
    const KernelParam &param = kernel.params[index++];
    // .param .u64 .ptr .align 1 name   |   .param .align 8 .b8 name[24]
    SmallVector<StringRef> words;
    line.split(words, ' ', -1, false);
    uint32_t size = 0, alignment = 0, count = 1;
    for (unsigned i = 0; i < words.size(); ++i) {
      StringRef word = words[i];
      if (word == ".ptr") {
        break; // what follows is about what it points to
      } else if (word == ".align" && i + 1 < words.size()) {
        words[++i].getAsInteger(10, alignment);
      } else if (word.consume_front(".")) {
        unsigned bits = 0;
        word.drop_front(1).getAsInteger(10, bits);
        size = bits / 8;
      }
    }
    if (line.ends_with("]"))
      line.rsplit('[').second.drop_back().getAsInteger(10, count);
    alignment = std::max(alignment, size);
    size *= count;
    offset = alignTo(offset, std::max(alignment, 1u));
    if (offset != param.offset || size != param.size)
      return "parameter " + utostr(index) + " is at " + utostr(offset) +
             " with " + utostr(size) + " bytes, and the host puts " +
             utostr(param.size) + " bytes at " + utostr(param.offset);
    offset += size;
  }
  if (index != kernel.params.size())
    return "it has fewer parameters than the kernel";
  return "";
}

//===----------------------------------------------------------------------===//
// Atomic operations
//===----------------------------------------------------------------------===//

/// Makes fences of what the back end does not order. Before sm_70, PTX has
/// neither acquire nor release: a fence on each side of a relaxed operation
/// orders no less. From sm_70 on, the back end orders loads, stores and
/// compare-and-swap, but makes every other update a relaxed one.
void orderAtomics(Module &module, unsigned version) {
  struct Found {
    Instruction *inst;
    AtomicOrdering order;
    SyncScope::ID scope;
  };
  SmallVector<Found> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *load = dyn_cast<LoadInst>(&inst);
      auto *store = dyn_cast<StoreInst>(&inst);
      auto *rmw = dyn_cast<AtomicRMWInst>(&inst);
      auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst);
      if (!rmw && version >= 70)
        continue;
      AtomicOrdering order = load       ? load->getOrdering()
                             : store    ? store->getOrdering()
                             : rmw      ? rmw->getOrdering()
                             : exchange ? exchange->getMergedOrdering()
                                        : AtomicOrdering::NotAtomic;
      if (isStrongerThanMonotonic(order))
        found.push_back({&inst, order, *getAtomicSyncScopeID(&inst)});
      else
        continue;
      if (load) {
        load->setOrdering(AtomicOrdering::Monotonic);
      } else if (store) {
        store->setOrdering(AtomicOrdering::Monotonic);
      } else if (rmw) {
        rmw->setOrdering(AtomicOrdering::Monotonic);
      } else {
        exchange->setSuccessOrdering(AtomicOrdering::Monotonic);
        exchange->setFailureOrdering(AtomicOrdering::Monotonic);
      }
    }
  for (auto [inst, order, scope] : found) {
    LLVMContext &context = inst->getContext();
    if (version < 70) {
      // membar, the only fence there.
      new FenceInst(context, AtomicOrdering::SequentiallyConsistent, scope,
                    inst->getIterator());
      new FenceInst(context, AtomicOrdering::SequentiallyConsistent, scope,
                    std::next(inst->getIterator()));
      continue;
    }
    if (isReleaseOrStronger(order))
      new FenceInst(context,
                    order == AtomicOrdering::SequentiallyConsistent
                        ? order
                        : AtomicOrdering::Release,
                    scope, inst->getIterator());
    if (isAcquireOrStronger(order))
      new FenceInst(context, AtomicOrdering::Acquire, scope,
                    std::next(inst->getIterator()));
  }
}

//===----------------------------------------------------------------------===//
// The target
//===----------------------------------------------------------------------===//

/// What a multiprocessor holds (CUDA C++ Programming Guide, compute
/// capabilities): warps, blocks, bytes of shared memory.
struct Multiprocessor {
  unsigned warps, blocks, shared;
};
Multiprocessor multiprocessorOf(Arch arch) {
  switch (arch.version) {
  case 75:
    return {32, 16, 65536};
  case 80:
    return {64, 32, 167936};
  case 87:
    return {48, 16, 167936};
  case 86:
    return {48, 16, 102400};
  case 88:
  case 89:
    return {48, 24, 102400};
  case 90:
  case 100:
  case 101:
  case 103:
    return {64, 32, 233472};
  case 110:
    return {48, 24, 233472};
  case 120:
  case 121:
    return {48, 24, 102400};
  default:
    return {64, 32, 98304};
  }
}

/// The share of a multiprocessor's warps that blocks of that size can fill.
double occupancy(Arch arch, unsigned threads, const Usage &usage) {
  Multiprocessor has = multiprocessorOf(arch);
  unsigned warps = divideCeil(threads, 32u);
  // Registers are handed out to warps, 256 at a time, out of 65536.
  unsigned perWarp =
      std::max<unsigned>(alignTo(usage.registers * 32u, 256u), 256u);
  unsigned blocks = std::min(has.blocks, has.warps / warps);
  blocks = std::min(blocks, 65536 / perWarp / warps);
  if (usage.shared)
    blocks = std::min(blocks, has.shared / (usage.shared + 1024));
  return double(blocks * warps) / has.warps;
}

/// PTX has no way to write a quote in the name of a source file.
void nameFilesForPTX(SmallVectorImpl<char> &text) {
  StringRef all(text.data(), text.size());
  for (size_t at = 0; (at = all.find("\n\t.file\t", at)) != StringRef::npos;) {
    size_t end = std::min(all.find('\n', at + 1), all.size());
    for (; at + 1 < end; ++at)
      if (text[at] == '\\') {
        if (text[at + 1] == '"')
          text[at] = text[at + 1] = '\'';
        ++at;
      }
  }
}

/// Makes the names of gpu::cutCircles those of their variables. PTX has a
/// variable declared .extern before it is defined, if both lines agree in type
/// and the definition is .visible; both are needed since an initial value may
/// name only what was declared before it.
void declareAhead(SmallVectorImpl<char> &text, ArrayRef<gpu::Ahead> list) {
  if (list.empty())
    return;
  StringMap<std::string> variables, declarations;
  for (const gpu::Ahead &each : list)
    variables[each.name] = each.variable;
  auto nameEnd = [](StringRef text, size_t from) {
    return std::min(text.find_if_not(
                        [](char c) { return isAlnum(c) || c == '_' || c == '$'; },
                        from),
                    text.size());
  };
  // .visible .global .align 8 .u64 name[2] = {...};
  auto nameOf = [&](StringRef line) {
    size_t at = line.find_first_of("=;[");
    StringRef head = line.take_front(at).rtrim();
    return head.drop_front(head.rfind(' ') + 1);
  };
  SmallVector<StringRef> lines;
  StringRef(text.data(), text.size()).split(lines, '\n');
  for (StringRef line : lines)
    if (StringRef rest = line; rest.consume_front(".visible .global "))
      declarations[nameOf(line)] =
          (".extern .global " + rest.take_front(rest.find_first_of("=;")).rtrim() +
           ";")
              .str();
  std::string changed;
  for (StringRef line : lines) {
    if (line.starts_with(".extern .global "))
      if (auto found = variables.find(nameOf(line)); found != variables.end()) {
        changed += declarations.lookup(found->second) + '\n';
        continue;
      }
    // Elsewhere each name is a whole word.
    for (size_t at = 0; at < line.size();) {
      size_t end = nameEnd(line, at);
      StringRef word = line.slice(at, std::max(end, at + 1));
      auto found = variables.find(word);
      changed += found == variables.end() ? word : StringRef(found->second);
      at += word.size();
    }
    changed += '\n';
  }
  changed.pop_back();
  text.assign(changed.begin(), changed.end());
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
    const llvm::Target *target = backend();
    if (!target)
      return createStringError(
          "LLVM has no code generator for NVIDIA GPUs; install llvm-22");
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
    TargetOptions targetOptions;
    targetOptions.AllowFPOpFusion = FPOpFusion::Standard;
    std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
        llvm::Triple(Triple), arch, features, targetOptions, std::nullopt,
        std::nullopt,
        options.optLevel ? CodeGenOptLevel::Aggressive
                         : CodeGenOptLevel::None));
    module.setDataLayout(machine->createDataLayout());
    if (options.optLevel)
      gpu::keepRestrict(module, kernels);
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
    raw_svector_ostream os(text);
    if (options.output == DeviceOutput::LLVMAssembly) {
      module.print(os, nullptr);
    } else if (options.output == DeviceOutput::Bitcode) {
      WriteBitcodeToFile(module, os);
    } else {
      std::vector<gpu::Ahead> ahead = gpu::cutCircles(module);
      if (Error error = gpu::emit(module, *machine, /*assembly=*/true, text))
        return std::move(error);
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
    auto made = images(std::move(image), which, kernels, options);
    if (made)
      for (DeviceImage &each : *made) {
        gpu::markCalls(each.rows, module, kernels);
        gpu::markStacks(each.rows, module, kernels);
      }
    return made;
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
