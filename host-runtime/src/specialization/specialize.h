// Code for values that launches have
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that the program names: arguments given as xcc::constant, and what is
// marked [[xcc::specialize]]. The first launch with them has the kernel's code
// generated for them, or finds it, and waits for that; where it cannot be, and
// for values beyond a number of them, the kernel's generic code runs.

#ifndef XCC_SRC_SPECIALIZATION_SPECIALIZE_H
#define XCC_SRC_SPECIALIZATION_SPECIALIZE_H

#include "devices/device.h"
#include "pointer_facts.h"

namespace xcc::rt {

/// Values of a launch, in its arguments or its shape.
/// And its pointers, if the shape asks for them.
struct LaunchValues {
  const xcc_launch_config *config;
  const char *kernarg;
  const xcc_argument_place *places;
  uint32_t count;
  uint32_t shape; ///< enum xcc_constant_shape
};

/// What holds of the pointers of a launch, if that is to count.
std::vector<PointerFact> factsFor(const xcc_kernel_info &info,
                                  const LaunchValues &values, const Device &on);

/// The kernel's code for the values, and for pointers of which that holds,
/// loaded; null: its generic code runs. Throws
/// std::bad_alloc.
const Kernel *specialize(const xcc_kernel_info &info,
                         const LaunchValues &values,
                         const std::vector<PointerFact> &pointers, Device &on);

/// What to launch of a kernel of which something is marked: the generic code, or
/// code for these values. All was checked.
const Kernel *codeForMarked(const xcc_kernel_info &info,
                            const xcc_launch_config &config,
                            const void *kernarg, Device &on,
                            const Kernel *generic);

} // namespace xcc::rt
#endif // XCC_SRC_SPECIALIZATION_SPECIALIZE_H
