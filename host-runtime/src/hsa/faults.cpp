// Kernels that failed on an AMD GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "faults.h"
#include "../sentence.h"
#include "../services/host_services.h"
#include "../stacks.h"

#include <cstdio>
#include <cstring>

namespace xcc::rt::hsa {

/// Launches that a message names at most.
static constexpr unsigned MaxNamed = 4;

xcc_error *describeFault(const Gpu &On, const HsaQueue::Suspect *Suspects,
                         unsigned Count, const char *What) {
  SentenceOf<4096> Text, Said;
  ErrorSite Site = On.site();
  // What a thread said before it gave up tells more than the library can,
  // whose sentences begin with a name: "HSA_STATUS_ERROR_EXCEPTION: An ...".
  char Trap[1280];
  if (takeTrap(On.Self, Trap, sizeof(Trap))) {
    size_t Name = strncmp(What, "HSA_", 4) ? strlen(What) : strcspn(What, ":");
    Said.add("%s (%.*s)", Trap, static_cast<int>(Name), What);
    What = Said.text();
  } else if (Count == 1) {
    char Advice[256];
    Said.add(
        "%s%s", What,
        stackAdvice(Suspects[0].Info, "XCC_HSA_STACK", Advice, sizeof(Advice)));
    What = Said.text();
  }
  if (Count == 1) {
    const HsaQueue::Suspect &S = Suspects[0];
    Site = {S.Info->name, S.File, S.Line, On.ordinal()};
    Text.addLaunch(S.Info->name, S.File, S.Line);
    Text.add(" failed on device %d (%s): %s; ", On.ordinal(), On.id(), What);
    Text.addShape(S.Grid, S.Block);
    return makeError(XCC_ERROR_LAUNCH_FAILED, Site, "%s", Text.text());
  }
  Text.add("a kernel failed on device %d (%s): %s", On.ordinal(), On.id(),
           What);
  if (Count)
    Text.add("; one of these launches, the latest first:");
  for (unsigned I = 0; I != Count; ++I) {
    Text.add("%s '%s' (", I ? "," : "", Suspects[I].Info->name);
    if (Suspects[I].File && *Suspects[I].File)
      Text.add("%s:%u, ", Suspects[I].File, Suspects[I].Line);
    Text.addShape(Suspects[I].Grid, Suspects[I].Block);
    Text.add(")");
  }
  return makeError(XCC_ERROR_LAUNCH_FAILED, Site, "%s", Text.text());
}

static const char *reasonText(uint32_t Reason) {
  if (Reason & FaultHang)
    return "the GPU hung and was reset";
  if (Reason & (FaultDramEcc | FaultSramEcc))
    return "memory of the GPU is defective (ECC)";
  if (Reason & FaultReadOnly)
    return "the page is read-only";
  if (Reason & FaultNoExecute)
    return "the page is not executable";
  if (Reason & FaultHostOnly)
    return "the page is the host's alone";
  return "the page is not mapped on the GPU";
}

static Status onSystemEvent(const SystemEvent *Event, void *) {
  Gpu *On = Event->Type == EventMemoryFault ? gpuOf(Event->On) : nullptr;
  if (!On)
    return StatusError; // not ours: the library does what it would do
  HsaQueue::Suspect Found[MaxNamed];
  unsigned Count = 0;
  for (HsaQueue *Q = On->Queues.load(std::memory_order_acquire); Q; Q = Q->Next)
    if (Count + 2 <= MaxNamed)
      Count += Q->suspects(Found + Count);
  char What[160];
  snprintf(What, sizeof(What), "invalid memory access at address %#llx: %s%s",
           static_cast<unsigned long long>(Event->Address),
           reasonText(Event->Reason),
           Event->Reason & FaultImprecise ? " (the address is imprecise)" : "");
  On->setFault(describeFault(*On, Found, Count, What));
  return StatusSuccess;
}

void installFaultHandler() {
  // Another library of the process may have one already; then its say counts.
  if (Hsa.amd_register_system_event_handler)
    (void)Hsa.amd_register_system_event_handler(onSystemEvent, nullptr);
}

} // namespace xcc::rt::hsa
