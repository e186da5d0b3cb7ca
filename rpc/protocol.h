// Calls from a device to its host
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole protocol, for host code and for device code of every target.
// Freestanding C++20: no library, no exceptions, no allocation.
//
//   layout.h    the layout of the shared memory, with a drawing
//   view.h      pointers into it
//   port.h      Port: a call in progress, with its state in its type
//   client.h    Client: opens ports
//   server.h    Server: finds and claims ports with calls
//   lanes.h     the threads that call together, for GPUs and for the CPU
//   atomics.h   the atomic operations that work across a bus
//
// docs/rpc.md explains it. The server library with a C interface is
// <xcc/rpc.h>.

#ifndef XCC_RPC_PROTOCOL_H
#define XCC_RPC_PROTOCOL_H

#include "client.h" // IWYU pragma: export
#include "server.h" // IWYU pragma: export

#endif // XCC_RPC_PROTOCOL_H
