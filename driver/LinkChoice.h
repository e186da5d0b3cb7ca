// Chooses the archs for which a link makes images
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects record the archs for which they were compiled. A link without
// --offload-arch= makes images for these. docs/driver.md has the rule as a
// table.

#ifndef XCC_DRIVER_LINKCHOICE_H
#define XCC_DRIVER_LINKCHOICE_H

#include "Plan.h"
#include "link/DeviceLink.h"

namespace xcc {

struct LinkChoice {
  std::vector<DeviceArch> archs; ///< in the order of images
  std::vector<std::string> warnings, notes;
};

/// A shared library without kernels may still have images, for code that others
/// use. In a program for a device (-foffload-main), every input counts as
/// having kernels.
enum class LinkKind { Ordinary, SharedLibrary, DeviceProgram };
LinkKind kindOf(const LinkStep &link);

/// Chooses the archs from the inputs, sources of this command among them. If
/// `given` is not empty (--offload-arch=), checks these instead. An error names
/// the object that lacks a kernel's device code.
llvm::Expected<LinkChoice> chooseArchs(llvm::ArrayRef<DeviceModule> inputs,
                                       llvm::ArrayRef<DeviceArch> given,
                                       LinkKind kind);

/// The archs that a link without --offload-arch= chooses, without any check.
std::vector<DeviceArch> archsOf(llvm::ArrayRef<DeviceModule> inputs,
                                LinkKind kind);

/// For -###: sets the plan's archs as its link would, as far as that is known
/// before compilation. Any source may have kernels; files that cannot be read
/// count as having none.
void previewArchs(Plan &plan, const Options &options);

} // namespace xcc

#endif // XCC_DRIVER_LINKCHOICE_H
