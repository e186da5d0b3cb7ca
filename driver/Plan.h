// Everything one invocation will do, as data
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments become a plan; -### prints it and anything else carries it out.
// Clang's driver decides what to compile and how to link; the plan puts the
// device passes and the device link between.

#ifndef XCC_DRIVER_PLAN_H
#define XCC_DRIVER_PLAN_H

#include "DriverEnv.h"
#include "Options.h"
#include "unit/Compilation.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace xcc {

/// One source file of a language that can hold kernels, or another that
/// Clang's own front end compiles.
struct CompileStep {
  std::string input, output;
  TranslationUnit unit;
  bool devices = false;
  bool preprocess = false; ///< -E, or -M
};

/// A program to run as it is, such as an assembler.
struct CommandStep {
  std::string program;
  std::vector<std::string> args;
};

/// The host link. Its arguments lack what the device link adds: the object
/// with images and record, and the runtime library, which go to `insertAt`.
struct LinkStep {
  CommandStep command;
  size_t insertAt = 0;
  std::string output;
  std::string triple;
  bool shared = false;
  bool relocatable = false; ///< -r: device code stays for the final link
  bool bare = false;        ///< -nostdlib: link nothing that was not written
  std::string cxxLibrary = "-lstdc++"; ///< or -lc++
  /// Main runs on the device: what was written goes into the image, and the
  /// command links a loader in its place.
  bool program = false;
  bool imageOnly = false; ///< there is no loader either
  /// The output is what the device link adds, for another driver's link.
  bool objectOnly = false;
  std::vector<std::string> deviceArgs; ///< what was written, of a program
  /// More folders in which the linker looks for libraries, if it was asked.
  std::vector<std::string> linkerFolders;

  /// The arguments before the toolchain's own libraries.
  llvm::ArrayRef<std::string> userArgs() const {
    return program ? llvm::ArrayRef(deviceArgs)
                   : llvm::ArrayRef(command.args).take_front(insertAt);
  }
};

struct Plan {
  std::vector<CompileStep> compiles;
  std::vector<CommandStep> commands; ///< after the compiles, before the link
  std::optional<LinkStep> link;
  std::vector<DeviceArch> archs;
  std::vector<std::string> libraryPaths; ///< of a link, whether it runs or not
  std::string saveTempsPrefix; ///< of what the device link keeps, or empty
  std::vector<std::string> temporaries; ///< removed at the end
  /// Clang's driver has answered (--version): there is nothing to do.
  bool answered = false;
};

void removeTemporaries(const Plan &plan);

/// Owns what Clang's driver needs to stay alive while a plan is used.
class Planner {
public:
  Planner(const DriverEnv &env, const Options &options);
  ~Planner();
  /// Temporary files of the plan exist, and signals remove them. After an error
  /// there are none.
  llvm::Expected<Plan> plan();

private:
  const DriverEnv &env;
  const Options &options;
  clang::DiagnosticOptions diagnosticOptions;
  std::unique_ptr<clang::DiagnosticsEngine> diagnostics;
  std::unique_ptr<clang::driver::Driver> driver;
  std::string systemInclude; ///< an argument that the compilation points at
  std::string standardAlgorithms; ///< the same, of -foffload-stdpar
  std::string toolkit;            ///< the same, of -foffload-cuda
  std::unique_ptr<clang::driver::Compilation> compilation;

  /// Sets `compilation` to what Clang would do.
  void askDriver();
  llvm::Error fill(Plan &plan);
  llvm::Error addJobs(Plan &plan) const;
  /// Warns of archs that are given for a source that Clang takes for CUDA or
  /// HIP, at the first such job, and of what is to be exported and has no source.
  llvm::Error checkLanguage(const clang::driver::Command &job,
                            llvm::ArrayRef<std::string> args, bool first) const;
  /// Makes the plan's link one of --device-link, if it is a link and no more.
  llvm::Error linkForOthers(Plan &plan) const;
};

/// One job per line, quoted like Clang's -###. Names of temporary files are
/// made stable. The images are shown whether or not kernels will be found.
void printPlan(const DriverEnv &env, const Plan &plan, const Options &options);

} // namespace xcc

#endif // XCC_DRIVER_PLAN_H
