// What a program's loader is told
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// xcc-run takes options before the image's name. A program with its loader in it
// passes its arguments on, and takes options from XCC_RUN_OPTIONS.

#ifndef XCC_PROGRAM_OPTIONS_H
#define XCC_PROGRAM_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace xcc::program {

struct Options {
  uint32_t blocks[3] = {1, 1, 1};  ///< --blocks=X[,Y[,Z]]
  uint32_t threads[3] = {1, 1, 1}; ///< --threads=X[,Y[,Z]], of each block
  uint64_t stack = 0;              ///< --stack-size=BYTES, of each thread; or 0
  std::string heap;                ///< --heap-size=BYTES, decimal; or empty
  std::string device;              ///< --device=NAME, as XCC_DEVICE
  std::string ports;               ///< --rpc-ports=N; or empty
  double timeout = 0;              ///< --timeout=SECONDS; 0: none
  std::vector<std::string> environment; ///< --env K=V
  bool resources = false;               ///< --print-resource-usage
  bool help = false, version = false;

  /// One call of main?
  bool single() const;
};

/// Reads options up to the first argument that is none, or behind "--"; returns
/// how many arguments they were. What is wrong goes to `error`.
size_t parse(const std::vector<std::string> &args, Options &options,
             std::string &error);

/// Words parted by spaces; '...' and "..." keep theirs, and \ what follows it.
std::vector<std::string> words(const char *text);

/// What --help says of options.
extern const char *const OptionsHelp;

} // namespace xcc::program
#endif // XCC_PROGRAM_OPTIONS_H
