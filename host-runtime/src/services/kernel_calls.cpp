// Kernels that may call the host, and those that trapped
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device_server.h"
#include "errors/thrown.h"
#include "mapping/settle.h"
#include "trap_text.h"
#include "xcc/abi.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

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

bool takeTrap(Device &on, Trap &trap) {
  xcc_services_trap_info t;
  bool said = false;
  withServices(on, [&](HostServices &s) {
    said = s.trap && xcc_services_trap(s.trap, &t);
  });
  if (!said)
    return false;
  const xcc_trap_note &note = t.note;
  describeTrap(note, trap.text, sizeof(trap.text));
  size_t used = strlen(trap.text);
  if (!note.kind && note.size == sizeof(uint64_t)) {
    uint64_t freed;
    memcpy(&freed, note.object, sizeof(freed));
    if (const std::string name = nameOfCopy(on, freed); !name.empty())
      used += snprintf(trap.text + used, sizeof(trap.text) - used, " (of %s)",
                       name.c_str());
    used = std::min(used, sizeof(trap.text) - 1);
  }
  used += snprintf(trap.text + used, sizeof(trap.text) - used,
                   ", in thread (%u, %u, %u) of block (%u, %u, %u)",
                   note.thread[0], note.thread[1], note.thread[2],
                   note.block[0], note.block[1], note.block[2]);
  if (note.kind != XCC_CPU_TRAP_THROWN)
    return true;
  if (t.others && used < sizeof(trap.text))
    snprintf(trap.text + used, sizeof(trap.text) - used,
             " and %u more that %s seen", t.others,
             t.others == 1 ? "was" : "were");
  trap.thrown = ThrownException::make(note, t.others);
  return true;
}

} // namespace xcc::rt
