// Errors for units whose kernels cannot be compiled at all
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostRejections.h"
#include "Hints.h"
#include "kernels/check/Report.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace clang;
using llvm::StringRef;

namespace xcc {

bool rejectImported(Sema &sema, const SeenUnit &seen, StringRef headerModule) {
  const SourceManager &sources = sema.getSourceManager();
  auto isUsers = [&](const KernelCall &call) {
    return !sources.isInSystemHeader(call.call->getExprLoc());
  };
  auto found = llvm::find_if(seen.calls, [&](const KernelCall &call) {
    return isUsers(call) &&
           !sources.isLoadedSourceLocation(call.call->getExprLoc());
  });
  // A named module's unit compiles what the module defines. What a header unit
  // defines, this unit compiles.
  const Module *module =
      sema.getPreprocessor().getHeaderSearchInfo().getModuleMap().findModule(
          headerModule);
  if (found == seen.calls.end() && (!module || module->isHeaderUnit()))
    found = llvm::find_if(seen.calls, isUsers);
  if (found == seen.calls.end())
    return false;
  const SourceLocation at = found->call->getExprLoc();
  report(sema, DiagnosticsEngine::Error, at,
         "a kernel cannot be compiled for a device where <xcc/xcc.h> comes "
         "from the module %0, which was made for the host")
      << headerModule;
  report(sema, DiagnosticsEngine::Note, at,
         "named here; include <xcc/xcc.h>, or a header that does, instead of "
         "importing it");
  return true;
}

void rejectWithoutPasses(Sema &sema, llvm::ArrayRef<FoundKernel> kernels) {
  if (kernels.empty())
    return;
  const SourceLocation launch = kernels.front().launch;
  report(sema, DiagnosticsEngine::Error, launch,
         "a kernel's descriptor is written by a pass over LLVM's IR, and "
         "-disable-llvm-passes leaves all of them out");
  report(sema, DiagnosticsEngine::Note, launch,
         "-O0 optimises nothing; -save-temps keeps the IR as it is before "
         "optimisation");
}

void rejectHidden(llvm::ArrayRef<std::string> kernels, DiagnosticLog &log) {
  for (const std::string &kernel : kernels)
    log.error("kernel " + kernel +
              " cannot be compiled for a device: its launch comes from "
              "preprocessed text, or from a precompiled module or AST, which "
              "only the pass that made it can use" +
              (kernel != kernels.back()
                   ? ""
                   : "\nnote: compile the source file itself; a module "
                     "that others import can declare what launches "
                     "kernels, and a source file of its own define it"));
}

void rejectLanguage(StringRef language, CompilerInstance &ci) {
  SourceManager &sources = ci.getSourceManager();
  SourceLocation place;
  if (auto *lexer =
          static_cast<Lexer *>(ci.getPreprocessor().getCurrentFileLexer()))
    place = lexer->getSourceLocation();
  while (place.isValid() && !sources.isInMainFile(place))
    place = sources.getIncludeLoc(sources.getFileID(place));
  DiagnosticsEngine &diags = ci.getDiagnostics();
  diags.Report(place,
               diags.getCustomDiagID(
                   DiagnosticsEngine::Fatal,
                   "kernels of xcc in a file that is compiled as %0; %1"))
      << language << InsteadOfLanguage;
}

bool hostIsKnown(const llvm::Triple &host, StringRef asker,
                 DiagnosticLog &log) {
  if (host.getArch() == llvm::Triple::x86_64 && host.isOSLinux() &&
      !host.isX32())
    return true;
  log.error(asker +
            llvm::Twine(" is for programs that run on x86-64 Linux, and this "
                        "one is compiled for ") +
            host.str());
  return false;
}

} // namespace xcc
