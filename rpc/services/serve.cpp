// Services as callbacks of a server
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "services_impl.h"

#include <cerrno>
#include <new>

using namespace xcc::services;

void Lane::result(int64_t Value, bool Failed) {
  Answer.Result = Value;
  Answer.Error = Failed ? (errno ? errno : ErrIO) : 0;
}

namespace {
constexpr uint32_t MaxLanes = 64;
/// A buffer larger than this is given back after the call.
constexpr size_t KeptBuffer = 1 << 16;

/// What one call needs, kept between calls by each thread that serves.
struct Workspace {
  std::string In[MaxLanes], Out[MaxLanes], Answer[MaxLanes];
  std::vector<Lane> Lanes;

  void clear() {
    for (auto *Strings : {In, Out, Answer})
      for (uint32_t I = 0; I != MaxLanes; ++I) {
        Strings[I].clear();
        if (Strings[I].capacity() > KeptBuffer)
          Strings[I].shrink_to_fit();
      }
    Lanes.clear();
  }
};

/// The thread's workspace, or a new one if a service of this thread is under
/// way and serves others while it waits.
class Workspaces {
public:
  Workspaces() : Mine(std::move(Kept)) {
    if (!Mine)
      Mine = std::make_unique<Workspace>();
  }
  ~Workspaces() {
    Mine->clear();
    Kept = std::move(Mine);
  }
  Workspace &operator*() { return *Mine; }

private:
  std::unique_ptr<Workspace> Mine;
  static thread_local std::unique_ptr<Workspace> Kept;
};
thread_local std::unique_ptr<Workspace> Workspaces::Kept;

void *allocate(uint64_t Size, uint32_t Lane, void *Work) {
  try {
    std::string &In = static_cast<Workspace *>(Work)->In[Lane];
    In.resize(Size ? Size : 1);
    return In.data();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void answer(xcc_rpc_port *Port, xcc_services &Services, Workspace &Work) {
  void *Data[MaxLanes] = {};
  uint64_t Sizes[MaxLanes] = {};
  if (xcc_rpc_recv_n(Port, Data, Sizes, allocate, &Work))
    return;
  const uint64_t Mask = xcc_rpc_port_lanes(Port);
  for (uint32_t L = 0; L != MaxLanes; ++L) {
    if (!(Mask >> L & 1))
      continue;
    Lane &New = Work.Lanes.emplace_back();
    New.Number = L;
    New.Out = &Work.Out[L];
    New.Rest = Reader(std::string_view(Work.In[L].data(), Sizes[L]));
  }
  // Lanes whose request is not even a head get an error, and no service.
  bool Whole = true;
  for (Lane &L : Work.Lanes)
    Whole &= L.Rest.read(L.Head);
  const uint32_t Opcode = xcc_rpc_port_opcode(Port);
  xcc_services::Function Serve = xcc_services::find(Opcode);
  if (!Whole || !Serve) {
    for (Lane &L : Work.Lanes)
      L.fail(ErrInvalid);
  } else {
    try {
      if (size_t Allowed = Services.refuseDenied(Opcode, Work.Lanes))
        (Services.*Serve)(Lanes(Work.Lanes).first(Allowed));
    } catch (const std::bad_alloc &) {
      for (Lane &L : Work.Lanes) {
        L.Out->clear();
        L.fail(ErrNoMemory);
      }
    }
  }
  const void *Answers[MaxLanes] = {};
  for (const Lane &L : Work.Lanes) {
    std::string &To = Work.Answer[L.Number];
    To.assign(reinterpret_cast<const char *>(&L.Answer), sizeof L.Answer);
    To += *L.Out;
    Answers[L.Number] = To.data();
    Sizes[L.Number] = To.size();
  }
  xcc_rpc_send_n(Port, Answers, Sizes);
}

void serve(xcc_rpc_port *Port, void *User) {
  try {
    Workspaces Work;
    answer(Port, *static_cast<xcc_services *>(User), *Work);
  } catch (const std::bad_alloc &) {
    // The call ends without an answer, which its client takes for an error.
  }
}

struct Registered {
  Service Opcode;
  xcc_services::Function Function;
};
constexpr Registered Table[] = {
    {ServicePrint, &xcc_services::print},
    {ServiceFormat, &xcc_services::format},
    {ServiceWrite, &xcc_services::write},
    {ServiceOpen, &xcc_services::open},
    {ServiceClose, &xcc_services::close},
    {ServiceRead, &xcc_services::read},
    {ServiceReadLine, &xcc_services::readLine},
    {ServiceUnread, &xcc_services::unread},
    {ServiceSeek, &xcc_services::seek},
    {ServiceTell, &xcc_services::tell},
    {ServiceFlush, &xcc_services::flush},
    {ServiceFileState, &xcc_services::fileState},
    {ServiceRemove, &xcc_services::remove},
    {ServiceRename, &xcc_services::rename},
    {ServiceExit, &xcc_services::exit},
    {ServiceSystem, &xcc_services::system},
    {ServiceEnvironment, &xcc_services::environment},
    {ServiceTime, &xcc_services::time},
    {ServiceClock, &xcc_services::clock},
    {ServiceAllocate, &xcc_services::allocate},
    {ServiceFree, &xcc_services::free},
    {ServiceUsable, &xcc_services::usable},
    {ServiceHostCall, &xcc_services::hostCall},
};
} // namespace

xcc_services::Function xcc_services::find(uint32_t Opcode) {
  for (const Registered &R : Table)
    if (R.Opcode == Opcode)
      return R.Function;
  return nullptr;
}

extern "C" {

xcc_rpc_status xcc_services_create(xcc_rpc_server *Server,
                                   const xcc_services_options *Options,
                                   xcc_services **Services) {
  if (!Server || !Options || !Services || Options->size < sizeof(size_t) ||
      Options->size > sizeof *Options)
    return XCC_RPC_INVALID_VALUE;
  std::unique_ptr<xcc_services> New(new (std::nothrow) xcc_services);
  if (!New)
    return XCC_RPC_OUT_OF_MEMORY;
  memcpy(&New->Options, Options, Options->size);
  for (const Registered &R : Table)
    if (xcc_rpc_status Status =
            xcc_rpc_server_register(Server, R.Opcode, serve, New.get())) {
      for (const Registered *Done = Table; Done != &R; ++Done)
        xcc_rpc_server_unregister(Server, Done->Opcode);
      return Status;
    }
  *Services = New.release();
  return XCC_RPC_SUCCESS;
}

void xcc_services_destroy(xcc_services *Services) {
  if (!Services)
    return;
  if (Services->Options.free)
    Services->Memory.clear([&](uint64_t Address) {
      Services->Options.free(reinterpret_cast<void *>(Address),
                             Services->Options.context);
    });
  delete Services;
}

xcc_rpc_status xcc_services_image(xcc_rpc_server *Server, void *Shared,
                                  void *Local, void *Heap, uint64_t HeapSize,
                                  xcc_rpc_image *Image) {
  xcc_rpc_client_info Info;
  if (!Local || !Image)
    return XCC_RPC_INVALID_VALUE;
  if (xcc_rpc_status Status = xcc_rpc_server_client(Server, &Info))
    return Status;
  *Image = {reinterpret_cast<uint64_t>(Shared ? Shared : Info.shared),
            reinterpret_cast<uint64_t>(Local),
            Info.ports,
            Info.lanes,
            reinterpret_cast<uint64_t>(Heap),
            Heap ? HeapSize : 0};
  return XCC_RPC_SUCCESS;
}

int xcc_services_trap(xcc_trap_record *Record, xcc_services_trap_info *Trap) {
  if (!__atomic_load_n(&Record->complete, __ATOMIC_ACQUIRE)) {
    // Somebody may have died in the middle of it.
    __atomic_store_n(&Record->claimed, 0, __ATOMIC_RELAXED);
    return 0;
  }
  Trap->kind = Record->kind;
  Trap->line = Record->line;
  memcpy(Trap->block, Record->block, sizeof Trap->block);
  memcpy(Trap->thread, Record->thread, sizeof Trap->thread);
  Trap->has_text = Record->has_text != 0;
  Trap->has_file = Record->has_file != 0;
  memcpy(Trap->text, Record->text, sizeof Trap->text);
  memcpy(Trap->file, Record->file, sizeof Trap->file);
  Trap->text[sizeof Trap->text - 1] = Trap->file[sizeof Trap->file - 1] = 0;
  memset(Record, 0, sizeof *Record);
  return 1;
}
}
