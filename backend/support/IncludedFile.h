// Files that are part of a library
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The assembler includes the file: compilers take long to read it as numbers.

#ifndef XCC_BACKEND_SUPPORT_INCLUDEDFILE_H
#define XCC_BACKEND_SUPPORT_INCLUDEDFILE_H

/// Defines the arrays symbol and symbol_end: the bytes of a file from the one to
/// the other, with a zero behind them. At namespace scope; `file`: a path in
/// quotes.
#define XCC_INCLUDE_FILE(symbol, file)                                         \
  asm(".pushsection .rodata." #symbol ", \"a\", @progbits\n"                   \
      ".balign 16\n"                                                           \
      ".hidden " #symbol "\n"                                                  \
      ".globl " #symbol "\n" #symbol ":\n"                                     \
      ".incbin \"" file "\"\n"                                                 \
      ".hidden " #symbol "_end\n"                                              \
      ".globl " #symbol "_end\n" #symbol "_end:\n"                             \
      ".byte 0\n"                                                              \
      ".popsection\n");                                                        \
  extern "C" [[gnu::visibility("hidden")]] const char symbol[], symbol##_end[];

#endif // XCC_BACKEND_SUPPORT_INCLUDEDFILE_H
