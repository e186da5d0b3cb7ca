// Threads that run functions of the program for device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device_server.h"
#include "host_table.h"
#include "process/thread_state.h"

#include <atomic>
#include <cstdlib>

namespace xcc::rt {

/// Set on threads that serve calls.
static thread_local bool serves = false;
static constinit std::atomic<bool> exiting{false};

const xcc_host_entry *findEntry(uint64_t id, void *) {
  serves = true;
  return findHostEntry(id);
}

void noteHostCall(const xcc_host_entry *entry, void *) {
  peekThreadState().hostCall = entry ? entry->name : nullptr;
}

void exitProcess(int status, void *) {
  exiting.store(true);
  std::exit(status);
}

xcc_status mayWait(const char *function) {
  if (!serves) [[likely]]
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_VALUE,
              "%s was called in a host function that device code called: it "
              "would wait for the kernel, which waits for the function",
              function);
}

void exitBegins() {
  if (serves)
    exiting.store(true);
}

bool exitingFromDevice() { return exiting.load(std::memory_order_relaxed); }

} // namespace xcc::rt
