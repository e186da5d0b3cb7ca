// utf8proc in a kernel: normal forms, case and classes of characters
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <utf8proc.h>

#include <cstdlib>

static void work(char *text, unsigned long size) {
  const auto *from = reinterpret_cast<const utf8proc_uint8_t *>(
      "\xC3\x85ngstr\xC3\xB6m \xEF\xAC\x81 \xE1\xBA\x9E \xCE\xA3");
  utf8proc_uint8_t *apart = utf8proc_NFD(from), *folded = utf8proc_NFKC_Casefold(from);
  int widths = 0, letters = 0;
  for (utf8proc_int32_t c = 0; c < 0x3000; c += 7) {
    widths += utf8proc_charwidth(c);
    letters += utf8proc_category(c) == UTF8PROC_CATEGORY_LL;
  }
  std::snprintf(text, size, "%s %s %d %d %x", apart, folded, widths, letters,
                unsigned(utf8proc_toupper(0x3c9)));
  std::free(apart);
  std::free(folded);
}
int main() { return compare<work>(); }
