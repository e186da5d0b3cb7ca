// Kernels that may call the host, and those that trapped
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "server.h"
#include "trap_text.h"

#include <cstdio>
#include <cstring>

namespace xcc::rt {

void beginCalls(Device &On) {
  withServices(On, [](HostServices &S) {
    ++S.Calling;
    (void)xcc_rpc_server_begin_kernel(S.Server);
  });
}

void endCalls(Device &On) {
  withServices(On, [](HostServices &S) {
    if (!S.Calling)
      return;
    --S.Calling;
    (void)xcc_rpc_server_end_kernel(S.Server);
  });
}

void abandonCalls(Device &On) {
  withServices(On, [](HostServices &S) {
    S.Lost.store(true);
    for (; S.Calling; --S.Calling)
      (void)xcc_rpc_server_end_kernel(S.Server);
  });
}

uint32_t callingKernels(Device &On) {
  uint32_t Calling = 0;
  withServices(On, [&](HostServices &S) { Calling = S.Calling; });
  return Calling;
}

bool takeTrap(Device &On, char *Text, size_t Size) {
  xcc_services_trap_info T;
  bool Said = false;
  withServices(On, [&](HostServices &S) {
    Said = S.Trap && xcc_services_trap(S.Trap, &T);
  });
  if (!Said)
    return false;
  describeTrap({T.kind, T.has_text ? T.text : nullptr,
                T.has_file ? T.file : nullptr, T.line},
               Text, Size);
  size_t Used = strlen(Text);
  snprintf(Text + Used, Size - Used,
           ", in thread (%u, %u, %u) of block (%u, %u, %u)", T.thread[0],
           T.thread[1], T.thread[2], T.block[0], T.block[1], T.block[2]);
  return true;
}

} // namespace xcc::rt
