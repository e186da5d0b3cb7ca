// Kernels call a server of the program's own by the protocol's headers, on every
// device: each lane's packet comes back.
// RUN: %xcc -std=c++20 -O2 -I%S/../../rpc %s -o %t && %t | FileCheck %s
#include "protocol.h"
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>
#include <xcc/xcc.h>

using namespace xcc::rpc;
constexpr Opcode AddOne = userOpcode(1, 1);
constexpr unsigned Blocks = 3, Threads = 40;

static void kernel(ClientDescriptor server, uint64_t *out) {
  Client<> client(server);
  unsigned i = xcc::block_idx().x * Threads + xcc::thread_idx().x;
  uint64_t value = 10 * i, answer = 0;
  client.open<AddOne>()
      .send([&](Packet &p, uint32_t) { __builtin_memcpy(p.bytes, &value, 8); })
      .recv(
          [&](Packet &p, uint32_t) { __builtin_memcpy(&answer, p.bytes, 8); });
  out[i] = answer;
}

static void serve(View view, const std::atomic<bool> &done) {
  Server<lanes::Vector<MaxLanes>> server(view);
  while (!done) {
    auto port = server.tryOpen();
    if (!port) {
      std::this_thread::yield();
      continue;
    }
    auto add = [](Packet &p, uint32_t) {
      uint64_t value;
      std::memcpy(&value, p.bytes, 8);
      ++value;
      std::memcpy(p.bytes, &value, 8);
    };
    static_cast<decltype(port) &&>(port).recv(add).send(
        [](Packet &, uint32_t) {});
  }
}

int main() {
  xcc_device_properties device{};
  if (xcc_device_get_properties(0, &device) != XCC_SUCCESS)
    return 1;
  // A thread of the CPU device calls alone.
  const uint32_t ports = 8, lanes = std::strcmp(device.kind, "host")
                                        ? device.warp_size
                                        : 1;
  const Layout layout(ports, lanes);
  void *shared = nullptr;
  if (xcc_memory_alloc_host(layout.size(), &shared) != XCC_SUCCESS)
    return 1;
  std::memset(shared, 0, layout.size());
  xcc::buffer<char> local(layout.localSize());
  xcc_memory_fill(local.data(), 0, layout.localSize());
  std::vector<char> own(layout.localSize());
  std::atomic<bool> done{false};
  std::thread server(serve, View(shared, own.data(), layout), std::cref(done));
  xcc::buffer<uint64_t> out(Blocks * Threads);
  ClientDescriptor descriptor{};
  descriptor.shared = reinterpret_cast<uint64_t>(shared);
  descriptor.local = reinterpret_cast<uint64_t>(local.data());
  descriptor.ports = ports;
  descriptor.lanes = lanes;
  xcc::launch({{Blocks}, {Threads}}, kernel, descriptor, out.data());
  xcc::synchronize();
  done = true;
  server.join();
  unsigned wrong = 0, i = 0;
  for (uint64_t value : out.to_vector())
    wrong += value != 10 * i++ + 1;
  std::printf("%u of %u wrong\n", wrong, i);
  xcc_memory_free_host(shared);
}
// CHECK: 0 of 120 wrong
