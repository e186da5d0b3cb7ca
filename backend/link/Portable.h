// Portable images: device code that is generated at run time
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A portable image is a target's linked module before any code of an arch is
// added: compressed bitcode with the layouts of its kernels and the options for
// generation. generatePortable makes an image for an arch from it, the same
// that the device link would have made of this module.

#ifndef XCC_BACKEND_LINK_PORTABLE_H
#define XCC_BACKEND_LINK_PORTABLE_H

#include "Variant.h"
#include "targets/Codegen.h"

namespace xcc {

/// The path of the programs' code generator (libxcc-jit.so), as images record
/// it.
std::string codeGeneratorFile(const DeviceCodegenOptions &how);

/// Makes the portable image of a linked module, or writes the module in the
/// format of options.output. If no arch of the target is generated besides it,
/// code is generated once to find errors in the module.
llvm::Expected<std::vector<DeviceImage>> makePortable(const Target &target,
                                                      CodegenInput input);

/// The parts of a portable image.
struct PortableImage {
  llvm::StringRef triple, layouts, options;
  llvm::StringRef data;
};

/// What to generate of a portable image.
struct PortableRequest {
  std::string arch;
  /// Symbols of the kernels to generate; empty: all of them.
  std::vector<std::string> kernels;
  /// The prefix of files for the module, the assembly and the image; empty if
  /// none.
  std::string dump;
  /// The variant of the single requested kernel.
  std::optional<KernelVariant> variant;
  DeviceCodegenOptions codegen; ///< the image's own -O and the like are added
};

llvm::Expected<std::vector<DeviceImage>>
generatePortable(const PortableImage &image, PortableRequest request);

} // namespace xcc

#endif // XCC_BACKEND_LINK_PORTABLE_H
