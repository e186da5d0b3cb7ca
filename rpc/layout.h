// The memory that a client and a server share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout for any number of ports and lanes. With W = ceil(ports/32) words
// of 32 ports, the memory is equivalent to
//
//   struct Shared {
//     Control  control;                          256 bytes
//     uint32_t client_bits[W];   written only by the client     } each padded
//     uint64_t server_bits[W];   written only by the server     } to 128 bytes
//     uint64_t leases[W];        the process that has the ports }
//     struct {
//       PortHeader header;                        64 bytes
//       Packet     packets[lanes];           64 bytes each
//     } port[ports];
//   };
//
// All zero is the initial state, so nothing has to be set up. The two bits of a
// port say whose turn it is:
//
//     client bit == server bit   the client's: it may fill the packets
//     client bit != server bit   the server's: it may read the packets
//
// Each side hands the port over by flipping its own bit. The upper halves of
// the server's words mark ports whose PortHeader::answer is not Ok, so that one
// load tells a client that it has an answer and that the call succeeded.
//
// The client has a second, private block, and so has the server:
//
//   struct Local { uint32_t lock[W], out[W]; PortLocal port[ports]; };
//
// In it, a side's own threads compete for ports. A GPU keeps it in its own
// memory, so that locks never cross the bus.

#ifndef XCC_RPC_LAYOUT_H
#define XCC_RPC_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

namespace xcc::rpc {

/// Incremented when anything in this file changes.
inline constexpr uint32_t LayoutVersion = 1;
inline constexpr uint32_t MaxPorts = 4096;
inline constexpr uint32_t MaxLanes = 64;
inline constexpr uint32_t PortsPerWord = 32;

/// The data that one lane moves per turn.
struct alignas(8) Packet {
  unsigned char bytes[64];
};
static_assert(sizeof(Packet) == 64);

/// The server's answer, in PortHeader::answer.
enum class Answer : uint32_t {
  Ok = 0,
  NoSuchOpcode = 1, ///< the opcode is not registered
  Closed = 2,       ///< the other side has ended the call
  BadMessage = 3,   ///< no lanes, or sizes beyond the server's limits
};

/// The operation that a call requests. 0 is none; 1 to 0x7fff are xcc's own.
/// Each vendor has a range of 65536, so that libraries do not collide.
using Opcode = uint32_t;
inline constexpr Opcode FirstUserOpcode = 0x8000;
constexpr Opcode userOpcode(uint16_t vendor, uint16_t number) {
  return uint32_t(vendor) << 16 | number;
}

/// One cache line. All accesses are relaxed atomics.
struct PortHeader {
  uint64_t mask;         ///< the lanes that have packets
  Opcode op;             ///< set with mask and call by the client, in its turn
  uint32_t call;         ///< the number of the call on this port, from 1
  uint32_t closed;       ///< set by the client: the last call it has closed
  uint32_t answer;       ///< set by the server, in its turn
  uint32_t clientSleeps; ///< futex: 1 while the client waits for its turn
  uint32_t serverSleeps; ///< futex: 1 while the server waits for its turn
  uint32_t unused[8];
};
static_assert(sizeof(PortHeader) == 64);

/// One cache line for each purpose. During calls, both sides read serverSleeps
/// and portWaiters; these are written only when a thread falls asleep.
struct Control {
  // Written once by the server, for clients that only have the memory.
  uint32_t version, ports, lanes, flags;
  uint32_t unused0[12];
  // The server sleeps on doorbell while serverSleeps is 1. Among threads, the
  // one that resets serverSleeps to 0 rings. Processes always ring, because the
  // one that resets it may be killed before it rings.
  uint32_t serverSleeps, doorbell;
  uint32_t unused1[14];
  // portWaiters client threads sleep on wakePortWaiter.
  uint32_t portWaiters, wakePortWaiter;
  uint32_t unused2[14];
  // Set by a process that found no free lease: look for dead processes.
  uint32_t reclaimRequested;
  uint32_t unused3[15];
};
static_assert(sizeof(Control) == 256 && offsetof(Control, serverSleeps) == 64 &&
              offsetof(Control, portWaiters) == 128);

/// A bit of Control::flags: futexes are shared between processes.
inline constexpr uint32_t ProcessShared = 1;

/// A side's private state of a port, guarded by the port's lock.
struct PortLocal {
  uint32_t call;     ///< client: the last call opened; server: the last ended
  uint16_t slow;     ///< client: how often spinning here was in vain
  unsigned char out; ///< client: its bit
  unsigned char unanswered; ///< client: closed in the server's turn
                            ///< server: its answer was not Ok
};
static_assert(sizeof(PortLocal) == 8);

/// The offsets for given numbers of ports and lanes.
struct Layout {
  uint32_t portCount, laneCount;

  constexpr bool valid() const {
    return portCount >= 1 && portCount <= MaxPorts && laneCount >= 1 &&
           laneCount <= MaxLanes;
  }
  constexpr uint32_t words() const {
    return (portCount + PortsPerWord - 1) / PortsPerWord;
  }
  constexpr size_t clientBits() const { return sizeof(Control); }
  constexpr size_t serverBits() const {
    return clientBits() + padded(words() * 4);
  }
  constexpr size_t leases() const { return serverBits() + padded(words() * 8); }
  constexpr size_t ports() const { return leases() + padded(words() * 8); }
  constexpr size_t portBytes() const {
    return sizeof(PortHeader) + laneCount * sizeof(Packet);
  }
  constexpr size_t size() const { return ports() + portCount * portBytes(); }

  // The private block
  constexpr size_t localPorts() const { return words() * 8; }
  constexpr size_t localSize() const {
    return localPorts() + portCount * sizeof(PortLocal);
  }

private:
  static constexpr size_t padded(size_t bytes) {
    return (bytes + 127) / 128 * 128;
  }
};

// Ports of this file to other languages can check these numbers.
static_assert(Layout{1, 1}.size() == 256 + 3 * 128 + 64 + 64);
static_assert(Layout{64, 32}.ports() == 640);
static_assert(Layout{MaxPorts, 64}.serverBits() == 256 + 512);
static_assert(Layout{MaxPorts, 64}.ports() == 256 + 512 + 2 * 1024);
static_assert(Layout{40, 1}.localSize() == 2 * 2 * 4 + 40 * 8);

/// The settings of a program that contains a client. The runtime writes one
/// into each image, or passes it another way.
struct ClientDescriptor {
  uint64_t shared; ///< the device's address of the shared memory
  uint64_t local;  ///< the address of Layout::localSize() zeroed private bytes
  uint32_t ports, lanes;
};
static_assert(sizeof(ClientDescriptor) == 24);

} // namespace xcc::rpc
#endif // XCC_RPC_LAYOUT_H
