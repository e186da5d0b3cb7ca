// The serving side
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The server's half of the protocol: which ports wait for it, claiming one, and
// handing it back. libxcc-rpc adds threads, callbacks and time limits. A device
// or a thread that serves another one can use this class directly:
//
//     while (auto port = server.tryOpen())
//       std::move(port).recv(read).send(answer);
//
// The server keeps what it relies on in its private block: its bits, the locks
// between its threads, and the last call that it ended on each port. It reads
// each value in shared memory once, and no value can make it access memory
// outside the buffer.

#ifndef XCC_RPC_SERVER_H
#define XCC_RPC_SERVER_H

#include "client.h"

namespace xcc::rpc {

/// One thread serves a call for all of its lanes.
template <class Lanes = lanes::Vector<MaxLanes>> class Server {
public:
  using LanesOf = Lanes;
  template <State S> using Port = rpc::Port<Server, S>;

  Server() = default;
  /// Continues where an earlier server of the same memory stopped.
  explicit Server(View v) : v(v) {
    for (uint32_t w = 0; w != v.l.words(); ++w) {
      uint64_t bits = atomic::load(v.serverBits() + w);
      v.out()[w] = uint32_t(bits);
      for (uint32_t i = 0; i != PortsPerWord; ++i)
        if (v.valid(w) >> i & 1)
          v.local(w * PortsPerWord + i).unanswered = bits >> (32 + i) & 1;
    }
  }

  const View &view() const { return v; }

  /// The ports of a word that wait for the server and that no thread has
  /// claimed.
  uint32_t pending(uint32_t word) const {
    uint32_t theirs = atomic::loadStrong(v.clientBits() + word);
    return (theirs ^ atomic::loadLocal(v.out() + word)) & v.valid(word) &
           ~atomic::loadLocal(v.lock() + word);
  }

  /// Claims a pending port. Returns false if it is no longer pending.
  bool claim(uint32_t index) const {
    uint32_t *lock = v.lock() + View::word(index);
    if (!atomic::lock(lock, View::bit(index)))
      return false;
    if (turn(index))
      return true;
    atomic::unlock(lock, View::bit(index));
    return false;
  }

  void release(uint32_t index) const {
    atomic::unlock(v.lock() + View::word(index), View::bit(index));
  }

  /// Whether it is the server's turn on a port that this thread has claimed.
  bool turn(uint32_t index) const {
    const uint32_t *theirs = v.clientBits() + View::word(index);
    if (!((atomic::loadStrong(theirs) ^
           atomic::loadLocal(v.out() + View::word(index))) &
          View::bit(index)))
      return false;
    atomic::acquire(theirs);
    return true;
  }

  /// Whether the client has ended call \p number. Once true, this stays true.
  bool closed(uint32_t index, uint32_t number) const {
    PortHeader &h = v.header(index);
    return atomic::loadStrong(&h.closed) == number ||
           atomic::load(&h.call) != number;
  }

  /// Hands the port to the client.
  void hand(uint32_t index, Answer status) const {
    const uint32_t w = View::word(index), bit = View::bit(index);
    PortHeader &h = v.header(index);
    PortLocal &mine = v.local(index);
    const bool bad = status != Answer::Ok;
    bool set = atomic::flipLocal(v.out() + w, bit) & bit;
    uint64_t delta = atomic::flip(uint64_t(bit), set);
    if (bad)
      atomic::store(&h.answer, uint32_t(status));
    if (bad != bool(mine.unanswered)) {
      delta += atomic::flip(uint64_t(bit) << 32, mine.unanswered);
      mine.unanswered = bad;
    }
    atomic::publish(v.serverBits() + w, delta);
    if constexpr (Lanes::CanSleep) {
      wakeSleeper<Lanes>(v, &h.clientSleeps);
      if (atomic::loadStrong(&h.closed) == atomic::load(&h.call))
        wakePortWaiter<Lanes>(v);
    }
  }

  /// Returns a call that waits for the server, or an empty port. The search
  /// begins at port \p start.
  Port<State::Wait> tryOpen(uint32_t start = 0) const {
    const uint32_t words = v.l.words();
    uint32_t word = View::word(start) % words;
    for (uint32_t i = 0; i != words;
         ++i, word = word + 1 == words ? 0 : word + 1)
      for (uint32_t bits = pending(word); bits; bits &= bits - 1) {
        uint32_t index = word * PortsPerWord + uint32_t(__builtin_ctz(bits));
        if (!claim(index))
          continue;
        Call c;
        c.port = index;
        c.mask = v.laneMask();
        c.number = atomic::load(&v.header(index).call);
        c.mine = false;
        return Port<State::Wait>(this, c);
      }
    return {};
  }

private:
  template <class, State> friend class rpc::Port;

  Packet *packets(const Call &c) const { return v.packets(c.port); }
  Opcode opcode(const Call &c) const {
    return atomic::load(&v.header(c.port).op);
  }
  void give(Call &c) const {
    hand(c.port, Answer::Ok);
    c.mine = false;
  }
  Answer await(Call &c) const {
    while (!turn(c.port)) {
      if (closed(c.port, c.number) && !turn(c.port))
        return Answer::Closed;
      Lanes::pause();
    }
    PortHeader &h = v.header(c.port);
    if (atomic::load(&h.call) != c.number)
      return Answer::Closed; // it is the next call's turn
    c.mine = true;
    c.mask &= atomic::load(&h.mask);
    return Answer::Ok;
  }
  void close(Call &c) const {
    if (c.mine)
      hand(c.port, Answer::Ok);
    release(c.port);
  }

  View v;
};

} // namespace xcc::rpc
#endif // XCC_RPC_SERVER_H
