// What packed bitcode begins with having learnt
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PackedPrior.h"

// As it is in the file, which compilers take long to read as numbers.
asm(".pushsection .rodata.xcc_learnt_prior, \"a\", @progbits\n"
    ".balign 16\n"
    ".hidden xcc_learnt_prior\n"
    ".globl xcc_learnt_prior\n"
    "xcc_learnt_prior:\n"
    ".incbin \"" XCC_LEARNT_PRIOR "\"\n"
    ".hidden xcc_learnt_prior_end\n"
    ".globl xcc_learnt_prior_end\n"
    "xcc_learnt_prior_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
[[gnu::visibility("hidden")]] extern const char xcc_learnt_prior[];
[[gnu::visibility("hidden")]] extern const char xcc_learnt_prior_end[];
}

namespace xcc {

llvm::StringRef learntPrior() {
  return {xcc_learnt_prior, size_t(xcc_learnt_prior_end - xcc_learnt_prior)};
}

} // namespace xcc
