// The protocol compiles for every device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What device code does with RPC, without any library or header but the
// protocol's. The check is that it compiles; check.sh looks at the result.

#include "protocol.h"

using namespace xcc::rpc;

// As the runtime writes it into an image.
extern "C" {
extern ClientDescriptor rpc_client;
}

namespace {
constexpr Opcode Add = userOpcode(1, 1);
constexpr Opcode Text = userOpcode(1, 2);
} // namespace

extern "C" uint64_t rpc_round_trip(uint64_t value) {
  Client<> c(rpc_client);
  uint64_t answer = 0;
  c.open<Add>()
      .send([&](Packet &p, uint32_t) { __builtin_memcpy(p.bytes, &value, 8); })
      .recv(
          [&](Packet &p, uint32_t) { __builtin_memcpy(&answer, p.bytes, 8); });
  return answer;
}

extern "C" void rpc_forget(uint64_t value) {
  Client<> c(rpc_client);
  c.open(Add).send(
      [&](Packet &p, uint32_t) { __builtin_memcpy(p.bytes, &value, 8); });
}

extern "C" uint64_t rpc_stream(const char *data, uint64_t size, char *to,
                               uint64_t room) {
  Client<> c(rpc_client);
  uint64_t got = 0;
  auto port = c.open(Text)
                  .send_n([&](uint32_t) { return Bytes{data, size}; })
                  .recv_n([&](uint32_t, uint64_t bytes) {
                    got = bytes;
                    return bytes <= room ? to : nullptr;
                  });
  // Some lanes leave, others have one more question.
  if (auto rest = static_cast<decltype(port) &&>(port).keep(
          [&](uint32_t) { return got > 1; }))
    static_cast<decltype(rest) &&>(rest)
        .send([&](Packet &p, uint32_t l) { p.bytes[0] = char(l); })
        .recv([&](Packet &p, uint32_t) { got += p.bytes[0]; });
  return got;
}

// A device that serves another.
extern "C" uint32_t rpc_serve(void *shared, void *local, uint32_t ports,
                              uint32_t lanes) {
  Server<> s(View(shared, local, {ports, lanes}));
  uint32_t served = 0;
  while (auto port = s.tryOpen()) {
    static_cast<decltype(port) &&>(port)
        .recv([](Packet &p, uint32_t) { ++p.bytes[0]; })
        .send([](Packet &, uint32_t) {});
    ++served;
  }
  return served;
}
