// Calling the host from device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image's client, and call(), which sends a request and receives a reply
// for each lane that gets there together. Messages are never built in memory: a
// source yields them piece by piece into the packets, and the reply's bytes go
// straight to their destination.
//
// A source derives from Source<> and has size() and next(), which sets piece
// and left to the message's next piece. A sink has write(bytes, size).

#ifndef XCC_DEVICE_RPC_CALL_H
#define XCC_DEVICE_RPC_CALL_H

#include "rpc/client.h"
#include "rpc/opcodes.h"
#include "rpc/services/image.h"
#include "rpc/services/messages.h"

#ifdef XCC_SERVICES_LANES
#include XCC_SERVICES_LANES
#endif

/// A function that the program may replace by its own.
#define XCC_SERVICE extern "C" [[gnu::weak]]

extern "C" {
/// The runtime writes this unseen by the compiler, so it is read as volatile.
extern volatile xcc_rpc_image __xcc_rpc;
int *__errno_location() noexcept;
[[noreturn]] void __xcc_trap(unsigned kind, const char *text, const char *file,
                             unsigned line) noexcept;
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

/// The largest count; also returned by functions that fail.
inline constexpr uint64_t Most = ~uint64_t(0);

inline void setErrno(int64_t error) { *__errno_location() = int(error); }

/// Sets errno if the call failed. Returns the call's result.
inline int64_t checked(const Reply &r) {
  if (r.error)
    setErrno(r.error);
  return r.result;
}

template <class Derived> struct Source {
  const char *piece = nullptr;
  uint64_t left = 0;

  /// Called before size(), with the mask of lanes that call together.
  void meet(uint64_t) {}
  [[gnu::noinline]] void read(unsigned char *to, uint64_t size) {
    while (size) {
      if (!left && !static_cast<Derived *>(this)->next())
        return;
      uint64_t n = left < size ? left : size;
      memcpy(to, piece, n);
      piece += n;
      left -= n;
      to += n;
      size -= n;
    }
  }
};

/// A request's words followed by two blocks of bytes.
struct Message : Source<Message> {
  Request head;
  const void *data[2];
  uint64_t sizes[2];
  uint32_t at = 0;

  explicit Message(uint64_t a, uint64_t b = 0, uint64_t c = 0,
                   const void *first = nullptr, uint64_t firstSize = 0,
                   const void *second = nullptr, uint64_t secondSize = 0)
      : head{a, b, c}, data{first, second}, sizes{firstSize, secondSize} {}

  uint64_t size() const { return sizeof head + sizes[0] + sizes[1]; }
  bool next() {
    if (at == 3)
      return false;
    piece = at ? static_cast<const char *>(data[at - 1])
               : reinterpret_cast<const char *>(&head);
    left = at ? sizes[at - 1] : sizeof head;
    ++at;
    return true;
  }
};

/// Receives the bytes of a reply. Bytes beyond \p room are dropped.
struct Buffer {
  char *to = nullptr;
  uint64_t room = 0;
  uint64_t size = 0; ///< bytes received
  void write(const unsigned char *from, uint64_t n) {
    n = n < room ? n : room;
    memcpy(to + size, from, n);
    size += n;
    room -= n;
  }
};

namespace detail {
inline constexpr uint64_t InFirst = sizeof(rpc::Packet) - 8;

/// Sends from a source, like Port::send_n.
template <class P, class S> [[gnu::noinline]] auto send(P &&port, S &from) {
  uint64_t left = from.size();
  auto sent = static_cast<P &&>(port).send([&](rpc::Packet &to, uint32_t) {
    memcpy(to.bytes, &left, 8);
    uint64_t n = left < InFirst ? left : InFirst;
    from.read(to.bytes + 8, n);
    left -= n;
  });
  while (Lanes::any(sent.mask(), sent.ok() && left))
    sent = static_cast<decltype(sent) &&>(sent).ack().send(
        [&](rpc::Packet &to, uint32_t) {
          uint64_t n = left < sizeof to ? left : sizeof to;
          from.read(to.bytes, n);
          left -= n;
        });
  return sent;
}

/// Receives the reply's words into \p r and its bytes into a sink, like
/// Port::recv_n.
template <class P, class S> bool receive(P &&port, Reply &r, S &to) {
  uint64_t left = 0;
  auto got = static_cast<P &&>(port).recv([&](rpc::Packet &from, uint32_t) {
    memcpy(&left, from.bytes, 8);
    memcpy(&r, from.bytes + 8, sizeof r);
    left -= left < sizeof r ? left : sizeof r;
    uint64_t n = left < InFirst - sizeof r ? left : InFirst - sizeof r;
    if (n)
      to.write(from.bytes + 8 + sizeof r, n);
    left -= n;
  });
  while (Lanes::any(got.mask(), got.ok() && left))
    got = static_cast<decltype(got) &&>(got).pass().recv(
        [&](rpc::Packet &from, uint32_t) {
          uint64_t n = left < sizeof from ? left : sizeof from;
          if (n)
            to.write(from.bytes, n);
          left -= n;
        });
  return got.ok();
}
} // namespace detail

/// A round trip for the calling lane, together with other lanes that call the
/// same service. \p r is set before the sink receives anything. Without a
/// server, \p r is -1 and ErrNoService.
template <class S, class T>
void callInto(Service op, S &from, T &to, Reply &r) {
  r = {-1, ErrNoService};
  rpc::ClientDescriptor d{__xcc_rpc.shared, __xcc_rpc.local, __xcc_rpc.ports,
                          __xcc_rpc.lanes};
  if (!d.shared)
    return;
  rpc::Client<Lanes> client(d);
  // On a GPU, lanes that came from different callers may be active together.
  uint64_t mask = Lanes::active();
  for (bool done = false; !done;) {
    uint32_t first = Lanes::broadcast(mask, op);
    uint64_t same = Lanes::select(mask, [&](uint32_t) { return first == op; });
    if (first == op) {
      from.meet(same);
      auto sent = detail::send(client.open(op, same), from);
      if (!detail::receive(static_cast<decltype(sent) &&>(sent), r, to))
        r = {-1, ErrIO};
      done = true;
    }
    mask &= ~same;
  }
}
/// Sends the source \p from, puts the reply's bytes into the sink \p to and
/// returns the reply's words.
template <class S, class T> Reply call(Service op, S &&from, T &to) {
  Reply r;
  callInto(op, from, to, r);
  return r;
}

/// Sends a request whose reply has no bytes.
template <class S> Reply call(Service op, S &&from) {
  struct {
    void write(const unsigned char *, uint64_t) {}
  } nowhere;
  return call(op, from, nowhere);
}

} // namespace xcc::device
#endif // XCC_DEVICE_RPC_CALL_H
