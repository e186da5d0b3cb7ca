// One round trip to the host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files here share: the image's client, and call(), which sends a
// request and receives a reply for each lane that gets there together. Messages
// are never built in memory: a source yields them piece by piece into the
// packets, and a reply's bytes go straight where they belong.
//
// A source is a class on Source<>: size(), and next(), which sets Piece and
// Left to the message's next piece. A sink has write(bytes, size).

#ifndef XCC_DEVICE_RPC_CALL_H
#define XCC_DEVICE_RPC_CALL_H

#include "rpc/client.h"
#include "rpc/opcodes.h"
#include "rpc/services/image.h"
#include "rpc/services/messages.h"

#ifdef XCC_SERVICES_LANES
#include XCC_SERVICES_LANES
#endif

/// What a program may define for itself.
#define XCC_SERVICE extern "C" [[gnu::weak]]

extern "C" {
/// Written by the runtime, which no compiler knows: read as volatile.
extern volatile xcc_rpc_image __xcc_rpc;
int *__errno_location() noexcept;
[[noreturn]] void __xcc_trap(unsigned Kind, const char *Text, const char *File,
                             unsigned Line) noexcept;
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
size_t strlen(const char *);
}

namespace xcc::device {

using namespace xcc::services;

#ifdef XCC_SERVICES_LANES
using Lanes = XCC_SERVICES_LANES_CLASS;
#else
using Lanes = rpc::lanes::Native;
#endif

/// The largest count; also what functions return that failed.
inline constexpr uint64_t Most = ~uint64_t(0);

inline void setErrno(int64_t Error) { *__errno_location() = int(Error); }

/// Sets errno if a call failed; its result.
inline int64_t checked(const Reply &R) {
  if (R.Error)
    setErrno(R.Error);
  return R.Result;
}

template <class Derived> struct Source {
  const char *Piece = nullptr;
  uint64_t Left = 0;

  /// Called with the lanes that call together, before size().
  void meet(uint64_t) {}
  [[gnu::noinline]] void read(unsigned char *To, uint64_t Size) {
    while (Size) {
      if (!Left && !static_cast<Derived *>(this)->next())
        return;
      uint64_t N = Left < Size ? Left : Size;
      memcpy(To, Piece, N);
      Piece += N;
      Left -= N;
      To += N;
      Size -= N;
    }
  }
};

/// A request's words and two runs of bytes.
struct Message : Source<Message> {
  Request Head;
  const void *Data[2];
  uint64_t Size[2];
  uint32_t At = 0;

  explicit Message(uint64_t A, uint64_t B = 0, uint64_t C = 0,
                   const void *First = nullptr, uint64_t FirstSize = 0,
                   const void *Second = nullptr, uint64_t SecondSize = 0)
      : Head{A, B, C}, Data{First, Second}, Size{FirstSize, SecondSize} {}

  uint64_t size() const { return sizeof Head + Size[0] + Size[1]; }
  bool next() {
    if (At == 3)
      return false;
    Piece = At ? static_cast<const char *>(Data[At - 1])
               : reinterpret_cast<const char *>(&Head);
    Left = At ? Size[At - 1] : sizeof Head;
    ++At;
    return true;
  }
};

/// Bytes of a reply that go to one place; what does not fit is dropped.
struct Buffer {
  char *To = nullptr;
  uint64_t Room = 0;
  uint64_t Size = 0; ///< how many came
  void write(const unsigned char *From, uint64_t N) {
    N = N < Room ? N : Room;
    memcpy(To + Size, From, N);
    Size += N;
    Room -= N;
  }
};

namespace detail {
inline constexpr uint64_t InFirst = sizeof(rpc::Packet) - 8;

/// As Port::send_n, from a source.
template <class P, class S> [[gnu::noinline]] auto send(P &&Port, S &From) {
  uint64_t Left = From.size();
  auto Sent = static_cast<P &&>(Port).send([&](rpc::Packet &To, uint32_t) {
    memcpy(To.Bytes, &Left, 8);
    uint64_t N = Left < InFirst ? Left : InFirst;
    From.read(To.Bytes + 8, N);
    Left -= N;
  });
  while (Lanes::any(Sent.mask(), Sent.ok() && Left))
    Sent = static_cast<decltype(Sent) &&>(Sent).ack().send(
        [&](rpc::Packet &To, uint32_t) {
          uint64_t N = Left < sizeof To ? Left : sizeof To;
          From.read(To.Bytes, N);
          Left -= N;
        });
  return Sent;
}

/// As Port::recv_n: the reply's words, and the rest into a sink.
template <class P, class S> bool receive(P &&Port, Reply &R, S &To) {
  uint64_t Left = 0;
  auto Got = static_cast<P &&>(Port).recv([&](rpc::Packet &From, uint32_t) {
    memcpy(&Left, From.Bytes, 8);
    memcpy(&R, From.Bytes + 8, sizeof R);
    Left -= Left < sizeof R ? Left : sizeof R;
    uint64_t N = Left < InFirst - sizeof R ? Left : InFirst - sizeof R;
    if (N)
      To.write(From.Bytes + 8 + sizeof R, N);
    Left -= N;
  });
  while (Lanes::any(Got.mask(), Got.ok() && Left))
    Got = static_cast<decltype(Got) &&>(Got).pass().recv(
        [&](rpc::Packet &From, uint32_t) {
          uint64_t N = Left < sizeof From ? Left : sizeof From;
          if (N)
            To.write(From.Bytes, N);
          Left -= N;
        });
  return Got.ok();
}
} // namespace detail

/// A round trip for the calling lane, together with others that are here for
/// the same service. R is set before the sink gets anything. Without a server:
/// -1 and ErrNoService.
template <class S, class T>
void callInto(Service Op, S &From, T &To, Reply &R) {
  R = {-1, ErrNoService};
  rpc::ClientDescriptor D{__xcc_rpc.shared, __xcc_rpc.local, __xcc_rpc.ports,
                          __xcc_rpc.lanes};
  if (!D.Shared)
    return;
  rpc::Client<Lanes> Client(D);
  // A GPU may bring lanes together that came from different callers.
  uint64_t Mask = Lanes::active();
  for (bool Done = false; !Done;) {
    uint32_t First = Lanes::broadcast(Mask, Op);
    uint64_t Same = Lanes::select(Mask, [&](uint32_t) { return First == Op; });
    if (First == Op) {
      From.meet(Same);
      auto Sent = detail::send(Client.open(Op, Same), From);
      if (!detail::receive(static_cast<decltype(Sent) &&>(Sent), R, To))
        R = {-1, ErrIO};
      Done = true;
    }
    Mask &= ~Same;
  }
}
template <class S, class T> Reply call(Service Op, S &From, T &To) {
  Reply R;
  callInto(Op, From, To, R);
  return R;
}

template <class S> Reply call(Service Op, S &&From) {
  struct {
    void write(const unsigned char *, uint64_t) {}
  } Nowhere;
  return call(Op, From, Nowhere);
}

} // namespace xcc::device
#endif // XCC_DEVICE_RPC_CALL_H
