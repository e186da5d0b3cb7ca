// What the compiler asks of a device target
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device target is one file in this folder. It answers the questions below
// and registers itself in Target.cpp's list; nothing else in the compiler knows
// a vendor. Start with cpu.cpp.

#ifndef XCC_BACKEND_TARGETS_TARGET_H
#define XCC_BACKEND_TARGETS_TARGET_H

#include "Kernel.h"
#include "formats/kernel_row.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <optional>

namespace llvm {
class GlobalObject;
class Module;
} // namespace llvm

namespace xcc {

class Codegen;
class ResultCache;
struct CodegenInput;

/// What to make of a linked device module.
enum class DeviceOutput { Image, Assembly, LLVMAssembly, Bitcode };

/// Whether an output is the module itself, as text or bitcode.
inline bool isIR(DeviceOutput output) {
  return output == DeviceOutput::LLVMAssembly ||
         output == DeviceOutput::Bitcode;
}

/// How a kernel gets its arguments.
enum class KernelArguments {
  Segment, ///< the address of the kernarg segment
  Values   ///< parameters of its own, filled by the launch
};

/// Settings of a device pass of Clang. A default member leaves what the
/// host's pass has.
struct DevicePassSettings {
  /// A machine that is not the host's: what names the host's CPU, ABI and code
  /// model goes, what the host does to protect its code too.
  bool ownMachine = false;
  std::string triple; ///< of that machine
  llvm::Reloc::Model relocation = llvm::Reloc::PIC_;
  /// Threads wait for each other: calls stay where all threads that make them
  /// make them.
  bool convergent = false;
  /// A multiplication and an addition become one operation, unless
  /// -ffp-contract= or what implies it was given.
  bool contracts = false;
  /// Optimised code has source lines and nothing more for a debugger.
  bool linesAlone = false;
  /// Sanitizers, coverage and profiles are for its code too.
  bool instrumented = false;
  std::optional<unsigned> codeObjectVersion; ///< as 500 for 5.0
  std::vector<llvm::StringRef> defined;      ///< macros, "NAME=1"
  std::vector<llvm::StringRef> undefined;    ///< macros of Clang's
};

/// What the user said on the command line, where a target's default differs
/// from the host's.
struct GivenOptions {
  bool optLevel = false;     ///< some -O
  bool fpContract = false;   ///< -ffp-contract= or what implies it
  bool mathErrno = false;    ///< -fmath-errno
  bool fastMath = false;     ///< -ffast-math
  std::string vectorLibrary; ///< -fveclib=
};

/// An option that only some targets know. A name that ends with '=' takes a
/// joined value; a flag -fname or -mname has its -fno-name, -mno-name.
struct TargetOption {
  llvm::StringRef name, help;
  /// Whether objects remember it for the link: not what is about the machine
  /// that compiles.
  bool kept = true;

  /// Whether `arg` is this option or its opposite.
  bool matches(llvm::StringRef arg) const;
  /// The opposite of a flag, empty of others.
  std::string opposite() const;
};

/// What of a link's device code is optimised together (-foffload-lto=).
enum class OffloadLTO {
  Full, ///< all of it
  Thin, ///< kernels of a unit and what they reach
  None, ///< what a unit defines
};

/// Whether libc++ has what is named so: its functions are in std::__1, those
/// apart that an ABI's library shares with libstdc++.
inline bool isOfLibcxx(llvm::StringRef symbol) {
  return symbol.contains("St3__1");
}

struct DeviceCodegenOptions {
  unsigned optLevel = 3; ///< 0 to 3
  DeviceOutput output = DeviceOutput::Image;
  /// The folders of libraries that device code may need (-L of the host link).
  std::vector<std::string> libraryPaths;
  /// The C++ library of the host link, libstdc++ or libc++: an argument of a
  /// linker.
  std::string cxxLibrary = "-lstdc++";
  std::string saveTempsPrefix;
  /// The directory of the device runtimes.
  std::string runtimeDirectory;
  /// The target options that were given, as written.
  std::vector<std::string> targetOptions;
  /// The module is a whole program, whose main runs on the device.
  bool program = false;
  /// What else of the host link's files and libraries a program takes, where it
  /// runs on the host's machine: arguments of a linker.
  std::vector<std::string> hostLibraries;
  /// All archs of the target that this link makes images for.
  std::vector<std::string> archs;
  /// The process is a user's: no files of ours, no handlers of signals. The
  /// device code's libraries are these files.
  bool inProgram = false;
  /// The image is dropped: see makePortable.
  bool portableTrial = false;
  std::vector<std::string> sharedLibraries;
  bool debugInfo = false;     ///< -g: the image names source lines
  bool resourceUsage = false; ///< fill DeviceImage::resources
  OffloadLTO lto = OffloadLTO::Thin;
  /// The cache of generated code; null: none.
  ResultCache *cache = nullptr;
  /// Regular expressions of -Rpass=, -Rpass-missed=, -Rpass-analysis=.
  std::string remarks, missedRemarks, analysisRemarks;
  /// What leads to a symbol that nothing defines, and where else it is, as
  /// lines that are notes; empty where nothing is known. Set by the link.
  std::function<std::string(llvm::StringRef symbol)> notesOfLacking;

  /// The value of the last target option of that name, which ends with '='.
  std::optional<llvm::StringRef> value(llvm::StringRef name) const;
  bool has(llvm::StringRef name) const;
};

/// What one kernel takes of the device; zero where the target cannot tell.
struct KernelResources {
  std::string name; ///< readable
  uint32_t registers = 0, scalarRegisters = 0;
  uint32_t spillStores = 0, spillLoads = 0; ///< bytes, or registers on AMD
  uint32_t stack = 0;                       ///< bytes of each thread
  uint32_t shared = 0;                      ///< bytes of each block, static
  double occupancy = 0; ///< share of a compute unit's warps, 0 to 1
};

/// A column of a kernel's row in the kernel table.
struct KernelColumn {
  std::string symbol, key, value;
};

/// Code of some of an image's kernels, generated and not yet linked, and what
/// only code generation knows of them.
struct GeneratedPart {
  llvm::SmallString<0> code; ///< an object, or as the target has it
  std::string rows;          ///< of the kernel table, where they are known now
  std::vector<KernelColumn> columns; ///< for rows, theirs or the image's
  std::string features;              ///< as DeviceImage's
  llvm::StringMap<std::string> unknownAccess; ///< as DeviceImage's
};

/// A finished image and what its OffloadBinary says of it.
struct DeviceImage {
  std::string triple, arch;
  llvm::object::ImageKind kind = llvm::object::IMG_Object;
  std::unique_ptr<llvm::MemoryBuffer> data;
  /// What a file with it is called, where that is not as the user asked: an
  /// image that is text for lack of an assembler.
  std::string extension;
  rt::KernelTableWriter rows; ///< what the runtime must know about each kernel
  /// The reason why a kernel has no column access=, by symbol.
  llvm::StringMap<std::string> unknownAccess;
  std::string features; ///< the "xcc.features" string, may be empty
  /// For portable images: the kernels' layouts, and the options of code generation.
  std::string layouts, options;
  std::string library; ///< where the code generator is; empty for the CPU's
  /// The "xcc.offers" and "xcc.imports" strings: what a shared library has for
  /// others, what the image has of shared libraries. Mostly empty.
  std::string exports, imports;
  /// The "xcc.lacks" string: what code that is generated in a program goes
  /// without there, in words. Mostly empty.
  std::string lacks;
  std::vector<KernelResources> resources;
  /// What the user should know, each said once however many images say it.
  std::vector<std::string> notes;
  /// The same, as Clang writes warnings: lines with places, and notes.
  std::vector<std::string> warnings;
  /// The same of algorithms of the standard that run on the host alone.
  std::vector<std::string> onHost;
  /// The same about classes whose layout differs between units.
  std::vector<std::string> classWarnings;
  /// What -Rpass and its kin asked for, as lines for the user.
  std::vector<std::string> remarks;
};

/// The images of a target that makes one for each arch.
inline std::vector<DeviceImage> only(DeviceImage image) {
  std::vector<DeviceImage> list;
  list.push_back(std::move(image));
  return list;
}

class Target {
public:
  virtual ~Target() = default;

  /// The triple its device passes are compiled for.
  virtual llvm::StringRef triple() const = 0;
  /// The canonical name of an arch as written in -offload-arch=, or nullopt if
  /// it is not one of this target's.
  virtual std::optional<std::string> parseArch(llvm::StringRef arch) const = 0;
  /// What parseArch gives for the newest arch that it knows of those whose code
  /// an unknown one runs, or nothing.
  virtual std::optional<std::string> nearestArch(llvm::StringRef) const {
    return std::nullopt;
  }
  /// Every name parseArch takes, for -print-offload-archs and messages.
  virtual std::vector<std::string> archs() const = 0;
  /// The arch for which code is generated once where a program holds portable
  /// images alone, to know when it is built what could not be generated later.
  virtual llvm::StringRef trialArch() const = 0;
  /// Whether kernels may follow references into the host's memory.
  virtual bool sharesHostMemory() const { return false; }
  /// Whether device code may hold the host's inline assembly.
  virtual bool runsHostAssembly() const { return false; }
  /// Whether device code may hold coroutines.
  virtual bool runsCoroutines() const { return true; }
  /// Whether device threads can have thread_local variables of their own.
  virtual bool hasThreadLocals() const { return false; }
  /// Whether a whole program is compiled for it as for the host: all of C and
  /// C++, with the host's libraries.
  virtual bool runsHostPrograms() const { return false; }
  virtual KernelArguments kernelArguments() const {
    return KernelArguments::Segment;
  }
  /// Options of this target's own, for the command line and --help.
  virtual llvm::ArrayRef<TargetOption> options() const { return {}; }
  /// What is wrong with the value of one of them, or success.
  virtual llvm::Error checkOption(llvm::StringRef) const {
    return llvm::Error::success();
  }
  /// What becomes of the host's pass to make this target's.
  virtual DevicePassSettings devicePass() const = 0;
  /// Changes what the front end made of a translation unit.
  virtual void finishPass(llvm::Module &, const GivenOptions &) const {}
  /// Adds what this target's kernels need to a device pass's module.
  virtual void markEntry(llvm::Module &module, const Kernel &kernel) const = 0;
  /// The names of our own files among those, in lib/xcc/: objects depend on
  /// them, and the compiler's identity changes with them.
  virtual llvm::ArrayRef<llvm::StringRef> runtimeFiles() const = 0;
  /// Bitcode files that define what a module may lack, in this order.
  virtual llvm::Expected<std::vector<std::string>>
  libraries(llvm::StringRef arch,
            const DeviceCodegenOptions &options) const = 0;
  /// Whether what a module may lack is the host's, whose libraries it shares.
  virtual bool hostProvides(llvm::StringRef,
                            const DeviceCodegenOptions &) const {
    return false;
  }
  /// Adds warnings, as DeviceImage's, for variables of a linked module that
  /// this target's devices do not have as the program says.
  virtual void checkVariables(const llvm::Module &,
                              std::vector<std::string> &) const {}
  /// Changes a linked module before libraries are: calls what they export.
  virtual void prepareForLibraries(llvm::Module &) const {}
  /// Changes it after they are.
  virtual void joinLibraries(llvm::Module &) const {}
  /// What optimises a linked module and generates code for one arch: see
  /// Codegen.h.
  virtual std::unique_ptr<Codegen> codegen(const CodegenInput &input) const = 0;
};

/// Those of `args` that an object keeps for this target's link: the last of
/// each option.
std::vector<std::string> keptOptions(const Target &target,
                                     llvm::ArrayRef<std::string> args);

/// Whether something that is used has yet to be defined by a library. The size
/// of a launch's dynamic shared memory has no definition.
bool isLacking(const llvm::GlobalObject &object);

/// What begins an arch that stands for all of a target's: code is generated
/// where the program runs.
inline constexpr llvm::StringLiteral PortablePrefix = "generic:";
/// -offload-arch= for portable images of every target.
inline constexpr llvm::StringLiteral EveryPortable = "generic";
/// Whether an image for this arch is portable.
inline bool isPortable(llvm::StringRef arch) {
  return arch.starts_with(PortablePrefix);
}
/// The arch of a target's portable images: "generic:amdgcn".
std::string portableArch(const Target &target);

/// All targets, the default one first.
llvm::ArrayRef<const Target *> allTargets();
/// The target that knows `arch`, with the canonical name, or null.
const Target *findTarget(llvm::StringRef arch, std::string &canonical);
/// The target of an embedded module's triple, or null.
const Target *findTargetByTriple(llvm::StringRef triple);

const Target &cpuTarget();
const Target &nvptxTarget();
const Target &amdgcnTarget();

} // namespace xcc

#endif // XCC_BACKEND_TARGETS_TARGET_H
