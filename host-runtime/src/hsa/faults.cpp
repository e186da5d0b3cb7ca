// Kernels that failed on an AMD GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "faults.h"
#include "common/stacks.h"
#include "errors/sentence.h"
#include "services/host_services.h"

#include <cstdio>
#include <cstring>

namespace xcc::rt::hsa {

/// Launches that a message names at most.
static constexpr unsigned MaxNamed = 4;

xcc_error *describeFault(const Gpu &on, const HsaQueue::Suspect *suspects,
                         unsigned count, const char *what) {
  SentenceOf<4096> text, said;
  ErrorSite site = on.site();
  // What a thread said before it gave up tells more than the library can,
  // whose sentences begin with a name: "HSA_STATUS_ERROR_EXCEPTION: An ...".
  char trap[1280];
  if (takeTrap(on.self, trap, sizeof(trap))) {
    size_t name = strncmp(what, "HSA_", 4) ? strlen(what) : strcspn(what, ":");
    said.add("%s (%.*s)", trap, static_cast<int>(name), what);
    what = said.text();
  } else if (count == 1) {
    char advice[256];
    said.add(
        "%s%s", what,
        stackAdvice(suspects[0].info, "XCC_HSA_STACK", advice, sizeof(advice)));
    what = said.text();
  }
  if (count == 1) {
    const HsaQueue::Suspect &s = suspects[0];
    site = {s.info->name, s.file, s.line, on.ordinal()};
    text.addLaunch(s.info->name, s.file, s.line);
    text.add(" failed on device %d (%s): %s; ", on.ordinal(), on.id(), what);
    text.addShape(s.grid, s.block);
    return makeError(XCC_ERROR_LAUNCH_FAILED, site, "%s", text.text());
  }
  text.add("a kernel failed on device %d (%s): %s", on.ordinal(), on.id(),
           what);
  if (count)
    text.add("; one of these launches, the latest first:");
  for (unsigned i = 0; i != count; ++i) {
    text.add("%s '%s' (", i ? "," : "", suspects[i].info->name);
    if (suspects[i].file && *suspects[i].file)
      text.add("%s:%u, ", suspects[i].file, suspects[i].line);
    text.addShape(suspects[i].grid, suspects[i].block);
    text.add(")");
  }
  return makeError(XCC_ERROR_LAUNCH_FAILED, site, "%s", text.text());
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
    return StatusError; // not ours: the library does what it would do
  HsaQueue::Suspect found[MaxNamed];
  unsigned count = 0;
  for (HsaQueue &q : on->queues)
    if (count + 2 <= MaxNamed)
      count += q.suspects(found + count);
  char what[160];
  snprintf(what, sizeof(what), "invalid memory access at address %#llx: %s%s",
           static_cast<unsigned long long>(event->address),
           reasonText(event->reason),
           event->reason & FaultImprecise ? " (the address is imprecise)" : "");
  on->setFault(describeFault(*on, found, count, what));
  return StatusSuccess;
}

void installFaultHandler() {
  // Another library of the process may have one already; then its say counts.
  if (hsa.amd_register_system_event_handler)
    (void)hsa.amd_register_system_event_handler(onSystemEvent, nullptr);
}

} // namespace xcc::rt::hsa
