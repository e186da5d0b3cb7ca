// The dictionary for packed bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PackDictionary.h"

// Included as a file, because compilers read long arrays of numbers slowly.
asm(".pushsection .rodata.xcc_pack_dictionary, \"a\", @progbits\n"
    ".balign 16\n"
    ".hidden xcc_pack_dictionary\n"
    ".globl xcc_pack_dictionary\n"
    "xcc_pack_dictionary:\n"
    ".incbin \"" XCC_PACK_DICTIONARY "\"\n"
    ".hidden xcc_pack_dictionary_end\n"
    ".globl xcc_pack_dictionary_end\n"
    "xcc_pack_dictionary_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
[[gnu::visibility("hidden")]] extern const char xcc_pack_dictionary[];
[[gnu::visibility("hidden")]] extern const char xcc_pack_dictionary_end[];
}

namespace xcc {

llvm::StringRef packDictionary() {
  return {xcc_pack_dictionary,
          size_t(xcc_pack_dictionary_end - xcc_pack_dictionary)};
}

} // namespace xcc
