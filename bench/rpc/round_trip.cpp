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

static double seconds(Clock::duration D) {
  return std::chrono::duration<double>(D).count();
}

/// Starts threads, each of which calls once() until the time is up; round trips
/// per second.
template <class F>
static double measure(unsigned Threads, double Time, F &&MakeCall) {
  std::atomic<bool> Go{false}, Stop{false};
  std::atomic<uint64_t> Calls{0};
  std::vector<std::thread> Clients;
  for (unsigned I = 0; I != Threads; ++I)
    Clients.emplace_back([&, I] {
      auto Once = MakeCall(I);
      Go.wait(false);
      uint64_t Count = 0;
      for (; !Stop.load(std::memory_order_relaxed); ++Count)
        Once();
      Calls += Count;
    });
  auto Start = Clock::now();
  Go = true;
  Go.notify_all();
  std::this_thread::sleep_for(std::chrono::duration<double>(Time));
  Stop = true;
  for (auto &C : Clients)
    C.join();
  return double(Calls) / seconds(Clock::now() - Start);
}

static void check(bool Good, const char *What) {
  if (!Good) {
    fprintf(stderr, "round_trip: %s\n", What);
    exit(1);
  }
}

static double viaRpc(unsigned Threads, double Time) {
  xcc_rpc_server_options O = {};
  O.size = sizeof O;
  O.ports = std::max(Threads, 1u);
  O.lanes = 1;
  O.flags = XCC_RPC_CLIENTS_WAKE;
  xcc_rpc_server *Server;
  check(!xcc_rpc_server_create(&O, &Server), "no server");
  xcc_rpc_server_register(
      Server, XCC_RPC_OPCODE(1, 1),
      [](xcc_rpc_port *Port, void *) {
        xcc_rpc_recv_and_send(
            Port,
            [](void *Packet, uint32_t, void *) {
              ++*static_cast<uint64_t *>(Packet);
            },
            nullptr);
      },
      nullptr);
  xcc_rpc_server_start(Server);
  xcc_rpc_client_info Info;
  xcc_rpc_server_client(Server, &Info);
  std::vector<uint64_t> Local(Info.local_size / 8 + 1);
  Client<> C(View(Info.shared, Local.data(), {Info.ports, Info.lanes}));
  double Rate = measure(Threads, Time, [&](unsigned I) {
    return [&C, N = uint64_t(I)]() mutable {
      uint64_t Answer = 0;
      C.open(XCC_RPC_OPCODE(1, 1))
          .send([&](Packet &P, uint32_t) { memcpy(P.Bytes, &N, 8); })
          .recv([&](Packet &P, uint32_t) { memcpy(&Answer, P.Bytes, 8); });
      check(Answer == N + 1, "rpc answers wrongly");
      N = Answer;
    };
  });
  xcc_rpc_server_destroy(Server);
  return Rate;
}

/// Request and answer words count up; a side sleeps on the one it waits for.
struct Mailbox {
  alignas(128) uint32_t Request = 0;
  uint32_t ServerSleeps = 0;
  unsigned char To[64];
  alignas(128) uint32_t Reply = 0;
  uint32_t ClientSleeps = 0;
  unsigned char From[64];
  alignas(128) std::mutex Mutex;
};

static void post(uint32_t &Word, uint32_t Value, uint32_t &Sleeps) {
  __atomic_store_n(&Word, Value, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&Sleeps, __ATOMIC_SEQ_CST))
    futexWake(&Word, 1, false);
}

static void awaitChange(uint32_t &Word, uint32_t Old, uint32_t &Sleeps,
                        unsigned Spins) {
  for (unsigned I = 0; I != Spins; ++I) {
    if (__atomic_load_n(&Word, __ATOMIC_ACQUIRE) != Old)
      return;
    if (I % 64 == 16)
      yield();
    else
      relax();
  }
  __atomic_store_n(&Sleeps, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&Word, __ATOMIC_SEQ_CST) == Old)
    futexWait(&Word, Old, false);
  __atomic_store_n(&Sleeps, 0, __ATOMIC_SEQ_CST);
}

static double viaMailbox(unsigned Threads, double Time, unsigned Spins) {
  Mailbox M;
  std::atomic<bool> Stop{false};
  std::thread Server([&] {
    for (uint32_t Turn = 0;; ++Turn) {
      awaitChange(M.Request, Turn, M.ServerSleeps, Spins);
      if (Stop)
        return;
      uint64_t N;
      memcpy(M.From, M.To, 64);
      memcpy(&N, M.From, 8);
      ++N;
      memcpy(M.From, &N, 8);
      post(M.Reply, Turn + 1, M.ClientSleeps);
    }
  });
  uint32_t Turn = 0;
  double Rate = measure(Threads, Time, [&](unsigned I) {
    return [&, N = uint64_t(I)]() mutable {
      uint64_t Answer;
      {
        std::lock_guard Guard(M.Mutex);
        memcpy(M.To, &N, 8);
        ++Turn;
        post(M.Request, Turn, M.ServerSleeps);
        awaitChange(M.Reply, Turn - 1, M.ClientSleeps, Spins);
        memcpy(&Answer, M.From, 8);
      }
      check(Answer == N + 1, "the mailbox answers wrongly");
      N = Answer;
    };
  });
  Stop = true;
  post(M.Request, Turn + 1, M.ServerSleeps);
  Server.join();
  return Rate;
}

static double viaSocket(unsigned Threads, double Time) {
  std::vector<int> Ends(2 * Threads);
  int Poll = epoll_create1(0);
  for (unsigned I = 0; I != Threads; ++I) {
    check(!socketpair(AF_UNIX, SOCK_STREAM, 0, &Ends[2 * I]), "no sockets");
    epoll_event E = {};
    E.events = EPOLLIN;
    E.data.fd = Ends[2 * I + 1];
    epoll_ctl(Poll, EPOLL_CTL_ADD, Ends[2 * I + 1], &E);
  }
  std::thread Server([&] {
    for (unsigned Open = Threads; Open;) {
      epoll_event Ready[64];
      int Count = epoll_wait(Poll, Ready, 64, -1);
      for (int I = 0; I < Count; ++I) {
        char Bytes[64];
        if (read(Ready[I].data.fd, Bytes, 64) != 64) {
          epoll_ctl(Poll, EPOLL_CTL_DEL, Ready[I].data.fd, nullptr);
          --Open;
          continue;
        }
        uint64_t N;
        memcpy(&N, Bytes, 8);
        ++N;
        memcpy(Bytes, &N, 8);
        check(write(Ready[I].data.fd, Bytes, 64) == 64, "write");
      }
    }
  });
  double Rate = measure(Threads, Time, [&](unsigned I) {
    return [Socket = Ends[2 * I], N = uint64_t(I)]() mutable {
      char Bytes[64] = {};
      memcpy(Bytes, &N, 8);
      check(write(Socket, Bytes, 64) == 64, "write");
      check(read(Socket, Bytes, 64) == 64, "read");
      memcpy(&N, Bytes, 8);
    };
  });
  for (unsigned I = 0; I != Threads; ++I)
    shutdown(Ends[2 * I], SHUT_RDWR);
  Server.join();
  for (int End : Ends)
    close(End);
  close(Poll);
  return Rate;
}

static void pin(int Cpu) {
  cpu_set_t Set;
  CPU_ZERO(&Set);
  CPU_SET(Cpu, &Set);
  pthread_setaffinity_np(pthread_self(), sizeof Set, &Set);
}

/// One line each way, and nothing else; round trips per second.
static double floorRate(double Time) {
  alignas(128) static std::atomic<uint32_t> There, Back;
  There = Back = 0;
  std::thread Other([&] {
    pin(1);
    for (uint32_t I = 1;; ++I) {
      uint32_t Seen;
      while ((Seen = There.load(std::memory_order_acquire)) < I)
        relax();
      if (Seen == ~0u)
        return;
      Back.store(I, std::memory_order_release);
    }
  });
  uint32_t Count = 0;
  std::thread One([&] {
    pin(0);
    for (auto Start = Clock::now(); seconds(Clock::now() - Start) < Time;)
      for (unsigned K = 0; K != 1000; ++K) {
        There.store(++Count, std::memory_order_release);
        while (Back.load(std::memory_order_acquire) != Count)
          relax();
      }
  });
  auto Start = Clock::now();
  One.join();
  double Rate = Count / seconds(Clock::now() - Start);
  There = ~0u;
  Other.join();
  return Rate;
}

static double best(const std::vector<double> &Rates) {
  return *std::max_element(Rates.begin(), Rates.end());
}

int main(int Count, char **Arguments) {
  double Time = (Count > 1 ? atof(Arguments[1]) : 50) / 1000;
  unsigned Rounds = Count > 2 ? unsigned(atoi(Arguments[2])) : 20;
  xcc_rpc_init();
  const bool TwoCpus = std::thread::hardware_concurrency() > 1;
  std::vector<double> Floor;
  for (unsigned R = 0; TwoCpus && R != Rounds; ++R)
    Floor.push_back(floorRate(Time));
  if (TwoCpus)
    printf("floor (one line each way): %.0f ns\n", 1e9 / best(Floor));
  printf("%7s | %9s %9s %9s %9s | %s\n", "clients", "rpc", "mailbox", "futex",
         "socket", "1000 round trips/s; rpc against each");
  for (unsigned Threads : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
    std::vector<double> Rates[4];
    for (unsigned R = 0; R != Rounds; ++R) {
      Rates[0].push_back(viaRpc(Threads, Time));
      Rates[1].push_back(viaMailbox(Threads, Time, 1024));
      Rates[2].push_back(viaMailbox(Threads, Time, 0));
      Rates[3].push_back(viaSocket(Threads, Time));
    }
    double M[4];
    for (unsigned I = 0; I != 4; ++I)
      M[I] = best(Rates[I]);
    printf("%7u | %9.1f %9.1f %9.1f %9.1f | %.2fx %.2fx %.2fx", Threads,
           M[0] / 1e3, M[1] / 1e3, M[2] / 1e3, M[3] / 1e3, M[0] / M[1],
           M[0] / M[2], M[0] / M[3]);
    if (Threads == 1)
      printf("   round trip: rpc %.0f ns, mailbox %.0f ns", 1e9 / M[0],
             1e9 / M[1]);
    printf("\n");
  }
  xcc_rpc_shutdown();
}
