// Services of the host for device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/faults/faults.h"
#include "device_server.h"
#include "devices/context.h"
#include "process/ignored_by_tsan.h"
#include "process/log.h"
#include "process/main_end.h"
#include "process/profile.h"
#include "process/settings.h"
#include "service_policy.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

namespace xcc::rt {

namespace {
std::mutex startMutex;

xcc_status check(xcc_rpc_status s, const char *what) {
  if (s == XCC_RPC_SUCCESS)
    return XCC_SUCCESS;
  return fail(s == XCC_RPC_OUT_OF_MEMORY ? XCC_ERROR_OUT_OF_MEMORY
                                         : XCC_ERROR_SYSTEM,
              "device code cannot call the host: %s: %s", what,
              xcc_rpc_status_string(s));
}

void *allocateShared(size_t size, void *context) {
  void *out = nullptr;
  return static_cast<HostServices *>(context)->on.allocateHost(size, &out) ==
                 XCC_SUCCESS
             ? out
             : nullptr;
}
void freeShared(void *memory, size_t, void *context) {
  auto *s = static_cast<HostServices *>(context);
  if (!s->deviceFailed)
    (void)s->on.releaseHost(memory);
}

/// Allocates memory for a malloc when the device's heap is exhausted.
void *allocateMore(size_t size, size_t alignment, void *context) {
  auto *s = static_cast<HostServices *>(context);
  void *out = nullptr;
  // Devices align to 256 bytes; no known code needs more.
  if (alignment > 256 ||
      s->on.allocateAsync(*s->memory, size, &out) != XCC_SUCCESS)
    return nullptr;
  s->memory->drain();
  return out;
}
void freeMore(void *memory, void *context) {
  auto *s = static_cast<HostServices *>(context);
  if (!s->deviceFailed)
    (void)s->on.releaseAsync(*s->memory, memory);
}
} // namespace

xcc_status HostServices::zeroed(uint64_t size, void *&out) {
  if (!size)
    return XCC_SUCCESS;
  XCC_TRY(on.allocate(size, &out));
  return memory->fillBytes({.at = out, .owner = &on}, 0, size);
}

xcc_status HostServices::start() {
  XCC_TRY(on.createQueue(&memory));
  void *record = nullptr;
  XCC_TRY(on.allocateHost(sizeof(xcc_trap_record), &record));
  memset(record, 0, sizeof(xcc_trap_record));
  trap = static_cast<xcc_trap_record *>(record);
  return on.seenAt(record, trapSeen);
}

xcc_status HostServices::serve() {
  std::lock_guard lock(startMutex);
  if (serving)
    return XCC_SUCCESS;
  xcc_status s = startServer();
  serving = s == XCC_SUCCESS;
  if (!serving)
    endServer(); // so that the next launch tries again
  return s;
}

xcc_status HostServices::startServer() {
  CallShape shape = on.callShape();
  XCC_TRY(readSetting(DeviceHeap, shape.heap, heapSize));
  XCC_TRY(check(xcc_rpc_init(), "the RPC library does not start"));
  initialised = true;
  xcc_rpc_server_options o{};
  o.size = sizeof(o);
  uint64_t ports = 0;
  XCC_TRY(readSetting(CallPorts, shape.ports, ports));
  o.ports = uint32_t(ports);
  o.lanes = shape.lanes;
  o.flags = shape.wakes ? XCC_RPC_CLIENTS_WAKE : 0;
  o.max_stream = uint64_t(1) << 40; // in effect, memory is the limit
  o.allocate = allocateShared;
  o.free = freeShared;
  o.context = this;
  o.thread_begins = [](void *) {
    ownThreadBegins();
    // The protocol orders this thread and kernels, but ThreadSanitizer sees
    // neither side of it.
    IgnoredByTsan::beginThread();
  };
  o.thread_ends = [](void *) {
    IgnoredByTsan::endThread();
    ownThreadEnds();
  };
  if (profile::enabled())
    o.called = [](void *context) {
      profile::calledHost(static_cast<HostServices *>(context)->on.ordinal());
    };
  XCC_TRY(check(xcc_rpc_server_create(&o, &server), "there is no server"));
  xcc_services_options options{};
  options.size = sizeof(options);
  if (shape.grows) {
    options.allocate = allocateMore;
    options.free = freeMore;
  }
  options.find_host_entry = findEntry;
  options.exit = exitProcess;
  options.context = this;
  options.shares_memory = shape.sharesMemory;
  options.denied = [](void *) { return deniedServices(); };
  options.calling = noteHostCall;
  cpu::installFaultHandlers(); // these name a host function that faults
  XCC_TRY(check(xcc_services_create(server, &options, &services),
                "the services cannot be registered"));
  xcc_rpc_client_info client{};
  XCC_TRY(check(xcc_rpc_server_client(server, &client), "there is no client"));
  XCC_TRY(zeroed(client.local_size, local));
  xcc_status filled = zeroed(heapSize, heap);
  if (filled == XCC_ERROR_OUT_OF_MEMORY)
    return fail(XCC_ERROR_OUT_OF_MEMORY, {nullptr, nullptr, 0, on.ordinal()},
                "no memory for malloc in device code (%s); XCC_DEVICE_HEAP "
                "sets its size, which is %llu bytes now",
                xcc_error_last(), static_cast<unsigned long long>(heapSize));
  XCC_TRY(filled);
  memory->drain();
  XCC_TRY(check(xcc_rpc_server_start(server), "the server does not start"));
  XCC_LOG(Load, "device %d: calls of the host are served, %u at a time",
          on.ordinal(), client.ports);
  return XCC_SUCCESS;
}

void HostServices::endServer() {
  xcc_rpc_server_destroy(std::exchange(server, nullptr));
  xcc_services_destroy(std::exchange(services, nullptr));
  if (std::exchange(initialised, false))
    xcc_rpc_shutdown();
  for (void **block : {&local, &heap})
    if (void *old = std::exchange(*block, nullptr); old && !deviceFailed)
      (void)on.release(old);
}

HostServices::~HostServices() {
  endServer();
  if (trap && !deviceFailed)
    (void)on.releaseHost(trap);
  if (memory)
    on.destroyQueue(memory);
}

/// Returns the device's services, started at the first use.
static xcc_status servicesOf(Device &on, HostServices *&out) {
  out = on.services.load(std::memory_order_acquire);
  if (out)
    return XCC_SUCCESS;
  std::lock_guard lock(startMutex);
  out = on.services.load(std::memory_order_relaxed);
  if (out)
    return XCC_SUCCESS;
  auto *made = new HostServices(on);
  if (xcc_status s = made->start(); s != XCC_SUCCESS) {
    delete made;
    return s;
  }
  on.services.store(made, std::memory_order_release);
  out = made;
  return XCC_SUCCESS;
}

xcc_status connectImage(Device &on, Image &code) {
  void *variable = nullptr, *reportAt = nullptr;
  XCC_TRY(on.findVariable(code, XCC_SYMBOL_RPC, variable));
  XCC_TRY(on.findVariable(code, XCC_SYMBOL_TRAP_REPORT, reportAt));
  if (!variable && !reportAt)
    return XCC_SUCCESS;
  HostServices *s;
  XCC_TRY(servicesOf(on, s));
  if (variable) {
    XCC_TRY(s->serve());
    xcc_rpc_image value{};
    xcc_rpc_client_info client{};
    void *seen = nullptr;
    XCC_TRY(
        check(xcc_rpc_server_client(s->server, &client), "there is no client"));
    XCC_TRY(on.seenAt(client.shared, seen));
    XCC_TRY(check(xcc_services_image(s->server, seen, s->local, s->heap,
                                     s->heapSize, &value),
                  "the image cannot be connected"));
    XCC_TRY(s->memory->copy({.at = variable, .owner = &on}, {.at = &value},
                            sizeof(value)));
    s->memory->drain();
  }
  if (reportAt) {
    XCC_TRY(s->memory->copy({.at = reportAt, .owner = &on},
                            {.at = &s->trapSeen}, sizeof(s->trapSeen)));
    s->memory->drain();
  }
  return report(s->memory->takeError());
}

void deviceHeap(Device &on, uint64_t &base, uint64_t &end) {
  withServices(on, [&](HostServices &s) {
    base = reinterpret_cast<uint64_t>(s.heap);
    end = base + (s.heap ? s.heapSize : 0);
  });
}

uint64_t heapBlockSize(Device &on, uint64_t at) {
  uint64_t size = 0;
  withServices(on, [&](HostServices &s) {
    if (s.services)
      size = xcc_services_block_size(s.services, at);
  });
  return size;
}

bool freeHeapBlock(Device &on, uint64_t at) {
  bool freed = false;
  withServices(on, [&](HostServices &s) {
    freed = s.services && xcc_services_free_block(s.services, at);
  });
  return freed;
}

void stopServices(Device &on) {
  HostServices *old;
  {
    std::lock_guard lock(servicesMutex);
    old = on.services.exchange(nullptr, std::memory_order_acq_rel);
  }
  delete old;
}

} // namespace xcc::rt
