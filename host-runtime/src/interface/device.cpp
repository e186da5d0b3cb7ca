// Devices of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/faults/faults.h"
#include "devices/context.h"
#include "mapping/settle.h"
#include "process/thread_state.h"
#include "services/host_services.h"

using namespace xcc::rt;

xcc_status xcc_device_count(int *count) {
  if (!count)
    return failNull("xcc_device_count", "count");
  std::span<Device *const> all;
  XCC_TRY(listDevices(all));
  *count = int(all.size());
  return XCC_SUCCESS;
}

xcc_status xcc_device_get_properties(int ordinal, xcc_device_properties *out) {
  if (!out)
    return failNull("xcc_device_get_properties", "properties");
  Device *d;
  XCC_TRY(findDevice(ordinal, d));
  *out = {};
  d->properties(*out);
  out->kind = d->kind().id;
  out->id = d->id();
  return XCC_SUCCESS;
}

xcc_status xcc_device_get_memory(int ordinal, uint64_t *free, uint64_t *total) {
  if (!free || !total)
    return failNull("xcc_device_get_memory", !free ? "free" : "total");
  Device *d;
  XCC_TRY(findDevice(ordinal, d));
  xcc_device_properties p{};
  d->properties(p);
  *total = p.total_memory;
  return d->freeMemory(*free);
}

xcc_status xcc_device_get_current(int *ordinal) {
  if (!ordinal)
    return failNull("xcc_device_get_current", "device");
  Device *d;
  XCC_TRY(currentDevice(d));
  *ordinal = d->ordinal();
  return XCC_SUCCESS;
}

xcc_status xcc_device_set_current(int ordinal) {
  Device *d;
  if (ordinal < 0)
    return fail(XCC_ERROR_INVALID_DEVICE, "there is no device %d", ordinal);
  XCC_TRY(findDevice(ordinal, d));
  threadState().current = d;
  return XCC_SUCCESS;
}

void xcc_main_returns(int status) { mainReturns(status); }

int xcc_signal_action(int signal, const struct sigaction *wanted,
                      struct sigaction *old) {
  return cpu::signalAction(signal, wanted, old);
}

xcc_status xcc_device_set_stack(int ordinal, size_t bytes) {
  Device *d;
  XCC_TRY(findDevice(ordinal, d));
  size_t most = d->mostStack();
  if (!most)
    return fail(XCC_ERROR_INVALID_DEVICE,
                "xcc_device_set_stack: device %d (%s) is no GPU; "
                "XCC_CPU_STACK=<bytes> is the stack of its threads",
                d->ordinal(), d->id());
  if (bytes < Device::LeastStack || bytes > most)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_device_set_stack: %zu bytes; device %d (%s) gives a "
                "thread from %zu to %zu",
                bytes, d->ordinal(), d->id(), Device::LeastStack, most);
  d->stackRequested = (bytes + 15) / 16 * 16;
  return XCC_SUCCESS;
}

xcc_status xcc_device_get_number(int ordinal, xcc_device_number what,
                                 uint64_t *value) {
  if (!value)
    return failNull("xcc_device_get_number", "value");
  Device *d;
  XCC_TRY(findDevice(ordinal, d));
  *value = 0;
  return d->readNumber(what, *value);
}

xcc_status xcc_device_synchronize(int ordinal) {
  Device *d;
  XCC_TRY(mayWait("xcc_device_synchronize"));
  XCC_TRY(mayDoNow("xcc_device_synchronize"));
  XCC_TRY(findDevice(ordinal, d));
  xcc_status settled = drainAndSettle(*d);
  xcc_error *pending = takeDeviceErrors(*d);
  return pending ? report(pending) : settled;
}
