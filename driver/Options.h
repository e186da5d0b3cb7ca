// xcc's command-line options
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc takes every option of clang++ and a few of its own. This code separates
// them; Clang's driver library reads Clang's options.

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
  /// The arguments for Clang, with argv[0].
  std::vector<std::string> clangArgs;
  /// The archs of --offload-arch=, each once, in the order given.
  std::vector<DeviceArch> archs;
  bool archsGiven = false; ///< --offload-arch= was given
  UnitOptions unit;        ///< of each translation unit
  /// Options of device code. Kernels are optimised unless the user asks for -O0.
  DeviceCodegenOptions codegen;
  std::string kernelInfoFile;         ///< -emit-kernel-info=
  bool hostOnly = false;              ///< -foffload-host-only
  bool deviceOnly = false;            ///< -foffload-device-only
  bool cache = true;                  ///< -fno-offload-cache clears it
  bool precompiles = true;            ///< -fno-offload-pch clears it
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
  /// --autocomplete=, if given: the words so far.
  std::optional<std::string> complete;
  /// -foffload-stdpar: algorithms with an execution policy run on the device.
  bool standardAlgorithms = false;
  /// --device-link: make the object for another driver's link.
  bool deviceLink = false;
  bool openMP = false;    ///< -fopenmp
  bool imageOnly = false; ///< -foffload-image-only: without a loader
};

/// The number of words after `args[index]` that are values of this Clang
/// option, even if they look like options.
unsigned valuesBehind(llvm::ArrayRef<const char *> args, unsigned index);

/// The arguments as pointers, as in main. They point into `args`.
std::vector<const char *> pointersTo(llvm::ArrayRef<std::string> args);

/// Parses the arguments after response files were expanded. An error is one
/// line for the user.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> args);

} // namespace xcc

#endif // XCC_DRIVER_OPTIONS_H
