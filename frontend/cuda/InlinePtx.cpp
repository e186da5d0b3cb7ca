// Inline assembly of NVIDIA's in kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InlinePtx.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using llvm::StringRef;

namespace xcc {
namespace {

/// Types and other parts of PTX's names of instructions that no assembly of a
/// host has behind a point.
bool isPtxPart(StringRef part) {
  static const llvm::StringSet<> known = {
      "u8",   "u16",    "u32",   "u64",  "s8",    "s16",    "s32",
      "s64",  "b8",     "b16",   "b32",  "b64",   "b128",   "f16",
      "bf16", "f32",    "f64",   "pred", "sync",  "gl",     "cta",
      "sys",  "global", "async", "cc",   "f16x2", "bf16x2", "approx"};
  return known.contains(part);
}

/// The name of an instruction, without a brace or a predicate before it.
StringRef instruction(StringRef statement) {
  statement = statement.trim("{} \t\n\r");
  if (statement.starts_with("@"))
    statement = statement.split(' ').second.ltrim();
  return statement.take_until([](char c) { return c == ' ' || c == '\t'; });
}

llvm::SmallVector<StringRef> names(StringRef text) {
  llvm::SmallVector<StringRef> statements, found;
  text.split(statements, ';');
  for (StringRef statement : statements)
    if (StringRef name = instruction(statement); !name.empty())
      found.push_back(name);
  return found;
}

struct Replacement {
  StringRef part; ///< of the text
  StringRef note;
};
// The first that is found.
constexpr Replacement Replacements[] = {
    {"bf16", "write __hfma2 or one of its kind, of <cuda_bf16.h>"},
    {"f16", "write __hfma2 or one of its kind, of <cuda_fp16.h>"},
    {"laneid", "write xcc::lane_id()"},
    {"lanemask_lt", "write (1u << xcc::lane_id()) - 1"},
    {"lanemask", "compute the mask from xcc::lane_id()"},
    {"%warpid", "write threadIdx.x / warpSize in a block of one dimension"},
    {"clock", "write clock64()"},
    {"globaltimer", "write clock64(), or measure time in the host"},
    {"smid", "devices have no common number for where a block runs: use "
             "blockIdx"},
    {"shfl", "write __shfl_sync or one of its kind"},
    {"activemask", "write __activemask()"},
    {"vote", "write __ballot_sync, __any_sync or __all_sync"},
    {"bar.", "write __syncthreads() or __syncwarp()"},
    {"barrier.", "write __syncthreads() or __syncwarp()"},
    {"membar", "write __threadfence()"},
    {"fence.", "write __threadfence()"},
    {"cp.async", "write __pipeline_memcpy_async"},
    {"atom.", "write atomicAdd or one of its kind"},
    {"red.", "write atomicAdd or one of its kind"},
    {"ld.", "read by the pointer, by __ldcg or one of its kind, or by "
            "std::atomic_ref"},
    {"st.", "write by the pointer, by __stcg or one of its kind, or by "
            "std::atomic_ref"},
    {"prmt", "write __byte_perm"},
    {"lop3", "write it with &, | and ^"},
    {"bfe", "write it with shifts and a mask"},
    {"bfi", "write it with shifts and a mask"},
    {"dp4a", "write __dp4a"},
    {".cc", "compute in unsigned long long or unsigned __int128"},
    {"addc", "compute in unsigned long long or unsigned __int128"},
    {"mul.hi", "write __umulhi or __umul64hi"},
    {"mul.wide", "multiply as unsigned long long"}};

} // namespace

bool isPtx(StringRef text) {
  return llvm::any_of(names(text), [](StringRef name) {
    llvm::SmallVector<StringRef> parts;
    name.split(parts, '.');
    return name.starts_with(".reg") ||
           llvm::any_of(llvm::drop_begin(parts), isPtxPart);
  });
}

StringRef insteadOfPtx(StringRef text) {
  for (const Replacement &each : Replacements)
    if (text.contains(each.part))
      return each.note;
  return "write it in C++: xcc's headers have CUDA's functions for most "
         "instructions";
}

void rejectInlinePtx(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &each : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&each);
      auto *assembly =
          call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())
               : nullptr;
      if (!assembly || !isPtx(assembly->getAsmString()))
        continue;
      module.getContext().diagnose(llvm::DiagnosticInfoInlineAsm(
          *call, "inline PTX is not translated, because a kernel is for every "
                 "device: " +
                     insteadOfPtx(assembly->getAsmString())));
      call->setCalledOperand(llvm::InlineAsm::get(
          assembly->getFunctionType(), "", assembly->getConstraintString(),
          assembly->hasSideEffects()));
    }
}

} // namespace xcc
