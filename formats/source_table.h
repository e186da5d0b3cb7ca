// The result of compiling a source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libxcc-rtc writes it; libxcc reads it and stores it on disk. The bytes are
// the table's size (eight bytes), the table, and the images, each an
// OffloadBinary. The table is text with one row per line and fields separated
// by tabs. Tabs, newlines and backslashes in fields are written \t, \n and \\.
//
//     d level line column file message       a diagnostic
//     l text                                 all of them, as Clang prints them
//     f stamp hash path                      a file that was read
//     m path                                 a file that was not found
//     k symbol name file line column size alignment fingerprint
//     n expression                           an expression naming that kernel
//     p name type size alignment offset kind how mangled    its parameters
//     c name type size offset by_reference kind             its captures
//     s offset size                          marked [[xcc::specialize]]
//     v name type size symbol mangled        a variable

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

/// A file that was read. If the stamp is unchanged, so is the file; otherwise
/// the hash decides.
struct SourceFile {
  std::string stamp, hash, path;
};

struct SourceParam {
  std::string name, type;
  uint32_t size = 0, alignment = 0, offset = 0, kind = 0;
  char how = 'v';      ///< 'v': value, 'l': lvalue, 'r': rvalue reference
  std::string mangled; ///< its type; for a reference, a pointer to the target
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

/// Returns the table followed by the images.
std::string writeSource(const SourceTable &table, std::string_view images);
/// Returns false if the bytes are malformed.
bool readSource(Bytes bytes, SourceTable &table, Bytes &images);

/// Returns "SIZE TIME CHANGED INODE" of a regular file; empty for anything else.
/// A program can set the first time, but not the second.
std::string stampOfSource(const char *path);
/// Returns a hash of a file's contents; empty if it cannot be read.
std::string hashOfSource(const char *path);
/// Whether the files of a result are unchanged, and files that were not found
/// still do not exist.
bool isUpToDate(const SourceTable &table);

} // namespace xcc::rt
#endif // XCC_FORMATS_SOURCE_TABLE_H
