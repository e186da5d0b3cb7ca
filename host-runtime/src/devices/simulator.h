// Simulated devices: XCC_DEVICE=sim:sm_90
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulator is a shared library with the entry points of a driver. It executes
// device code on the host's processor, and checks every access. xcc installs one
// for each kind of GPU. It is opened if XCC_DEVICE asks for a simulated GPU, in
// place of the machine's driver.

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

/// What stands for "all": each GPU arch of which the program holds code, and the
/// kind's usual arch for portable code.
std::vector<std::string> archsToSimulate();

/// The kind of GPU whose archs begin as this one does; null if there is none.
const DeviceKind *kindOfArch(std::string_view arch);

/// Opens a kind's simulator, for good, with a device for each of the archs. The
/// library's handle, or null; then \p error says why (the caller's to release).
void *openSimulator(const DeviceKind &kind,
                    const std::vector<std::string> &archs, xcc_error *&error);

/// A function of the simulator that was opened; null if it has none of that name,
/// or none was opened.
void *findInSimulator(const DeviceKind &kind, const char *name);

/// The archs that a kind's simulator knows, "sm_70, sm_75"; empty, with the
/// reason in \p why, if it cannot be opened.
std::string archsOfSimulator(const DeviceKind &kind, std::string &why);

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_SIMULATOR_H
