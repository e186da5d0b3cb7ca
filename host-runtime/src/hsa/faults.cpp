// Error reports of kernels that failed on an AMD GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "faults.h"
#include "common/faults.h"
#include "device.h"
#include "hsa/queue/queue.h"

#include <csignal>
#include <cstdio>
#include <cstring>

namespace xcc::rt::hsa {

void fault(Gpu &on, std::span<const Suspect> suspects, const char *what,
           int signal) {
  // The library's text begins with a name: "HSA_STATUS_...: An ...".
  char name[64];
  size_t length = strncmp(what, "HSA_", 4) ? strlen(what) : strcspn(what, ":");
  snprintf(name, sizeof(name), "%.*s", static_cast<int>(length), what);
  on.setFault(describeFault(on.self,
                            {XCC_ERROR_LAUNCH_FAILED, suspects, suspects.size(),
                             what, name, Settings[0].name, "", signal}));
}

static const char *reasonText(uint32_t reason) {
  if (reason & FaultHang)
    return "the GPU hung and was reset";
  if (reason & (FaultDramEcc | FaultSramEcc))
    return "memory of the GPU is defective (ECC)";
  if (reason & FaultReadOnly)
    return "the page is read-only";
  if (reason & FaultNoExecute)
    return "the page is not executable";
  if (reason & FaultHostOnly)
    return "the page is the host's alone";
  return "the page is not mapped on the GPU";
}

static Status onSystemEvent(const SystemEvent *event, void *) {
  Gpu *on = event->type == EventMemoryFault ? gpuOf(event->on) : nullptr;
  if (!on)
    return StatusError; // not ours: the library then acts as without a handler
  // Each queue has at most two suspects.
  Suspect found[4];
  unsigned count = 0;
  for (HsaQueue &q : on->queues)
    if (count + 2 <= std::size(found))
      count += q.suspects(found + count);
  char what[160];
  snprintf(what, sizeof(what), "invalid memory access at address %#llx: %s%s",
           static_cast<unsigned long long>(event->address),
           reasonText(event->reason),
           event->reason & FaultImprecise ? " (the address is imprecise)" : "");
  fault(*on, {found, count}, what,
        event->reason & (FaultHang | FaultDramEcc | FaultSramEcc) ? SIGABRT
                                                                  : SIGSEGV);
  return StatusSuccess;
}

void installFaultHandler() {
  // Another library of the process may have one already, which then stays.
  if (hsa.amd_register_system_event_handler)
    (void)hsa.amd_register_system_event_handler(onSystemEvent, nullptr);
}

} // namespace xcc::rt::hsa
