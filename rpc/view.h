// Pointers into shared and private memory
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers into the two blocks that layout.h describes. The sizes are those of
// the code that created the view; they are never read from the memory, which
// the other side can write.

#ifndef XCC_RPC_VIEW_H
#define XCC_RPC_VIEW_H

#include "layout.h"

namespace xcc::rpc {

struct View {
  unsigned char *shared = nullptr;
  unsigned char *privateBytes = nullptr;
  Layout l{1, 1};

  constexpr View() = default;
  View(void *sharedMemory, void *privateMemory, Layout l)
      : shared(static_cast<unsigned char *>(sharedMemory)),
        privateBytes(static_cast<unsigned char *>(privateMemory)), l(l) {}

  static constexpr uint32_t word(uint32_t port) { return port / PortsPerWord; }
  static constexpr uint32_t bit(uint32_t port) {
    return uint32_t(1) << port % PortsPerWord;
  }
  /// The bits of a word that stand for existing ports.
  constexpr uint32_t valid(uint32_t word) const {
    uint32_t rest = l.portCount - word * PortsPerWord;
    return rest >= PortsPerWord ? ~uint32_t(0) : (uint32_t(1) << rest) - 1;
  }

  Control &control() const { return *at<Control>(shared, 0); }
  uint32_t *clientBits() const { return at<uint32_t>(shared, l.clientBits()); }
  uint64_t *serverBits() const { return at<uint64_t>(shared, l.serverBits()); }
  uint64_t *leases() const { return at<uint64_t>(shared, l.leases()); }
  PortHeader &header(uint32_t port) const {
    return *at<PortHeader>(shared, l.ports() + port * l.portBytes());
  }
  Packet *packets(uint32_t port) const {
    return reinterpret_cast<Packet *>(&header(port) + 1);
  }
  /// The lanes that have packets.
  constexpr uint64_t laneMask() const {
    return ~uint64_t(0) >> (64 - l.laneCount);
  }

  uint32_t *lock() const { return at<uint32_t>(privateBytes, 0); }
  uint32_t *out() const { return at<uint32_t>(privateBytes, l.words() * 4); }
  PortLocal &local(uint32_t port) const {
    return at<PortLocal>(privateBytes, l.localPorts())[port];
  }

private:
  template <class T> static T *at(unsigned char *base, size_t offset) {
    return reinterpret_cast<T *>(base + offset);
  }
};

} // namespace xcc::rpc
#endif // XCC_RPC_VIEW_H
