// What the tests of RPC share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_RPC_SUPPORT_H
#define XCC_TEST_RPC_SUPPORT_H

#include "../../rpc/protocol.h"
#include "xcc/rpc.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define XCC_TEST_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define XCC_TEST_SANITIZED 1
#endif

namespace rpctest {
using namespace xcc::rpc;

/// A count of repetitions, less of them where each costs ten times as much.
inline uint64_t times(uint64_t Count) {
#ifdef XCC_TEST_SANITIZED
  return (Count + 19) / 20;
#else
  return Count;
#endif
}

/// Zeroed memory of a size, aligned as a server wants it.
class Memory {
public:
  explicit Memory(size_t Size)
      : Bytes(
            static_cast<char *>(aligned_alloc(128, (Size + 127) / 128 * 128))) {
    memset(Bytes, 0, Size);
  }
  ~Memory() { free(Bytes); }
  Memory(const Memory &) = delete;
  char *get() const { return Bytes; }

private:
  char *Bytes;
};

/// Both sides of the protocol, without the library.
template <class ClientLanes, class ServerLanes = lanes::Vector<MaxLanes>>
struct Pair {
  Pair(uint32_t Ports, uint32_t Lanes)
      : L{Ports, Lanes}, Shared(L.size()), ClientLocal(L.localSize()),
        ServerLocal(L.localSize()), C(View(Shared.get(), ClientLocal.get(), L)),
        S(View(Shared.get(), ServerLocal.get(), L)) {}
  Layout L;
  Memory Shared, ClientLocal, ServerLocal;
  Client<ClientLanes> C;
  Server<ServerLanes> S;
};

/// A server of the library that frees what it has.
class TestServer {
public:
  explicit TestServer(xcc_rpc_server_options Options = {}) {
    Options.size = sizeof Options;
    Options.ports = Options.ports ? Options.ports : 64;
    Options.lanes = Options.lanes ? Options.lanes : 1;
    if (!Options.flags)
      Options.flags = XCC_RPC_CLIENTS_WAKE;
    EXPECT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
    EXPECT_EQ(xcc_rpc_server_create(&Options, &Handle), XCC_RPC_SUCCESS);
    EXPECT_EQ(xcc_rpc_server_client(Handle, &Info), XCC_RPC_SUCCESS);
    Local = std::make_unique<Memory>(Info.local_size);
  }
  ~TestServer() {
    xcc_rpc_server_destroy(Handle);
    EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
  }
  TestServer(const TestServer &) = delete;

  operator xcc_rpc_server *() const { return Handle; }
  View view() const {
    return View(Info.shared, Local->get(), {Info.ports, Info.lanes});
  }
  template <class Lanes = lanes::Native> Client<Lanes> client() const {
    return Client<Lanes>(view());
  }
  void start() { EXPECT_EQ(xcc_rpc_server_start(Handle), XCC_RPC_SUCCESS); }
  void stop() { EXPECT_EQ(xcc_rpc_server_stop(Handle), XCC_RPC_SUCCESS); }
  void on(Opcode Op, xcc_rpc_callback Function, void *User = nullptr) {
    EXPECT_EQ(xcc_rpc_server_register(Handle, Op, Function, User),
              XCC_RPC_SUCCESS);
  }

  xcc_rpc_server *Handle = nullptr;
  xcc_rpc_client_info Info;

private:
  std::unique_ptr<Memory> Local;
};

inline uint64_t number(const Packet &P) {
  uint64_t N;
  memcpy(&N, P.Bytes, 8);
  return N;
}
inline void setNumber(Packet &P, uint64_t N) { memcpy(P.Bytes, &N, 8); }

/// The callback of most tests: adds one.
inline void addOne(xcc_rpc_port *Port, void *) {
  xcc_rpc_recv_and_send(
      Port,
      [](void *Bytes, uint32_t, void *) {
        Packet &P = *static_cast<Packet *>(Bytes);
        setNumber(P, number(P) + 1);
      },
      nullptr);
}

/// Sends each lane's stream back.
inline void echo(xcc_rpc_port *Port, void *) {
  void *Data[64] = {};
  uint64_t Sizes[64] = {};
  auto allocate = [](uint64_t Size, uint32_t, void *) {
    return malloc(Size + 1);
  };
  if (!xcc_rpc_recv_n(Port, Data, Sizes, allocate, nullptr))
    xcc_rpc_send_n(Port, Data, Sizes);
  for (void *D : Data)
    free(D);
}

/// Reverses each lane's bytes.
inline void reverse(xcc_rpc_port *Port, void *) {
  void *Data[64] = {};
  uint64_t Sizes[64] = {};
  auto allocate = [](uint64_t Size, uint32_t, void *) {
    return malloc(Size + 1);
  };
  if (!xcc_rpc_recv_n(Port, Data, Sizes, allocate, nullptr)) {
    for (unsigned L = 0; L != 64; ++L)
      if (auto *Text = static_cast<char *>(Data[L]))
        std::reverse(Text, Text + Sizes[L]);
    xcc_rpc_send_n(Port, Data, Sizes);
  }
  for (void *D : Data)
    free(D);
}

constexpr Opcode Add = userOpcode(7, 1);

/// A round trip of one lane.
template <class C> uint64_t callAdd(const C &From, uint64_t N) {
  uint64_t Answer = 0;
  auto Ended = From.open(Add)
                   .send([&](Packet &P, uint32_t) { setNumber(P, N); })
                   .recv([&](Packet &P, uint32_t) { Answer = number(P); });
  EXPECT_TRUE(Ended.ok());
  return Answer;
}

} // namespace rpctest
#endif // XCC_TEST_RPC_SUPPORT_H
