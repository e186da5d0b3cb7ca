// Clients in other processes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each client is a forked process that attaches to the server's memory. Some
// are killed in the middle of a call, at points they report or at any.

#include "../../rpc/src/processes.h"
#include "support.h"

#include <atomic>
#include <csignal>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {
using namespace rpctest;

/// Memory that children share with this process, and a server in it.
class SharedServer {
public:
  explicit SharedServer(uint32_t ports, uint32_t maxThreads = 0) {
    size = xcc_rpc_memory_size(ports, 1);
    mapped = mmap(nullptr, size + 4096, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(mapped, MAP_FAILED);
    progress = new (static_cast<char *>(mapped) + (size + 127) / 128 * 128)
        std::atomic<uint32_t>(0);
    xcc_rpc_server_options o = {};
    o.ports = ports;
    o.lanes = 1;
    o.flags = XCC_RPC_PROCESS_SHARED;
    o.max_threads = maxThreads;
    o.memory = mapped;
    o.memory_size = size;
    s = std::make_unique<TestServer>(o);
    s->on(Add, addOne);
    s->on(Add + 2, echo);
    // A conversation that only the client ends.
    s->on(Add + 1, [](xcc_rpc_port *port, void *) {
      while (!xcc_rpc_recv_and_send(port, nullptr, nullptr))
        ;
    });
  }
  ~SharedServer() {
    s.reset();
    munmap(mapped, size + 4096);
  }

  /// Runs body(client) in a process of its own.
  template <class F> pid_t fork(F &&body) {
    pid_t child = ::fork();
    EXPECT_GE(child, 0);
    if (child)
      return child;
    xcc_rpc_client *c = nullptr;
    if (xcc_rpc_client_attach(mapped, size, &c))
      _exit(3);
    _exit(body(c));
  }
  void await(uint32_t n) const {
    while (progress->load() < n)
      std::this_thread::yield();
  }

  void *mapped;
  size_t size;
  std::atomic<uint32_t> *progress;
  std::unique_ptr<TestServer> s;
};

int exitStatus(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

int callOften(xcc_rpc_client *c, uint64_t times) {
  for (uint64_t i = 0; i != times; ++i) {
    uint64_t answer = 0;
    if (xcc_rpc_client_call(c, Add, &i, 8, &answer, 8) || answer != i + 1)
      return 1;
  }
  return 0;
}

TEST(Processes, CallEachOther) {
  SharedServer both(256);
  std::vector<pid_t> children;
  for (int i = 0; i != 6; ++i)
    children.push_back(both.fork([](xcc_rpc_client *c) {
      int status = callOften(c, times(5000));
      xcc_rpc_client_detach(c);
      return status;
    }));
  both.s->start();
  for (pid_t child : children)
    EXPECT_EQ(exitStatus(child), 0);
  uint32_t ports = 0;
  EXPECT_EQ(xcc_rpc_server_reclaim(*both.s, &ports), XCC_RPC_SUCCESS);
  EXPECT_EQ(ports, 0u); // They gave them back.
}

TEST(Processes, EndWithoutGivingPortsBack) {
  // Two leases; three times as many clients, one pair after the other.
  SharedServer both(64);
  both.s->start();
  for (int i = 0; i != 3; ++i) {
    pid_t one = both.fork([](xcc_rpc_client *c) { return callOften(c, 10); });
    pid_t two = both.fork([](xcc_rpc_client *c) { return callOften(c, 10); });
    EXPECT_EQ(exitStatus(one), 0);
    EXPECT_EQ(exitStatus(two), 0);
  }
}

TEST(Processes, NoMorePortsThanThereAre) {
  SharedServer both(32);
  both.s->start();
  xcc_rpc_client *mine = nullptr, *other = nullptr;
  ASSERT_EQ(xcc_rpc_client_attach(both.mapped, both.size, &mine),
            XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_client_attach(both.mapped, both.size, &other),
            XCC_RPC_BUSY);
  EXPECT_EQ(callOften(mine, 10), 0);
  xcc_rpc_client_detach(mine);
  ASSERT_EQ(xcc_rpc_client_attach(both.mapped, both.size, &other),
            XCC_RPC_SUCCESS);
  EXPECT_EQ(callOften(other, 10), 0);
  xcc_rpc_client_detach(other);
}

/// The states in which a client can die.
enum class Moment { Opened, Asked, Answered, Talking };

class Killed : public testing::TestWithParam<Moment> {};

TEST_P(Killed, InMidCall) {
  // One lease is the victim's, one is somebody's who goes on.
  SharedServer both(64, 2);
  both.s->start();
  for (int round = 0; round != 3; ++round) {
    *both.progress = 0;
    pid_t victim = both.fork([&](xcc_rpc_client *c) {
      auto nothing = [](Packet &, uint32_t) {};
      auto port = c->protocol.open(Add + 1);
      auto stop = [&] {
        *both.progress = 1;
        while (true)
          pause();
      };
      if (GetParam() == Moment::Opened)
        stop();
      auto asked = std::move(port).send(nothing);
      if (GetParam() == Moment::Asked)
        stop();
      auto got = std::move(asked).recv(nothing);
      if (GetParam() == Moment::Answered)
        stop();
      got = std::move(got).send(nothing).recv(nothing);
      stop();
      return 0;
    });
    pid_t other = both.fork([&](xcc_rpc_client *c) {
      int status = callOften(c, 500);
      xcc_rpc_client_detach(c);
      return status;
    });
    both.await(1);
    kill(victim, SIGKILL);
    EXPECT_EQ(exitStatus(victim), 256 + SIGKILL);
    EXPECT_EQ(exitStatus(other), 0);
    // Both leases can be had again: the dead one's too.
    pid_t next[2];
    for (pid_t &child : next)
      child = both.fork([&](xcc_rpc_client *c) {
        ++*both.progress;
        both.await(3);
        return callOften(c, 100);
      });
    for (pid_t child : next)
      EXPECT_EQ(exitStatus(child), 0);
  }
}
INSTANTIATE_TEST_SUITE_P(Processes, Killed,
                         testing::Values(Moment::Opened, Moment::Asked,
                                         Moment::Answered, Moment::Talking),
                         [](const testing::TestParamInfo<Moment> &info) {
                           return std::string(
                               info.param == Moment::Opened     ? "Opened"
                               : info.param == Moment::Asked    ? "Asked"
                               : info.param == Moment::Answered ? "Answered"
                                                                : "Talking");
                         });

TEST(Processes, KilledAtAnyMoment) {
  SharedServer both(128, 4);
  both.s->start();
  pid_t steady =
      both.fork([](xcc_rpc_client *c) { return callOften(c, times(20000)); });
  for (uint32_t i = 0; i != 30; ++i) {
    *both.progress = 0;
    pid_t victim = both.fork([&](xcc_rpc_client *c) {
      std::string text(i * 100, 'x');
      auto none = [](uint64_t, uint32_t, void *) -> void * { return nullptr; };
      while (true) {
        callOften(c, 3);
        xcc_rpc_client_call_n(c, Add + 2, text.data(), text.size(), none,
                              nullptr);
        ++*both.progress;
      }
      return 0;
    });
    both.await(i % 5);
    kill(victim, SIGKILL);
    EXPECT_EQ(exitStatus(victim), 256 + SIGKILL);
  }
  EXPECT_EQ(exitStatus(steady), 0);
}

TEST(Processes, ServerComesBack) {
  // Another server takes the same memory over; the client only waits longer.
  SharedServer both(32);
  both.s->start();
  pid_t child = both.fork([&](xcc_rpc_client *c) {
    int status = callOften(c, 100);
    *both.progress = 1;
    both.await(2);
    return status ? status : callOften(c, 100);
  });
  both.await(1);
  both.s.reset();
  *both.progress = 2;
  xcc_rpc_server_options o = {};
  o.ports = 32;
  o.flags = XCC_RPC_PROCESS_SHARED;
  o.memory = both.mapped;
  o.memory_size = both.size;
  both.s = std::make_unique<TestServer>(o);
  both.s->on(Add, addOne);
  both.s->start();
  EXPECT_EQ(exitStatus(child), 0);
}
TEST(Processes, AChildLeavesItsParentsServerAlone) {
  TestServer s;
  s.on(Add, addOne);
  s.start();
  SharedServer other(64);
  other.s->start();
  xcc_rpc_client *attached = nullptr;
  ASSERT_EQ(xcc_rpc_client_attach(other.mapped, other.size, &attached),
            XCC_RPC_SUCCESS);
  auto inChild = [&] {
    xcc_rpc_client_info info;
    uint32_t count;
    for (xcc_rpc_status status :
         {xcc_rpc_server_start(s), xcc_rpc_server_stop(s),
          xcc_rpc_server_handle(s, &count), xcc_rpc_server_drain(s),
          xcc_rpc_server_reset(s), xcc_rpc_server_client(s, &info),
          xcc_rpc_server_register(s, Add + 5, addOne, nullptr),
          xcc_rpc_server_unregister(s, Add), xcc_rpc_server_reclaim(s, &count),
          xcc_rpc_server_begin_kernel(s), xcc_rpc_server_end_kernel(s),
          xcc_rpc_server_destroy(s),
          xcc_rpc_client_call(attached, Add, nullptr, 0, nullptr, 0)})
      if (status != XCC_RPC_FORKED)
        return 1;
    xcc_rpc_client_detach(attached); // the parent's lease stays
#ifndef XCC_TEST_SANITIZED // ThreadSanitizer allows such a child no threads
    TestServer own;
    own.on(Add, addOne);
    own.start();
    if (callAdd(own.client(), 7) != 8)
      return 2;
#endif
    return 0;
  };
  pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (!child)
    _exit(inChild());
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(callAdd(s.client(), 5), 6u);
  EXPECT_EQ(xcc_rpc_client_call(attached, Add, nullptr, 0, nullptr, 0),
            XCC_RPC_SUCCESS);
  xcc_rpc_client_detach(attached);
}
} // namespace
