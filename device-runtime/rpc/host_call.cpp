// Calls of the program's host functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's stubs call __xcc_host_call. It sends the bytes of each
// segment, makes the host call the entry with the id, and copies bytes back. If
// the host shares the memory, only the segments' address is sent.

#include "call.h"
#include "xcc/abi.h"

using namespace xcc::device;

namespace {
class CallMessage : public Source<CallMessage> {
public:
  CallMessage(uint64_t id, const xcc_segment *segments, uint32_t count)
      : head{id, count, 0}, segments(segments) {
    total = sizeof head + count * sizeof(SegmentHeader);
    for (uint32_t i = 0; i != count; ++i)
      if (segments[i].direction & SegmentIn)
        total += segments[i].size;
  }
  uint64_t size() const { return total; }

  bool next() {
    const uint64_t count = head.b;
    if (at == 0) {
      piece = reinterpret_cast<const char *>(&head);
      left = sizeof head;
    } else if (at <= count) {
      const xcc_segment &s = segments[at - 1];
      entry = {s.size, s.direction};
      piece = reinterpret_cast<const char *>(&entry);
      left = sizeof entry;
    } else if (at <= 2 * count) {
      const xcc_segment &s = segments[at - 1 - count];
      piece = static_cast<const char *>(s.data);
      left = s.direction & SegmentIn ? s.size : 0;
    } else {
      return false;
    }
    ++at;
    return true;
  }

private:
  Request head;
  SegmentHeader entry;
  const xcc_segment *segments;
  uint64_t total, at = 0;
};

/// Receives a reply's bytes: into the segments, or, if the call failed, into
/// the error message.
struct Results {
  const Reply &r;
  const xcc_segment *segments, *end;
  Buffer why;
  uint64_t offset = 0;

  void write(const unsigned char *from, uint64_t size) {
    if (r.error)
      return why.write(from, size);
    while (size && segments != end) {
      uint64_t room =
          segments->direction & SegmentOut ? segments->size - offset : 0;
      uint64_t n = size < room ? size : room;
      memcpy(static_cast<char *>(segments->data) + offset, from, n);
      from += n;
      size -= n;
      offset += n;
      if (n == room) {
        ++segments;
        offset = 0;
      }
    }
  }
};
} // namespace

extern "C" [[gnu::noinline]] void
__xcc_host_call(uint64_t id, xcc_segment *segments, uint32_t count) {
  char why[160];
  Reply r{-1, ErrNoService};
  Results to{r, segments, segments + count, {why, sizeof why - 1}};
#if XCC_RPC_GPU || defined(XCC_SERVICES_LANES)
  CallMessage m(id, segments, count);
  callInto(ServiceHostCall, m, to, r);
#else
  const uint64_t address = reinterpret_cast<uint64_t>(segments);
  Message m(id, count, CallShares, &address, sizeof address);
  callInto(ServiceHostCall, m, to, r);
#endif
  if (!r.error)
    return;
  why[to.why.size] = 0;
  __xcc_trap(
      XCC_CPU_TRAP_ABORT,
      to.why.size ? why
      : r.error == ErrIO
          ? "a call of a host function got no answer: it was cut off, or "
            "has more bytes than the host takes at a time"
          : "a call of a host function got no answer",
      nullptr, 0);
}
