// A client that does anything at all
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libFuzzer target: a server of the library and, on the other side of the
// shared memory, a client whose every step comes from the input. It writes
// where it likes, also while a callback waits for it. The server must come
// back, and must not touch a byte outside of the memory (AddressSanitizer).
//
// The client's steps happen where the server rests, and its clock is ours: so
// this file contains port.cpp, with those two replaced.

#include "../../rpc/src/server.h"

namespace hostile {
void step();
int64_t now();
} // namespace hostile

#define relax() hostile::step()
#define now() hostile::now()
#include "../../rpc/src/port.cpp"
#undef relax
#undef now

#include <cstdlib>

namespace hostile {

const uint8_t *at, *end;
unsigned char *shared;
size_t size;
View memory;
int64_t elapsed;

uint32_t take(unsigned bytes) {
  uint32_t value = 0;
  while (bytes-- && at != end)
    value = value << 8 | *at++;
  return value;
}

void step() {
  if (at == end)
    return;
  const uint32_t port = take(2) % memory.l.portCount;
  PortHeader &h = memory.header(port);
  switch (take(1) % 8) {
  case 0: // Any bytes anywhere.
    for (size_t where = take(4) % size, i = 0, e = take(1) % 16; i != e; ++i)
      shared[(where + i) % size] = static_cast<unsigned char>(take(1));
    break;
  case 1:
    memory.clientBits()[View::word(port)] ^= View::bit(port);
    break;
  case 2:
    memory.clientBits()[View::word(port)] ^= take(4);
    break;
  case 3: // A call that looks right.
    h.op = userOpcode(1, uint16_t(take(1) % 5));
    h.call += take(1) % 3;
    h.mask = take(4) * uint64_t(0x100000001);
    memory.clientBits()[View::word(port)] ^= View::bit(port);
    break;
  case 4: // Sizes of streams.
    for (uint32_t l = 0; l != memory.l.laneCount; ++l) {
      uint64_t bytes = take(1) * (l % 3 ? 1u : 50u);
      memcpy(&memory.packets(port)[l], &bytes, 8);
    }
    break;
  case 5:
    h.closed = h.call;
    break;
  case 6:
    memory.serverBits()[View::word(port)] ^= uint64_t(take(4)) << take(1) % 64;
    break;
  case 7:
    h.clientSleeps = h.serverSleeps = take(1);
    memory.control().serverSleeps = take(1);
    break;
  }
}

int64_t now() { return elapsed += 5000; }

void *allocate(uint64_t bytes, uint32_t, void *) {
  step();
  return bytes % 7 == 6 ? nullptr : malloc(bytes + 1);
}

void stream(xcc_rpc_port *port, void *) {
  void *data[MaxLanes] = {};
  uint64_t sizes[MaxLanes] = {};
  if (!xcc_rpc_recv_n(port, data, sizes, allocate, nullptr))
    xcc_rpc_send_n(port, data, sizes);
  for (void *d : data)
    free(d);
}

void use(void *packet, uint32_t, void *) {
  // A copy: nothing changes it behind the callback's back.
  uint64_t before, after;
  memcpy(&before, packet, 8);
  step();
  memcpy(&after, packet, 8);
  if (before != after)
    abort();
}

void talk(xcc_rpc_port *port, void *) {
  for (unsigned i = 0; i != 20; ++i)
    if (xcc_rpc_recv_and_send(port, use, nullptr))
      return;
}

} // namespace hostile

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  using namespace hostile;
  at = data;
  end = data + bytes;
  elapsed = 0;
  const uint32_t laneCounts[] = {1, 32, 64};
  const Layout l{1 + take(1) % 70, laneCounts[take(1) % 3]};
  // Not a byte more than there should be.
  size = l.size();
  void *block;
  if (posix_memalign(&block, 128, size))
    return 0;
  memset(block, 0, size);
  shared = static_cast<unsigned char *>(block);
  memory = View(shared, nullptr, l);

  xcc_rpc_init();
  xcc_rpc_server_options o = {};
  o.size = sizeof o;
  o.ports = l.portCount;
  o.lanes = l.laneCount;
  o.flags = XCC_RPC_CLIENTS_WAKE;
  o.memory = block;
  o.memory_size = size;
  o.max_stream = 4096;
  xcc_rpc_server *s;
  if (xcc_rpc_server_create(&o, &s))
    abort();
  xcc_rpc_server_register(s, userOpcode(1, 1), talk, nullptr);
  xcc_rpc_server_register(s, userOpcode(1, 2), stream, nullptr);
  xcc_rpc_server_register(
      s, userOpcode(1, 3), [](xcc_rpc_port *, void *) {}, nullptr);
  while (at != end) {
    step();
    xcc_rpc_server_handle(s, nullptr);
  }
  xcc_rpc_server_reclaim(s, nullptr);
  xcc_rpc_server_destroy(s);
  xcc_rpc_shutdown();
  free(block);
  return 0;
}
