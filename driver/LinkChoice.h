// Which archs a link makes images for
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects know what they were compiled for, and a link that says nothing makes
// images for that. docs/driver.md has the rule as a table.

#ifndef XCC_DRIVER_LINKCHOICE_H
#define XCC_DRIVER_LINKCHOICE_H

#include "Plan.h"
#include "link/DeviceLink.h"

namespace xcc {

struct LinkChoice {
  std::vector<DeviceArch> archs; ///< in the order of images
  std::vector<std::string> warnings, notes;
};

/// A shared library without kernels may have images for others; all that a
/// program for a device (-foffload-main) is linked of counts as what holds
/// kernels.
enum class LinkKind { Ordinary, SharedLibrary, DeviceProgram };
LinkKind kindOf(const LinkStep &link);

/// Chooses from what the inputs hold, sources of this command among them, or
/// checks what -offload-arch= asks for (`given`; empty when it was not
/// written). An error names the object that lacks a kernel's device code.
llvm::Expected<LinkChoice> chooseArchs(llvm::ArrayRef<DeviceModule> inputs,
                                       llvm::ArrayRef<DeviceArch> given,
                                       LinkKind kind);

/// What a link that says nothing makes images for, whether it can or not.
std::vector<DeviceArch> archsOf(llvm::ArrayRef<DeviceModule> inputs,
                                LinkKind kind);

/// For -###: sets the plan's archs as its link would, as far as that shows
/// before anything is compiled: any source may hold kernels, and files that
/// cannot be read hold none.
void previewArchs(Plan &plan, const Options &options);

} // namespace xcc

#endif // XCC_DRIVER_LINKCHOICE_H
