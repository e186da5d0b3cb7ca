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

const uint8_t *At, *End;
unsigned char *Shared;
size_t Size;
View Memory;
int64_t Clock;

uint32_t take(unsigned Bytes) {
  uint32_t Value = 0;
  while (Bytes-- && At != End)
    Value = Value << 8 | *At++;
  return Value;
}

void step() {
  if (At == End)
    return;
  const uint32_t Port = take(2) % Memory.L.Ports;
  PortHeader &H = Memory.header(Port);
  switch (take(1) % 8) {
  case 0: // Any bytes anywhere.
    for (size_t Where = take(4) % Size, I = 0, E = take(1) % 16; I != E; ++I)
      Shared[(Where + I) % Size] = static_cast<unsigned char>(take(1));
    break;
  case 1:
    Memory.clientBits()[View::word(Port)] ^= View::bit(Port);
    break;
  case 2:
    Memory.clientBits()[View::word(Port)] ^= take(4);
    break;
  case 3: // A call that looks right.
    H.Op = userOpcode(1, uint16_t(take(1) % 5));
    H.Call += take(1) % 3;
    H.Mask = take(4) * uint64_t(0x100000001);
    Memory.clientBits()[View::word(Port)] ^= View::bit(Port);
    break;
  case 4: // Sizes of streams.
    for (uint32_t L = 0; L != Memory.L.Lanes; ++L) {
      uint64_t Bytes = take(1) * (L % 3 ? 1u : 50u);
      memcpy(&Memory.packets(Port)[L], &Bytes, 8);
    }
    break;
  case 5:
    H.Closed = H.Call;
    break;
  case 6:
    Memory.serverBits()[View::word(Port)] ^= uint64_t(take(4)) << take(1) % 64;
    break;
  case 7:
    H.ClientSleeps = H.ServerSleeps = take(1);
    Memory.control().ServerSleeps = take(1);
    break;
  }
}

int64_t now() { return Clock += 5000; }

void *allocate(uint64_t Bytes, uint32_t, void *) {
  step();
  return Bytes % 7 == 6 ? nullptr : malloc(Bytes + 1);
}

void stream(xcc_rpc_port *Port, void *) {
  void *Data[MaxLanes] = {};
  uint64_t Sizes[MaxLanes] = {};
  if (!xcc_rpc_recv_n(Port, Data, Sizes, allocate, nullptr))
    xcc_rpc_send_n(Port, Data, Sizes);
  for (void *D : Data)
    free(D);
}

void use(void *Packet, uint32_t, void *) {
  // A copy: nothing changes it behind the callback's back.
  uint64_t Before, After;
  memcpy(&Before, Packet, 8);
  step();
  memcpy(&After, Packet, 8);
  if (Before != After)
    abort();
}

void talk(xcc_rpc_port *Port, void *) {
  for (unsigned I = 0; I != 20; ++I)
    if (xcc_rpc_recv_and_send(Port, use, nullptr))
      return;
}

} // namespace hostile

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Bytes) {
  using namespace hostile;
  At = Data;
  End = Data + Bytes;
  Clock = 0;
  const uint32_t LaneCounts[] = {1, 32, 64};
  const Layout L{1 + take(1) % 70, LaneCounts[take(1) % 3]};
  // Not a byte more than there should be.
  Size = L.size();
  void *Block;
  if (posix_memalign(&Block, 128, Size))
    return 0;
  memset(Block, 0, Size);
  Shared = static_cast<unsigned char *>(Block);
  Memory = View(Shared, nullptr, L);

  xcc_rpc_init();
  xcc_rpc_server_options O = {};
  O.size = sizeof O;
  O.ports = L.Ports;
  O.lanes = L.Lanes;
  O.flags = XCC_RPC_CLIENTS_WAKE;
  O.memory = Block;
  O.memory_size = Size;
  O.max_stream = 4096;
  xcc_rpc_server *S;
  if (xcc_rpc_server_create(&O, &S))
    abort();
  xcc_rpc_server_register(S, userOpcode(1, 1), talk, nullptr);
  xcc_rpc_server_register(S, userOpcode(1, 2), stream, nullptr);
  xcc_rpc_server_register(
      S, userOpcode(1, 3), [](xcc_rpc_port *, void *) {}, nullptr);
  while (At != End) {
    step();
    xcc_rpc_server_handle(S, nullptr);
  }
  xcc_rpc_server_reclaim(S, nullptr);
  xcc_rpc_server_destroy(S);
  xcc_rpc_shutdown();
  free(Block);
  return 0;
}
