// The kinds of device there are
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kinds.h"
#include "cpu/device.h"
#include "cuda/device.h"
#include "hsa/device.h"

namespace xcc::rt {

static constexpr DeviceKind Table[] = {
    {"cuda", "CUDA", "nvptx64-", cuda::findDevices, cuda::Settings, false},
    {"hsa", "AMD (HSA)", "amdgcn-", hsa::findDevices, hsa::Settings, false},
    {"host", "host", "x86_64-", cpu::findDevices, cpu::Settings, true},
};

std::span<const DeviceKind> deviceKinds() { return Table; }

} // namespace xcc::rt
