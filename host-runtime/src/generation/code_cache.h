// Generated code on disk
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generated for a device is kept in the folder where the compiler also
// keeps its results (formats/cache_folder.h). It can then be found without
// opening the code generator. The key is a text of all that the code depends
// on, which the entry begins with:
//
//     xcc image 1
//     generator ...     its build and LLVM's
//     device ...        what code for this exact device depends on
//     arch, triple, options, bitcode (a hash), layouts (a hash)
//     kernels ...
//
// A separate entry records the generator in use and its files. If one of them
// changes, results that depend on it are not found.

#ifndef XCC_SRC_GENERATION_CODE_CACHE_H
#define XCC_SRC_GENERATION_CODE_CACHE_H

#include "formats/cache_folder.h"
#include "formats/offload_binary.h"

#include <string>
#include <vector>

namespace xcc::rt {

/// The process's folder, never destroyed. XCC_LOG=load says, once, why there is
/// none.
CacheFolder &codeFolder();

/// Finds the result for a key. Returns false if there is none, or if the entry
/// belongs to another text with the same hash.
bool findStored(const std::string &text, std::vector<char> &out);
void store(const std::string &text, Bytes result);
void forget(const std::string &text);

/// The key at the beginning of an entry; empty if the entry is not a program's.
std::string_view textOf(Bytes entry);

/// The generator to which \p search led the last time; empty if not known, or
/// if its files have changed. \p search is all that decides which one is
/// opened.
std::string knownGenerator(const std::string &search);
/// Records a generator. \p files: the paths of all its files, one in each line.
void rememberGenerator(const std::string &search, const char *identity,
                       const char *files);

} // namespace xcc::rt
#endif // XCC_SRC_GENERATION_CODE_CACHE_H
