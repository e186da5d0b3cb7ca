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
  std::mutex mutex;
  std::condition_variable changed;
  uint32_t arrived = 0, leaving = 0;
  uint32_t values[64];

  void meet(uint32_t lanes, uint32_t lane, uint32_t value, uint32_t *all) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return leaving == 0; });
    values[lane] = value;
    if (++arrived == lanes) {
      arrived = 0;
      leaving = lanes;
      changed.notify_all();
    } else {
      changed.wait(lock, [&] { return leaving != 0; });
    }
    memcpy(all, values, sizeof values);
    if (--leaving == 0)
      changed.notify_all();
  }
};
struct Warp {
  Meeting meetings[64];
};
thread_local Warp *mine = nullptr;
thread_local uint32_t lane = 0;
thread_local uint64_t active = 1;

thread_local jmp_buf *escape = nullptr;
thread_local Trapped lastTrap;
std::atomic<size_t> blocks{0};
} // namespace

void exchange(uint64_t m, uint32_t value, uint32_t *all) {
  if (mine)
    mine->meetings[__builtin_ctzll(m)].meet(uint32_t(__builtin_popcountll(m)),
                                            lane, value, all);
  else
    all[0] = value;
}
uint64_t activeLanes() { return active; }
uint32_t laneId() { return lane; }
void yield() { std::this_thread::yield(); }

Trapped onDevice(const std::function<void()> &code) {
  jmp_buf here;
  lastTrap = {};
  escape = &here;
  if (!setjmp(here))
    code();
  escape = nullptr;
  return lastTrap;
}

bool hasWarps() { return XCC_TEST_WARPS; }

void onWarp(uint64_t mask, const std::function<void(uint32_t)> &code) {
  Warp w;
  std::vector<std::thread> threads;
  for (uint64_t rest = mask; rest; rest &= rest - 1) {
    threads.emplace_back([&, l = uint32_t(__builtin_ctzll(rest))] {
      if (hasWarps()) {
        mine = &w;
        lane = l;
        active = mask;
      }
      code(l);
    });
    if (!hasWarps()) {
      threads.back().join();
      threads.pop_back();
    }
  }
  for (std::thread &t : threads)
    t.join();
}

std::vector<xcc_host_entry> hostEntries;
size_t hostBlocks() { return blocks; }

void Services::start(const Setup &s) {
  stop();
  ASSERT_EQ(xcc_rpc_init(), XCC_RPC_SUCCESS);
  xcc_rpc_server_options options{};
  options.size = sizeof options;
  options.ports = s.ports;
  options.lanes = hasWarps() ? 64 : 1;
  options.flags = hasWarps() ? 0 : uint32_t(XCC_RPC_CLIENTS_WAKE);
  options.threads = 2;
  ASSERT_EQ(xcc_rpc_server_create(&options, &server), XCC_RPC_SUCCESS);
  xcc_services_options how{};
  how.size = sizeof how;
  if (s.hostMemory) {
    how.allocate = [](size_t size, size_t alignment, void *) -> void * {
      // Nobody has this much; and sanitizers end the process over it.
      if (size > size_t(1) << 32)
        return nullptr;
      void *block = nullptr;
      if (posix_memalign(&block, alignment < 16 ? 16 : alignment, size))
        return nullptr;
      ++blocks;
      return block;
    };
    how.free = [](void *block, void *) {
      --blocks;
      free(block);
    };
  }
  how.shares_memory = !hasWarps();
  how.find_host_entry = [](uint64_t id, void *) -> const xcc_host_entry * {
    for (const xcc_host_entry &e : hostEntries)
      if (e.id == id)
        return &e;
    return nullptr;
  };
  ASSERT_EQ(xcc_services_create(server, &how, &host), XCC_RPC_SUCCESS);
  xcc_rpc_client_info info;
  ASSERT_EQ(xcc_rpc_server_client(server, &info), XCC_RPC_SUCCESS);
  local.assign(info.local_size, 0);
  heapSize = s.heapSize;
  heapMemory = heapSize ? aligned_alloc(4096, heapSize) : nullptr;
  if (heapMemory)
    memset(heapMemory, 0, heapSize);
  xcc_rpc_image image;
  ASSERT_EQ(xcc_services_image(server, nullptr, local.data(), heapMemory,
                               heapSize, &image),
            XCC_RPC_SUCCESS);
  memcpy(const_cast<xcc_rpc_image *>(&__xcc_rpc), &image, sizeof image);
  ASSERT_EQ(xcc_rpc_server_start(server), XCC_RPC_SUCCESS);
  ASSERT_EQ(xcc_rpc_server_begin_kernel(server), XCC_RPC_SUCCESS);
}

void Services::stop() {
  if (!server)
    return;
  xcc_rpc_server_end_kernel(server);
  xcc_rpc_server_destroy(server);
  xcc_services_destroy(host);
  xcc_rpc_shutdown();
  free(heapMemory);
  for (const std::string &name : names)
    unlink(name.c_str());
  names.clear();
  server = nullptr;
  xcc_rpc_image none{};
  memcpy(const_cast<xcc_rpc_image *>(&__xcc_rpc), &none, sizeof none);
}

std::string Services::temporary() {
  char name[] = "/tmp/xcc-services-XXXXXX";
  int descriptor = mkstemp(name);
  EXPECT_GE(descriptor, 0);
  close(descriptor);
  names.push_back(name);
  return name;
}

std::string Services::contents(const std::string &name) {
  std::ifstream in(name, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

} // namespace xcc::test

using namespace xcc::test;

extern "C" [[noreturn]] void __xcc_trap(unsigned kind, const char *text,
                                        const char *file,
                                        unsigned line) noexcept {
  lastTrap = {true, kind, line, text ? text : "", file ? file : ""};
  if (!escape)
    abort();
  longjmp(*escape, 1);
}

/// The device's errno; each thread has one here.
extern "C" int *dev_errno_location() noexcept {
  static thread_local int error;
  return &error;
}
