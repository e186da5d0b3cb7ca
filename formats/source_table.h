// What became of a source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libxcc-rtc writes it, libxcc reads it and keeps it on disk. The bytes are the
// table's size as eight bytes, the table, and the images, each an OffloadBinary.
// The table is text, a row in each line, its fields parted by tabs; tabs,
// newlines and backslashes in fields are written \t, \n, \\.
//
//     d level line column file message       a diagnostic
//     l text                                 all of them, as Clang prints them
//     f stamp hash path                      a file that was read
//     m path                                 one that was looked for in vain
//     k symbol name file line column size alignment fingerprint
//     n expression                           names the kernel above
//     p name type size alignment offset kind how mangled   of that, in order
//     c name type size offset by_reference kind            the same
//     s offset size                          is marked [[xcc::specialize]]
//     v name type size symbol how mangled    a variable, and its kernel

#ifndef XCC_FORMATS_SOURCE_TABLE_H
#define XCC_FORMATS_SOURCE_TABLE_H

#include "bytes.h"
#include "xcc/abi.h"

#include <string>
#include <vector>

namespace xcc::rt {

struct SourceDiagnostic {
  uint32_t level = 0; ///< enum xcc_source_level
  uint32_t line = 0, column = 0;
  std::string file, message;
};

/// A file as it was: its stamp alone mostly tells that it is the same.
struct SourceFile {
  std::string stamp, hash, path;
};

struct SourceParam {
  std::string name, type;
  uint32_t size = 0, alignment = 0, offset = 0, kind = 0;
  char how = 'v';      ///< 'v' value, 'l', 'r': lvalue, rvalue reference
  std::string mangled; ///< its type, or a pointer to what it refers to
};

struct SourceCapture {
  std::string name, type;
  uint32_t size = 0, offset = 0, byReference = 0, kind = 0;
};

struct SourceKernel {
  std::string symbol, name, file;
  uint32_t line = 0, column = 0, kernargSize = 0, kernargAlignment = 0;
  uint64_t fingerprint = 0;
  std::vector<std::string> expressions;
  std::vector<SourceParam> params;
  std::vector<SourceCapture> captures;
  std::vector<xcc_argument_place> specialized;
};

struct SourceVariable {
  std::string name, type;
  uint64_t size = 0;
  std::string symbol;
  std::string mangled;
};

struct SourceTable {
  std::vector<SourceDiagnostic> diagnostics;
  std::string log;
  std::vector<SourceFile> files;
  std::vector<std::string> missing;
  std::vector<SourceKernel> kernels;
  std::vector<SourceVariable> variables;
};

/// The table with the images behind it.
std::string writeSource(const SourceTable &table, std::string_view images);
/// False where the bytes are not of this form.
bool readSource(Bytes bytes, SourceTable &table, Bytes &images);

/// "SIZE TIME NUMBER" of a file that there is; empty: there is none, or it is
/// no file of bytes.
std::string stampOfSource(const char *path);
/// A hash of what a file holds; empty where it cannot be read.
std::string hashOfSource(const char *path);
/// Whether all files that went into a result are as they were, and none is there
/// that was looked for in vain.
bool isUpToDate(const SourceTable &table);

} // namespace xcc::rt
#endif // XCC_FORMATS_SOURCE_TABLE_H
