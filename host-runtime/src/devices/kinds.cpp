// The kinds of devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kinds.h"
#include "cpu/device.h"
#include "cuda/device.h"
#include "hsa/device.h"

namespace xcc::rt {

static constexpr Simulator SimulatedCuda = {"libxcc-sim-cuda.so.0", "sm_",
                                            "sm_90"};
static constexpr Simulator SimulatedHsa = {"libxcc-sim-hsa.so.0", "gfx",
                                           "gfx1100"};

static constexpr DeviceKind Table[] = {
    {"cuda", "CUDA", "nvptx64-", cuda::findDevices, cuda::Settings, false,
     &SimulatedCuda},
    {"hsa", "AMD (HSA)", "amdgcn-", hsa::findDevices, hsa::Settings, false,
     &SimulatedHsa},
    {"host", "host", "x86_64-", cpu::findDevices, cpu::Settings, true, nullptr},
};

std::span<const DeviceKind> deviceKinds() { return Table; }

} // namespace xcc::rt
