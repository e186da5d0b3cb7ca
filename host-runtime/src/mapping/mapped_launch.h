// Launches whose arguments are mapped
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_MAPPING_MAPPED_LAUNCH_H
#define XCC_SRC_MAPPING_MAPPED_LAUNCH_H

#include "mapping/collection.h"

namespace xcc::rt {

/// A mapping to be collected for a launch that was checked; null, and the
/// thread's last error set, when memory ran out.
xcc_mapping *newLaunchMapping(Device &on, Queue &queue, const Kernel &kernel,
                              const xcc_launch_config &config,
                              const void *kernarg, size_t size);

/// Maps what was collected and launches. The mapping stays the caller's, unless
/// it is set to null. \p again: nothing was launched, because objects have
/// changed since they were visited: all of it is to be collected anew. Null: the
/// caller cannot.
xcc_status launchMapped(xcc_mapping *&m, bool *again = nullptr);

/// Makes a launch that is like an earlier one, of which all is still present;
/// false: it has to be collected. \p described: no visit would be made.
bool launchKnown(Device &on, Queue &queue, const Kernel &kernel,
                 const xcc_launch_config &config, const void *kernarg,
                 size_t size, bool described, xcc_status &status);

/// A launch of which the descriptor alone says where addresses are.
xcc_status launchDescribed(Device &on, Queue &queue, const Kernel &kernel,
                           const xcc_launch_config &config, const void *kernarg,
                           size_t size);

/// The same for a graph, which refers to memory of devices alone.
xcc_status recordDescribed(Recording &recording, const Kernel &kernel,
                           const xcc_launch_config &config, const void *kernarg,
                           size_t size);

/// Before a recorded launch of a kernel that calls functions of the host.
xcc_status expectHostCalls(Device &on, Queue &queue);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_MAPPED_LAUNCH_H
