// The headers of CUDA's toolkit beside ours
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ToolkitHeaders.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;
namespace path = llvm::sys::path;

namespace xcc {
namespace {

bool isToolkit(llvm::StringRef folder, llvm::vfs::FileSystem &files) {
  llvm::SmallString<256> known(folder);
  path::append(known, "crt", "host_defines.h");
  return files.exists(known);
}

/// Is it a header of Thrust, CUB or libcu++?
bool isLibrary(llvm::StringRef name) {
  return name.starts_with("thrust/") || name.starts_with("cub/") ||
         name.starts_with("cuda/");
}

/// All of the toolkit's headers that declare what ours declare include one of
/// these.
bool declaresVectors(llvm::StringRef name) {
  return name == "vector_types.h" || name == "crt/host_defines.h" ||
         name == "builtin_types.h" || name == "driver_types.h";
}

class BothHeaders : public PPCallbacks {
public:
  explicit BothHeaders(Preprocessor &pp)
      : pp(pp), sources(pp.getSourceManager()) {}

  void FileChanged(SourceLocation at, FileChangeReason reason,
                   SrcMgr::CharacteristicKind, FileID) override {
    if (reason != EnterFile)
      return;
    llvm::StringRef file = sources.getFilename(at);
    llvm::StringRef last = path::filename(file);
    if (last == "vectors.h" && file.ends_with("xcc/cuda/vectors.h"))
      ours = true;
    else if (last == "vector_types.h" || last == "host_defines.h" ||
             last == "builtin_types.h" || last == "driver_types.h")
      if (theirs.empty() && declaresVectors(nameOf(file)))
        theirs = outermost(at);
    if (ours && !theirs.empty())
      report(at);
  }

private:
  Preprocessor &pp;
  const SourceManager &sources;
  bool ours = false, reported = false;
  std::string theirs; ///< the header that the program included

  std::string nameOf(llvm::StringRef file) const {
    return toolkitName(file, sources.getFileManager().getVirtualFileSystem());
  }
  /// The toolkit's header through which the program came to a file of it.
  std::string outermost(SourceLocation at) const {
    std::string name;
    while (at.isValid()) {
      std::string next = nameOf(sources.getFilename(at));
      if (next.empty())
        break;
      name = std::move(next);
      at = sources.getIncludeLoc(sources.getFileID(at));
    }
    return name;
  }
  /// At the line of the program that includes the second of both.
  void report(SourceLocation at) {
    if (std::exchange(reported, true))
      return;
    SourceLocation line = at;
    while (line.isValid() && (sources.isInSystemHeader(line) ||
                              !nameOf(sources.getFilename(line)).empty())) {
      SourceLocation outer = sources.getIncludeLoc(sources.getFileID(line));
      if (outer.isInvalid())
        break;
      line = outer;
    }
    DiagnosticsEngine &diags = pp.getDiagnostics();
    diags.Report(line,
                 diags.getCustomDiagID(
                     DiagnosticsEngine::Fatal,
                     "<%0> of CUDA's toolkit and xcc's headers declare "
                     "the same names: include <xcc/cuda.h>, and for "
                     "half-precision numbers <xcc/cuda/half.h>, alone, or "
                     "compile with -foffload-cuda"))
        << theirs;
  }
};

class Watch : public DependencyCollector {
public:
  void attachToPreprocessor(Preprocessor &pp) override {
    pp.addPPCallbacks(std::make_unique<BothHeaders>(pp));
  }
  void attachToASTReader(ASTReader &) override {}
};

/// The pragmas of CUDA's compilers, which mean nothing to others.
class Pragmas : public DependencyCollector {
public:
  void attachToPreprocessor(Preprocessor &pp) override {
    for (llvm::StringRef name :
         {"nv_diag_suppress", "nv_diag_default", "nv_diag_warning",
          "nv_diag_error", "nv_diag_remark", "nv_diag_once", "nv_diagnostic",
          "nv_exec_check_disable", "hd_warning_disable", "diag_suppress",
          "diag_default", "nv_abi"})
      pp.AddPragmaHandler(new EmptyPragmaHandler(name));
  }
  void attachToASTReader(ASTReader &) override {}
};

} // namespace

std::string toolkitName(llvm::StringRef file, llvm::vfs::FileSystem &files) {
  // Deeper than one folder are the C++ libraries' headers alone.
  llvm::StringRef folder = path::parent_path(file);
  std::string name = path::filename(file).str();
  for (unsigned depth = 0; depth < 5 && !folder.empty(); ++depth) {
    llvm::StringRef in = path::filename(folder), known = name;
    if (isLibrary(known) || (depth < 2 && known.ends_with(".h")))
      if (isToolkit(folder, files))
        return name;
    if (in != "cccl") // CUDA 13 has them in a folder of that name
      name = (in + "/" + name).str();
    folder = path::parent_path(folder);
  }
  return {};
}

void takePragmas(CompilerInstance &ci) {
  ci.addDependencyCollector(std::make_shared<Pragmas>());
}

void watchToolkit(CompilerInstance &ci) {
  ci.addDependencyCollector(std::make_shared<Watch>());
}

} // namespace xcc
