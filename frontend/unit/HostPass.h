// The pass over a translation unit for the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's own compilation of the file, with two additions: a consumer that finds
// kernels after instantiation, and an IR pass before the optimiser that writes
// their descriptors. It starts the device passes.

#ifndef XCC_FRONTEND_UNIT_HOSTPASS_H
#define XCC_FRONTEND_UNIT_HOSTPASS_H

#include "Compilation.h"
#include "Dependencies.h"
#include "DevicePass.h"
#include "EndConsumer.h"
#include "PassTexts.h"
#include "kernels/check/RecordLayouts.h"
#include "kernels/find/WrittenPlaces.h"
#include "kernels/host/HostEntries.h"
#include "link/Embed.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace xcc {

class HostPass {
public:
  /// `promises` receive the modules of the device passes, one for each target.
  /// All three arguments must outlive this object.
  HostPass(const TranslationUnit &unit,
           std::vector<std::promise<DeviceModule>> &promises,
           TranslationUnitResult &result)
      : unit(unit), promises(promises), result(result) {}

  /// Compiles for the host, and waits for the device passes.
  void run();

  /// The number of device passes that were started.
  size_t begun() const { return devices.size(); }

private:
  class ObjectStream;
  struct Lowering;

  const TranslationUnit &unit;
  std::vector<std::promise<DeviceModule>> &promises;
  TranslationUnitResult &result;
  std::shared_ptr<clang::CompilerInvocation> invocation;
  std::optional<WrittenPlaces> places;
  std::unique_ptr<clang::DiagnosticConsumer> consumer;
  PassTexts texts;
  std::vector<std::unique_ptr<DevicePass>> devices;
  std::vector<std::future<DeviceModule>> modules; ///< for embedding
  std::vector<DeviceModule> embedded;             ///< taken from `modules`
  std::shared_ptr<DependencyFile> dependencies;
  std::unique_ptr<AutomaticPCH> automatic; ///< may be null
  std::unique_ptr<ReadyHeader> ready;      ///< set while it is used
  std::string unique, output;
  clang::CodeGenAction *action = nullptr; ///< set while it generates code
  bool includesHeader = false;            ///< the unit includes <xcc/xcc.h>
  std::string headerModule;               ///< the module that contains it
  bool reserved = false; ///< the object has a place for device code
  std::vector<HostEntry> hostFunctions;
  llvm::StringSet<> pointedTo; ///< names of functions of kernels whose address
                               ///< is taken
  RecordLayouts records;       ///< of classes that kernels may share

  /// Returns false after a message.
  bool makeInvocation();
  /// Runs the host's pass, if there is one.
  bool compile();
  /// Compiles with a header of AutomaticPCH.h. Returns false if the text must
  /// be compiled.
  bool compileWithAutomatic();
  /// Resets all results but the device passes before another compile.
  void reset();
  void setUp(clang::CompilerInstance &ci);
  void startDevices();
  bool waitForDevices(bool hostOK, std::vector<std::string> &headers);
  bool sameLayoutsOnDevices();
  void finish(std::vector<std::string> &headers);

  /// Without a device pass, preprocessed text works as well as source.
  bool hasHeader() const { return includesHeader || !unit.devicePass; }
  bool collectKernels() const { return hasHeader() || !headerModule.empty(); }

  bool execute(clang::CompilerInstance &ci);
  template <class Action> bool executeCodegen(clang::CompilerInstance &ci);
  /// Adds the header trigger to an action and runs it.
  bool executeAction(clang::CompilerInstance &ci,
                     clang::FrontendAction &frontendAction);
  void enterHeader(clang::CompilerInstance &ci);
  /// Sets LLVM's global options (-mllvm) before any pass runs.
  void applyLLVMArgs();

  /// Finds the kernels, at the end of the unit.
  void endOfUnit(clang::CompilerInstance &ci, clang::Sema &sema,
                 const SeenUnit &seen);
  EndConsumer::Callback atEnd(clang::CompilerInstance &ci);
  void checkUnit(clang::Sema &sema, const SeenUnit &seen,
                 std::vector<FoundKernel> &kernels, bool gpus);
  void generateHostCalls(clang::Sema &sema, const SeenUnit &seen,
                         std::vector<FoundKernel> &kernels);
  void nameInIR(std::vector<FoundKernel> &kernels);
  void setUnitText(clang::CompilerInstance &ci,
                   std::vector<FoundKernel> &kernels);

  /// Writes descriptors, and for -c the device modules, into the host module.
  void lower(llvm::Module &module);
  std::vector<llvm::SmallString<0>> deviceCode();
  CompiledFor compiledFor(const Target &target) const;
};

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_HOSTPASS_H
