// The calling side
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening a port costs one atomic operation on private memory: the lock. A call
// that waited for its last answer leaves the port in the client's turn, so the
// next call can use it without a check. Other calls mark the port as owing.
//
// Waiting: a GPU can only poll. A thread of the CPU device spins as long as
// spinning was worthwhile on this port lately, then sleeps on a futex in the
// port's header. The sleeper and the waker each write their own word and then
// read the other's (PortHeader::clientSleeps and the bit), so at least one of
// them sees the other. The server's sleep, and the sleep of threads without a
// port, work the same way.

#ifndef XCC_RPC_CLIENT_H
#define XCC_RPC_CLIENT_H

#include "atomics.h"
#include "lanes.h"
#include "port.h"
#include "view.h"

namespace xcc::rpc {

/// Wakes a thread that waits for a port, if there is one. Processes have
/// separate ports, so if memory is shared between processes, all waiting
/// threads wake.
template <class Lanes> inline void wakePortWaiter(const View &v) {
  Control &c = v.control();
  if (!atomic::loadStrong(&c.portWaiters))
    return;
  bool shared = atomic::load(&c.flags) & ProcessShared;
  atomic::addStrong(&c.wakePortWaiter, 1);
  Lanes::wake(&c.wakePortWaiter, shared ? 0x7fffffff : 1, shared);
}

/// Wakes the thread that sleeps on a flag of a header.
template <class Lanes> inline void wakeSleeper(const View &v, uint32_t *flag) {
  if (atomic::loadStrong(flag) && atomic::exchangeStrong(flag, 0))
    Lanes::wake(flag, 1, atomic::load(&v.control().flags) & ProcessShared);
}

template <class Lanes = lanes::Native> class Client {
public:
  using LanesOf = Lanes;
  template <State S> using Port = rpc::Port<Client, S>;

  constexpr Client() = default;
  /// Uses the ports of \p words words from \p firstWord on; by default all
  /// ports.
  explicit Client(View v, uint32_t firstWord = 0, uint32_t words = ~0u)
      : v(v), firstWord(firstWord),
        words(words < v.l.words() - firstWord ? words
                                              : v.l.words() - firstWord) {}
  explicit Client(const ClientDescriptor &d)
      : Client(View(reinterpret_cast<void *>(d.shared),
                    reinterpret_cast<void *>(d.local),
                    Layout{d.ports, d.lanes})) {}

  /// Opens a port for the lanes of \p mask; waits until one is free. The client
  /// must outlive the port.
  [[nodiscard]] Port<State::Own> open(Opcode op,
                                      uint64_t mask = Lanes::active()) const & {
    uint32_t found = 0;
    Call c;
    c.mask = mask;
    if (Lanes::first(mask)) {
      uint32_t index = takePort();
      PortLocal &mine = v.local(index);
      c.number = ++mine.call;
      PortHeader &h = v.header(index);
      atomic::store(&h.mask, mask);
      atomic::store(&h.op, op);
      atomic::store(&h.call, c.number);
      found = index | uint32_t(mine.out) << 31;
    }
    found = Lanes::broadcast(mask, found);
    c.port = found & 0x7fffffff;
    c.out = found >> 31;
    return Port<State::Own>(this, c);
  }
  template <Opcode Op> [[nodiscard]] Port<State::Own> open() const & {
    return open(Op);
  }
  void open(Opcode, uint64_t = 0) && = delete;

  const View &view() const { return v; }

private:
  template <class, State> friend class rpc::Port;

  Packet *packets(const Call &c) const { return v.packets(c.port); }
  Opcode opcode(const Call &c) const {
    return atomic::load(&v.header(c.port).op);
  }

  void give(Call &c) const {
    Lanes::sync(c.mask);
    if (Lanes::first(c.mask)) {
      PortHeader &h = v.header(c.port);
      if (c.narrowed)
        atomic::store(&h.mask, c.mask);
      atomic::publish(v.clientBits() + View::word(c.port),
                      atomic::flip(View::bit(c.port), c.out));
      if constexpr (Lanes::CanSleep) {
        wakeSleeper<Lanes>(v, &h.serverSleeps);
        ring();
      }
    }
    c.narrowed = false;
    c.out = !c.out;
    c.mine = false;
  }

  /// Wakes the server if it sleeps between calls. Among threads of one process,
  /// only the first one wakes it. Processes always do, because a process could
  /// be killed before it has done it.
  void ring() const {
    Control &c = v.control();
    if (!atomic::loadStrong(&c.serverSleeps))
      return;
    bool shared = atomic::load(&c.flags) & ProcessShared;
    if (!shared && !atomic::exchangeStrong(&c.serverSleeps, 0))
      return;
    atomic::addStrong(&c.doorbell, 1);
    Lanes::wake(&c.doorbell, 1, shared);
  }

  Answer await(Call &c) const {
    const uint64_t *word = v.serverBits() + View::word(c.port);
    const uint32_t shift = c.port % PortsPerWord;
    // Bit 0: whose turn it is; bit 1: there is an answer to read.
    auto look = [&](uint64_t bits) {
      bits >>= shift;
      return uint32_t(bits & 1) | uint32_t(bits >> 31 & 2);
    };
    uint32_t seen;
    if constexpr (Lanes::CanSleep)
      seen = sleepUntil(c, word, look);
    else
      while (((seen = Lanes::broadcast(c.mask, look(atomic::load(word)))) &
              1) != c.out)
        Lanes::pause();
    atomic::acquire(word);
    c.mine = true;
    if (!(seen & 2))
      return Answer::Ok;
    return Answer(
        Lanes::broadcast(c.mask, atomic::load(&v.header(c.port).answer)));
  }

  template <class F>
  uint32_t sleepUntil(Call &c, const uint64_t *word, F look) const {
    uint32_t seen;
    auto mine = [&](uint64_t bits) {
      seen = look(bits);
      return (seen & 1) == uint32_t(c.out);
    };
    PortLocal &local = v.local(c.port);
    for (uint32_t i = 1, e = MostSpins >> local.slow; i <= e; ++i) {
      if (mine(atomic::load(word))) {
        local.slow -= local.slow != 0;
        return seen;
      }
      // A server that is running answers before the first yield.
      if (i == FirstYield)
        (void)Lanes::willWait();
      if (i % SpinsBetweenYields == FirstYield)
        Lanes::yield();
      else
        Lanes::pause();
    }
    local.slow += local.slow < SlowLimit;
    PortHeader &h = v.header(c.port);
    bool shared = atomic::load(&v.control().flags) & ProcessShared;
    while (true) {
      atomic::exchangeStrong(&h.clientSleeps, 1);
      if (mine(atomic::loadStrong(word)))
        break;
      if (Lanes::willWait())
        continue;
      Lanes::sleep(&h.clientSleeps, 1, shared);
    }
    atomic::store(&h.clientSleeps, 0u);
    return seen;
  }

  void close(Call &c) const {
    Lanes::sync(c.mask);
    if (!Lanes::first(c.mask))
      return;
    PortHeader &h = v.header(c.port);
    PortLocal &mine = v.local(c.port);
    atomic::store(&h.closed, c.number);
    mine.out = c.out;
    mine.unanswered = !c.mine;
    atomic::unlock(v.lock() + View::word(c.port), View::bit(c.port));
    if constexpr (Lanes::CanSleep) {
      wakeSleeper<Lanes>(v, &h.serverSleeps);
      wakePortWaiter<Lanes>(v);
    }
  }

  /// Returns true if the server has had its turn.
  bool settled(uint32_t index, bool out) const {
    const uint64_t *word = v.serverBits() + View::word(index);
    uint64_t bits =
        Lanes::CanSleep ? atomic::loadStrong(word) : atomic::load(word);
    if (bool(bits >> index % PortsPerWord & 1) != out)
      return false;
    atomic::acquire(word);
    return true;
  }

  /// Locks a port in the client's turn. Only one lane of a warp calls this, so
  /// it may loop: it waits for other warps and for the server.
  uint32_t takePort() const {
    const uint32_t hint = Lanes::hint();
    for (uint32_t round = 0;; ++round) {
      if (uint32_t port = tryPort(hint); port != None)
        return port;
      if (!Lanes::CanSleep || round < 16) {
        Lanes::pause();
        continue;
      }
      Control &c = v.control();
      atomic::addStrong(&c.portWaiters, 1);
      uint32_t freed = atomic::loadStrong(&c.wakePortWaiter);
      uint32_t port = tryPort(hint);
      if (port == None)
        Lanes::sleep(&c.wakePortWaiter, freed,
                     atomic::load(&c.flags) & ProcessShared);
      atomic::addStrong(&c.portWaiters, ~0u);
      if (port != None)
        return port;
    }
  }

  uint32_t tryPort(uint32_t hint) const {
    // Neighbouring threads start in different words and at different bits.
    uint32_t word = uint32_t(uint64_t(hint * 0x9e3779b9u) * words >> 32);
    const uint32_t turn = hint % PortsPerWord;
    for (uint32_t i = 0; i != words; ++i, ++word) {
      if (word == words)
        word = 0;
      const uint32_t w = firstWord + word;
      uint32_t candidates = v.valid(w);
      while (uint32_t free = candidates & ~atomic::loadLocal(v.lock() + w)) {
        uint32_t late = free >> turn << turn;
        uint32_t bit = late ? late & -late : free & -free;
        if (!atomic::lock(v.lock() + w, bit))
          continue;
        uint32_t index = w * PortsPerWord + uint32_t(__builtin_ctz(bit));
        PortLocal &mine = v.local(index);
        const bool out = mine.out;
        if (!mine.unanswered || settled(index, out)) {
          mine.unanswered = false;
          return index;
        }
        candidates &= ~bit;
        atomic::unlock(v.lock() + w, bit);
        // Meanwhile the server may have settled the port, and other threads
        // skipped it because it was locked.
        if (Lanes::CanSleep && settled(index, out))
          wakePortWaiter<Lanes>(v);
      }
    }
    return None;
  }

  static constexpr uint32_t None = ~0u;
  /// Spinning this long takes about as long as waking a sleeper.
  static constexpr uint32_t MostSpins = 1024;
  static constexpr uint16_t SlowLimit = 6;
  static constexpr uint32_t FirstYield = 16, SpinsBetweenYields = 64;

  View v;
  uint32_t firstWord = 0, words = 0;
};

} // namespace xcc::rpc
#endif // XCC_RPC_CLIENT_H
