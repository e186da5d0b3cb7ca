// Images for devices that are yet to be known
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A portable image is a target's linked module as it is before anything of an
// arch comes in: compressed bitcode with the layouts of its kernels and what it
// is to be generated with. generatePortable makes an image of it for an arch,
// the same that the device link would have made of the same module.

#ifndef XCC_BACKEND_LINK_PORTABLE_H
#define XCC_BACKEND_LINK_PORTABLE_H

#include "Variant.h"
#include "targets/Codegen.h"

namespace xcc {

/// Where the code generator of programs is (libxcc-jit.so), as images say it.
std::string codeGeneratorFile(const DeviceCodegenOptions &how);

/// Makes the portable image of a linked module, or writes the module as
/// options.output says. Where no arch of the target is generated beside it,
/// code is generated once to know what is wrong with the module.
llvm::Expected<std::vector<DeviceImage>> makePortable(const Target &target,
                                                      CodegenInput input);

/// What a portable image says and holds.
struct PortableImage {
  llvm::StringRef triple, layouts, options;
  llvm::StringRef data;
};

/// What is wanted of one.
struct PortableRequest {
  std::string arch;
  /// Symbols of the kernels to generate; empty: all of them.
  std::vector<std::string> kernels;
  /// Keeps the module, the assembly and the image in files that begin so.
  std::string dump;
  /// The variant of the one kernel that is wanted.
  std::optional<KernelVariant> variant;
  DeviceCodegenOptions codegen; ///< the image's own -O and the like are added
};

llvm::Expected<std::vector<DeviceImage>>
generatePortable(const PortableImage &image, PortableRequest request);

} // namespace xcc

#endif // XCC_BACKEND_LINK_PORTABLE_H
