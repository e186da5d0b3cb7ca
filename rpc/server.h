// Who answers
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The server's half of the protocol: which ports have something for it, taking
// one, handing it back. libxcc-rpc builds threads, callbacks and patience on
// it; a device that serves another one, or a thread that serves another, can
// use it as it is:
//
//     while (auto port = server.tryOpen())
//       std::move(port).recv(read).send(answer);
//
// What the server has to rely on, it keeps in its private block: its bits, the
// locks between its threads, and the last call it ended on each port. From
// shared memory it takes each value once, and none of them can lead it outside
// the buffer.

#ifndef XCC_RPC_SERVER_H
#define XCC_RPC_SERVER_H

#include "client.h"

namespace xcc::rpc {

/// One thread serves a call, for all of its lanes.
template <class Lanes = lanes::Vector<MaxLanes>> class Server {
public:
  using LanesOf = Lanes;
  template <State S> using Port = rpc::Port<Server, S>;

  Server() = default;
  /// Goes on where a server of the same memory left off.
  explicit Server(View V) : V(V) {
    for (uint32_t W = 0; W != V.L.words(); ++W) {
      uint64_t Bits = atomic::load(V.serverBits() + W);
      V.out()[W] = uint32_t(Bits);
      for (uint32_t I = 0; I != PortsPerWord; ++I)
        if (V.valid(W) >> I & 1)
          V.local(W * PortsPerWord + I).Owing = Bits >> (32 + I) & 1;
    }
  }

  const View &view() const { return V; }

  /// The ports of a word that wait for the server and that no thread has.
  uint32_t pending(uint32_t Word) const {
    uint32_t Theirs = atomic::loadStrong(V.clientBits() + Word);
    return (Theirs ^ atomic::loadLocal(V.out() + Word)) & V.valid(Word) &
           ~atomic::loadLocal(V.lock() + Word);
  }

  /// Takes a port out of pending(); false when it is not there any more.
  bool claim(uint32_t Index) const {
    uint32_t *Lock = V.lock() + View::word(Index);
    if (!atomic::lock(Lock, View::bit(Index)))
      return false;
    if (turn(Index))
      return true;
    atomic::unlock(Lock, View::bit(Index));
    return false;
  }

  void release(uint32_t Index) const {
    atomic::unlock(V.lock() + View::word(Index), View::bit(Index));
  }

  /// Is it the server's turn on a port this thread has claimed?
  bool turn(uint32_t Index) const {
    const uint32_t *Theirs = V.clientBits() + View::word(Index);
    if (!((atomic::loadStrong(Theirs) ^
           atomic::loadLocal(V.out() + View::word(Index))) &
          View::bit(Index)))
      return false;
    atomic::acquire(Theirs);
    return true;
  }

  /// Has the client ended call Number? Holds for good once it does.
  bool closed(uint32_t Index, uint32_t Number) const {
    PortHeader &H = V.header(Index);
    return atomic::loadStrong(&H.Closed) == Number ||
           atomic::load(&H.Call) != Number;
  }

  /// The client's turn.
  void hand(uint32_t Index, Answer Status) const {
    const uint32_t W = View::word(Index), Bit = View::bit(Index);
    PortHeader &H = V.header(Index);
    PortLocal &Mine = V.local(Index);
    const bool Bad = Status != Answer::Ok;
    bool Set = atomic::flipLocal(V.out() + W, Bit) & Bit;
    uint64_t Delta = atomic::flip(uint64_t(Bit), Set);
    if (Bad)
      atomic::store(&H.Answer, uint32_t(Status));
    if (Bad != bool(Mine.Owing)) {
      Delta += atomic::flip(uint64_t(Bit) << 32, Mine.Owing);
      Mine.Owing = Bad;
    }
    atomic::publish(V.serverBits() + W, Delta);
    if constexpr (Lanes::CanSleep) {
      wakeSleeper<Lanes>(V, &H.ClientSleeps);
      if (atomic::loadStrong(&H.Closed) == atomic::load(&H.Call))
        portFreed<Lanes>(V);
    }
  }

  /// A call that waits for the server, beginning the search at port Start; an
  /// empty port when there is none.
  Port<State::Wait> tryOpen(uint32_t Start = 0) const {
    const uint32_t Words = V.L.words();
    uint32_t Word = View::word(Start) % Words;
    for (uint32_t I = 0; I != Words;
         ++I, Word = Word + 1 == Words ? 0 : Word + 1)
      for (uint32_t Bits = pending(Word); Bits; Bits &= Bits - 1) {
        uint32_t Index = Word * PortsPerWord + uint32_t(__builtin_ctz(Bits));
        if (!claim(Index))
          continue;
        Call C;
        C.Port = Index;
        C.Mask = V.laneMask();
        C.Number = atomic::load(&V.header(Index).Call);
        C.Mine = false;
        return Port<State::Wait>(this, C);
      }
    return {};
  }

private:
  template <class, State> friend class rpc::Port;

  Packet *packets(const Call &C) const { return V.packets(C.Port); }
  Opcode opcode(const Call &C) const {
    return atomic::load(&V.header(C.Port).Op);
  }
  void give(Call &C) const {
    hand(C.Port, Answer::Ok);
    C.Mine = false;
  }
  Answer await(Call &C) const {
    while (!turn(C.Port)) {
      if (closed(C.Port, C.Number) && !turn(C.Port))
        return Answer::Closed;
      Lanes::pause();
    }
    PortHeader &H = V.header(C.Port);
    if (atomic::load(&H.Call) != C.Number)
      return Answer::Closed; // The turn is the next call's.
    C.Mine = true;
    C.Mask &= atomic::load(&H.Mask);
    return Answer::Ok;
  }
  void close(Call &C) const {
    if (C.Mine)
      hand(C.Port, Answer::Ok);
    release(C.Port);
  }

  View V;
};

} // namespace xcc::rpc
#endif // XCC_RPC_SERVER_H
