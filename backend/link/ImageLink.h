// The images of one linked unit for one arch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_BACKEND_LINK_IMAGELINK_H
#define XCC_BACKEND_LINK_IMAGELINK_H

#include "Initialisers.h"
#include "UnitLink.h"

namespace xcc {

/// One link of a unit's modules to the images for an arch. It runs once.
class ImageLink {
public:
  /// `lacking` gets the symbols that kernels need and nothing defines.
  ImageLink(UnitLink &unit, llvm::StringRef arch, OffloadLTO lto,
            std::vector<std::string> &lacking);

  /// No images where no kernels are, nor variables for other images.
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
  /// The unit of each kernel and function: its number.
  llvm::StringMap<unsigned> definers;
  std::string errors;
  std::vector<std::string> remarks, warnings, onHost, classWarnings;
  std::string imports;  ///< what shared libraries are to have
  std::string together; ///< why units are optimised together, if they are
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
