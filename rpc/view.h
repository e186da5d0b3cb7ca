// Shared and private memory by name
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers into the two blocks that layout.h describes, and nothing more. The
// sizes come from whoever made the view, never from the memory itself: the
// other side can write to that.

#ifndef XCC_RPC_VIEW_H
#define XCC_RPC_VIEW_H

#include "layout.h"

namespace xcc::rpc {

struct View {
  unsigned char *Shared = nullptr;
  unsigned char *Private = nullptr;
  Layout L{1, 1};

  constexpr View() = default;
  View(void *SharedMemory, void *PrivateMemory, Layout L)
      : Shared(static_cast<unsigned char *>(SharedMemory)),
        Private(static_cast<unsigned char *>(PrivateMemory)), L(L) {}

  static constexpr uint32_t word(uint32_t Port) { return Port / PortsPerWord; }
  static constexpr uint32_t bit(uint32_t Port) {
    return uint32_t(1) << Port % PortsPerWord;
  }
  /// The bits of a word that are ports.
  constexpr uint32_t valid(uint32_t Word) const {
    uint32_t Rest = L.Ports - Word * PortsPerWord;
    return Rest >= PortsPerWord ? ~uint32_t(0) : (uint32_t(1) << Rest) - 1;
  }

  Control &control() const { return *at<Control>(Shared, 0); }
  uint32_t *clientBits() const { return at<uint32_t>(Shared, L.clientBits()); }
  uint64_t *serverBits() const { return at<uint64_t>(Shared, L.serverBits()); }
  uint64_t *leases() const { return at<uint64_t>(Shared, L.leases()); }
  PortHeader &header(uint32_t Port) const {
    return *at<PortHeader>(Shared, L.ports() + Port * L.portBytes());
  }
  Packet *packets(uint32_t Port) const {
    return reinterpret_cast<Packet *>(&header(Port) + 1);
  }
  /// The lanes there are packets for.
  constexpr uint64_t laneMask() const { return ~uint64_t(0) >> (64 - L.Lanes); }

  uint32_t *lock() const { return at<uint32_t>(Private, 0); }
  uint32_t *out() const { return at<uint32_t>(Private, L.words() * 4); }
  PortLocal &local(uint32_t Port) const {
    return at<PortLocal>(Private, L.localPorts())[Port];
  }

private:
  template <class T> static T *at(unsigned char *Base, size_t Offset) {
    return reinterpret_cast<T *>(Base + Offset);
  }
};

} // namespace xcc::rpc
#endif // XCC_RPC_VIEW_H
