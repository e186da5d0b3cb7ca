// What kernels counted for -fprofile-instr-generate and --coverage
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library of profiles in the program knows the program's counters alone.
// Those of images are written by it beside the program's file, as it does for
// other devices, and llvm-profdata merges them.

#ifndef XCC_SRC_CPU_IMAGE_COUNTERS_H
#define XCC_SRC_CPU_IMAGE_COUNTERS_H

namespace xcc::rt::cpu {

class Counters {
public:
  Counters() = default;
  Counters(const Counters &) = delete;
  /// Writes what there is: the image is about to go.
  ~Counters();

  /// \p bounds: XCC_SYMBOL_COUNTERS, null in an image that does not count. What
  /// is counted is written when the process ends.
  void found(const void *bounds);
  /// \p table: XCC_SYMBOL_ARCS, likewise. Counts are added to those that the
  /// files of gcov have.
  void foundArcs(void *table);

private:
  void *const *arcs = nullptr;
  const void *const *bounds = nullptr;
};

} // namespace xcc::rt::cpu
#endif // XCC_SRC_CPU_IMAGE_COUNTERS_H
