// The compiler invocation of each pass
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_FRONTEND_UNIT_INVOCATIONS_H
#define XCC_FRONTEND_UNIT_INVOCATIONS_H

#include "Compilation.h"
#include "Instrumentation.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/Utils.h"
#include <functional>
#include <memory>
#include <string>

namespace xcc {

/// Begins each pass's text in what -E prints.
inline constexpr llvm::StringLiteral PassMarker = "# 1 \"<xcc pass: ";

/// The stack of a thread that parses: Clang's own choice.
inline constexpr unsigned StackBytes = 8 << 20;

/// The invocation that the unit's -cc1 arguments spell; null after an error.
std::shared_ptr<clang::CompilerInvocation>
hostInvocation(const TranslationUnit &unit, DiagnosticLog &log);

/// Has an invocation read a text in place of its input, as a file of the text's
/// name: what Clang makes code with asks for the main file by its name.
void readFrom(clang::CompilerInvocation &invocation,
              clang::FrontendInputFile &input, llvm::MemoryBuffer &text);

/// Whether the device's code is compiled as the host's would be: all of it, with
/// everything that C and C++ have.
bool compiledAsHost(const TranslationUnit &unit, const Target &target);

/// The host's invocation, changed into a device pass of `target`; `missing` is
/// told what that one has no instrumentation for.
std::shared_ptr<clang::CompilerInvocation>
deviceInvocation(const clang::CompilerInvocation &host,
                 const TranslationUnit &unit, const Target &target,
                 Uninstrumented *missing = nullptr);

/// What each parse of a unit for a device has: its files, `consumer` for
/// messages, limits, keywords, and the headers of intrinsics.
void prepareForDevice(clang::CompilerInstance &ci, const TranslationUnit &unit,
                      const Target &target,
                      clang::DiagnosticConsumer &consumer);

/// Distinguishes the internal kernels of different translation units: a hash of
/// the file's text and of its name as objects have it, which the folder that it
/// is compiled in has no part in, of macros and of -cuid=. Units that are alike
/// in all of these the link tells apart (link/DuplicateKernels.h).
std::string uniqueSuffix(const TranslationUnit &unit,
                         const clang::CompilerInvocation &invocation);

/// What else may differ where that does not: a hash of all files that a pass has
/// read, and of the folder that debug information names.
uint64_t unitText(const clang::SourceManager &sources,
                  const clang::CompilerInvocation &invocation);

/// Whether a header is one of ours that declares launches.
bool declaresLaunch(llvm::StringRef header);

/// Calls back when the preprocessor meets the inclusion of <xcc/xcc.h>, or a
/// precompiled header holds it, once; and for each module that does, which no
/// other pass can read, with its name.
class HeaderTrigger : public clang::DependencyCollector {
public:
  using InModule = std::function<void(llvm::StringRef)>;
  explicit HeaderTrigger(std::function<void()> start, InModule inModule = {})
      : start(std::move(start)), inModule(std::move(inModule)) {}
  void attachToPreprocessor(clang::Preprocessor &pp) override;
  void attachToASTReader(clang::ASTReader &reader) override;

private:
  std::function<void()> start;
  InModule inModule;
};

/// What a device pass reads in the place of the host's precompiled header: the
/// header. False after an error.
bool replacePCH(clang::CompilerInvocation &invocation, DiagnosticLog &log);

/// The forms that precompiled modules come in: Clang's own, and the object
/// files with debug information of -gmodules.
std::shared_ptr<clang::PCHContainerOperations> moduleFormats();

/// Keeps a module as it leaves a front end (-save-temps).
void saveModule(const llvm::Module &module, const llvm::Twine &path,
                DiagnosticLog &log);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_INVOCATIONS_H
