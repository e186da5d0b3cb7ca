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
  explicit SharedServer(uint32_t Ports, uint32_t MaxThreads = 0) {
    Size = xcc_rpc_memory_size(Ports, 1);
    Mapped = mmap(nullptr, Size + 4096, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(Mapped, MAP_FAILED);
    Progress = new (static_cast<char *>(Mapped) + (Size + 127) / 128 * 128)
        std::atomic<uint32_t>(0);
    xcc_rpc_server_options O = {};
    O.ports = Ports;
    O.lanes = 1;
    O.flags = XCC_RPC_PROCESS_SHARED;
    O.max_threads = MaxThreads;
    O.memory = Mapped;
    O.memory_size = Size;
    S = std::make_unique<TestServer>(O);
    S->on(Add, addOne);
    S->on(Add + 2, echo);
    // A conversation that only the client ends.
    S->on(Add + 1, [](xcc_rpc_port *Port, void *) {
      while (!xcc_rpc_recv_and_send(Port, nullptr, nullptr))
        ;
    });
  }
  ~SharedServer() {
    S.reset();
    munmap(Mapped, Size + 4096);
  }

  /// Runs Body(client) in a process of its own.
  template <class F> pid_t fork(F &&Body) {
    pid_t Child = ::fork();
    EXPECT_GE(Child, 0);
    if (Child)
      return Child;
    xcc_rpc_client *C = nullptr;
    if (xcc_rpc_client_attach(Mapped, Size, &C))
      _exit(3);
    _exit(Body(C));
  }
  void await(uint32_t N) const {
    while (Progress->load() < N)
      std::this_thread::yield();
  }

  void *Mapped;
  size_t Size;
  std::atomic<uint32_t> *Progress;
  std::unique_ptr<TestServer> S;
};

int exitStatus(pid_t Child) {
  int Status = 0;
  EXPECT_EQ(waitpid(Child, &Status, 0), Child);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 256 + WTERMSIG(Status);
}

int callOften(xcc_rpc_client *C, uint64_t Times) {
  for (uint64_t I = 0; I != Times; ++I) {
    uint64_t Answer = 0;
    if (xcc_rpc_client_call(C, Add, &I, 8, &Answer, 8) || Answer != I + 1)
      return 1;
  }
  return 0;
}

TEST(Processes, CallEachOther) {
  SharedServer Both(256);
  std::vector<pid_t> Children;
  for (int I = 0; I != 6; ++I)
    Children.push_back(Both.fork([](xcc_rpc_client *C) {
      int Status = callOften(C, times(5000));
      xcc_rpc_client_detach(C);
      return Status;
    }));
  Both.S->start();
  for (pid_t Child : Children)
    EXPECT_EQ(exitStatus(Child), 0);
  uint32_t Ports = 0;
  EXPECT_EQ(xcc_rpc_server_reclaim(*Both.S, &Ports), XCC_RPC_SUCCESS);
  EXPECT_EQ(Ports, 0u); // They gave them back.
}

TEST(Processes, EndWithoutGivingPortsBack) {
  // Two leases; three times as many clients, one pair after the other.
  SharedServer Both(64);
  Both.S->start();
  for (int I = 0; I != 3; ++I) {
    pid_t One = Both.fork([](xcc_rpc_client *C) { return callOften(C, 10); });
    pid_t Two = Both.fork([](xcc_rpc_client *C) { return callOften(C, 10); });
    EXPECT_EQ(exitStatus(One), 0);
    EXPECT_EQ(exitStatus(Two), 0);
  }
}

TEST(Processes, NoMorePortsThanThereAre) {
  SharedServer Both(32);
  Both.S->start();
  xcc_rpc_client *Mine = nullptr, *Other = nullptr;
  ASSERT_EQ(xcc_rpc_client_attach(Both.Mapped, Both.Size, &Mine),
            XCC_RPC_SUCCESS);
  EXPECT_EQ(xcc_rpc_client_attach(Both.Mapped, Both.Size, &Other),
            XCC_RPC_BUSY);
  EXPECT_EQ(callOften(Mine, 10), 0);
  xcc_rpc_client_detach(Mine);
  ASSERT_EQ(xcc_rpc_client_attach(Both.Mapped, Both.Size, &Other),
            XCC_RPC_SUCCESS);
  EXPECT_EQ(callOften(Other, 10), 0);
  xcc_rpc_client_detach(Other);
}

/// The states in which a client can die.
enum class Moment { Opened, Asked, Answered, Talking };

class Killed : public testing::TestWithParam<Moment> {};

TEST_P(Killed, InMidCall) {
  // One lease is the victim's, one is somebody's who goes on.
  SharedServer Both(64, 2);
  Both.S->start();
  for (int Round = 0; Round != 3; ++Round) {
    *Both.Progress = 0;
    pid_t Victim = Both.fork([&](xcc_rpc_client *C) {
      auto nothing = [](Packet &, uint32_t) {};
      auto Port = C->Protocol.open(Add + 1);
      auto stop = [&] {
        *Both.Progress = 1;
        while (true)
          pause();
      };
      if (GetParam() == Moment::Opened)
        stop();
      auto Asked = std::move(Port).send(nothing);
      if (GetParam() == Moment::Asked)
        stop();
      auto Got = std::move(Asked).recv(nothing);
      if (GetParam() == Moment::Answered)
        stop();
      Got = std::move(Got).send(nothing).recv(nothing);
      stop();
      return 0;
    });
    pid_t Other = Both.fork([&](xcc_rpc_client *C) {
      int Status = callOften(C, 500);
      xcc_rpc_client_detach(C);
      return Status;
    });
    Both.await(1);
    kill(Victim, SIGKILL);
    EXPECT_EQ(exitStatus(Victim), 256 + SIGKILL);
    EXPECT_EQ(exitStatus(Other), 0);
    // Both leases can be had again: the dead one's too.
    pid_t Next[2];
    for (pid_t &Child : Next)
      Child = Both.fork([&](xcc_rpc_client *C) {
        ++*Both.Progress;
        Both.await(3);
        return callOften(C, 100);
      });
    for (pid_t Child : Next)
      EXPECT_EQ(exitStatus(Child), 0);
  }
}
INSTANTIATE_TEST_SUITE_P(Processes, Killed,
                         testing::Values(Moment::Opened, Moment::Asked,
                                         Moment::Answered, Moment::Talking),
                         [](const testing::TestParamInfo<Moment> &Info) {
                           return std::string(
                               Info.param == Moment::Opened     ? "Opened"
                               : Info.param == Moment::Asked    ? "Asked"
                               : Info.param == Moment::Answered ? "Answered"
                                                                : "Talking");
                         });

TEST(Processes, KilledAtAnyMoment) {
  SharedServer Both(128, 4);
  Both.S->start();
  pid_t Steady =
      Both.fork([](xcc_rpc_client *C) { return callOften(C, times(20000)); });
  for (uint32_t I = 0; I != 30; ++I) {
    *Both.Progress = 0;
    pid_t Victim = Both.fork([&](xcc_rpc_client *C) {
      std::string Text(I * 100, 'x');
      auto none = [](uint64_t, uint32_t, void *) -> void * { return nullptr; };
      while (true) {
        callOften(C, 3);
        xcc_rpc_client_call_n(C, Add + 2, Text.data(), Text.size(), none,
                              nullptr);
        ++*Both.Progress;
      }
      return 0;
    });
    Both.await(I % 5);
    kill(Victim, SIGKILL);
    EXPECT_EQ(exitStatus(Victim), 256 + SIGKILL);
  }
  EXPECT_EQ(exitStatus(Steady), 0);
}

TEST(Processes, ServerComesBack) {
  // Another server takes the same memory over; the client only waits longer.
  SharedServer Both(32);
  Both.S->start();
  pid_t Child = Both.fork([&](xcc_rpc_client *C) {
    int Status = callOften(C, 100);
    *Both.Progress = 1;
    Both.await(2);
    return Status ? Status : callOften(C, 100);
  });
  Both.await(1);
  Both.S.reset();
  *Both.Progress = 2;
  xcc_rpc_server_options O = {};
  O.ports = 32;
  O.flags = XCC_RPC_PROCESS_SHARED;
  O.memory = Both.Mapped;
  O.memory_size = Both.Size;
  Both.S = std::make_unique<TestServer>(O);
  Both.S->on(Add, addOne);
  Both.S->start();
  EXPECT_EQ(exitStatus(Child), 0);
}
TEST(Processes, AChildLeavesItsParentsServerAlone) {
  TestServer S;
  S.on(Add, addOne);
  S.start();
  SharedServer Other(64);
  Other.S->start();
  xcc_rpc_client *Attached = nullptr;
  ASSERT_EQ(xcc_rpc_client_attach(Other.Mapped, Other.Size, &Attached),
            XCC_RPC_SUCCESS);
  auto child = [&] {
    xcc_rpc_client_info Info;
    uint32_t Count;
    for (xcc_rpc_status Status :
         {xcc_rpc_server_start(S), xcc_rpc_server_stop(S),
          xcc_rpc_server_handle(S, &Count), xcc_rpc_server_drain(S),
          xcc_rpc_server_reset(S), xcc_rpc_server_client(S, &Info),
          xcc_rpc_server_register(S, Add + 5, addOne, nullptr),
          xcc_rpc_server_unregister(S, Add), xcc_rpc_server_reclaim(S, &Count),
          xcc_rpc_server_begin_kernel(S), xcc_rpc_server_end_kernel(S),
          xcc_rpc_server_destroy(S),
          xcc_rpc_client_call(Attached, Add, nullptr, 0, nullptr, 0)})
      if (Status != XCC_RPC_FORKED)
        return 1;
    xcc_rpc_client_detach(Attached); // the parent's lease stays
#ifndef XCC_TEST_SANITIZED // ThreadSanitizer allows such a child no threads
    TestServer Own;
    Own.on(Add, addOne);
    Own.start();
    if (callAdd(Own.client(), 7) != 8)
      return 2;
#endif
    return 0;
  };
  pid_t Child = ::fork();
  ASSERT_GE(Child, 0);
  if (!Child)
    _exit(child());
  int Status = 0;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_TRUE(WIFEXITED(Status));
  EXPECT_EQ(WEXITSTATUS(Status), 0);
  EXPECT_EQ(callAdd(S.client(), 5), 6u);
  EXPECT_EQ(xcc_rpc_client_call(Attached, Add, nullptr, 0, nullptr, 0),
            XCC_RPC_SUCCESS);
  xcc_rpc_client_detach(Attached);
}
} // namespace
