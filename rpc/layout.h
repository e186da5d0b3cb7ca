// The memory a client and a server share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies where, for any number of ports and lanes. With W = ceil(ports/32)
// words of 32 ports, the memory is equivalent to
//
//   struct Shared {
//     Control  control;                          256 bytes
//     uint32_t client_bits[W];   written by the client alone    } each padded
//     uint64_t server_bits[W];   written by the server alone    } to 128 bytes
//     uint64_t leases[W];        which process has these ports  }
//     struct {
//       PortHeader header;                        64 bytes
//       Packet     packets[lanes];           64 bytes each
//     } port[ports];
//   };
//
// All zero is the initial state: nothing has to be set up and nothing fails
// later. Whose turn a port is follows from its two bits:
//
//     client bit == server bit   the client's: it may fill the packets
//     client bit != server bit   the server's: there is something to read
//
// Each side hands the port over by flipping its own bit. The upper halves of
// the server's words say where PortHeader::Answer is worth reading: a client
// learns from one load that it has an answer and that all is well.
//
// Private to the client, and likewise to the server, is a second block:
//
//   struct Local { uint32_t lock[W], out[W]; PortLocal port[ports]; };
//
// It is where a side's own threads compete for ports. A GPU keeps it in its
// own memory, so that locks never cross the bus.

#ifndef XCC_RPC_LAYOUT_H
#define XCC_RPC_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

namespace xcc::rpc {

/// Counts up when anything in this file changes.
inline constexpr uint32_t LayoutVersion = 1;
inline constexpr uint32_t MaxPorts = 4096;
inline constexpr uint32_t MaxLanes = 64;
inline constexpr uint32_t PortsPerWord = 32;

/// What one lane moves per turn.
struct alignas(8) Packet {
  unsigned char bytes[64];
};
static_assert(sizeof(Packet) == 64);

/// How the server answered; in PortHeader::Answer.
enum class Answer : uint32_t {
  Ok = 0,
  NoSuchOpcode = 1, ///< it is not registered
  Closed = 2,       ///< the other side has ended the call
  BadMessage = 3,   ///< no lanes, or sizes beyond the server's limits
};

/// The operation a call asks for. 0 is none; 1 to 0x7fff are xcc's own; above
/// lie 65536-wide ranges by vendor, so that two libraries do not meet.
using Opcode = uint32_t;
inline constexpr Opcode FirstUserOpcode = 0x8000;
constexpr Opcode userOpcode(uint16_t vendor, uint16_t number) {
  return uint32_t(vendor) << 16 | number;
}

/// One cache line. Everything is read and written by relaxed atomics.
struct PortHeader {
  uint64_t mask;         ///< the lanes whose packets count
  Opcode op;             ///< with mask and call: the client's, in its turn
  uint32_t call;         ///< numbers the calls on this port, from 1
  uint32_t closed;       ///< the client: the last call it has closed
  uint32_t answer;       ///< the server, in its turn
  uint32_t clientSleeps; ///< futex: 1 while the client waits for its turn
  uint32_t serverSleeps; ///< futex: 1 while the server does
  uint32_t unused[8];
};
static_assert(sizeof(PortHeader) == 64);

/// One cache line for each purpose. The two that matter while calls are made
/// are read by both sides and written only when a thread falls asleep.
struct Control {
  // Written once by the server, for clients that have only the memory.
  uint32_t version, ports, lanes, flags;
  uint32_t unused0[12];
  // The server sleeps on doorbell while serverSleeps is 1. Of threads, the one
  // that sets it back to 0 rings; processes all do, since one may be killed.
  uint32_t serverSleeps, doorbell;
  uint32_t unused1[14];
  // portWaiters threads of the client's sleep on portFreed.
  uint32_t portWaiters, portFreed;
  uint32_t unused2[14];
  // Set by a process that found no free lease: look for dead ones.
  uint32_t reclaimWanted;
  uint32_t unused3[15];
};
static_assert(sizeof(Control) == 256 && offsetof(Control, serverSleeps) == 64 &&
              offsetof(Control, portWaiters) == 128);

/// Control::Flags: futexes are shared between processes.
inline constexpr uint32_t ProcessShared = 1;

/// What a side remembers of a port; touched by the thread that holds its lock.
struct PortLocal {
  uint32_t call;       ///< client: the last call opened; server: ended
  uint16_t slow;       ///< client: how often spinning here was in vain
  unsigned char out;   ///< client: its bit
  unsigned char owing; ///< client: closed in the server's turn
                       ///< server: its answer was not Ok
};
static_assert(sizeof(PortLocal) == 8);

/// The offsets for a number of ports and lanes.
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

  // The private block.
  constexpr size_t localPorts() const { return words() * 8; }
  constexpr size_t localSize() const {
    return localPorts() + portCount * sizeof(PortLocal);
  }

private:
  static constexpr size_t padded(size_t bytes) {
    return (bytes + 127) / 128 * 128;
  }
};

// The numbers a port of this to another language can check itself against.
static_assert(Layout{1, 1}.size() == 256 + 3 * 128 + 64 + 64);
static_assert(Layout{64, 32}.ports() == 640);
static_assert(Layout{MaxPorts, 64}.serverBits() == 256 + 512);
static_assert(Layout{MaxPorts, 64}.ports() == 256 + 512 + 2 * 1024);
static_assert(Layout{40, 1}.localSize() == 2 * 2 * 4 + 40 * 8);

/// The settings of a program that contains a client: the runtime writes one of
/// these into each image, or passes it some other way.
struct ClientDescriptor {
  uint64_t shared; ///< address of the shared memory, as the device sees it
  uint64_t local;  ///< address of Layout::localSize() zeroed private bytes
  uint32_t ports, lanes;
};
static_assert(sizeof(ClientDescriptor) == 24);

} // namespace xcc::rpc
#endif // XCC_RPC_LAYOUT_H
