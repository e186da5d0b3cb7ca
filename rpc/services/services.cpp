// Services as callbacks of an RPC server
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "services_impl.h"

#include "../src/own.h"

#include <cerrno>
#include <new>

using namespace xcc::services;

void Lane::result(int64_t value, bool failed) {
  answer.result = value;
  answer.error = failed ? (errno ? errno : ErrIO) : 0;
}

namespace {
constexpr uint32_t MaxLanes = 64;
/// Larger buffers are freed after the call.
constexpr size_t KeptBuffer = 1 << 16;

/// The buffers of a call. Each serving thread keeps them between calls.
struct Workspace {
  std::string in[MaxLanes], out[MaxLanes], answer[MaxLanes];
  std::vector<Lane> lanes;

  void clear() {
    for (auto *strings : {in, out, answer})
      for (uint32_t i = 0; i != MaxLanes; ++i) {
        strings[i].clear();
        if (strings[i].capacity() > KeptBuffer)
          strings[i].shrink_to_fit();
      }
    lanes.clear();
  }
};

/// The thread's workspace. A new one if a service of this thread is in progress
/// and serves other calls while it waits.
class Workspaces {
public:
  Workspaces() : mine(std::move(kept)) {
    if (!mine)
      mine = std::make_unique<Workspace>();
  }
  ~Workspaces() {
    mine->clear();
    kept = std::move(mine);
  }
  Workspace &operator*() { return *mine; }

private:
  std::unique_ptr<Workspace> mine;
  static thread_local std::unique_ptr<Workspace> kept;
};
thread_local std::unique_ptr<Workspace> Workspaces::kept;

void *allocate(uint64_t size, uint32_t lane, void *work) {
  try {
    std::string &in = static_cast<Workspace *>(work)->in[lane];
    in.resize(size ? size : 1);
    return in.data();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void answer(xcc_rpc_port *port, xcc_services &services, Workspace &work) {
  void *data[MaxLanes] = {};
  uint64_t sizes[MaxLanes] = {};
  if (xcc_rpc_recv_n(port, data, sizes, allocate, &work))
    return;
  const uint64_t mask = xcc_rpc_port_lanes(port);
  for (uint32_t l = 0; l != MaxLanes; ++l) {
    if (!(mask >> l & 1))
      continue;
    Lane &fresh = work.lanes.emplace_back();
    fresh.number = l;
    fresh.out = &work.out[l];
    fresh.rest = Reader(std::string_view(work.in[l].data(), sizes[l]));
  }
  // If a lane's request is shorter than its head, all lanes get an error.
  bool whole = true;
  for (Lane &l : work.lanes)
    whole &= l.rest.read(l.head);
  const uint32_t opcode = xcc_rpc_port_opcode(port);
  xcc_services::Function serve = xcc_services::find(opcode);
  if (!whole || !serve) {
    for (Lane &l : work.lanes)
      l.fail(ErrInvalid);
  } else {
    try {
      if (size_t allowed = services.rejectDenied(opcode, work.lanes))
        (services.*serve)(Lanes(work.lanes).first(allowed));
    } catch (const std::bad_alloc &) {
      for (Lane &l : work.lanes) {
        l.out->clear();
        l.fail(ErrNoMemory);
      }
    }
  }
  const void *answers[MaxLanes] = {};
  for (const Lane &l : work.lanes) {
    std::string &to = work.answer[l.number];
    to.assign(reinterpret_cast<const char *>(&l.answer), sizeof l.answer);
    to += *l.out;
    answers[l.number] = to.data();
    sizes[l.number] = to.size();
  }
  xcc_rpc_send_n(port, answers, sizes);
}

void serve(xcc_rpc_port *port, void *user) {
  try {
    Workspaces work;
    answer(port, *static_cast<xcc_services *>(user), *work);
  } catch (const std::bad_alloc &) {
    // The call ends without an answer, which the client treats as an error.
  }
}

struct Registered {
  Service opcode;
  xcc_services::Function function;
};
constexpr Registered Table[] = {
#define XCC_OPCODE(name, number, function)                                     \
  {Service##name, &xcc_services::function},
#include "../opcodes.def"
};
} // namespace

xcc_services::Function xcc_services::find(uint32_t opcode) {
  for (const Registered &r : Table)
    if (r.opcode == opcode)
      return r.function;
  return nullptr;
}

extern "C" {

xcc_rpc_status xcc_services_create(xcc_rpc_server *server,
                                   const xcc_services_options *options,
                                   xcc_services **services) {
  if (!server || !options || !services || options->size < sizeof(size_t) ||
      options->size > sizeof *options)
    return XCC_RPC_INVALID_VALUE;
  std::unique_ptr<xcc_services> fresh(new (std::nothrow) xcc_services);
  if (!fresh)
    return XCC_RPC_OUT_OF_MEMORY;
  memcpy(&fresh->options, options, options->size);
  for (const Registered &r : Table)
    if (xcc_rpc_status status =
            xcc::rpc::registerService(server, r.opcode, serve, fresh.get())) {
      for (const Registered *done = Table; done != &r; ++done)
        xcc::rpc::unregisterService(server, done->opcode);
      return status;
    }
  *services = fresh.release();
  return XCC_RPC_SUCCESS;
}

void xcc_services_destroy(xcc_services *services) {
  if (!services)
    return;
  if (services->options.free)
    services->memory.clear([&](uint64_t address) {
      services->options.free(reinterpret_cast<void *>(address),
                             services->options.context);
    });
  delete services;
}

uint64_t xcc_services_block_size(xcc_services *services, uint64_t address) {
  return services->memory.find(address);
}

int xcc_services_free_block(xcc_services *services, uint64_t address) {
  const uint64_t whole = services->memory.remove(address);
  if (!whole)
    return 0;
  services->options.free(reinterpret_cast<void *>(whole),
                         services->options.context);
  return 1;
}

xcc_rpc_status xcc_services_image(xcc_rpc_server *server, void *shared,
                                  void *local, void *heap, uint64_t heapSize,
                                  xcc_rpc_image *image) {
  xcc_rpc_client_info info;
  if (!local || !image)
    return XCC_RPC_INVALID_VALUE;
  if (xcc_rpc_status status = xcc_rpc_server_client(server, &info))
    return status;
  *image = {reinterpret_cast<uint64_t>(shared ? shared : info.shared),
            reinterpret_cast<uint64_t>(local),
            info.ports,
            info.lanes,
            reinterpret_cast<uint64_t>(heap),
            heap ? heapSize : 0};
  return XCC_RPC_SUCCESS;
}

int xcc_services_trap(xcc_trap_record *record, xcc_services_trap_info *trap) {
  uint32_t complete = __atomic_load_n(&record->complete, __ATOMIC_ACQUIRE);
  if (!complete) {
    // A thread may have been stopped while it wrote.
    __atomic_store_n(&record->claimed, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&record->locked, 0, __ATOMIC_RELAXED);
    return 0;
  }
  trap->note = record->notes[complete - 1];
  trap->others = record->claimed ? record->claimed - 1 : 0;
  xcc_trap_note &note = trap->note;
  note.text[sizeof note.text - 1] = note.file[sizeof note.file - 1] = 0;
  note.type[sizeof note.type - 1] = note.function[sizeof note.function - 1] = 0;
  memset(record, 0, sizeof *record);
  return 1;
}
}
