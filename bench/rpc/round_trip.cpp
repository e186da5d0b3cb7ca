// What a call costs beside other ways to call
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Round trips of 64 bytes there and back between 1 to 64 client threads and a
// server thread, through
//
//   rpc       a port of libxcc-rpc; the answer comes from a C callback
//   mailbox   one slot under a mutex, a word to wait on for each side; it waits
//             as rpc does: spins, yields now and then, sleeps on a futex
//   futex     the same without spinning
//   socket    a Unix socket pair per client, the server in epoll
//
// and the floor: two pinned threads that pass a cache line to and fro. All take
// turns, and each is given its best turn: other work on the machine costs most
// turns something.
//
//   round_trip [MILLISECONDS-PER-MEASUREMENT [ROUNDS]]

#include "../../rpc/protocol.h"
#include "xcc/rpc.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace xcc::rpc;
using Clock = std::chrono::steady_clock;

static double seconds(Clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

/// Starts threads, each of which calls once() until the time is up; round trips
/// per second.
template <class F>
static double measure(unsigned threads, double time, F &&makeCall) {
  std::atomic<bool> go{false}, stop{false};
  std::atomic<uint64_t> calls{0};
  std::vector<std::thread> clients;
  for (unsigned i = 0; i != threads; ++i)
    clients.emplace_back([&, i] {
      auto once = makeCall(i);
      go.wait(false);
      uint64_t count = 0;
      for (; !stop.load(std::memory_order_relaxed); ++count)
        once();
      calls += count;
    });
  auto start = Clock::now();
  go = true;
  go.notify_all();
  std::this_thread::sleep_for(std::chrono::duration<double>(time));
  stop = true;
  for (auto &c : clients)
    c.join();
  return double(calls) / seconds(Clock::now() - start);
}

static void check(bool good, const char *what) {
  if (!good) {
    fprintf(stderr, "round_trip: %s\n", what);
    exit(1);
  }
}

static double viaRpc(unsigned threads, double time) {
  xcc_rpc_server_options o = {};
  o.size = sizeof o;
  o.ports = std::max(threads, 1u);
  o.lanes = 1;
  o.flags = XCC_RPC_CLIENTS_WAKE;
  xcc_rpc_server *server;
  check(!xcc_rpc_server_create(&o, &server), "no server");
  xcc_rpc_server_register(
      server, XCC_RPC_OPCODE(1, 1),
      [](xcc_rpc_port *port, void *) {
        xcc_rpc_recv_and_send(
            port,
            [](void *packet, uint32_t, void *) {
              ++*static_cast<uint64_t *>(packet);
            },
            nullptr);
      },
      nullptr);
  xcc_rpc_server_start(server);
  xcc_rpc_client_info info;
  xcc_rpc_server_client(server, &info);
  std::vector<uint64_t> local(info.local_size / 8 + 1);
  Client<> c(View(info.shared, local.data(), {info.ports, info.lanes}));
  double rate = measure(threads, time, [&](unsigned i) {
    return [&c, n = uint64_t(i)]() mutable {
      uint64_t answer = 0;
      c.open(XCC_RPC_OPCODE(1, 1))
          .send([&](Packet &p, uint32_t) { memcpy(p.bytes, &n, 8); })
          .recv([&](Packet &p, uint32_t) { memcpy(&answer, p.bytes, 8); });
      check(answer == n + 1, "rpc answers wrongly");
      n = answer;
    };
  });
  xcc_rpc_server_destroy(server);
  return rate;
}

/// Request and answer words count up; a side sleeps on the one it waits for.
struct Mailbox {
  alignas(128) uint32_t request = 0;
  uint32_t serverSleeps = 0;
  unsigned char to[64];
  alignas(128) uint32_t reply = 0;
  uint32_t clientSleeps = 0;
  unsigned char from[64];
  alignas(128) std::mutex mutex;
};

static void post(uint32_t &word, uint32_t value, uint32_t &sleeps) {
  __atomic_store_n(&word, value, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&sleeps, __ATOMIC_SEQ_CST))
    futexWake(&word, 1, false);
}

static void awaitChange(uint32_t &word, uint32_t old, uint32_t &sleeps,
                        unsigned spins) {
  for (unsigned i = 0; i != spins; ++i) {
    if (__atomic_load_n(&word, __ATOMIC_ACQUIRE) != old)
      return;
    if (i % 64 == 16)
      yield();
    else
      relax();
  }
  __atomic_store_n(&sleeps, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&word, __ATOMIC_SEQ_CST) == old)
    futexWait(&word, old, false);
  __atomic_store_n(&sleeps, 0, __ATOMIC_SEQ_CST);
}

static double viaMailbox(unsigned threads, double time, unsigned spins) {
  Mailbox m;
  std::atomic<bool> stop{false};
  std::thread server([&] {
    for (uint32_t turn = 0;; ++turn) {
      awaitChange(m.request, turn, m.serverSleeps, spins);
      if (stop)
        return;
      uint64_t n;
      memcpy(m.from, m.to, 64);
      memcpy(&n, m.from, 8);
      ++n;
      memcpy(m.from, &n, 8);
      post(m.reply, turn + 1, m.clientSleeps);
    }
  });
  uint32_t turn = 0;
  double rate = measure(threads, time, [&](unsigned i) {
    return [&, n = uint64_t(i)]() mutable {
      uint64_t answer;
      {
        std::lock_guard guard(m.mutex);
        memcpy(m.to, &n, 8);
        ++turn;
        post(m.request, turn, m.serverSleeps);
        awaitChange(m.reply, turn - 1, m.clientSleeps, spins);
        memcpy(&answer, m.from, 8);
      }
      check(answer == n + 1, "the mailbox answers wrongly");
      n = answer;
    };
  });
  stop = true;
  post(m.request, turn + 1, m.serverSleeps);
  server.join();
  return rate;
}

static double viaSocket(unsigned threads, double time) {
  std::vector<int> ends(2 * threads);
  int poll = epoll_create1(0);
  for (unsigned i = 0; i != threads; ++i) {
    check(!socketpair(AF_UNIX, SOCK_STREAM, 0, &ends[2 * i]), "no sockets");
    epoll_event e = {};
    e.events = EPOLLIN;
    e.data.fd = ends[2 * i + 1];
    epoll_ctl(poll, EPOLL_CTL_ADD, ends[2 * i + 1], &e);
  }
  std::thread server([&] {
    for (unsigned open = threads; open;) {
      epoll_event ready[64];
      int count = epoll_wait(poll, ready, 64, -1);
      for (int i = 0; i < count; ++i) {
        char bytes[64];
        if (read(ready[i].data.fd, bytes, 64) != 64) {
          epoll_ctl(poll, EPOLL_CTL_DEL, ready[i].data.fd, nullptr);
          --open;
          continue;
        }
        uint64_t n;
        memcpy(&n, bytes, 8);
        ++n;
        memcpy(bytes, &n, 8);
        check(write(ready[i].data.fd, bytes, 64) == 64, "write");
      }
    }
  });
  double rate = measure(threads, time, [&](unsigned i) {
    return [socket = ends[2 * i], n = uint64_t(i)]() mutable {
      char bytes[64] = {};
      memcpy(bytes, &n, 8);
      check(write(socket, bytes, 64) == 64, "write");
      check(read(socket, bytes, 64) == 64, "read");
      memcpy(&n, bytes, 8);
    };
  });
  for (unsigned i = 0; i != threads; ++i)
    shutdown(ends[2 * i], SHUT_RDWR);
  server.join();
  for (int end : ends)
    close(end);
  close(poll);
  return rate;
}

static void pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/// One line each way, and nothing else; round trips per second.
static double floorRate(double time) {
  alignas(128) static std::atomic<uint32_t> there, back;
  there = back = 0;
  std::thread other([&] {
    pin(1);
    for (uint32_t i = 1;; ++i) {
      uint32_t seen;
      while ((seen = there.load(std::memory_order_acquire)) < i)
        relax();
      if (seen == ~0u)
        return;
      back.store(i, std::memory_order_release);
    }
  });
  uint32_t count = 0;
  std::thread one([&] {
    pin(0);
    for (auto start = Clock::now(); seconds(Clock::now() - start) < time;)
      for (unsigned k = 0; k != 1000; ++k) {
        there.store(++count, std::memory_order_release);
        while (back.load(std::memory_order_acquire) != count)
          relax();
      }
  });
  auto start = Clock::now();
  one.join();
  double rate = count / seconds(Clock::now() - start);
  there = ~0u;
  other.join();
  return rate;
}

static double best(const std::vector<double> &rates) {
  return *std::max_element(rates.begin(), rates.end());
}

int main(int count, char **arguments) {
  double time = (count > 1 ? atof(arguments[1]) : 50) / 1000;
  unsigned rounds = count > 2 ? unsigned(atoi(arguments[2])) : 20;
  xcc_rpc_init();
  const bool twoCpus = std::thread::hardware_concurrency() > 1;
  std::vector<double> floor;
  for (unsigned r = 0; twoCpus && r != rounds; ++r)
    floor.push_back(floorRate(time));
  if (twoCpus)
    printf("floor (one line each way): %.0f ns\n", 1e9 / best(floor));
  printf("%7s | %9s %9s %9s %9s | %s\n", "clients", "rpc", "mailbox", "futex",
         "socket", "1000 round trips/s; rpc against each");
  for (unsigned threads : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
    std::vector<double> rates[4];
    for (unsigned r = 0; r != rounds; ++r) {
      rates[0].push_back(viaRpc(threads, time));
      rates[1].push_back(viaMailbox(threads, time, 1024));
      rates[2].push_back(viaMailbox(threads, time, 0));
      rates[3].push_back(viaSocket(threads, time));
    }
    double m[4];
    for (unsigned i = 0; i != 4; ++i)
      m[i] = best(rates[i]);
    printf("%7u | %9.1f %9.1f %9.1f %9.1f | %.2fx %.2fx %.2fx", threads,
           m[0] / 1e3, m[1] / 1e3, m[2] / 1e3, m[3] / 1e3, m[0] / m[1],
           m[0] / m[2], m[0] / m[3]);
    if (threads == 1)
      printf("   round trip: rpc %.0f ns, mailbox %.0f ns", 1e9 / m[0],
             1e9 / m[1]);
    printf("\n");
  }
  xcc_rpc_shutdown();
}
