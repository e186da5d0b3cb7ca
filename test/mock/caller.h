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
  bool called = false; ///< false: the host did not offer the service
  services::Reply head{-1, 0};
  std::string bytes;
};

/// Asks for a service with a request and the bytes behind it.
inline Answer ask(const void *variable, rpc::Opcode op,
                  const services::Request &head, const std::string &rest = "") {
  Answer out;
  xcc_rpc_image image;
  memcpy(&image, variable, sizeof(image));
  if (!image.shared)
    return out;
  rpc::Client<GpuLane> client(rpc::ClientDescriptor{image.shared, image.local,
                                                    image.ports, image.lanes});
  std::string message(reinterpret_cast<const char *>(&head), sizeof(head));
  message += rest;
  std::string got;
  auto port = client.open(op, 1)
                  .send_n([&](uint32_t) {
                    return rpc::Bytes{message.data(), message.size()};
                  })
                  .recv_n([&](uint32_t, uint64_t size) {
                    got.resize(size);
                    return got.data();
                  });
  out.called = port.ok() && got.size() >= sizeof(out.head);
  if (out.called) {
    memcpy(&out.head, got.data(), sizeof(out.head));
    out.bytes = got.substr(sizeof(out.head));
  }
  return out;
}

/// Leaves word as a thread that traps does.
inline void leaveWord(const void *variable, uint32_t kind, const char *text,
                      const char *file, uint32_t line) {
  xcc_trap_record *record;
  memcpy(&record, variable, sizeof(record));
  if (!record || __atomic_fetch_add(&record->claimed, 1, __ATOMIC_RELAXED))
    return;
  xcc_trap_note &note = record->notes[0];
  note.kind = kind;
  note.line = line;
  note.known = 1;
  note.thread[0] = 1;
  note.block[0] = 2;
  note.has_text = note.has_file = 1;
  strncpy(note.text, text, sizeof(note.text) - 1);
  strncpy(note.file, file, sizeof(note.file) - 1);
  __atomic_store_n(&record->complete, 1, __ATOMIC_RELEASE);
}

} // namespace xcc::test
#endif // XCC_TEST_MOCK_CALLER_H
