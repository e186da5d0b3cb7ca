// The dictionary for packed bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PackDictionary.h"
#include "support/IncludedFile.h"

XCC_INCLUDE_FILE(xcc_pack_dictionary, XCC_PACK_DICTIONARY)

namespace xcc {

llvm::StringRef packDictionary() {
  return {xcc_pack_dictionary,
          size_t(xcc_pack_dictionary_end - xcc_pack_dictionary)};
}

} // namespace xcc
