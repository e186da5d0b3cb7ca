// The body of a kernel that calls the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What device code does, for kernels of the mock drivers, whose bodies run on
// the host: it finds what the runtime wrote into __xcc_rpc and calls with the
// protocol's own client, one lane at a time and without waking anybody, as a
// GPU does.

#ifndef XCC_TEST_MOCK_CALLER_H
#define XCC_TEST_MOCK_CALLER_H

#include "rpc/opcodes.h"
#include "rpc/protocol.h"
#include "rpc/services/image.h"
#include "rpc/services/messages.h"

#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <string>

namespace xcc::test {

/// One lane of a GPU.
struct GpuLane : rpc::lanes::Vector<1> {
  static constexpr bool CanSleep = false;
  static void pause() { sched_yield(); }
  static void yield() {}
  static void sleep(const uint32_t *, uint32_t, bool) {}
  static void wake(uint32_t *, uint32_t, bool) {}
};

struct Answer {
  bool Called = false; ///< false: the host did not offer the service
  services::Reply Head{-1, 0};
  std::string Bytes;
};

/// Asks for a service with a request and the bytes behind it.
inline Answer ask(const void *Variable, rpc::Opcode Op,
                  const services::Request &Head, const std::string &Rest = "") {
  Answer Out;
  xcc_rpc_image Image;
  memcpy(&Image, Variable, sizeof(Image));
  if (!Image.shared)
    return Out;
  rpc::Client<GpuLane> Client(rpc::ClientDescriptor{Image.shared, Image.local,
                                                    Image.ports, Image.lanes});
  std::string Message(reinterpret_cast<const char *>(&Head), sizeof(Head));
  Message += Rest;
  std::string Got;
  auto Port = Client.open(Op, 1)
                  .send_n([&](uint32_t) {
                    return rpc::Bytes{Message.data(), Message.size()};
                  })
                  .recv_n([&](uint32_t, uint64_t Size) {
                    Got.resize(Size);
                    return Got.data();
                  });
  Out.Called = Port.ok() && Got.size() >= sizeof(Out.Head);
  if (Out.Called) {
    memcpy(&Out.Head, Got.data(), sizeof(Out.Head));
    Out.Bytes = Got.substr(sizeof(Out.Head));
  }
  return Out;
}

/// Leaves word as a thread that traps does.
inline void leaveWord(const void *Variable, uint32_t Kind, const char *Text,
                      const char *File, uint32_t Line) {
  xcc_trap_record *Record;
  memcpy(&Record, Variable, sizeof(Record));
  if (!Record || __atomic_fetch_add(&Record->claimed, 1, __ATOMIC_RELAXED))
    return;
  Record->kind = Kind;
  Record->line = Line;
  Record->thread[0] = 1;
  Record->block[0] = 2;
  Record->has_text = Record->has_file = 1;
  strncpy(Record->text, Text, sizeof(Record->text) - 1);
  strncpy(Record->file, File, sizeof(Record->file) - 1);
  __atomic_store_n(&Record->complete, 1, __ATOMIC_RELEASE);
}

} // namespace xcc::test
#endif // XCC_TEST_MOCK_CALLER_H
