// Hints for errors about CUDA's and HIP's names
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's error says that a name is not declared. A CUDA programmer wants to
// know xcc's name for it. A program that declares the name itself gets no hint.

#include "Hints.h"
#include "clang/AST/DeclarationName.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace xcc {
namespace {

/// xcc's name for a name of CUDA's device code.
llvm::StringRef ownWord(llvm::StringRef word) {
  return llvm::StringSwitch<llvm::StringRef>(word)
      .Cases({"__global__", "__device__", "__host__", "__constant__"},
             "nothing: a function is a kernel because it is launched")
      .Case("__launch_bounds__", "XCC_LAUNCH_BOUNDS(threads)")
      .Case("__shared__", "static xcc::block_shared<T[N]> name")
      .Case("__managed__", "xcc::shared_global<T> name")
      .Case("__forceinline__", "[[gnu::always_inline]] inline")
      .Case("threadIdx", "xcc::thread_idx()")
      .Case("blockIdx", "xcc::block_idx()")
      .Case("blockDim", "xcc::block_dim()")
      .Case("gridDim", "xcc::grid_dim()")
      .Case("warpSize", "xcc::warp_size()")
      .Case("__syncthreads", "xcc::sync_block()")
      .Case("__syncwarp", "xcc::sync_warp()")
      .Cases({"__shfl_sync", "__shfl"}, "xcc::shuffle(value, lane)")
      .Cases({"__shfl_down_sync", "__shfl_down"},
             "xcc::shuffle_down(value, delta)")
      .Cases({"__shfl_up_sync", "__shfl_up"}, "xcc::shuffle_up(value, delta)")
      .Cases({"__shfl_xor_sync", "__shfl_xor"}, "xcc::shuffle_xor(value, mask)")
      .Cases({"__ballot_sync", "__ballot"}, "xcc::ballot(predicate)")
      .Cases({"__any_sync", "__any"}, "xcc::any(predicate)")
      .Cases({"__all_sync", "__all"}, "xcc::all(predicate)")
      .Cases({"__expf", "__exp2f", "__logf", "__log2f", "__sinf", "__cosf",
              "__sincosf", "__powf", "__fdividef"},
             "xcc::fast::exp and its like")
      .Cases({"rsqrt", "rsqrtf"}, "xcc::rsqrt(x)")
      .Cases({"__ldg", "__popc", "__popcll", "__clz", "__clzll", "__brev"},
             "*p, and the functions of <bit>")
      .Cases({"atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicCAS",
              "atomicExch"},
             "std::atomic_ref")
      .Case("__threadfence", "std::atomic_thread_fence")
      .Default({});
}

/// xcc's name for a function or type of the runtimes, without its prefix.
llvm::StringRef ownFunction(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases({"Malloc", "Free", "Memcpy", "Memset"}, "xcc::buffer<T>")
      .Cases({"MallocHost", "HostAlloc", "HostMalloc", "MallocManaged",
              "FreeHost"},
             "xcc::host_buffer<T>")
      .Case("DeviceSynchronize", "xcc::synchronize()")
      .Cases({"Stream_t", "StreamCreate", "StreamSynchronize", "StreamDestroy"},
             "xcc::stream")
      .Cases({"Event_t", "EventCreate", "EventRecord", "EventElapsedTime"},
             "xcc::event")
      .Cases({"GetDeviceCount", "SetDevice", "GetDevice", "GetDeviceProperties",
              "DeviceProp", "DeviceProp_t"},
             "xcc::device")
      .Cases({"MemcpyToSymbol", "MemcpyFromSymbol"}, "xcc::symbol(variable)")
      .Cases({"Error_t", "GetLastError", "GetErrorString"},
             "an exception, xcc::error")
      .Cases({"LaunchKernel", "LaunchKernelGGL"},
             "xcc::launch({grid, block}, kernel, arguments...)")
      .Default({});
}

std::string withHeader(llvm::StringRef own, bool hip) {
  std::string header = hip ? "<xcc/hip.h>" : "<xcc/cuda.h>";
  return ("in xcc this is " + own + "; " + header + " has the words of " +
          (hip ? "HIP" : "CUDA"))
      .str();
}

/// Whether the name is a function or type with which programs start to use
/// CUDA's driver interface.
bool isOfDriver(llvm::StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"cuInit", "cuDeviceGet", "cuDeviceGetCount", "cuCtxCreate",
              "cuModuleLoad", "cuModuleLoadData", "cuModuleLoadDataEx",
              "cuModuleGetFunction", "cuLaunchKernel", "cuMemAlloc",
              "cuMemFree", "cuMemcpyHtoD", "cuMemcpyDtoH", "CUdeviceptr",
              "CUmodule", "CUfunction", "CUcontext", "CUdevice", "CUresult"},
             true)
      .Default(false);
}

/// Whether the name belongs to texture references.
bool isOfTextureReferences(llvm::StringRef word) {
  return word == "texture" || word == "textureReference" ||
         word.starts_with("cudaTextureType") ||
         word.starts_with("cudaBindTexture") || word == "cudaUnbindTexture";
}

std::string ofWord(llvm::StringRef word) {
  if (llvm::StringRef own = ownWord(word); !own.empty())
    return withHeader(own, false);
  for (llvm::StringRef prefix : {"cuda", "hip"}) {
    llvm::StringRef name = word;
    if (!name.consume_front(prefix) || name.empty() ||
        !llvm::isUpper(name.front()))
      continue;
    if (llvm::StringRef own = ownFunction(name); !own.empty())
      return withHeader(own, prefix == "hip");
  }
  if (isOfDriver(word))
    return "CUDA's driver interface is not there, since its modules are code "
           "of "
           "one vendor: launch kernels by name or pointer, with <xcc/cuda.h>; "
           "xcc::source compiles text as the program runs";
  if (isOfTextureReferences(word))
    return "CUDA 12 has no texture references any more: make a texture object "
           "with cudaCreateTextureObject, and give it to the kernel";
  if (llvm::StringRef type = word;
      (type.consume_front("make_") || true) && !type.empty() &&
      type.back() >= '1' && type.back() <= '4' &&
      llvm::StringSwitch<bool>(type.drop_back())
          .Cases({"float", "double", "int", "uint", "uchar", "short"}, true)
          .Default(false))
    return "<xcc/cuda.h> has CUDA's vector types";
  return {};
}

/// The header of xcc that replaces the missing one.
std::string ofHeader(llvm::StringRef name) {
  if (name == "cuda_runtime.h" || name == "cuda.h" ||
      name == "cuda_runtime_api.h" || name == "device_launch_parameters.h")
    return "xcc's header for programs in CUDA is <xcc/cuda.h>";
  if (name == "hip/hip_runtime.h" || name == "hip/hip_runtime_api.h")
    return "xcc's header for programs in HIP is <xcc/hip.h>";
  if (name.starts_with("thrust/"))
    return "xcc's header for programs with Thrust is <xcc/cuda/thrust.h>";
  if (name.starts_with("cub/"))
    return "xcc's header for programs with CUB is <xcc/cuda/cub.h>";
  if (name.starts_with("cuda/"))
    return "xcc's header for programs with libcu++ is <xcc/cuda/standard.h>";
  return {};
}

/// The first argument of a diagnostic, if it is a name.
std::string firstArgument(const Diagnostic &error) {
  if (error.getNumArgs() == 0)
    return {};
  switch (error.getArgKind(0)) {
  case DiagnosticsEngine::ak_std_string:
    return error.getArgStdStr(0);
  case DiagnosticsEngine::ak_c_string:
    return error.getArgCStr(0);
  case DiagnosticsEngine::ak_identifierinfo:
    return error.getArgIdentifier(0)->getName().str();
  case DiagnosticsEngine::ak_declarationname:
    return DeclarationName::getFromOpaqueInteger(error.getRawArg(0))
        .getAsString();
  default:
    return {};
  }
}

/// Whether the expression is missing after `<<` because the source has `<<<`.
bool atChevrons(const Diagnostic &error) {
  if (!error.hasSourceManager() || !error.getLocation().isFileID())
    return false;
  const SourceManager &sources = error.getSourceManager();
  auto [file, offset] = sources.getDecomposedLoc(error.getLocation());
  bool invalid = false;
  llvm::StringRef text = sources.getBufferData(file, &invalid);
  return !invalid && offset >= 2 && offset < text.size() &&
         text.substr(offset - 2, 3) == "<<<";
}

/// Whether the call is of xcc::cuda::launch, whose kernel must be one function.
bool isLaunch(const Diagnostic &error) {
  if (!error.hasSourceManager() || !error.getLocation().isFileID())
    return false;
  bool invalid = false;
  llvm::StringRef text =
      error.getSourceManager().getCharacterData(error.getLocation(), &invalid);
  if (invalid)
    return false;
  text.consume_front("::");
  return text.starts_with("xcc::cuda::launch(");
}

} // namespace

std::string hintFor(const Diagnostic &error) {
  switch (error.getID()) {
  case diag::err_undeclared_var_use:
  case diag::err_undeclared_var_use_suggest:
  case diag::err_undeclared_use:
  case diag::err_unknown_typename:
  case diag::err_unknown_typename_suggest:
  case diag::err_no_template:
  case diag::err_no_template_suggest:
    return ofWord(firstArgument(error));
  case diag::err_pp_file_not_found:
    return ofHeader(firstArgument(error));
  case diag::err_ovl_no_viable_function_in_call:
    return isLaunch(error)
               ? "a template is launched with its arguments, as in "
                 "xcc::cuda::launch(kernel<int>, grid, block); 'xcc::cuda::"
                 "configure(grid, block), kernel(arguments)' deduces them"
               : "";
  case diag::err_expected_expression:
    return atChevrons(error)
               ? "kernel<<<grid, block>>>(arguments) is xcc::launch({grid, "
                 "block}, kernel, arguments...), or, with <xcc/cuda.h>, "
                 "xcc::cuda::launch(kernel, grid, block)(arguments...)"
               : "";
  default:
    return {};
  }
}

llvm::StringRef foreignLanguage(const LangOptions &lang) {
  return lang.HIP ? "HIP" : lang.CUDA ? "CUDA" : "";
}

llvm::StringRef foreignLanguage(llvm::StringRef input) {
  return llvm::StringSwitch<llvm::StringRef>(input)
      .Cases({"cuda", "cuda-cpp-output"}, "CUDA")
      .Cases({"hip", "hip-cpp-output"}, "HIP")
      .Default("");
}

} // namespace xcc
