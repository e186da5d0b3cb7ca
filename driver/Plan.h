// The plan of one invocation, as data
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments become a plan. -### prints it; otherwise it is executed. Clang's
// driver decides what to compile and how to link. The plan adds the device
// passes and the device link in between.

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

/// The compilation of one source file by Clang's front end. With `devices`, its
/// language can hold kernels.
struct CompileStep {
  std::string input, output;
  TranslationUnit unit;
  bool devices = false;
  bool preprocess = false; ///< -E, or -M
};

/// A program to run unchanged, such as an assembler.
struct CommandStep {
  std::string program;
  std::vector<std::string> args;
};

/// The host link. Its arguments lack what the device link adds at `insertAt`:
/// the object with images and record, and the runtime library.
struct LinkStep {
  CommandStep command;
  size_t insertAt = 0;
  std::string output;
  std::string triple;
  bool shared = false;
  bool relocatable = false; ///< -r: device code stays for the final link
  bool bare = false;        ///< -nostdlib: adds no library
  std::string cxxLibrary = "-lstdc++"; ///< or -lc++
  /// Main runs on the device: the given files go into the image, and the
  /// command links a loader instead of them.
  bool program = false;
  bool imageOnly = false; ///< no loader either
  /// The output is the object that the device link makes, for another driver's
  /// link.
  bool objectOnly = false;
  std::vector<std::string> deviceArgs; ///< the given files of such a program
  /// The linker's own folders for libraries, if it was asked.
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
  std::vector<std::string> libraryPaths; ///< of the link, even if it does not
                                         ///< run
  std::string saveTempsPrefix; ///< prefix of the device link's files; or empty
  std::vector<std::string> temporaries; ///< removed at the end
  /// Clang's driver has printed the answer (--version): nothing is left to do.
  bool answered = false;
};

void removeTemporaries(const Plan &plan);

/// Makes a plan. Owns what Clang's driver needs while the plan is used.
class Planner {
public:
  Planner(const DriverEnv &env, const Options &options);
  ~Planner();
  /// Makes the plan. Its temporary files exist, and signals remove them. After
  /// an error there are none.
  llvm::Expected<Plan> plan();

private:
  const DriverEnv &env;
  const Options &options;
  clang::DiagnosticOptions diagnosticOptions;
  std::unique_ptr<clang::DiagnosticsEngine> diagnostics;
  std::unique_ptr<clang::driver::Driver> driver;
  std::string systemInclude;      ///< argument to which the compilation points
  std::string standardAlgorithms; ///< the same, of -foffload-stdpar
  std::string toolkit;            ///< the same, of -foffload-cuda
  std::unique_ptr<clang::driver::Compilation> compilation;

  /// Sets `compilation` to the jobs of Clang's driver.
  void buildCompilation();
  llvm::Error fill(Plan &plan);
  llvm::Error addJobs(Plan &plan) const;
  /// At the first such job, warns of archs that are given for a source which
  /// Clang compiles as CUDA or HIP. Also warns of inputs that cannot be
  /// exported, because they are not source.
  llvm::Error checkLanguage(const clang::driver::Command &job,
                            llvm::ArrayRef<std::string> args, bool first) const;
  /// Makes the plan's link one of --device-link. Returns an error if the plan
  /// contains anything else.
  llvm::Error linkForOthers(Plan &plan) const;
};

/// Prints one job per line, quoted like Clang's -###, with stable names for
/// temporary files. Shows images even if no kernels may be found.
void printPlan(const DriverEnv &env, const Plan &plan, const Options &options);

} // namespace xcc

#endif // XCC_DRIVER_PLAN_H
