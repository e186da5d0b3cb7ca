// A function of the program, on the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's stubs come here: __xcc_host_call moves the bytes of each
// segment there, has the host call the entry with that id, and moves bytes
// back. Where the host has the same memory, only its address goes there.

#include "call.h"
#include "xcc/abi.h"

using namespace xcc::device;

namespace {
class CallMessage : public Source<CallMessage> {
public:
  CallMessage(uint64_t Id, const xcc_segment *Segments, uint32_t Count)
      : Head{Id, Count, 0}, Segments(Segments) {
    Total = sizeof Head + Count * sizeof(SegmentHeader);
    for (uint32_t I = 0; I != Count; ++I)
      if (Segments[I].direction & SegmentIn)
        Total += Segments[I].size;
  }
  uint64_t size() const { return Total; }

  bool next() {
    const uint64_t Count = Head.B;
    if (At == 0) {
      Piece = reinterpret_cast<const char *>(&Head);
      Left = sizeof Head;
    } else if (At <= Count) {
      const xcc_segment &S = Segments[At - 1];
      Entry = {S.size, S.direction};
      Piece = reinterpret_cast<const char *>(&Entry);
      Left = sizeof Entry;
    } else if (At <= 2 * Count) {
      const xcc_segment &S = Segments[At - 1 - Count];
      Piece = static_cast<const char *>(S.data);
      Left = S.direction & SegmentIn ? S.size : 0;
    } else {
      return false;
    }
    ++At;
    return true;
  }

private:
  Request Head;
  SegmentHeader Entry;
  const xcc_segment *Segments;
  uint64_t Total, At = 0;
};

/// A reply's bytes: into the segments, or, if the call failed, why.
struct Results {
  const Reply &R;
  const xcc_segment *Segments, *End;
  Buffer Why;
  uint64_t Offset = 0;

  void write(const unsigned char *From, uint64_t Size) {
    if (R.Error)
      return Why.write(From, Size);
    while (Size && Segments != End) {
      uint64_t Room =
          Segments->direction & SegmentOut ? Segments->size - Offset : 0;
      uint64_t N = Size < Room ? Size : Room;
      memcpy(static_cast<char *>(Segments->data) + Offset, From, N);
      From += N;
      Size -= N;
      Offset += N;
      if (N == Room) {
        ++Segments;
        Offset = 0;
      }
    }
  }
};
} // namespace

extern "C" [[gnu::noinline]] void
__xcc_host_call(uint64_t Id, xcc_segment *Segments, uint32_t Count) {
  char Why[160];
  Reply R{-1, ErrNoService};
  Results To{R, Segments, Segments + Count, {Why, sizeof Why - 1}};
#if XCC_RPC_GPU || defined(XCC_SERVICES_LANES)
  CallMessage M(Id, Segments, Count);
  callInto(ServiceHostCall, M, To, R);
#else
  const uint64_t Address = reinterpret_cast<uint64_t>(Segments);
  Message M(Id, Count, CallShares, &Address, sizeof Address);
  callInto(ServiceHostCall, M, To, R);
#endif
  if (!R.Error)
    return;
  Why[To.Why.Size] = 0;
  __xcc_trap(
      XCC_CPU_TRAP_ABORT,
      To.Why.Size ? Why
      : R.Error == ErrIO
          ? "a call of a host function got no answer: it was cut off, or "
            "has more bytes than the host takes at a time"
          : "a call of a host function got no answer",
      nullptr, 0);
}
