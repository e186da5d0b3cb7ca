// The interface between the compiler and device targets
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device target is one file in this folder. It implements the functions
// below, and Target.cpp has a list of all targets. Nothing else in the compiler
// depends on a vendor. To add a target, start with cpu.cpp.

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
class IntrinsicInst;
class Module;
class Value;
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
  Values   ///< as parameters of the kernel, filled by the launch
};

/// Settings of Clang's device pass. Members with their default values keep the
/// setting of the host pass.
struct DevicePassSettings {
  /// The device is not the host's machine. Settings for the host's CPU, ABI,
  /// code model and hardening do not apply.
  bool ownMachine = false;
  std::string triple; ///< of that machine
  llvm::Reloc::Model relocation = llvm::Reloc::PIC_;
  /// Threads wait for each other: a call stays where all its threads execute it
  /// together.
  bool convergent = false;
  /// A multiplication and an addition become one operation, unless the user
  /// gave -ffp-contract= or an option that implies it.
  bool contracts = false;
  /// Debug information of optimised code has only source lines.
  bool linesAlone = false;
  /// Sanitizers, coverage and profiles also instrument device code.
  bool instrumented = false;
  std::optional<unsigned> codeObjectVersion; ///< 500 for 5.0
  std::vector<llvm::StringRef> defined;      ///< macros, "NAME=1"
  std::vector<llvm::StringRef> undefined;    ///< macros that Clang predefines
};

/// Options from the command line for which a target's default differs from the
/// host's.
struct GivenOptions {
  bool optLevel = false;     ///< some -O option
  bool fpContract = false;   ///< -ffp-contract= or an option that implies it
  bool mathErrno = false;    ///< -fmath-errno
  bool fastMath = false;     ///< -ffast-math
  std::string vectorLibrary; ///< -fveclib=
};

/// An option that only some targets have. A name that ends with '=' takes a
/// joined value. A flag -fname or -mname also has the form -fno-name or
/// -mno-name.
struct TargetOption {
  llvm::StringRef name, help;
  /// Whether objects keep the option for the link. Options about the compiling
  /// machine are not kept.
  bool kept = true;

  /// Whether `arg` is this option or its opposite.
  bool matches(llvm::StringRef arg) const;
  /// The opposite of a flag. Empty for other options.
  std::string opposite() const;
};

/// Which device code is optimised together in a link (-foffload-lto=).
enum class OffloadLTO {
  Full, ///< all code
  Thin, ///< the kernels of a unit and all that they reach
  None, ///< the code that a unit defines
};

/// Whether libc++ defines a symbol of this name. Its functions are in std::__1,
/// except those of the ABI library, which libstdc++ has too.
inline bool isOfLibcxx(llvm::StringRef symbol) {
  return symbol.contains("St3__1");
}

struct DeviceCodegenOptions {
  unsigned optLevel = 3; ///< 0 to 3
  DeviceOutput output = DeviceOutput::Image;
  /// Directories of libraries that device code may need (-L of the host link).
  std::vector<std::string> libraryPaths;
  /// The C++ library of the host link, libstdc++ or libc++, as a linker
  /// argument.
  std::string cxxLibrary = "-lstdc++";
  std::string saveTempsPrefix;
  /// The directory of the device runtimes.
  std::string runtimeDirectory;
  /// The target options that the user gave, as written.
  std::vector<std::string> targetOptions;
  /// The module is a whole program whose main runs on the device.
  bool program = false;
  /// The other files and libraries of the host link, as linker arguments. A
  /// program that runs on the host's machine is linked with them.
  std::vector<std::string> hostLibraries;
  /// All archs of the target for which this link makes images.
  std::vector<std::string> archs;
  /// The compiler runs in a user's process: it must not leave files or set
  /// signal handlers. `sharedLibraries` are the libraries of the device code.
  bool inProgram = false;
  /// The image is not kept: see makePortable.
  bool portableTrial = false;
  std::vector<std::string> sharedLibraries;
  bool debugInfo = false;     ///< -g: the image contains source lines
  bool resourceUsage = false; ///< fill DeviceImage::resources
  OffloadLTO lto = OffloadLTO::Thin;
  /// The cache of generated code, or null.
  ResultCache *cache = nullptr;
  /// Regular expressions of -Rpass=, -Rpass-missed=, -Rpass-analysis=.
  std::string remarks, missedRemarks, analysisRemarks;
  /// Returns notes, as lines, about an undefined symbol: what refers to it, and
  /// where else it is defined. Empty if nothing is known. The link sets it.
  std::function<std::string(llvm::StringRef symbol)> notesOfUndefined;

  /// The value of the last target option of that name, which ends with '='.
  std::optional<llvm::StringRef> value(llvm::StringRef name) const;
  bool has(llvm::StringRef name) const;
};

/// The resources that one kernel uses. Values that the target does not know are
/// zero.
struct KernelResources {
  std::string name; ///< readable
  uint32_t registers = 0, scalarRegisters = 0;
  uint32_t spillStores = 0, spillLoads = 0; ///< bytes; on AMD GPUs, registers
  uint32_t stack = 0;                       ///< bytes of each thread
  uint32_t shared = 0;                      ///< bytes of each block, static
  double occupancy = 0; ///< share of a compute unit's warps, 0 to 1
};

/// A column of a kernel's row in the kernel table.
struct KernelColumn {
  std::string symbol, key, value;
};

/// Generated code of some kernels of an image before it is linked, and what
/// only code generation knows about them.
struct GeneratedPart {
  llvm::SmallString<0> code; ///< an object, or what the target makes instead
  std::string rows;          ///< of the kernel table, if they are known already
  std::vector<KernelColumn> columns; ///< for rows of this part or of the image
  std::string features;              ///< as in DeviceImage
  llvm::StringMap<std::string> unknownAccess; ///< as in DeviceImage
};

/// A finished image and its description in the OffloadBinary.
struct DeviceImage {
  std::string triple, arch;
  llvm::object::ImageKind kind = llvm::object::IMG_Object;
  std::unique_ptr<llvm::MemoryBuffer> data;
  /// The extension of the image's file, if it is not the one that the user
  /// asked for. Without an assembler, an image is text.
  std::string extension;
  rt::KernelTableWriter rows; ///< what the runtime must know about each kernel
  /// By symbol, the reason why a kernel has no column access=.
  llvm::StringMap<std::string> unknownAccess;
  std::string features; ///< the "xcc.features" string, may be empty
  /// For portable images: the layouts of the kernels, and the options of code
  /// generation.
  std::string layouts, options;
  std::string library; ///< the library with the code generator; empty for the
                       ///< CPU's
  /// The "xcc.offers" and "xcc.imports" strings: what a shared library exports,
  /// and what the image imports from shared libraries. Usually empty.
  std::string exports, imports;
  /// The "xcc.lacks" string: what is missing in code that is generated inside a
  /// program, in words. Usually empty.
  std::string lacks;
  std::vector<KernelResources> resources;
  /// Messages for the user. Each is written once, even if several images have
  /// it.
  std::vector<std::string> notes;
  /// The same for warnings in Clang's form: lines with source locations, and
  /// notes.
  std::vector<std::string> warnings;
  /// The same for standard algorithms that run only on the host.
  std::vector<std::string> onHost;
  /// The same about classes whose layout differs between units.
  std::vector<std::string> classWarnings;
  /// The remarks for -Rpass and similar options, as lines.
  std::vector<std::string> remarks;
};

/// The image list of a target that makes one image for each arch.
inline std::vector<DeviceImage> only(DeviceImage image) {
  std::vector<DeviceImage> list;
  list.push_back(std::move(image));
  return list;
}

/// What a value in optimised code is: this block's index, the threads of a
/// block, or this thread's index in its block, each along x.
enum class LaunchQuery { None, BlockIdx, BlockDim, ThreadIdx };

class Target {
public:
  virtual ~Target() = default;

  /// The triple of the target's device passes.
  virtual llvm::StringRef triple() const = 0;
  /// The canonical name of an arch in -offload-arch=, or nullopt if the target
  /// does not know the arch.
  virtual std::optional<std::string> parseArch(llvm::StringRef arch) const = 0;
  /// For an unknown arch, the newest known arch whose code it runs, as
  /// parseArch would return it. Nullopt if there is none.
  virtual std::optional<std::string> nearestArch(llvm::StringRef) const {
    return std::nullopt;
  }
  /// All names that parseArch accepts, for -print-offload-archs and messages.
  virtual std::vector<std::string> archs() const = 0;
  /// The arch for a trial of code generation. A program that has only portable
  /// images is compiled once for it, so that the build finds the errors of code
  /// generation.
  virtual llvm::StringRef trialArch() const = 0;
  /// Whether kernels may use references to the host's memory.
  virtual bool sharesHostMemory() const { return false; }
  /// Whether device code may contain the host's inline assembly.
  virtual bool runsHostAssembly() const { return false; }
  /// Whether device code may contain coroutines.
  virtual bool runsCoroutines() const { return true; }
  /// Whether device threads can have their own thread_local variables.
  virtual bool hasThreadLocals() const { return false; }
  /// Whether a whole program is compiled for the target as for the host: all of
  /// C and C++, with the host's libraries.
  virtual bool runsHostPrograms() const { return false; }
  virtual KernelArguments kernelArguments() const {
    return KernelArguments::Segment;
  }
  /// What the value tells of the launch, if a call of the target's own tells it.
  virtual LaunchQuery launchQuery(const llvm::Value &) const {
    return LaunchQuery::None;
  }
  /// Whether the call returns the address of what describes the launch. No
  /// address of the program's memory is there.
  virtual bool describesLaunch(const llvm::IntrinsicInst &) const {
    return false;
  }
  /// Which images tell what their kernels use (-foffload-resource-usage), for
  /// a message; empty if none does.
  virtual llvm::StringRef tellsResources() const { return ""; }
  /// The target's own options, for the command line and --help.
  virtual llvm::ArrayRef<TargetOption> options() const { return {}; }
  /// Returns an error if the value of such an option is wrong.
  virtual llvm::Error checkOption(llvm::StringRef) const {
    return llvm::Error::success();
  }
  /// How the target's device pass differs from the host pass.
  virtual DevicePassSettings devicePass() const = 0;
  /// Changes a translation unit's module after the front end.
  virtual void finishPass(llvm::Module &, const GivenOptions &) const {}
  /// Adds what this target's kernels need to the module of a device pass.
  virtual void markEntry(llvm::Module &module, const Kernel &kernel) const = 0;
  /// The names of those device runtime files that belong to xcc, in lib/xcc/.
  /// Objects depend on them, and the compiler's identity changes with them.
  virtual llvm::ArrayRef<llvm::StringRef> runtimeFiles() const = 0;
  /// Bitcode files that may define a module's undefined symbols, in link order.
  virtual llvm::Expected<std::vector<std::string>>
  libraries(llvm::StringRef arch,
            const DeviceCodegenOptions &options) const = 0;
  /// Whether the host's libraries define a symbol, and device code can use
  /// them.
  virtual bool hostProvides(llvm::StringRef,
                            const DeviceCodegenOptions &) const {
    return false;
  }
  /// Adds warnings for variables of a linked module that the target's devices
  /// cannot place as the program asks. The form is that of
  /// DeviceImage::warnings.
  virtual void checkVariables(const llvm::Module &,
                              std::vector<std::string> &) const {}
  /// Changes a linked module before libraries are linked: replaces code by
  /// calls of library functions.
  virtual void prepareForLibraries(llvm::Module &) const {}
  /// Changes the module after libraries are linked.
  virtual void joinLibraries(llvm::Module &) const {}
  /// Creates the object that optimises a linked module and generates code for
  /// one arch: see Codegen.h.
  virtual std::unique_ptr<Codegen> codegen(const CodegenInput &input) const = 0;
};

/// The options among `args` that an object keeps for this target's link. Only
/// the last occurrence of each option is kept.
std::vector<std::string> keptOptions(const Target &target,
                                     llvm::ArrayRef<std::string> args);

/// Whether a used symbol still needs a definition from a library. The symbol
/// for the size of a launch's dynamic shared memory never has a definition.
bool isUndefined(const llvm::GlobalObject &object);

/// The prefix of an arch that stands for all archs of a target. Its code is
/// generated where the program runs.
inline constexpr llvm::StringLiteral PortablePrefix = "generic:";
/// The value of -offload-arch= for portable images of every target.
inline constexpr llvm::StringLiteral EveryPortable = "generic";
/// Whether the images of this arch are portable.
inline bool isPortable(llvm::StringRef arch) {
  return arch.starts_with(PortablePrefix);
}
/// The arch of a target's portable images: "generic:amdgcn".
std::string portableArch(const Target &target);

/// All targets. The first one is the default.
llvm::ArrayRef<const Target *> allTargets();
/// The target that knows `arch`, or null. Sets `canonical` to the arch's
/// canonical name.
const Target *findTarget(llvm::StringRef arch, std::string &canonical);
/// The target of an embedded module's triple, or null.
const Target *findTargetByTriple(llvm::StringRef triple);

const Target &cpuTarget();
const Target &nvptxTarget();
const Target &amdgcnTarget();

} // namespace xcc

#endif // XCC_BACKEND_TARGETS_TARGET_H
