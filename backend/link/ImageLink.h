// Links one linked unit for one arch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_IMAGELINK_H
#define XCC_BACKEND_LINK_IMAGELINK_H

#include "Initialisers.h"
#include "UnitLink.h"

namespace xcc {

/// Links a unit's modules to the images of an arch. Use it once.
class ImageLink {
public:
  /// `lacking` receives the symbols that kernels need and no unit defines.
  ImageLink(UnitLink &unit, llvm::StringRef arch, OffloadLTO lto,
            std::vector<std::string> &lacking);

  /// Makes the images. There are none if there are no kernels and no variables
  /// for other images.
  llvm::Expected<std::vector<DeviceImage>> run();

  /// Why the image could not be made in parts; empty if it could, or is whole.
  llvm::StringRef partsError() const {
    return llvm::StringRef(whyNoParts).rtrim();
  }

private:
  UnitLink &unit;
  const Target &target;
  const llvm::StringRef arch;
  const OffloadLTO lto;
  std::vector<std::string> &lacking;
  DeviceCodegenOptions how;
  const bool program, library, portable;

  std::unique_ptr<llvm::LLVMContext> ownContext;
  std::unique_ptr<llvm::Module> module;
  KernelTable entries;
  /// The number of the unit of each kernel and function.
  llvm::StringMap<unsigned> definers;
  std::string errors;
  std::vector<std::string> remarks, warnings, onHost, classWarnings;
  std::string imports;  ///< what shared libraries must provide
  std::string together; ///< why units are optimised together, if so
  std::string whyNoParts;

  llvm::Error join();
  bool shareVariables();
  llvm::Error makeEntries();
  llvm::Error needOnly();
  void decide();
  llvm::Expected<std::vector<DeviceImage>> generate();

  InitialiserContext initialiserContext();
  llvm::Error keepReached(llvm::Module &module);
  std::string definedElsewhere(llvm::StringRef symbol) const;
  llvm::Error saveStages();
  void addNotes(std::vector<DeviceImage> &images) const;
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_IMAGELINK_H
