// What the command line asks of xcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc takes every option that clang++ takes, and a few of its own. This
// separates the two; Clang's driver library reads the rest.

#ifndef XCC_DRIVER_OPTIONS_H
#define XCC_DRIVER_OPTIONS_H

#include "link/DeviceLink.h"
#include "unit/Compilation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace xcc {

struct Options {
  /// What is left for Clang, with argv[0].
  std::vector<std::string> clangArgs;
  /// The archs of -offload-arch=, each once, in the order given.
  std::vector<DeviceArch> archs;
  bool archsGiven = false; ///< whether any was written
  UnitOptions unit;        ///< of each translation unit
  /// Options of device code. Kernels are optimised unless the user asks for -O0.
  DeviceCodegenOptions codegen;
  std::string kernelInfoFile;         ///< -emit-kernel-info=
  bool hostOnly = false;              ///< -foffload-host-only
  bool deviceOnly = false;            ///< -foffload-device-only
  bool cache = true;                  ///< -fno-offload-cache clears it
  bool printArchs = false;            ///< -print-offload-archs
  bool sharedRuntime = false;         ///< -shared-libxcc
  bool saveTemps = false;             ///< -save-temps
  bool saveTempsBesideOutput = false; ///< -save-temps=obj
  bool dryRun = false;                ///< -###
  bool verbose = false;               ///< -v
  bool noWarnings = false;            ///< -w
  bool warningsAreErrors = false;     ///< -Werror
  bool help = false;                  ///< --help
  bool helpOfClang = false;           ///< --help-clang
  bool version = false;               ///< --version
  /// --autocomplete=, where it is given: the words so far.
  std::optional<std::string> complete;
  /// -foffload-stdpar: algorithms with an execution policy run on the device.
  bool standardAlgorithms = false;
  /// --device-link: make the object for another driver's link.
  bool deviceLink = false;
  bool openMP = false;    ///< -fopenmp
  bool imageOnly = false; ///< -foffload-image-only: without a loader
};

/// How many words behind `args[index]` are values of this option of Clang's,
/// whatever they look like.
unsigned valuesBehind(llvm::ArrayRef<const char *> args, unsigned index);

/// Arguments as main has them; they stay the strings'.
std::vector<const char *> pointersTo(llvm::ArrayRef<std::string> args);

/// Reads the arguments after response files were expanded. An error is one
/// line for the user.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> args);

} // namespace xcc

#endif // XCC_DRIVER_OPTIONS_H
