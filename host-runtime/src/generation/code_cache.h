// Generated code on disk
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was generated for a device is kept in the folder where the compiler
// keeps its results too (formats/cache_folder.h), and found again without the
// code generator being opened. Its key is a text that says all the code
// depends on, and stands in the entry:
//
//     xcc image 1
//     generator ...     its build and LLVM's
//     device ...        what code for this very one depends on
//     arch, triple, options, bitcode (a hash), layouts (a hash)
//     kernels ...
//
// Which generator there is, an entry of its own remembers, with the files that
// are it: when one of them is another, nothing that depends on it is found.

#ifndef XCC_SRC_GENERATION_CODE_CACHE_H
#define XCC_SRC_GENERATION_CODE_CACHE_H

#include "formats/cache_folder.h"
#include "formats/offload_binary.h"

#include <string>
#include <vector>

namespace xcc::rt {

/// This process's folder, for good. Says once, in XCC_LOG=load, why there is
/// none.
CacheFolder &codeFolder();

/// What a text stands for in the folder; false: nothing. What is not of this
/// text is nothing.
bool findStored(const std::string &text, std::vector<char> &out);
void store(const std::string &text, Bytes result);
void forget(const std::string &text);

/// The text of an entry; empty: it is no program's.
std::string_view textOf(Bytes entry);

/// The generator that \p search, all that decides which one is opened, led to
/// the last time; empty: not known, or it is no longer that.
std::string knownGenerator(const std::string &search);
/// \p files: the paths of all that it is made of, one in each line.
void rememberGenerator(const std::string &search, const char *identity,
                       const char *files);

} // namespace xcc::rt
#endif // XCC_SRC_GENERATION_CODE_CACHE_H
