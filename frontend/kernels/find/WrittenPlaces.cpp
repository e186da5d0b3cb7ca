// Source places as objects and programs store them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WrittenPlaces.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace xcc {

std::string writtenPath(const CompilerInvocation &invocation,
                        llvm::StringRef path) {
  llvm::SmallString<256> mapped(path);
  invocation.getLangOpts().remapPathPrefix(mapped);
  if (mapped != path)
    return mapped.str().str();
  // The last option that matches applies, as in Clang's debug information.
  for (const auto &[from, to] :
       llvm::reverse(invocation.getCodeGenOpts().DebugPrefixMap))
    if (llvm::sys::path::replace_path_prefix(mapped, from, to))
      break;
  return mapped.str().str();
}

void WrittenPlaces::use(ASTContext &context) const {
  PrintingPolicy policy = context.getPrintingPolicy();
  policy.Callbacks = this;
  context.setPrintingPolicy(policy);
}

WrittenPlace writtenPlace(const ASTContext &context, SourceLocation at) {
  const SourceManager &sources = context.getSourceManager();
  PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(at));
  if (place.isInvalid())
    return {};
  llvm::StringRef file = place.getFilename();
  const PrintingCallbacks *callbacks = context.getPrintingPolicy().Callbacks;
  return {callbacks ? callbacks->remapPath(file) : file.str(), place.getLine(),
          place.getColumn()};
}

} // namespace xcc
