// One call, from either side
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Port is a call in progress. Whose turn it is, is part of its type, so that
// each operation exists only where it makes sense, and gives the port back in
// its next state:
//
//     Own   --send(fill)--> Wait      the packets are this side's to fill
//     Wait  --recv(use)---> Give      the other side has them
//     Wait  --ack()-------> Own         (its packets are not looked at)
//     Give  --send(fill)--> Wait      there is something from the other side
//     Give  --pass()------> Wait        (nothing to say, but go on)
//
// The client begins with Own, the server with Wait. Ports are moved, never
// copied; a port that is dropped ends the call, in any state. All lanes of the
// port's mask take part in each operation, keep() sends some of them away.
//
//     client.open(Op).send(fill).recv(use);                   // a round trip
//     client.open(Op).send(fill);                             // no answer
//     asked client.open(Op).send_n(text).recv_n(place);             // any
//     sizes
//
// When the other side ends the call first, or never knew what it was about,
// ok() turns false; what is done with the port then has no effect, and the
// functions passed to it are not called.

#ifndef XCC_RPC_PORT_H
#define XCC_RPC_PORT_H

#include "layout.h"

namespace xcc::rpc {

enum class State { Own, Wait, Give };

/// Bytes of one lane, for send_n.
struct Bytes {
  const void *Data;
  uint64_t Size;
};

/// What a port needs to know of its call; a side reads and writes it.
struct Call {
  uint64_t Mask = 0; ///< the lanes that take part
  uint32_t Port = 0;
  uint32_t Number = 0; ///< PortHeader::Call; a client's first lane knows it
  Answer Status = Answer::Ok;
  bool Out = false;      ///< this side's bit
  bool Mine = true;      ///< is it this side's turn? The state, at run time
  bool Narrowed = false; ///< Mask differs from the header's
};

template <class Side, State S> class Port {
public:
  using Lanes = typename Side::LanesOf;
  template <State T> using Next = Port<Side, T>;

  Port() = default;
  Port(const Side *On, const Call &C) : On(On), C(C) {}
  Port(const Port &) = delete;
  Port &operator=(const Port &) = delete;
  Port(Port &&Other) : On(Other.On), C(Other.C) { Other.On = nullptr; }
  Port &operator=(Port &&Other) {
    if (this != &Other) {
      drop();
      On = Other.On;
      C = Other.C;
      Other.On = nullptr;
    }
    return *this;
  }
  ~Port() { drop(); }

  /// False for a port that was moved from, or whose lanes keep() sent away.
  explicit operator bool() const { return On != nullptr; }
  Answer status() const { return C.Status; }
  bool ok() const { return C.Status == Answer::Ok; }
  uint64_t mask() const { return C.Mask; }
  uint32_t index() const { return C.Port; }
  /// What the call asks for; the server's question.
  Opcode opcode() const { return On->opcode(C); }

  /// Calls fill(packet, lane) for each lane, then it is the other side's turn.
  template <class F>
      Next<State::Wait> send(F &&Fill) && requires(S != State::Wait) {
    if (ok()) {
      Packet *Packets = On->packets(C);
      Lanes::each(C.Mask, [&](uint32_t L) { Fill(Packets[L], L); });
      On->give(C);
    }
    return next<State::Wait>();
  }

  /// Waits for this side's turn, then calls use(packet, lane) for each lane.
  template <class F>
      Next<State::Give> recv(F &&Use) && requires(S == State::Wait) {
    await();
    if (ok()) {
      Packet *Packets = On->packets(C);
      Lanes::each(C.Mask, [&](uint32_t L) { Use(Packets[L], L); });
    }
    return next<State::Give>();
  }

  /// Waits for this side's turn; what the other side wrote does not matter.
  Next<State::Own> ack() && requires(S == State::Wait) {
    await();
    return next<State::Own>();
  }

  /// The other side's turn again, with packets as they are.
  Next<State::Wait> pass() && requires(S == State::Give) {
    if (ok())
      On->give(C);
    return next<State::Wait>();
  }

  /// Sends source(lane), a Bytes, of each lane: sizes may differ. Each turn
  /// moves what fits into a packet, until the longest has been sent.
  template <class F>
      Next<State::Wait> send_n(F &&Source) && requires(S != State::Wait) {
    bool More = false;
    auto Sent = static_cast<Port &&>(*this).send([&](Packet &P, uint32_t L) {
      Bytes B = Source(L);
      __builtin_memcpy(P.Bytes, &B.Size, 8);
      copy(P.Bytes + 8, B.Data, B.Size < First ? B.Size : First);
      More |= B.Size > First;
    });
    const uint64_t Mask = Sent.mask();
    for (uint64_t Offset = First; Lanes::any(Mask, More);
         Offset += sizeof(Packet)) {
      More = false;
      Sent = static_cast<decltype(Sent) &&>(Sent).ack().send(
          [&](Packet &P, uint32_t L) {
            Bytes B = Source(L);
            if (B.Size <= Offset)
              return;
            uint64_t Left = B.Size - Offset;
            copy(P.Bytes, static_cast<const char *>(B.Data) + Offset,
                 Left < sizeof(Packet) ? Left : sizeof(Packet));
            More |= Left > sizeof(Packet);
          });
    }
    return Sent;
  }

  /// Receives what send_n sends: sink(lane, size) says where a lane's bytes go,
  /// null for nowhere.
  template <class F>
      Next<State::Give> recv_n(F &&Sink) && requires(S == State::Wait) {
    typename Lanes::template PerLane<char *> To;
    typename Lanes::template PerLane<uint64_t> Size;
    bool More = false;
    auto Got = static_cast<Port &&>(*this).recv([&](Packet &P, uint32_t L) {
      __builtin_memcpy(&Size[L], P.Bytes, 8);
      To[L] = static_cast<char *>(Sink(L, Size[L]));
      if (To[L])
        copy(To[L], P.Bytes + 8, Size[L] < First ? Size[L] : First);
      More |= Size[L] > First;
    });
    const uint64_t Mask = Got.mask();
    for (uint64_t Offset = First; Lanes::any(Mask, More);
         Offset += sizeof(Packet)) {
      More = false;
      Got = static_cast<decltype(Got) &&>(Got).pass().recv(
          [&](Packet &P, uint32_t L) {
            if (Size[L] <= Offset)
              return;
            uint64_t Left = Size[L] - Offset;
            if (To[L])
              copy(To[L] + Offset, P.Bytes,
                   Left < sizeof(Packet) ? Left : sizeof(Packet));
            More |= Left > sizeof(Packet);
          });
    }
    return Got;
  }

  /// Goes on with the lanes for which pred(lane); the others get an empty port
  /// and are done with the call. With no lanes left it ends.
  template <class F> Port keep(F &&Pred) && {
    uint64_t Kept = Lanes::select(C.Mask, Pred);
    if (!Kept) {
      drop();
      return Port();
    }
    if (Kept == C.Mask)
      return static_cast<Port &&>(*this);
    C.Number = Lanes::broadcast(C.Mask, C.Number);
    C.Mask = Kept;
    C.Narrowed = true;
    Port Rest(Lanes::among(Kept) ? On : nullptr, C);
    On = nullptr;
    return Rest;
  }

  /// Ends the call; the same as dropping the port.
  void close() && { drop(); }

private:
  static constexpr uint64_t First = sizeof(Packet) - 8; ///< beside the size

  template <State T> Next<T> next() {
    Next<T> P(On, C);
    On = nullptr;
    return P;
  }
  void await() {
    if (ok())
      C.Status = On->await(C);
  }
  void drop() {
    if (On)
      On->close(C);
    On = nullptr;
  }
  static void copy(void *To, const void *From, uint64_t Size) {
    if (Size == sizeof(Packet))
      __builtin_memcpy(To, From, sizeof(Packet));
    else
      __builtin_memcpy(To, From, Size);
  }

  const Side *On = nullptr;
  Call C;
};

} // namespace xcc::rpc
#endif // XCC_RPC_PORT_H
