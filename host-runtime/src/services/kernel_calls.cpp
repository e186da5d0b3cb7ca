// Kernels that may call the host, and those that trapped
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device_server.h"
#include "trap_text.h"

#include <cstdio>
#include <cstring>

namespace xcc::rt {

void beginCalls(Device &on) {
  withServices(on, [](HostServices &s) {
    ++s.calling;
    (void)xcc_rpc_server_begin_kernel(s.server);
  });
}

void endCalls(Device &on) {
  withServices(on, [](HostServices &s) {
    if (!s.calling)
      return;
    --s.calling;
    (void)xcc_rpc_server_end_kernel(s.server);
  });
}

void abandonCalls(Device &on) {
  withServices(on, [](HostServices &s) {
    s.deviceFailed.store(true);
    for (; s.calling; --s.calling)
      (void)xcc_rpc_server_end_kernel(s.server);
  });
}

uint32_t callingKernels(Device &on) {
  uint32_t calling = 0;
  withServices(on, [&](HostServices &s) { calling = s.calling; });
  return calling;
}

bool takeTrap(Device &on, char *text, size_t size) {
  xcc_services_trap_info t;
  bool said = false;
  withServices(on, [&](HostServices &s) {
    said = s.trap && xcc_services_trap(s.trap, &t);
  });
  if (!said)
    return false;
  describeTrap({t.kind, t.has_text ? t.text : nullptr,
                t.has_file ? t.file : nullptr, t.line},
               text, size);
  size_t used = strlen(text);
  snprintf(text + used, size - used,
           ", in thread (%u, %u, %u) of block (%u, %u, %u)", t.thread[0],
           t.thread[1], t.thread[2], t.block[0], t.block[1], t.block[2]);
  return true;
}

} // namespace xcc::rt
