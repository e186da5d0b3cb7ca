// A simulator's functions in addition to a driver's entry points
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_DEVICES_SIMULATOR_INTERFACE_H
#define XCC_SRC_DEVICES_SIMULATOR_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

#define XCC_SIMULATE_ENTRY "xcc_simulate"

/// Called before the driver's own initialisation. \p archs is a list with
/// commas, such as "sm_80,sm_90": the devices in order. Returns 0, or another
/// number with a message in \p why if one of them cannot be simulated.
extern "C" int xcc_simulate(const char *archs, char *why, size_t size);

#define XCC_SIMULATED_ARCHS_ENTRY "xcc_simulated_archs"

/// The archs that the simulator knows, with commas. The string stays valid.
extern "C" const char *xcc_simulated_archs(void);

#define XCC_SIMULATE_NEXT_ADDRESS_ENTRY "xcc_simulate_next_address"

/// Makes the next allocation of device memory begin at \p address, or fail; 0
/// ends that. For all threads. All device memory has to be within 128 GiB of
/// the first such address, if that is set before any other allocation.
extern "C" void xcc_simulate_next_address(uint64_t address);

#endif // XCC_SRC_DEVICES_SIMULATOR_INTERFACE_H
