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

class ReadyHeader;

/// The beginning of each pass's text in the output of -E.
inline constexpr llvm::StringLiteral PassMarker = "# 1 \"<xcc pass: ";

/// The stack size of a thread that parses, as in Clang.
inline constexpr unsigned StackBytes = 8 << 20;

/// The invocation of the unit's -cc1 arguments; null after an error.
std::shared_ptr<clang::CompilerInvocation>
hostInvocation(const TranslationUnit &unit, DiagnosticLog &log);

/// Makes an invocation read a text instead of its input, as a file with the
/// text's name: Clang's code generation finds the main file by its name.
void readFrom(clang::CompilerInvocation &invocation,
              clang::FrontendInputFile &input, llvm::MemoryBuffer &text);

/// Whether the device's code is compiled like the host's: all of it, with all
/// features of C and C++.
bool compiledAsHost(const TranslationUnit &unit, const Target &target);

/// A copy of the host's invocation, changed into a device pass of `target`.
/// Sets `missing` to the instrumentation that the target cannot have.
std::shared_ptr<clang::CompilerInvocation>
deviceInvocation(const clang::CompilerInvocation &host,
                 const TranslationUnit &unit, const Target &target,
                 Uninstrumented *missing = nullptr);

/// Sets up any parse of a unit for a device: its files (null: the real ones),
/// `consumer` for messages, limits, keywords, and the headers of intrinsics.
void prepareForDevice(
    clang::CompilerInstance &ci, const TranslationUnit &unit,
    const Target &target, clang::DiagnosticConsumer &consumer,
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr);
/// The same for the host.
void prepareForHost(
    clang::CompilerInstance &ci, const TranslationUnit &unit,
    clang::DiagnosticConsumer &consumer,
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr);

/// A hash that distinguishes internal kernels of different translation units:
/// of the file's text, of its name as objects have it, without the folder in
/// which it is compiled, of macros and of -cuid=. The link distinguishes units
/// that are equal in all of these (link/DuplicateKernels.h).
std::string uniqueSuffix(const TranslationUnit &unit,
                         const clang::CompilerInvocation &invocation);

/// A hash of what may still differ between such units: all files that a pass
/// has read, and the folder that debug information names. `header` is what the
/// pass had precompiled, or null.
uint64_t unitText(const clang::SourceManager &sources,
                  const clang::CompilerInvocation &invocation,
                  const ReadyHeader *header);

/// A sum of hashes of the files that were read, of those that count.
uint64_t textsOf(const clang::SourceManager &sources,
                 llvm::function_ref<bool(clang::FileEntryRef)> counts);

/// Whether the header is one of xcc's that declares launches.
bool declaresLaunch(llvm::StringRef header);

/// Calls `start` once, when the preprocessor meets the inclusion of
/// <xcc/xcc.h>, or loads a precompiled header that holds it. Calls `inModule`
/// with the name of each module that contains it, which no other pass can read.
class HeaderTrigger : public clang::DependencyCollector {
public:
  using InModule = std::function<void(llvm::StringRef)>;
  /// Without `asFile`, only the inclusion counts.
  explicit HeaderTrigger(std::function<void()> start, InModule inModule = {},
                         bool asFile = true)
      : start(std::move(start)), inModule(std::move(inModule)), asFile(asFile) {
  }
  void attachToPreprocessor(clang::Preprocessor &pp) override;
  void attachToASTReader(clang::ASTReader &reader) override;

private:
  std::function<void()> start;
  InModule inModule;
  bool asFile;
};

/// Makes a device pass read the header itself instead of the host's precompiled
/// header. Returns false after an error.
bool replacePCH(clang::CompilerInvocation &invocation, DiagnosticLog &log);

/// The formats of precompiled modules: Clang's own, and object files with the
/// debug information of -gmodules.
std::shared_ptr<clang::PCHContainerOperations> moduleFormats();

/// Writes a module as the front end made it (-save-temps).
void saveModule(const llvm::Module &module, const llvm::Twine &path,
                DiagnosticLog &log);

} // namespace xcc

#endif // XCC_FRONTEND_UNIT_INVOCATIONS_H
