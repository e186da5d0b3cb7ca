// Who calls
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening a port costs one atomic operation on private memory: the lock. A
// call that waited for its last answer leaves the port in the client's turn, so
// the next one need not ask. One that did not is remembered as owing.
//
// Waiting. A GPU can only look again. A thread of the CPU device spins as long
// as that has paid on this port lately, then sleeps on a futex in the port's
// header. Sleeper and waker each write their word and then read the other's
// (PortHeader::ClientSleeps and the bit), so one of them sees the other; the
// server's sleep and that of threads without a port work the same way.

#ifndef XCC_RPC_CLIENT_H
#define XCC_RPC_CLIENT_H

#include "atomics.h"
#include "lanes.h"
#include "port.h"
#include "view.h"

namespace xcc::rpc {

/// Wakes a thread that waits for a port, if there is one. Processes each have
/// ports of their own, so there all of them have to look.
template <class Lanes> inline void portFreed(const View &V) {
  Control &C = V.control();
  if (!atomic::loadStrong(&C.PortWaiters))
    return;
  bool Shared = atomic::load(&C.Flags) & ProcessShared;
  atomic::addStrong(&C.PortFreed, 1);
  Lanes::wake(&C.PortFreed, Shared ? 0x7fffffff : 1, Shared);
}

/// Wakes who sleeps on a flag of a header.
template <class Lanes> inline void wakeSleeper(const View &V, uint32_t *Flag) {
  if (atomic::loadStrong(Flag) && atomic::exchangeStrong(Flag, 0))
    Lanes::wake(Flag, 1, atomic::load(&V.control().Flags) & ProcessShared);
}

template <class Lanes = lanes::Native> class Client {
public:
  using LanesOf = Lanes;
  template <State S> using Port = rpc::Port<Client, S>;

  constexpr Client() = default;
  /// Uses the ports of Words words from FirstWord on; all of them by default.
  explicit Client(View V, uint32_t FirstWord = 0, uint32_t Words = ~0u)
      : V(V), FirstWord(FirstWord),
        Words(Words < V.L.words() - FirstWord ? Words
                                              : V.L.words() - FirstWord) {}
  explicit Client(const ClientDescriptor &D)
      : Client(View(reinterpret_cast<void *>(D.Shared),
                    reinterpret_cast<void *>(D.Local),
                    Layout{D.Ports, D.Lanes})) {}

  /// A port for the lanes of Mask; waits until one is free. The client must
  /// outlive the port.
  [[nodiscard]] Port<State::Own> open(Opcode Op,
                                      uint64_t Mask = Lanes::active()) const & {
    uint32_t Found = 0;
    Call C;
    C.Mask = Mask;
    if (Lanes::first(Mask)) {
      uint32_t Index = takePort();
      PortLocal &Mine = V.local(Index);
      C.Number = ++Mine.Call;
      PortHeader &H = V.header(Index);
      atomic::store(&H.Mask, Mask);
      atomic::store(&H.Op, Op);
      atomic::store(&H.Call, C.Number);
      Found = Index | uint32_t(Mine.Out) << 31;
    }
    Found = Lanes::broadcast(Mask, Found);
    C.Port = Found & 0x7fffffff;
    C.Out = Found >> 31;
    return Port<State::Own>(this, C);
  }
  template <Opcode Op> [[nodiscard]] Port<State::Own> open() const & {
    return open(Op);
  }
  void open(Opcode, uint64_t = 0) && = delete;

  const View &view() const { return V; }

private:
  template <class, State> friend class rpc::Port;

  Packet *packets(const Call &C) const { return V.packets(C.Port); }
  Opcode opcode(const Call &C) const {
    return atomic::load(&V.header(C.Port).Op);
  }

  void give(Call &C) const {
    Lanes::sync(C.Mask);
    if (Lanes::first(C.Mask)) {
      PortHeader &H = V.header(C.Port);
      if (C.Narrowed)
        atomic::store(&H.Mask, C.Mask);
      atomic::publish(V.clientBits() + View::word(C.Port),
                      atomic::flip(View::bit(C.Port), C.Out));
      if constexpr (Lanes::CanSleep) {
        wakeSleeper<Lanes>(V, &H.ServerSleeps);
        ring();
      }
    }
    C.Narrowed = false;
    C.Out = !C.Out;
    C.Mine = false;
  }

  /// Wakes the server if it sleeps between calls. Threads leave that to the
  /// first of them; a process could be killed before it has done it.
  void ring() const {
    Control &C = V.control();
    if (!atomic::loadStrong(&C.ServerSleeps))
      return;
    bool Shared = atomic::load(&C.Flags) & ProcessShared;
    if (!Shared && !atomic::exchangeStrong(&C.ServerSleeps, 0))
      return;
    atomic::addStrong(&C.Doorbell, 1);
    Lanes::wake(&C.Doorbell, 1, Shared);
  }

  Answer await(Call &C) const {
    const uint64_t *Word = V.serverBits() + View::word(C.Port);
    const uint32_t Shift = C.Port % PortsPerWord;
    // Bit 0: whose turn it is; bit 1: there is more to read.
    auto look = [&](uint64_t Bits) {
      Bits >>= Shift;
      return uint32_t(Bits & 1) | uint32_t(Bits >> 31 & 2);
    };
    uint32_t Seen;
    if constexpr (Lanes::CanSleep)
      Seen = sleepUntil(C, Word, look);
    else
      while (((Seen = Lanes::broadcast(C.Mask, look(atomic::load(Word)))) &
              1) != C.Out)
        Lanes::pause();
    atomic::acquire(Word);
    C.Mine = true;
    if (!(Seen & 2))
      return Answer::Ok;
    return Answer(
        Lanes::broadcast(C.Mask, atomic::load(&V.header(C.Port).Answer)));
  }

  template <class F>
  uint32_t sleepUntil(Call &C, const uint64_t *Word, F look) const {
    uint32_t Seen;
    auto mine = [&](uint64_t Bits) {
      Seen = look(Bits);
      return (Seen & 1) == uint32_t(C.Out);
    };
    PortLocal &Mine = V.local(C.Port);
    for (uint32_t I = 1, E = MostSpins >> Mine.Slow; I <= E; ++I) {
      if (mine(atomic::load(Word))) {
        Mine.Slow -= Mine.Slow != 0;
        return Seen;
      }
      // A server that runs now answers before the first of these.
      if (I == FirstYield)
        (void)Lanes::willWait();
      if (I % SpinsBetweenYields == FirstYield)
        Lanes::yield();
      else
        Lanes::pause();
    }
    Mine.Slow += Mine.Slow < SlowLimit;
    PortHeader &H = V.header(C.Port);
    bool Shared = atomic::load(&V.control().Flags) & ProcessShared;
    while (true) {
      atomic::exchangeStrong(&H.ClientSleeps, 1);
      if (mine(atomic::loadStrong(Word)))
        break;
      if (Lanes::willWait())
        continue;
      Lanes::sleep(&H.ClientSleeps, 1, Shared);
    }
    atomic::store(&H.ClientSleeps, 0u);
    return Seen;
  }

  void close(Call &C) const {
    Lanes::sync(C.Mask);
    if (!Lanes::first(C.Mask))
      return;
    PortHeader &H = V.header(C.Port);
    PortLocal &Mine = V.local(C.Port);
    atomic::store(&H.Closed, C.Number);
    Mine.Out = C.Out;
    Mine.Owing = !C.Mine;
    atomic::unlock(V.lock() + View::word(C.Port), View::bit(C.Port));
    if constexpr (Lanes::CanSleep) {
      wakeSleeper<Lanes>(V, &H.ServerSleeps);
      portFreed<Lanes>(V);
    }
  }

  /// Has the server had its turn?
  bool settled(uint32_t Index, bool Out) const {
    const uint64_t *Word = V.serverBits() + View::word(Index);
    uint64_t Bits =
        Lanes::CanSleep ? atomic::loadStrong(Word) : atomic::load(Word);
    if (bool(Bits >> Index % PortsPerWord & 1) != Out)
      return false;
    atomic::acquire(Word);
    return true;
  }

  /// Locks a port in the client's turn. By one lane, which may loop: what it
  /// waits for is done by other warps and by the server.
  uint32_t takePort() const {
    const uint32_t Hint = Lanes::hint();
    for (uint32_t Round = 0;; ++Round) {
      if (uint32_t Port = tryPort(Hint); Port != None)
        return Port;
      if (!Lanes::CanSleep || Round < 16) {
        Lanes::pause();
        continue;
      }
      Control &C = V.control();
      atomic::addStrong(&C.PortWaiters, 1);
      uint32_t Freed = atomic::loadStrong(&C.PortFreed);
      uint32_t Port = tryPort(Hint);
      if (Port == None)
        Lanes::sleep(&C.PortFreed, Freed,
                     atomic::load(&C.Flags) & ProcessShared);
      atomic::addStrong(&C.PortWaiters, ~0u);
      if (Port != None)
        return Port;
    }
  }

  uint32_t tryPort(uint32_t Hint) const {
    // Neighbours start in different words, and at different bits of a word.
    uint32_t Word = uint32_t(uint64_t(Hint * 0x9e3779b9u) * Words >> 32);
    const uint32_t Turn = Hint % PortsPerWord;
    for (uint32_t I = 0; I != Words; ++I, ++Word) {
      if (Word == Words)
        Word = 0;
      const uint32_t W = FirstWord + Word;
      uint32_t Candidates = V.valid(W);
      while (uint32_t Free = Candidates & ~atomic::loadLocal(V.lock() + W)) {
        uint32_t Late = Free >> Turn << Turn;
        uint32_t Bit = Late ? Late & -Late : Free & -Free;
        if (!atomic::lock(V.lock() + W, Bit))
          continue;
        uint32_t Index = W * PortsPerWord + uint32_t(__builtin_ctz(Bit));
        PortLocal &Mine = V.local(Index);
        const bool Out = Mine.Out;
        if (!Mine.Owing || settled(Index, Out)) {
          Mine.Owing = false;
          return Index;
        }
        Candidates &= ~Bit;
        atomic::unlock(V.lock() + W, Bit);
        // Somebody may have been told of it while it was locked.
        if (Lanes::CanSleep && settled(Index, Out))
          portFreed<Lanes>(V);
      }
    }
    return None;
  }

  static constexpr uint32_t None = ~0u;
  /// Spinning for as long as it takes to wake a sleeper.
  static constexpr uint32_t MostSpins = 1024;
  static constexpr uint16_t SlowLimit = 6;
  static constexpr uint32_t FirstYield = 16, SpinsBetweenYields = 64;

  View V;
  uint32_t FirstWord = 0, Words = 0;
};

} // namespace xcc::rpc
#endif // XCC_RPC_CLIENT_H
