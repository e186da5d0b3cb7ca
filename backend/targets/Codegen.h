// From a linked device module to images of one arch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps are the same for every target: see run(). What a target does in
// each step is a virtual function. The code that GPU targets share is in
// gpu/GPUCodegen.h.

#ifndef XCC_BACKEND_TARGETS_CODEGEN_H
#define XCC_BACKEND_TARGETS_CODEGEN_H

#include "Target.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace xcc {

/// A module from which to make images for one arch. Code generation may change
/// the module. All members must exist until the images are made.
struct CodegenInput {
  llvm::Module &module;
  llvm::StringRef arch;
  const KernelTable &kernels;
  const DeviceCodegenOptions &options;
  /// Whether the module is one of several parts of an image.
  bool isPart = false;
  /// The maximum number of parts of the image: a power of two.
  unsigned parts = 1;
};

/// The machine for which LLVM generates code.
struct Machine {
  llvm::StringRef devices; ///< the kind of device, for errors: "NVIDIA GPUs"
  llvm::StringRef triple;
  std::string processor;
  std::string features; ///< in LLVM's notation: "+fma,-avx"
  std::optional<llvm::Reloc::Model> relocation;
};

/// Makes the images for one arch. Several objects may run in parallel if their
/// modules have different contexts.
class Codegen {
public:
  explicit Codegen(const CodegenInput &input);
  virtual ~Codegen() = default;

  /// Makes images of the module alone, or other output according to
  /// DeviceCodegenOptions::output. Each object may call only one of run(),
  /// generate() and link(), and only once.
  llvm::Expected<std::vector<DeviceImage>> run();

  /// Generates the code of the module's kernels, as a part of an image.
  virtual llvm::Expected<GeneratedPart> generate();
  /// Whether an image can have several parts.
  virtual bool linksParts() const { return false; }
  /// Whether code of one part can call functions of another part.
  virtual bool callsOtherParts() const { return false; }
  /// Links parts into images. Does not use this object's module.
  llvm::Expected<std::vector<DeviceImage>>
  link(llvm::ArrayRef<GeneratedPart> parts);

  /// Chooses the machine for LLVM. For the arch "native", this is the host's
  /// CPU.
  virtual llvm::Expected<Machine> chooseMachine() = 0;

protected:
  llvm::Module &module;
  const llvm::StringRef arch;
  const KernelTable &kernels;
  const DeviceCodegenOptions &options;
  const bool isPart;
  const unsigned parts;
  /// Exists from lower() on. The module then has its data layout.
  std::unique_ptr<llvm::TargetMachine> machine;
  GeneratedPart part; ///< under construction
  /// Under construction from finish() on. It then has its triple and arch, and
  /// the rows and features of its parts.
  DeviceImage image;

  /// Optimises the module and lowers it for the code generator. Returns an
  /// error if the code generator would accept the module, but no device of this
  /// arch can run it.
  virtual llvm::Error lower(const Machine &chosen) = 0;
  /// Writes the module as `output` says. For an image, this writes what
  /// finish() takes: an object, unless the target overrides it.
  virtual llvm::Error emit(DeviceOutput output,
                           llvm::SmallVectorImpl<char> &out);
  /// The passes that emit() runs.
  virtual std::unique_ptr<llvm::legacy::PassManager> makePassManager();
  /// Records what is known about the kernels after emit().
  virtual void describe() {}
  /// Makes images from what emit() wrote for DeviceOutput::Image. `code` has
  /// one element for each part, in order.
  virtual llvm::Expected<std::vector<DeviceImage>>
  finish(llvm::ArrayRef<llvm::StringRef> code) = 0;

private:
  llvm::Error createMachine(const Machine &chosen);
};

} // namespace xcc

#endif // XCC_BACKEND_TARGETS_CODEGEN_H
