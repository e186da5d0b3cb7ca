// Counts of kernels for -fprofile-instr-generate and --coverage
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile library in the program only knows the program's own counters. The
// runtime makes it write the counters of images to further files, as for other
// devices; llvm-profdata merges the files.

#ifndef XCC_SRC_CPU_IMAGE_COUNTERS_H
#define XCC_SRC_CPU_IMAGE_COUNTERS_H

namespace xcc::rt::cpu {

class Counters {
public:
  Counters() = default;
  Counters(const Counters &) = delete;
  /// Writes the counts, because the image is about to be unloaded.
  ~Counters();

  /// \p bounds is the image's XCC_SYMBOL_COUNTERS, or null if it does not
  /// count. The counts are written when the process ends.
  void found(const void *bounds);
  /// \p table is the image's XCC_SYMBOL_ARCS, or null. Its counts are added to
  /// those in gcov's files.
  void foundArcs(void *table);

private:
  void *const *arcs = nullptr;
  const void *const *bounds = nullptr;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_IMAGE_COUNTERS_H
