// A device in the process that serves it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"
#include "simulated_lanes.h"

#include <atomic>
#include <condition_variable>
#include <csetjmp>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace xcc::test {
namespace {
/// A barrier for each set of lanes, by the lowest of them: sets that meet at
/// the same time have none in common.
struct Meeting {
  std::mutex Mutex;
  std::condition_variable Changed;
  uint32_t Arrived = 0, Leaving = 0;
  uint32_t Values[64];

  void meet(uint32_t Lanes, uint32_t Lane, uint32_t Value, uint32_t *All) {
    std::unique_lock Lock(Mutex);
    Changed.wait(Lock, [&] { return Leaving == 0; });
    Values[Lane] = Value;
    if (++Arrived == Lanes) {
      Arrived = 0;
      Leaving = Lanes;
      Changed.notify_all();
    } else {
      Changed.wait(Lock, [&] { return Leaving != 0; });
    }
    memcpy(All, Values, sizeof Values);
    if (--Leaving == 0)
      Changed.notify_all();
  }
};
struct Warp {
  Meeting Meetings[64];
};
thread_local Warp *Mine = nullptr;
thread_local uint32_t Lane = 0;
thread_local uint64_t Active = 1;

thread_local jmp_buf *Escape = nullptr;
thread_local Trapped LastTrap;
std::atomic<size_t> Blocks{0};
} // namespace

void exchange(uint64_t M, uint32_t Value, uint32_t *All) {
  if (Mine)
    Mine->Meetings[__builtin_ctzll(M)].meet(uint32_t(__builtin_popcountll(M)),
                                            Lane, Value, All);
  else
    All[0] = Value;
}
uint64_t activeLanes() { return Active; }
uint32_t laneId() { return Lane; }
void yield() { std::this_thread::yield(); }

Trapped onDevice(const std::function<void()> &Code) {
  jmp_buf Here;
  LastTrap = {};
  Escape = &Here;
  if (!setjmp(Here))
    Code();
  Escape = nullptr;
  return LastTrap;
}

bool hasWarps() { return XCC_TEST_WARPS; }

void onWarp(uint64_t Mask, const std::function<void(uint32_t)> &Code) {
  Warp W;
  std::vector<std::thread> Threads;
  for (uint64_t Rest = Mask; Rest; Rest &= Rest - 1) {
    Threads.emplace_back([&, L = uint32_t(__builtin_ctzll(Rest))] {
      if (hasWarps()) {
        Mine = &W;
        Lane = L;
        Active = Mask;
      }
      Code(L);
    });
    if (!hasWarps()) {
      Threads.back().join();
      Threads.pop_back();
    }
  }
  for (std::thread &T : Threads)
    T.join();
}

std::vector<xcc_host_entry> HostEntries;
size_t hostBlocks() { return Blocks; }

void Services::start(const Setup &S) {
  stop();
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  xcc_rpc_server_options Options{};
  Options.size = sizeof Options;
  Options.ports = S.Ports;
  Options.lanes = hasWarps() ? 64 : 1;
  Options.flags = hasWarps() ? 0 : uint32_t(XCC_RPC_CLIENTS_WAKE);
  Options.threads = 2;
  ASSERT_EQ(xcc_rpc_server_create(&Options, &Server), XCC_RPC_SUCCESS);
  xcc_services_options How{};
  How.size = sizeof How;
  if (S.HostMemory) {
    How.allocate = [](size_t Size, size_t Alignment, void *) -> void * {
      // Nobody has this much; and sanitizers end the process over it.
      if (Size > size_t(1) << 32)
        return nullptr;
      void *Block = nullptr;
      if (posix_memalign(&Block, Alignment < 16 ? 16 : Alignment, Size))
        return nullptr;
      ++Blocks;
      return Block;
    };
    How.free = [](void *Block, void *) {
      --Blocks;
      free(Block);
    };
  }
  How.shares_memory = !hasWarps();
  How.find_host_entry = [](uint64_t Id, void *) -> const xcc_host_entry * {
    for (const xcc_host_entry &E : HostEntries)
      if (E.id == Id)
        return &E;
    return nullptr;
  };
  ASSERT_EQ(xcc_services_create(Server, &How, &Host), XCC_RPC_SUCCESS);
  xcc_rpc_client_info Info;
  ASSERT_EQ(xcc_rpc_server_client(Server, &Info), XCC_RPC_SUCCESS);
  Local.assign(Info.local_size, 0);
  HeapSize = S.HeapSize;
  HeapMemory = HeapSize ? aligned_alloc(4096, HeapSize) : nullptr;
  if (HeapMemory)
    memset(HeapMemory, 0, HeapSize);
  xcc_rpc_image Image;
  ASSERT_EQ(xcc_services_image(Server, nullptr, Local.data(), HeapMemory,
                               HeapSize, &Image),
            XCC_RPC_SUCCESS);
  memcpy(const_cast<xcc_rpc_image *>(&__xcc_rpc), &Image, sizeof Image);
  ASSERT_EQ(xcc_rpc_server_start(Server), XCC_RPC_SUCCESS);
  ASSERT_EQ(xcc_rpc_server_begin_kernel(Server), XCC_RPC_SUCCESS);
}

void Services::stop() {
  if (!Server)
    return;
  xcc_rpc_server_end_kernel(Server);
  xcc_rpc_server_destroy(Server);
  xcc_services_destroy(Host);
  xcc_rpc_shutdown();
  free(HeapMemory);
  for (const std::string &Name : Names)
    unlink(Name.c_str());
  Names.clear();
  Server = nullptr;
  xcc_rpc_image None{};
  memcpy(const_cast<xcc_rpc_image *>(&__xcc_rpc), &None, sizeof None);
}

std::string Services::temporary() {
  char Name[] = "/tmp/xcc-services-XXXXXX";
  int Descriptor = mkstemp(Name);
  EXPECT_GE(Descriptor, 0);
  close(Descriptor);
  Names.push_back(Name);
  return Name;
}

std::string Services::contents(const std::string &Name) {
  std::ifstream In(Name, std::ios::binary);
  std::stringstream All;
  All << In.rdbuf();
  return All.str();
}

} // namespace xcc::test

using namespace xcc::test;

extern "C" [[noreturn]] void __xcc_trap(unsigned Kind, const char *Text,
                                        const char *File,
                                        unsigned Line) noexcept {
  LastTrap = {true, Kind, Line, Text ? Text : "", File ? File : ""};
  if (!Escape)
    abort();
  longjmp(*Escape, 1);
}

/// The device's errno; each thread has one here.
extern "C" int *dev_errno_location() noexcept {
  static thread_local int Error;
  return &Error;
}
