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
#include <string>
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
inline uint64_t times(uint64_t count) {
#ifdef XCC_TEST_SANITIZED
  return (count + 19) / 20;
#else
  return count;
#endif
}

/// Zeroed memory of a size, aligned as a server wants it.
class Memory {
public:
  explicit Memory(size_t size)
      : bytes(
            static_cast<char *>(aligned_alloc(128, (size + 127) / 128 * 128))) {
    memset(bytes, 0, size);
  }
  ~Memory() { free(bytes); }
  Memory(const Memory &) = delete;
  char *get() const { return bytes; }

private:
  char *bytes;
};

/// Both sides of the protocol, without the library.
template <class ClientLanes, class ServerLanes = lanes::Vector<MaxLanes>>
struct Pair {
  Pair(uint32_t ports, uint32_t lanes)
      : l{ports, lanes}, shared(l.size()), clientLocal(l.localSize()),
        serverLocal(l.localSize()), c(View(shared.get(), clientLocal.get(), l)),
        s(View(shared.get(), serverLocal.get(), l)) {}
  Layout l;
  Memory shared, clientLocal, serverLocal;
  Client<ClientLanes> c;
  Server<ServerLanes> s;
};

/// A server of the library that frees what it has.
class TestServer {
public:
  explicit TestServer(xcc_rpc_server_options options = {}) {
    options.size = sizeof options;
    options.ports = options.ports ? options.ports : 64;
    options.lanes = options.lanes ? options.lanes : 1;
    if (!options.flags)
      options.flags = XCC_RPC_CLIENTS_WAKE;
    EXPECT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
    EXPECT_EQ(xcc_rpc_server_create(&options, &handle), XCC_RPC_SUCCESS);
    EXPECT_EQ(xcc_rpc_server_client(handle, &info), XCC_RPC_SUCCESS);
    local = std::make_unique<Memory>(info.local_size);
  }
  ~TestServer() {
    xcc_rpc_server_destroy(handle);
    EXPECT_EQ(xcc_rpc_shutdown(), XCC_RPC_SUCCESS);
  }
  TestServer(const TestServer &) = delete;

  operator xcc_rpc_server *() const { return handle; }
  View view() const {
    return View(info.shared, local->get(), {info.ports, info.lanes});
  }
  template <class Lanes = lanes::Native> Client<Lanes> client() const {
    return Client<Lanes>(view());
  }
  void start() { EXPECT_EQ(xcc_rpc_server_start(handle), XCC_RPC_SUCCESS); }
  void stop() { EXPECT_EQ(xcc_rpc_server_stop(handle), XCC_RPC_SUCCESS); }
  void on(Opcode op, xcc_rpc_callback function, void *user = nullptr) {
    EXPECT_EQ(xcc_rpc_server_register(handle, op, function, user),
              XCC_RPC_SUCCESS);
  }

  xcc_rpc_server *handle = nullptr;
  xcc_rpc_client_info info;

private:
  std::unique_ptr<Memory> local;
};

inline uint64_t number(const Packet &p) {
  uint64_t n;
  memcpy(&n, p.bytes, 8);
  return n;
}
inline void setNumber(Packet &p, uint64_t n) { memcpy(p.bytes, &n, 8); }

/// The callback of most tests: adds one.
inline void addOne(xcc_rpc_port *port, void *) {
  xcc_rpc_recv_and_send(
      port,
      [](void *bytes, uint32_t, void *) {
        Packet &p = *static_cast<Packet *>(bytes);
        setNumber(p, number(p) + 1);
      },
      nullptr);
}

/// Sends each lane's stream back.
inline void echo(xcc_rpc_port *port, void *) {
  void *data[64] = {};
  uint64_t sizes[64] = {};
  auto allocate = [](uint64_t size, uint32_t, void *) {
    return malloc(size + 1);
  };
  if (!xcc_rpc_recv_n(port, data, sizes, allocate, nullptr))
    xcc_rpc_send_n(port, data, sizes);
  for (void *d : data)
    free(d);
}

/// Reverses each lane's bytes.
inline void reverse(xcc_rpc_port *port, void *) {
  void *data[64] = {};
  uint64_t sizes[64] = {};
  auto allocate = [](uint64_t size, uint32_t, void *) {
    return malloc(size + 1);
  };
  if (!xcc_rpc_recv_n(port, data, sizes, allocate, nullptr)) {
    for (unsigned l = 0; l != 64; ++l)
      if (auto *text = static_cast<char *>(data[l]))
        std::reverse(text, text + sizes[l]);
    xcc_rpc_send_n(port, data, sizes);
  }
  for (void *d : data)
    free(d);
}

constexpr Opcode Add = userOpcode(7, 1);

/// A round trip of one lane.
template <class C> uint64_t callAdd(const C &from, uint64_t n) {
  uint64_t answer = 0;
  auto ended = from.open(Add)
                   .send([&](Packet &p, uint32_t) { setNumber(p, n); })
                   .recv([&](Packet &p, uint32_t) { answer = number(p); });
  EXPECT_TRUE(ended.ok());
  return answer;
}

/// Eight threads that call at once, each with numbers of its own.
template <class C> void callFromThreads(const C &from) {
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t != 8; ++t)
    threads.emplace_back([&, t] {
      for (uint64_t i = 0, e = times(4000); i != e; ++i)
        ASSERT_EQ(callAdd(from, t << 32 | i), (t << 32 | i) + 1);
    });
  for (auto &t : threads)
    t.join();
}

/// Sends N lanes' texts, textOf(seed, lane), to a server that sends each back
/// to front.
template <uint32_t N, class C, class F>
void callReverse(const C &from, uint64_t seeds, F textOf) {
  for (uint64_t seed = 0; seed != seeds; ++seed) {
    std::string sent[N], got[N];
    for (uint32_t l = 0; l != N; ++l)
      sent[l] = textOf(seed, l);
    auto ended = from.open(Add)
                     .send_n([&](uint32_t l) {
                       return Bytes{sent[l].data(), sent[l].size()};
                     })
                     .recv_n([&](uint32_t l, uint64_t size) {
                       got[l].resize(size);
                       return got[l].data();
                     });
    ASSERT_TRUE(ended.ok());
    for (uint32_t l = 0; l != N; ++l) {
      std::reverse(got[l].begin(), got[l].end());
      ASSERT_EQ(got[l], sent[l]) << "lane " << l << ", seed " << seed;
    }
  }
}

} // namespace rpctest
#endif // XCC_TEST_RPC_SUPPORT_H
