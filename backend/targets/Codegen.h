// From a linked device module to images of one arch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps are the same for every target and stand in run(); what a target
// does in each is a hook. What GPUs do alike is in gpu/GPUCodegen.h.

#ifndef XCC_BACKEND_TARGETS_CODEGEN_H
#define XCC_BACKEND_TARGETS_CODEGEN_H

#include "Target.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace xcc {

/// A module to make images of for one arch. The module is the callee's to
/// change; everything outlives the images' making.
struct CodegenInput {
  llvm::Module &module;
  llvm::StringRef arch;
  const KernelTable &kernels;
  const DeviceCodegenOptions &options;
  /// Whether an image is made of the module and of others.
  bool isPart = false;
  /// The most parts of the image: a power of two.
  unsigned parts = 1;
};

/// What LLVM is to generate code for.
struct Machine {
  llvm::StringRef devices; ///< the kind, for an error: "NVIDIA GPUs"
  llvm::StringRef triple;
  std::string processor;
  std::string features; ///< as LLVM writes them: "+fma,-avx"
  std::optional<llvm::Reloc::Model> relocation;
};

/// The making of one arch's images. Objects with modules of distinct contexts
/// may run in parallel.
class Codegen {
public:
  explicit Codegen(const CodegenInput &input);
  virtual ~Codegen() = default;

  /// The module, all of an image, as DeviceCodegenOptions::output says. This,
  /// generate() or link() once for each object.
  llvm::Expected<std::vector<DeviceImage>> run();

  /// Generates the code of the module's kernels, for an image with others.
  virtual llvm::Expected<GeneratedPart> generate();
  /// Whether an image can be made of several parts.
  virtual bool linksParts() const { return false; }
  /// Whether code of one part can call what only another has.
  virtual bool callsOtherParts() const { return false; }
  /// Makes the images of parts. Of this object's module nothing is needed.
  llvm::Expected<std::vector<DeviceImage>>
  link(llvm::ArrayRef<GeneratedPart> parts);

  /// What LLVM generates code for, which "native" leaves open.
  virtual llvm::Expected<Machine> chooseMachine() = 0;

protected:
  llvm::Module &module;
  const llvm::StringRef arch;
  const KernelTable &kernels;
  const DeviceCodegenOptions &options;
  const bool isPart;
  const unsigned parts;
  /// From lower() on; the module has its data layout.
  std::unique_ptr<llvm::TargetMachine> machine;
  GeneratedPart part; ///< in the making
  /// In the making from finish() on, with triple and arch, and with the rows
  /// and features of its parts.
  DeviceImage image;

  /// Optimises the module and leaves what the code generator takes; an error
  /// for what it would take and no device of this arch can run.
  virtual llvm::Error lower(const Machine &chosen) = 0;
  /// Writes the module as `output` says; for an image, what it is made from: an
  /// object, unless the target's begins otherwise.
  virtual llvm::Error emit(DeviceOutput output,
                           llvm::SmallVectorImpl<char> &out);
  /// The passes that emit runs.
  virtual std::unique_ptr<llvm::legacy::PassManager> makePassManager();
  /// Writes down what is known of the kernels now that code was emitted.
  virtual void describe() {}
  /// Makes the images of what emit wrote for one: a piece of code for each
  /// part, in their order.
  virtual llvm::Expected<std::vector<DeviceImage>>
  finish(llvm::ArrayRef<llvm::StringRef> code) = 0;

private:
  llvm::Error createMachine(const Machine &chosen);
};

} // namespace xcc

#endif // XCC_BACKEND_TARGETS_CODEGEN_H
