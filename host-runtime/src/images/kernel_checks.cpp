// What every kind of device asks of a kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel_checks.h"

namespace xcc::rt {

xcc_status checkArguments(const xcc_kernel_info &Info, uint32_t Size,
                          uint64_t Fingerprint, const ErrorSite &Site) {
  if (Size != Info.kernarg_size)
    return fail(XCC_ERROR_INVALID_KERNEL, Site,
                "host and device disagree about the arguments of kernel '%s': "
                "%u bytes on the host, %u in the image; rebuild all of the "
                "program",
                Info.name, Info.kernarg_size, Size);
  if (Fingerprint != Info.fingerprint)
    return fail(XCC_ERROR_INVALID_KERNEL, Site,
                "host and device disagree about the argument layout of kernel "
                "'%s' (fingerprints %016llx and %016llx); rebuild all of the "
                "program",
                Info.name, static_cast<unsigned long long>(Info.fingerprint),
                static_cast<unsigned long long>(Fingerprint));
  return XCC_SUCCESS;
}

xcc_status checkShared(const xcc_kernel_info &Info, uint32_t Bytes,
                       const Device &On, const ErrorSite &Site) {
  if (Bytes <= On.limits().Shared)
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_KERNEL, Site,
              "kernel '%s' has %u bytes of block-shared memory, device %d (%s) "
              "allows %llu",
              Info.name, Bytes, On.ordinal(), On.id(),
              static_cast<unsigned long long>(On.limits().Shared));
}

} // namespace xcc::rt
