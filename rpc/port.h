// One call, from either side
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Port is a call in progress. Its type contains whose turn it is, so that
// each operation exists only in the states where it makes sense. Each operation
// returns the port in its next state:
//
//     Own   --send(fill)--> Wait      this side fills the packets
//     Wait  --recv(use)---> Give      it reads the other side's packets
//     Wait  --ack()-------> Own         (ignores those packets)
//     Give  --send(fill)--> Wait      it answers what it has received
//     Give  --pass()------> Wait        (sends the packets unchanged)
//
// The client begins with Own, the server with Wait. Ports are moved, never
// copied. Destroying a port ends the call, in any state. All lanes of the
// port's mask take part in each operation; keep() dismisses some of them.
//
//     client.open(Op).send(fill).recv(use);              // a round trip
//     client.open(Op).send(fill);                        // without an answer
//     client.open(Op).send_n(text).recv_n(place);        // of any sizes
//
// If the other side ends the call first, or does not know the opcode, ok()
// becomes false. Later operations on the port then have no effect and do not
// call the functions passed to them.

#ifndef XCC_RPC_PORT_H
#define XCC_RPC_PORT_H

#include "layout.h"

namespace xcc::rpc {

enum class State { Own, Wait, Give };

/// The bytes of one lane, for send_n.
struct Bytes {
  const void *data;
  uint64_t size;
};

/// The state of a call, which the port's side reads and writes.
struct Call {
  uint64_t mask = 0; ///< the lanes that take part
  uint32_t port = 0;
  uint32_t number = 0; ///< PortHeader::call; valid in a client's first lane
  Answer status = Answer::Ok;
  bool out = false;      ///< this side's bit
  bool mine = true;      ///< is it this side's turn? The state, at run time
  bool narrowed = false; ///< mask differs from the header's
};

template <class Side, State S> class Port {
public:
  using Lanes = typename Side::LanesOf;
  template <State T> using Next = Port<Side, T>;

  Port() = default;
  Port(const Side *on, const Call &c) : on(on), c(c) {}
  Port(const Port &) = delete;
  Port &operator=(const Port &) = delete;
  Port(Port &&other) : on(other.on), c(other.c) { other.on = nullptr; }
  Port &operator=(Port &&other) {
    if (this != &other) {
      drop();
      on = other.on;
      c = other.c;
      other.on = nullptr;
    }
    return *this;
  }
  ~Port() { drop(); }

  /// False for a port that was moved from, or whose lanes keep() dismissed.
  explicit operator bool() const { return on != nullptr; }
  Answer status() const { return c.status; }
  bool ok() const { return c.status == Answer::Ok; }
  uint64_t mask() const { return c.mask; }
  uint32_t index() const { return c.port; }
  /// The opcode of the call; for servers.
  Opcode opcode() const { return on->opcode(c); }

  /// Calls fill(packet, lane) for each lane, then hands the port over.
  template <class F>
  Next<State::Wait> send(F &&fill) &&
    requires(S != State::Wait)
  {
    if (ok()) {
      Packet *packets = on->packets(c);
      Lanes::each(c.mask, [&](uint32_t l) { fill(packets[l], l); });
      on->give(c);
    }
    return next<State::Wait>();
  }

  /// Waits for this side's turn, then calls use(packet, lane) for each lane.
  template <class F>
  Next<State::Give> recv(F &&use) &&
    requires(S == State::Wait)
  {
    await();
    if (ok()) {
      Packet *packets = on->packets(c);
      Lanes::each(c.mask, [&](uint32_t l) { use(packets[l], l); });
    }
    return next<State::Give>();
  }

  /// Waits for this side's turn and ignores what the other side wrote.
  Next<State::Own> ack() &&
    requires(S == State::Wait)
  {
    await();
    return next<State::Own>();
  }

  /// Hands the port over with unchanged packets.
  Next<State::Wait> pass() &&
    requires(S == State::Give)
  {
    if (ok())
      on->give(c);
    return next<State::Wait>();
  }

  /// Sends source(lane), a Bytes, for each lane; sizes may differ. Each turn
  /// sends a packet's worth, until the longest is sent.
  template <class F>
  Next<State::Wait> send_n(F &&source) &&
    requires(S != State::Wait)
  {
    bool more = false;
    auto sent = static_cast<Port &&>(*this).send([&](Packet &p, uint32_t l) {
      Bytes b = source(l);
      __builtin_memcpy(p.bytes, &b.size, 8);
      copy(p.bytes + 8, b.data, b.size < First ? b.size : First);
      more |= b.size > First;
    });
    const uint64_t mask = sent.mask();
    for (uint64_t offset = First; Lanes::any(mask, more);
         offset += sizeof(Packet)) {
      more = false;
      sent = static_cast<decltype(sent) &&>(sent).ack().send(
          [&](Packet &p, uint32_t l) {
            Bytes b = source(l);
            if (b.size <= offset)
              return;
            uint64_t left = b.size - offset;
            copy(p.bytes, static_cast<const char *>(b.data) + offset,
                 left < sizeof(Packet) ? left : sizeof(Packet));
            more |= left > sizeof(Packet);
          });
    }
    return sent;
  }

  /// Receives what send_n sends. sink(lane, size) returns where to store a
  /// lane's bytes; null drops them.
  template <class F>
  Next<State::Give> recv_n(F &&sink) &&
    requires(S == State::Wait)
  {
    typename Lanes::template PerLane<char *> to;
    typename Lanes::template PerLane<uint64_t> size;
    bool more = false;
    auto got = static_cast<Port &&>(*this).recv([&](Packet &p, uint32_t l) {
      __builtin_memcpy(&size[l], p.bytes, 8);
      to[l] = static_cast<char *>(sink(l, size[l]));
      if (to[l])
        copy(to[l], p.bytes + 8, size[l] < First ? size[l] : First);
      more |= size[l] > First;
    });
    const uint64_t mask = got.mask();
    for (uint64_t offset = First; Lanes::any(mask, more);
         offset += sizeof(Packet)) {
      more = false;
      got = static_cast<decltype(got) &&>(got).pass().recv(
          [&](Packet &p, uint32_t l) {
            if (size[l] <= offset)
              return;
            uint64_t left = size[l] - offset;
            if (to[l])
              copy(to[l] + offset, p.bytes,
                   left < sizeof(Packet) ? left : sizeof(Packet));
            more |= left > sizeof(Packet);
          });
    }
    return got;
  }

  /// Continues with the lanes for which pred(lane) is true. The others get an
  /// empty port and have finished the call. Without any lane left, the call
  /// ends.
  template <class F> Port keep(F &&pred) && {
    uint64_t kept = Lanes::select(c.mask, pred);
    if (!kept) {
      drop();
      return Port();
    }
    if (kept == c.mask)
      return static_cast<Port &&>(*this);
    c.number = Lanes::broadcast(c.mask, c.number);
    c.mask = kept;
    c.narrowed = true;
    Port rest(Lanes::among(kept) ? on : nullptr, c);
    on = nullptr;
    return rest;
  }

  /// Ends the call, like destroying the port.
  void close() && { drop(); }

private:
  static constexpr uint64_t First = sizeof(Packet) - 8; ///< after the size

  template <State T> Next<T> next() {
    Next<T> p(on, c);
    on = nullptr;
    return p;
  }
  void await() {
    if (ok())
      c.status = on->await(c);
  }
  void drop() {
    if (on)
      on->close(c);
    on = nullptr;
  }
  static void copy(void *to, const void *from, uint64_t size) {
    if (size == sizeof(Packet))
      __builtin_memcpy(to, from, sizeof(Packet));
    else
      __builtin_memcpy(to, from, size);
  }

  const Side *on = nullptr;
  Call c;
};

} // namespace xcc::rpc
#endif // XCC_RPC_PORT_H
