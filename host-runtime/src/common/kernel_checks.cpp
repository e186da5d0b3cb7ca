// Checks of images and kernels that all kinds of devices share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel_checks.h"

namespace xcc::rt {

xcc_status checkArguments(const xcc_kernel_info &info, uint32_t size,
                          uint64_t fingerprint, const ErrorSite &site) {
  if (size != info.kernarg_size)
    return fail(XCC_ERROR_INVALID_KERNEL, site,
                "host and device disagree about the arguments of kernel '%s': "
                "%u bytes on the host, %u in the image; rebuild all of the "
                "program",
                info.name, info.kernarg_size, size);
  if (fingerprint != info.fingerprint)
    return fail(XCC_ERROR_INVALID_KERNEL, site,
                "host and device disagree about the argument layout of kernel "
                "'%s' (fingerprints %016llx and %016llx); rebuild all of the "
                "program",
                info.name, static_cast<unsigned long long>(info.fingerprint),
                static_cast<unsigned long long>(fingerprint));
  return XCC_SUCCESS;
}

xcc_status checkShared(const xcc_kernel_info &info, uint32_t bytes,
                       const Device &on, const ErrorSite &site) {
  if (bytes <= on.limits().shared)
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_KERNEL, site,
              "kernel '%s' has %u bytes of block-shared memory, device %d (%s) "
              "allows %llu",
              info.name, bytes, on.ordinal(), on.id(),
              static_cast<unsigned long long>(on.limits().shared));
}

xcc_status rejectImage(xcc_status status, const OffloadImage &image, Device &on,
                       const char *why, const char *form) {
  xcc_device_properties p{};
  on.properties(p);
  return fail(status, {nullptr, nullptr, 0, on.ordinal()},
              "the %s image%s cannot be loaded on device %d (%s, %s): %s",
              image.arch, form, on.ordinal(), on.id(), p.arch, why);
}

xcc_status notInImage(const xcc_kernel_info &info, const char *arch,
                      const char *why, const ErrorSite &site) {
  return fail(XCC_ERROR_INVALID_IMAGE, site,
              "kernel '%s' is not in the program's %s image (%s); rebuild all "
              "of the program",
              info.name, arch, why);
}

} // namespace xcc::rt
