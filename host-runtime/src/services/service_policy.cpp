// The services that device code may use
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "service_policy.h"

#include "rpc/services/services.h"

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace xcc::rt {

static_assert(XCC_SERVICE_HOST_CALLS == uint32_t(XCC_SERVICES_HOST_CALLS) &&
              XCC_SERVICE_PROCESS == uint32_t(XCC_SERVICES_PROCESS) &&
              XCC_SERVICE_ENVIRONMENT == uint32_t(XCC_SERVICES_ENVIRONMENT) &&
              XCC_SERVICE_WRITE_FILES == uint32_t(XCC_SERVICES_WRITE_FILES) &&
              XCC_SERVICE_READ_FILES == uint32_t(XCC_SERVICES_READ_FILES) &&
              XCC_SERVICE_INPUT == uint32_t(XCC_SERVICES_INPUT) &&
              XCC_SERVICE_OUTPUT == uint32_t(XCC_SERVICES_OUTPUT));

/// Bits are only ever added.
static constinit std::atomic<uint32_t> denied{0};

static constexpr struct {
  const char *name;
  uint32_t bit;
} Names[] = {
    {"output", XCC_SERVICE_OUTPUT},
    {"input", XCC_SERVICE_INPUT},
    {"read-files", XCC_SERVICE_READ_FILES},
    {"write-files", XCC_SERVICE_WRITE_FILES},
    {"environment", XCC_SERVICE_ENVIRONMENT},
    {"process", XCC_SERVICE_PROCESS},
    {"host-calls", XCC_SERVICE_HOST_CALLS},
    {"all", XCC_SERVICE_ALL},
};

uint32_t deniedServices() { return denied.load(); }

xcc_status denyByEnvironment() {
  const char *text = secure_getenv("XCC_DENY_SERVICES");
  for (std::string_view rest = text ? text : ""; !rest.empty();) {
    const size_t end = rest.find(',');
    const std::string_view name = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    uint32_t bit = 0;
    for (const auto &s : Names)
      if (name == s.name)
        bit = s.bit;
    if (!bit)
      return fail(XCC_ERROR_INVALID_VALUE,
                  "XCC_DENY_SERVICES=%s: '%.*s' is not one of output, input, "
                  "read-files, write-files, environment, process, host-calls, "
                  "all",
                  text, int(name.size()), name.data());
    denied.fetch_or(bit);
  }
  return XCC_SUCCESS;
}

} // namespace xcc::rt

using namespace xcc::rt;

xcc_status xcc_services_deny(uint32_t services) {
  if (services & ~uint32_t(XCC_SERVICE_ALL))
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_services_deny: 0x%x has bits that are no service",
                services);
  denied.fetch_or(services);
  return XCC_SUCCESS;
}

uint32_t xcc_services_allowed(void) {
  (void)denyByEnvironment(); // the first launch reports an error in it
  return XCC_SERVICE_ALL & ~denied.load();
}
