// Launches with mapped arguments
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_MAPPED_LAUNCH_H
#define XCC_SRC_MAPPING_MAPPED_LAUNCH_H

#include "mapping/collection.h"

namespace xcc::rt {

/// Makes a mapping for a checked launch. Returns null, with the thread's last
/// error set, when memory ran out.
xcc_mapping *newLaunchMapping(Device &on, Queue &queue, const Kernel &kernel,
                              const xcc_launch_config &config,
                              const void *kernarg, size_t size);

/// Maps what was collected, and launches. The caller still owns the mapping
/// unless it is set to null. \p again is set if nothing was launched because
/// objects have changed since they were visited; then collect all again. Null:
/// the caller cannot.
xcc_status launchMapped(xcc_mapping *&m, bool *again = nullptr);

/// Launches by the result of an earlier launch, if that is still valid. Returns
/// false if the memory has to be collected. \p described: the launch needs no
/// visit.
bool launchKnown(Device &on, Queue &queue, const Kernel &kernel,
                 const xcc_launch_config &config, const void *kernarg,
                 size_t size, bool described, xcc_status &status);

/// Launches a kernel whose addresses only the descriptor lists.
xcc_status launchDescribed(Device &on, Queue &queue, const Kernel &kernel,
                           const xcc_launch_config &config, const void *kernarg,
                           size_t size);

/// The same for a graph, which can only use memory of devices.
xcc_status recordDescribed(Recording &recording, const Kernel &kernel,
                           const xcc_launch_config &config, const void *kernarg,
                           size_t size);

/// Call this before a recorded launch of a kernel that calls host functions.
xcc_status expectHostCalls(Device &on, Queue &queue);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_MAPPED_LAUNCH_H
