// Simulated devices: XCC_DEVICE=sim:sm_90
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulator is a shared library with the entry points of a driver. It
// executes device code on the host's processor, and checks every access. xcc
// installs one for each kind of GPU. If XCC_DEVICE names a simulated GPU, the
// library is opened in place of the machine's driver.

#ifndef XCC_SRC_DEVICES_SIMULATOR_H
#define XCC_SRC_DEVICES_SIMULATOR_H

#include "kinds.h"

#include "xcc/runtime.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xcc::rt {

/// The archs that a text such as "sim:sm_90,gfx1100" names, as written; none if
/// the text does not begin with "sim:".
std::optional<std::vector<std::string>> simulatedArchs(std::string_view text);

/// The architectures that "all" means: each GPU architecture for which the
/// program contains code, and the kind's usual one for portable code.
std::vector<std::string> archsToSimulate();

/// The kind of GPU to which the arch belongs, by its prefix; null if there is
/// none.
const DeviceKind *kindOfArch(std::string_view arch);

/// Opens a kind's simulator, permanently, with a device for each arch. Returns
/// the library's handle, or null with the reason in \p error, which the caller
/// owns.
void *openSimulator(const DeviceKind &kind,
                    const std::vector<std::string> &archs, xcc_error *&error);

/// A function of the opened simulator; null if it has none of that name, or if
/// none is open.
void *findInSimulator(const DeviceKind &kind, const char *name);

/// The archs that a kind's simulator knows, "sm_70, sm_75"; empty, with the
/// reason in \p why, if it cannot be opened.
std::string archsOfSimulator(const DeviceKind &kind, std::string &why);

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_SIMULATOR_H
