// Rewrites a CUDA source for xcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceRewriter.h"
#include "cuda/LaunchRewriter.h"
#include "cuda/SourceTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

using namespace clang;
using llvm::StringRef;

namespace xcc {
namespace {

/// The xcc header that replaces a header of CUDA or HIP; empty for others.
std::string replacement(StringRef header) {
  struct Row {
    StringRef from, to;
  };
  constexpr StringRef cuda = "xcc/cuda.h", half = "xcc/cuda/half.h",
                      groups = "xcc/cuda/cooperative_groups.h";
  static constexpr Row rows[] = {{"cuda.h", cuda},
                                 {"cuda_runtime.h", cuda},
                                 {"cuda_runtime_api.h", cuda},
                                 {"cuda_profiler_api.h", cuda},
                                 {"cuda_pipeline.h", cuda},
                                 {"cuda_device_runtime_api.h", cuda},
                                 {"builtin_types.h", cuda},
                                 {"common_functions.h", cuda},
                                 {"device_atomic_functions.h", cuda},
                                 {"device_double_functions.h", cuda},
                                 {"device_functions.h", cuda},
                                 {"device_types.h", cuda},
                                 {"driver_functions.h", cuda},
                                 {"host_config.h", cuda},
                                 {"host_defines.h", cuda},
                                 {"math_functions.h", cuda},
                                 {"sm_20_atomic_functions.h", cuda},
                                 {"sm_20_intrinsics.h", cuda},
                                 {"sm_30_intrinsics.h", cuda},
                                 {"sm_32_atomic_functions.h", cuda},
                                 {"sm_32_intrinsics.h", cuda},
                                 {"sm_35_atomic_functions.h", cuda},
                                 {"sm_35_intrinsics.h", cuda},
                                 {"sm_60_atomic_functions.h", cuda},
                                 {"sm_61_intrinsics.h", cuda},
                                 {"surface_functions.h", cuda},
                                 {"device_launch_parameters.h", cuda},
                                 {"driver_types.h", cuda},
                                 {"vector_functions.h", cuda},
                                 {"vector_types.h", cuda},
                                 {"hip/hip_runtime.h", "xcc/hip.h"},
                                 {"hip/hip_fp16.h", half},
                                 {"cuda_fp16.h", half},
                                 {"cuda_bf16.h", half},
                                 {"cooperative_groups.h", groups},
                                 {"cooperative_groups/memcpy_async.h", groups},
                                 {"cooperative_groups/reduce.h", groups},
                                 {"cooperative_groups/scan.h", groups},
                                 {"curand_kernel.h", "xcc/cuda/random.h"},
                                 {"mma.h", "xcc/cuda/matrices.h"},
                                 {"nvToolsExt.h", "xcc/cuda/nvtx.h"},
                                 {"nvtx3/nvToolsExt.h", "xcc/cuda/nvtx.h"}};
  for (const Row &row : rows)
    if (row.from == header)
      return row.to.str();
  // xcc also has headers with the toolkit's names.
  static constexpr StringRef same[] = {"cuComplex.h",
                                       "cuda_fp4.h",
                                       "cuda_fp6.h",
                                       "cuda_fp8.h",
                                       "cuda_occupancy.h",
                                       "cuda_pipeline_primitives.h",
                                       "cuda_surface_types.h",
                                       "cuda_texture_types.h",
                                       "channel_descriptor.h",
                                       "math_constants.h",
                                       "nvfunctional",
                                       "surface_indirect_functions.h",
                                       "surface_types.h",
                                       "texture_fetch_functions.h",
                                       "texture_indirect_functions.h",
                                       "texture_types.h"};
  if (llvm::is_contained(same, header) ||
      header.starts_with("cuda/")) // also includes the standard library's
                                   // header
    return ("xcc/cuda/toolkit/" + header).str();
  if (header.starts_with("thrust/"))
    return "xcc/cuda/thrust.h";
  if (header.starts_with("cub/"))
    return "xcc/cuda/cub.h";
  return {};
}

/// A remark for a header that xcc cannot replace; empty for others.
StringRef missingHeader(StringRef header) {
  if (header.starts_with("cublas") || header.starts_with("cufft") ||
      header.starts_with("cusparse") || header.starts_with("cusolver") ||
      header.starts_with("cudnn") || header.starts_with("nccl") ||
      header == "curand.h" || header.starts_with("nvml"))
    return "xcc has none of CUDA's libraries";
  return {};
}

/// A remark for a name that xcc does not have; empty for others.
StringRef missingName(StringRef name) {
  if (name == "__managed__")
    return "write xcc::shared_global<T>";
  if (name == "__CUDA_ARCH__" || name == "__CUDACC__")
    return "is not defined: __XCC_DEVICE_PASS__ and __XCC__ are";
  if (name == "cudaBindTexture" || name == "cudaBindTextureToArray" ||
      name == "cudaBindTexture2D")
    return "CUDA 12 removed texture references: make a texture object";
  return {};
}

bool isKeyword(StringRef name) {
  return name == "__global__" || name == "__device__" || name == "__shared__" ||
         name == "__constant__" || name == "threadIdx";
}

class Rewriter {
public:
  explicit Rewriter(StringRef source) : source(source) {}

  RewrittenSource run() {
    lex();
    addHeader();
    result.text += source.substr(done);
    RewrittenLaunches launches = rewriteLaunches(result.text);
    result.text = std::move(launches.text);
    // An inserted line moves later lines down.
    const unsigned more = inserted ? 1 : 0;
    for (UnknownLaunch &launch : launches.unknown)
      result.remarks.push_back(
          {launch.line - more, "launch is left as it is: " + launch.why});
    for (unsigned line : launches.assembly)
      result.remarks.push_back(
          {line - more, "'asm': this inline PTX is not translated"});
    llvm::sort(result.remarks, [](const Remark &a, const Remark &b) {
      return a.line < b.line;
    });
    return std::move(result);
  }

private:
  StringRef source;
  RewrittenSource result;
  size_t done = 0;         ///< how much of the source is in the result
  size_t directiveEnd = 0; ///< of the last directive
  bool isCuda = false, hasHeader = false, inserted = false;
  std::optional<size_t> place; ///< where to put an #include
  llvm::StringSet<> reported;

  void lex() {
    visitTokens(source, [&](const Token &token, size_t at) {
      StringRef spelling = source.substr(at, token.getLength());
      if (token.is(tok::hash) && token.isAtStartOfLine())
        directive(at);
      else if (!place && at >= directiveEnd)
        place = at;
      isCuda |= token.is(tok::lesslessless);
      if (token.is(tok::raw_identifier))
        name(spelling, at);
    });
  }

  void name(StringRef spelling, size_t at) {
    isCuda |= isKeyword(spelling);
    StringRef why = missingName(spelling);
    if (!why.empty())
      remark(at, spelling, ("'" + spelling + "': " + why).str());
  }
  /// Adds a remark once for each key.
  void remark(size_t at, StringRef key, std::string text) {
    if (reported.insert(key).second)
      result.remarks.push_back(
          {unsigned(source.take_front(at).count('\n')) + 1, std::move(text)});
  }

  void directive(size_t hash) {
    StringRef line = source.substr(hash).take_until(
        [](char c) { return c == '\n' || c == '\r'; });
    StringRef rest = line.drop_front().ltrim();
    directiveEnd = hash + line.size();
    while (directiveEnd < source.size() && source[directiveEnd - 1] == '\\')
      directiveEnd =
          std::min(source.find('\n', directiveEnd + 1), source.size());
    if (!rest.consume_front("include"))
      return;
    if (!place)
      place = hash;
    rest = rest.ltrim();
    if (rest.empty() || (rest.front() != '<' && rest.front() != '"'))
      return;
    size_t end = rest.find(rest.front() == '<' ? '>' : '"', 1);
    if (end == StringRef::npos)
      return;
    StringRef header = rest.slice(1, end);
    StringRef why = missingHeader(header);
    if (!why.empty())
      remark(hash, header, ("<" + header + ">: " + why).str());
    hasHeader |= header == "xcc/cuda.h" || header == "xcc/hip.h";
    std::string ours = replacement(header);
    if (ours.empty())
      return;
    hasHeader |= ours == "xcc/cuda.h" || ours == "xcc/hip.h";
    size_t from = rest.data() - source.data();
    result.text += source.slice(done, from);
    result.text += "<" + ours + ">";
    done = from + end + 1;
  }

  /// nvcc includes <cuda_runtime.h> in each file, so add xcc's header.
  void addHeader() {
    if (!isCuda || hasHeader || !place)
      return;
    // In front of the first header, whose name may have been replaced.
    size_t at = *place;
    result.text += source.substr(done);
    done = source.size();
    // All replacements so far are after this place.
    result.text.insert(at, "#include <xcc/cuda.h>\n");
    inserted = true;
  }
};

} // namespace

RewrittenSource rewriteSource(StringRef source) {
  return Rewriter(source).run();
}

} // namespace xcc
