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

extern "C" uint64_t rpc_round_trip(uint64_t Value) {
  Client<> C(rpc_client);
  uint64_t Answer = 0;
  C.open<Add>()
      .send([&](Packet &P, uint32_t) { __builtin_memcpy(P.Bytes, &Value, 8); })
      .recv(
          [&](Packet &P, uint32_t) { __builtin_memcpy(&Answer, P.Bytes, 8); });
  return Answer;
}

extern "C" void rpc_forget(uint64_t Value) {
  Client<> C(rpc_client);
  C.open(Add).send(
      [&](Packet &P, uint32_t) { __builtin_memcpy(P.Bytes, &Value, 8); });
}

extern "C" uint64_t rpc_stream(const char *Data, uint64_t Size, char *To,
                               uint64_t Room) {
  Client<> C(rpc_client);
  uint64_t Got = 0;
  auto Port = C.open(Text)
                  .send_n([&](uint32_t) {
                    return Bytes{Data, Size};
                  })
                  .recv_n([&](uint32_t, uint64_t Bytes) {
                    Got = Bytes;
                    return Bytes <= Room ? To : nullptr;
                  });
  // Some lanes leave, others have one more question.
  if (auto Rest = static_cast<decltype(Port) &&>(Port).keep(
          [&](uint32_t) { return Got > 1; }))
    static_cast<decltype(Rest) &&>(Rest)
        .send([&](Packet &P, uint32_t L) { P.Bytes[0] = char(L); })
        .recv([&](Packet &P, uint32_t) { Got += P.Bytes[0]; });
  return Got;
}

// A device that serves another.
extern "C" uint32_t rpc_serve(void *Shared, void *Local, uint32_t Ports,
                              uint32_t Lanes) {
  Server<> S(View(Shared, Local, {Ports, Lanes}));
  uint32_t Served = 0;
  while (auto Port = S.tryOpen()) {
    static_cast<decltype(Port) &&>(Port)
        .recv([](Packet &P, uint32_t) { ++P.Bytes[0]; })
        .send([](Packet &, uint32_t) {});
    ++Served;
  }
  return Served;
}
