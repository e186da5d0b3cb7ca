// The services that device code may use
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_SERVICES_SERVICE_POLICY_H
#define XCC_SRC_SERVICES_SERVICE_POLICY_H

#include "errors/error.h"

namespace xcc::rt {

/// The denied services, bits of xcc_service: by the program, and by the
/// environment once that has been read.
uint32_t deniedServices();

/// Denies the services in XCC_DENY_SERVICES. Fails for an unknown name, and
/// then no kernel is launched.
xcc_status denyByEnvironment();

} // namespace xcc::rt
#endif // XCC_SRC_SERVICES_SERVICE_POLICY_H
