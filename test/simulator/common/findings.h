// What checks have found: counted, suppressed, reported
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     XCC_SIM_SUPPRESS=FILE   what is not to be reported, a line each: a kind or *,
//                             a colon, and a pattern of a function's name
//     XCC_SIM_REPORT=FILE     all findings as JSON; %p stands for the process
//
// With XCC_SIM_CHECK, a process in which something was found ends with a count on
// standard error, and with the exit status 1 if it would have been 0.

#ifndef XCC_TEST_SIMULATOR_COMMON_FINDINGS_H
#define XCC_TEST_SIMULATOR_COMMON_FINDINGS_H

#include <string>
#include <vector>

namespace simulator {

struct Finding {
  /// "memory", "races", "init", "sync", "note", or "other" for a trap.
  std::string kind;
  std::string kernel;
  /// Where it happened and what called that, innermost first, as linkers know
  /// them.
  std::vector<std::string> functions;
  std::string file; ///< of the source; may be empty
  int line = 0;
  std::string message; ///< without the kernel
};

/// Counts it. False if it is suppressed, and not to be printed. Thread-safe.
bool countFinding(const Finding &f);

/// Prints and counts it: "simulator: note: kernel ...".
void tellFinding(const Finding &f);

/// What a programmer calls the function or variable \p name. The compiler ends the
/// name of a kernel of one object file with two underscores and 16 digits.
std::string demangled(std::string name);

/// "nvidia" or "amd": each simulator says which it is.
extern const char *const SimulatorName;

} // namespace simulator
#endif // XCC_TEST_SIMULATOR_COMMON_FINDINGS_H
