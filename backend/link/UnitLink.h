// The device code of one linked unit for one target
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_UNITLINK_H
#define XCC_BACKEND_LINK_UNITLINK_H

#include "DeviceLink.h"
#include "DuplicateKernels.h"
#include "LibraryExports.h"
#include "Members.h"
#include "llvm/ADT/StringMap.h"

namespace xcc {

/// A program's or shared library's device code for one target. Images of
/// several archs are made in parallel, each from the inputs' bitcode in its own
/// context.
class UnitLink {
public:
  UnitLink(const Target &target, std::vector<DeviceModule *> inputs,
           const DeviceLinkOptions &options)
      : target(target), inputs(std::move(inputs)), options(options) {}

  const Target &target;
  std::vector<DeviceModule *> inputs;
  const DeviceLinkOptions &options;
  std::vector<std::string> archs;
  KernelTable kernels;                      ///< of all inputs, each symbol once
  llvm::StringMap<unsigned> unitsOfKernels; ///< number of each kernel's input,
                                            ///< by symbol
  DeviceCodegenOptions codegen;
  std::vector<DeviceModule *> libraries; ///< inputs with exports
  SharedVariables shared;

  /// Unpacks and chooses the modules to link. Returns false if there are none.
  llvm::Expected<bool> open(DuplicateKernels *duplicates);

  /// Makes the images for an arch. Leaves out a library's variables that cannot
  /// be linked.
  llvm::Expected<std::vector<DeviceImage>> image(llvm::StringRef arch);

  /// Makes the library's exports; empty if there are none.
  llvm::Expected<DeviceLinkResult::Export> exports();

  /// Joins an input's bitcode into `module`. Sets `definers` to the input's
  /// number for each function that it defines.
  llvm::Error add(DeviceModule &input, std::unique_ptr<llvm::Module> &module,
                  llvm::LLVMContext &context, const std::string &errors,
                  llvm::StringMap<unsigned> *definers = nullptr) const;

  bool isLibrary() const { return !options.library.empty(); }
  /// Whether threads of a kernel may run code of other images.
  bool severalImages() const;
  /// Whether images share thread_local variables.
  bool sharesThreadVariables() const {
    return target.hasThreadLocals() && severalImages();
  }

private:
  NonPrevailing nonPrevailing;

  bool isEmpty() const {
    return kernels.empty() && !isLibrary() && !options.codegen.program;
  }
  llvm::Error addKernels();
  llvm::Error choose();
  void writeBitcode();
  llvm::Expected<std::vector<DeviceImage>>
  imageWithout(llvm::StringRef arch, std::vector<std::string> &lacking);
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_UNITLINK_H
