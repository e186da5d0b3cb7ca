// What device code may ask of the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../context.h"
#include "../process/log.h"
#include "../process/main_end.h"
#include "../process/settings.h"
#include "server.h"
#include "service_policy.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

namespace xcc::rt {

namespace {
std::mutex StartMutex;

xcc_status check(xcc_rpc_status S, const char *What) {
  if (S == XCC_RPC_SUCCESS)
    return XCC_SUCCESS;
  return fail(S == XCC_RPC_OUT_OF_MEMORY ? XCC_ERROR_OUT_OF_MEMORY
                                         : XCC_ERROR_SYSTEM,
              "device code cannot call the host: %s: %s", What,
              xcc_rpc_status_string(S));
}

void *allocateShared(size_t Size, void *Context) {
  void *Out = nullptr;
  return static_cast<HostServices *>(Context)->On.allocateHost(Size, &Out) ==
                 XCC_SUCCESS
             ? Out
             : nullptr;
}
void freeShared(void *Memory, size_t, void *Context) {
  auto *S = static_cast<HostServices *>(Context);
  if (!S->Lost)
    (void)S->On.releaseHost(Memory);
}

/// For a malloc that found the device's heap exhausted.
void *allocateMore(size_t Size, size_t Alignment, void *Context) {
  auto *S = static_cast<HostServices *>(Context);
  void *Out = nullptr;
  // Devices align to 256 bytes; more is asked for by nobody we know.
  if (Alignment > 256 ||
      S->On.allocateAsync(*S->Memory, Size, &Out) != XCC_SUCCESS)
    return nullptr;
  S->Memory->drain();
  return Out;
}
void freeMore(void *Memory, void *Context) {
  auto *S = static_cast<HostServices *>(Context);
  if (!S->Lost)
    (void)S->On.releaseAsync(*S->Memory, Memory);
}
} // namespace

xcc_status HostServices::zeroed(uint64_t Size, void *&Out) {
  if (!Size)
    return XCC_SUCCESS;
  XCC_TRY(On.allocate(Size, &Out));
  return Memory->fill(Out, 0, Size);
}

xcc_status HostServices::start() {
  XCC_TRY(On.createQueue(&Memory));
  void *Record = nullptr;
  XCC_TRY(On.allocateHost(sizeof(xcc_trap_record), &Record));
  memset(Record, 0, sizeof(xcc_trap_record));
  Trap = static_cast<xcc_trap_record *>(Record);
  return On.seenAt(Record, TrapSeen);
}

xcc_status HostServices::serve() {
  std::lock_guard Lock(StartMutex);
  if (Serving)
    return XCC_SUCCESS;
  xcc_status S = startServer();
  Serving = S == XCC_SUCCESS;
  if (!Serving)
    endServer(); // the next launch tries again
  return S;
}

xcc_status HostServices::startServer() {
  CallShape Shape = On.callShape();
  XCC_TRY(readSetting(DeviceHeap, Shape.Heap, HeapSize));
  XCC_TRY(check(xcc_rpc_init(), "the RPC library does not start"));
  Initialised = true;
  xcc_rpc_server_options O{};
  O.size = sizeof(O);
  O.ports = Shape.Ports;
  O.lanes = Shape.Lanes;
  O.flags = Shape.Wakes ? XCC_RPC_CLIENTS_WAKE : 0;
  O.max_stream = uint64_t(1) << 40; // memory is the limit
  O.allocate = allocateShared;
  O.free = freeShared;
  O.context = this;
  O.thread_begins = [](void *) { ownThreadBegins(); };
  O.thread_ends = [](void *) { ownThreadEnds(); };
  XCC_TRY(check(xcc_rpc_server_create(&O, &Server), "there is no server"));
  xcc_services_options Offers{};
  Offers.size = sizeof(Offers);
  if (Shape.Grows) {
    Offers.allocate = allocateMore;
    Offers.free = freeMore;
  }
  Offers.find_host_entry = findEntry;
  Offers.exit = exitProcess;
  Offers.context = this;
  Offers.shares_memory = Shape.SharesMemory;
  Offers.denied = [](void *) { return deniedServices(); };
  XCC_TRY(check(xcc_services_create(Server, &Offers, &Services),
                "the services cannot be registered"));
  xcc_rpc_client_info Client{};
  XCC_TRY(check(xcc_rpc_server_client(Server, &Client), "there is no client"));
  XCC_TRY(zeroed(Client.local_size, Local));
  xcc_status Filled = zeroed(HeapSize, Heap);
  if (Filled == XCC_ERROR_OUT_OF_MEMORY)
    return fail(XCC_ERROR_OUT_OF_MEMORY, {nullptr, nullptr, 0, On.ordinal()},
                "no memory for malloc in device code (%s); XCC_DEVICE_HEAP is "
                "how many bytes it gets, %llu as things are",
                xcc_last_error(), static_cast<unsigned long long>(HeapSize));
  XCC_TRY(Filled);
  Memory->drain();
  XCC_TRY(check(xcc_rpc_server_start(Server), "the server does not start"));
  XCC_LOG(Load, "device %d: calls of the host are served, %u at a time",
          On.ordinal(), Client.ports);
  return XCC_SUCCESS;
}

void HostServices::endServer() {
  xcc_rpc_server_destroy(std::exchange(Server, nullptr));
  xcc_services_destroy(std::exchange(Services, nullptr));
  if (std::exchange(Initialised, false))
    xcc_rpc_shutdown();
  for (void **Block : {&Local, &Heap})
    if (void *Old = std::exchange(*Block, nullptr); Old && !Lost)
      (void)On.release(Old);
}

HostServices::~HostServices() {
  endServer();
  if (Trap && !Lost)
    (void)On.releaseHost(Trap);
  if (Memory)
    On.destroyQueue(Memory);
}

/// The device's services, started by whoever needs them first.
static xcc_status servicesOf(Device &On, HostServices *&Out) {
  Out = On.Services.load(std::memory_order_acquire);
  if (Out)
    return XCC_SUCCESS;
  std::lock_guard Lock(StartMutex);
  Out = On.Services.load(std::memory_order_relaxed);
  if (Out)
    return XCC_SUCCESS;
  auto *Made = new HostServices(On);
  if (xcc_status S = Made->start(); S != XCC_SUCCESS) {
    delete Made;
    return S;
  }
  On.Services.store(Made, std::memory_order_release);
  Out = Made;
  return XCC_SUCCESS;
}

xcc_status connectImage(Device &On, Image &Code) {
  void *Variable = nullptr, *Report = nullptr;
  XCC_TRY(On.findVariable(Code, XCC_SYMBOL_RPC, Variable));
  XCC_TRY(On.findVariable(Code, XCC_SYMBOL_TRAP_REPORT, Report));
  if (!Variable && !Report)
    return XCC_SUCCESS;
  HostServices *S;
  XCC_TRY(servicesOf(On, S));
  if (Variable) {
    XCC_TRY(S->serve());
    xcc_rpc_image Value{};
    xcc_rpc_client_info Client{};
    void *Seen = nullptr;
    XCC_TRY(
        check(xcc_rpc_server_client(S->Server, &Client), "there is no client"));
    XCC_TRY(On.seenAt(Client.shared, Seen));
    XCC_TRY(check(xcc_services_image(S->Server, Seen, S->Local, S->Heap,
                                     S->HeapSize, &Value),
                  "the image cannot be connected"));
    XCC_TRY(S->Memory->copy(Variable, &Value, sizeof(Value)));
    S->Memory->drain();
  }
  if (Report) {
    XCC_TRY(S->Memory->copy(Report, &S->TrapSeen, sizeof(S->TrapSeen)));
    S->Memory->drain();
  }
  return report(S->Memory->takeError());
}

void stopServices(Device &On) {
  HostServices *Old;
  {
    std::lock_guard Lock(ServicesMutex);
    Old = On.Services.exchange(nullptr, std::memory_order_acq_rel);
  }
  delete Old;
}

} // namespace xcc::rt
