// Default implementations of the device interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device.h"
#include "process/trace.h"
#include "sequence.h"
#include "simulator.h"
#include "simulator_interface.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace xcc::rt {

Kernel::Kernel(const xcc_kernel_info &of) : info(&of) {
  if (trace::enabled())
    traceName = trace::name(of.name);
}

void Queue::leaveErrors(PendingErrors &to) {
  xcc_error *error = takeError();
  if (error && wasReported(error))
    xcc_error_release(error); // a repetition: the device is unusable
  else if (error)
    to.add(error, threadNumber());
}

xcc_status Queue::copyParts(const std::vector<CopyPart> &parts) {
  for (const CopyPart &p : parts)
    XCC_TRY(copy(p.to, p.from, p.bytes));
  return XCC_SUCCESS;
}

xcc_status Queue::copyRows(const Place &to, const Place &from,
                           const Rows &rows) {
  return rows.each(to, from, [&](const Place &here, const Place &there) {
    return copy(here, there, rows.width);
  });
}

xcc_status Queue::fillRows(const Place &to, const Element &element,
                           const Rows &rows) {
  return rows.each(to, to, [&](const Place &here, const Place &) {
    return fill(here, element, rows.width);
  });
}

xcc_status enqueue(const Step &s, Device &on, Queue &in) {
  switch (s.kind) {
  case Step::Kind::Launch:
    return on.launch(in, s.request());
  case Step::Kind::Copy:
    return s.apart ? in.copyRows(s.to, s.from, s.rows)
                   : in.copy(s.to, s.from, s.size);
  case Step::Kind::Fill:
    return s.apart ? in.fillRows(s.to, s.element(), s.rows)
                   : in.fill(s.to, s.element(), s.size);
  }
  __builtin_unreachable();
}

xcc_status Queue::replay(Sequence &what) {
  for (const Step &s : what.steps)
    XCC_TRY(enqueue(s, what.on, *this));
  return XCC_SUCCESS;
}

void Sequence::summarize() {
  copies = callsHost = cooperative = false;
  for (const Step &s : steps) {
    const bool launch = s.kind == Step::Kind::Launch;
    copies |= !launch;
    callsHost |= launch && s.function->callsHost;
    cooperative |= s.cooperative;
  }
}

void Device::changed(Sequence &what, size_t, size_t) { what.prepared.reset(); }

void Queue::recycle() {
  use_.fetch_add(1, std::memory_order_relaxed);
  inUse.store(false, std::memory_order_release);
}

xcc_status Queue::reportFrom(uint32_t pointsUse) {
  xcc_error *pending = use() == pointsUse ? takeError() : nullptr;
  return pending ? failWith(pending) : XCC_SUCCESS;
}

void Device::destroyQueue(Queue *q) {
  q->drain();
  q->leaveErrors(orphans);
  q->recycle();
}

void Device::identify(const DeviceKind &theKind, int indexOfKind,
                      int theOrdinal) {
  kind_ = &theKind;
  ordinal_ = theOrdinal;
  if (theKind.host)
    snprintf(id_, sizeof(id_), "%s", theKind.id);
  else
    snprintf(id_, sizeof(id_), "%s:%d", theKind.id, indexOfKind);
}

void Device::identifySimulated(const DeviceKind &theKind,
                               const std::string &arch, int theOrdinal) {
  identify(theKind, 0, theOrdinal);
  simulated = true;
  snprintf(id_, sizeof(id_), "sim:%s", arch.c_str());
}

std::string Device::codeArch() {
  xcc_device_properties p{};
  properties(p);
  return p.arch;
}

xcc_status Device::findVariable(Image &, const char *, void *&address) {
  address = nullptr;
  return XCC_SUCCESS;
}

xcc_status Device::cooperativeBlocks(const Kernel &, uint32_t, uint32_t,
                                     uint64_t &blocks) {
  xcc_device_properties p{};
  properties(p);
  blocks = p.compute_units;
  return XCC_SUCCESS;
}

xcc_status Device::launchCooperative(Queue &queue, const LaunchRequest &r) {
  std::lock_guard lock(cooperativeMutex);
  if (!cooperativeEnd)
    XCC_TRY(createEvent(&cooperativeEnd));
  else
    XCC_TRY(queue.wait(*cooperativeEnd));
  void *grid = r.function->grid;
  const uint32_t blocks = r.grid[0] * r.grid[1] * r.grid[2], none = 0;
  auto write = [&](unsigned word, const uint32_t &value) {
    if (!grid)
      return XCC_SUCCESS;
    Place at;
    at.at = at.allocation = static_cast<uint32_t *>(grid) + word;
    at.owner = this;
    return queue.fill(
        at, {reinterpret_cast<const unsigned char *>(&value), sizeof(value)},
        sizeof(value));
  };
  XCC_TRY(write(0, none));
  XCC_TRY(write(1, none));
  XCC_TRY(write(2, blocks));
  const xcc_status launched = queue.launch(r);
  XCC_TRY(write(2, none));
  XCC_TRY(queue.record(*cooperativeEnd));
  return launched;
}

constinit std::atomic<bool> launchesRecorded{false};

xcc_status Device::allocateAt(uintptr_t address, size_t bytes) {
  const ErrorSite site{nullptr, nullptr, 0, ordinal_};
  auto next = reinterpret_cast<decltype(&xcc_simulate_next_address)>(
      simulated ? findInSimulator(*kind_, XCC_SIMULATE_NEXT_ADDRESS_ENTRY)
                : nullptr);
  if (!next)
    return fail(XCC_ERROR_INVALID_DEVICE, site,
                "device %d (%s) gives no memory at a chosen address; the CPU "
                "device (host) and simulated GPUs (sim:sm_90, sim:gfx1100) do",
                ordinal_, id_);
  next(address);
  void *got = nullptr;
  const xcc_status status = allocate(bytes, &got);
  next(0);
  if (status == XCC_SUCCESS && reinterpret_cast<uintptr_t>(got) == address)
    return XCC_SUCCESS;
  return fail(XCC_ERROR_OUT_OF_MEMORY, site,
              "device %d (%s) has no memory free for %zu bytes at %#zx",
              ordinal_, id_, bytes, size_t(address));
}

xcc_status Device::allocateHost(size_t bytes, void **out) {
  if (bytes <= PTRDIFF_MAX && posix_memalign(out, 256, bytes) == 0)
    return XCC_SUCCESS;
  *out = nullptr;
  return fail(XCC_ERROR_OUT_OF_MEMORY, {nullptr, nullptr, 0, ordinal_},
              "out of memory: cannot allocate %zu bytes of host memory", bytes);
}

xcc_status Device::releaseHost(void *pointer) {
  drain();
  free(pointer);
  return XCC_SUCCESS;
}

xcc_status Device::registerHost(void *pointer, size_t bytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(pointer) & -page;
  const uintptr_t end = reinterpret_cast<uintptr_t>(pointer) + bytes;
  // mincore writes a byte for each page.
  unsigned char resident[4096];
  for (uintptr_t at = begin; at < end; at += sizeof(resident) * page)
    if (mincore(reinterpret_cast<void *>(at),
                std::min(end - at, sizeof(resident) * page), resident) != 0)
      return fail(
          XCC_ERROR_INVALID_VALUE, {nullptr, nullptr, 0, ordinal_},
          "xcc_memory_register: %zu bytes from %p are no memory of this "
          "process",
          bytes, pointer);
  return XCC_SUCCESS;
}

xcc_status Device::unregisterHost(void *) {
  drain();
  return XCC_SUCCESS;
}

xcc_status Device::allocateAsync(Queue &, size_t bytes, void **out) {
  return allocate(bytes, out);
}

xcc_status Device::releaseAsync(Queue &in, void *pointer) {
  in.drain();
  return release(pointer);
}

xcc_status Device::suggestBlock(const Kernel &k, uint32_t, uint32_t &block) {
  block = std::min<uint32_t>(256, k.maxThreads);
  return XCC_SUCCESS;
}

} // namespace xcc::rt
