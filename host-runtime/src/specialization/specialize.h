// Specialising kernels for values of launches
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program names the values: arguments given as xcc::constant, and
// parameters marked [[xcc::specialize]]. The first launch with new values
// generates code for them, or finds it on disk, and waits. If that is not
// possible, and for values beyond a limit, the generic code runs.

#ifndef XCC_SRC_SPECIALIZATION_SPECIALIZE_H
#define XCC_SRC_SPECIALIZATION_SPECIALIZE_H

#include "devices/device.h"
#include "pointer_facts.h"

namespace xcc::rt {

/// Constant values of a launch: in its arguments, its shape and, if \c shape
/// says so, its pointers.
struct LaunchValues {
  const xcc_launch_config *config;
  const char *kernarg;
  const xcc_argument_place *places;
  uint32_t count;
  uint32_t shape; ///< enum xcc_constant_shape
};

/// The facts about the pointers of a launch, if the shape requires them.
std::vector<PointerFact> factsFor(const xcc_kernel_info &info,
                                  const LaunchValues &values, const Device &on);

/// Loads the kernel's code for the values, and for pointers with these facts.
/// Returns null if the generic code has to run. Throws std::bad_alloc.
const Kernel *specialize(const xcc_kernel_info &info,
                         const LaunchValues &values,
                         const std::vector<PointerFact> &pointers, Device &on);

/// The kernel to launch if something is marked: the generic code, or code for
/// these values. The launch must have been checked.
const Kernel *codeForMarked(const xcc_kernel_info &info,
                            const xcc_launch_config &config,
                            const void *kernarg, Device &on,
                            const Kernel *generic);

} // namespace xcc::rt
#endif // XCC_SRC_SPECIALIZATION_SPECIALIZE_H
