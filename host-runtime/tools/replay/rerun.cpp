// A recorded launch, run again in this process
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rerun.h"
#include "devices/allocations.h"
#include "devices/context.h"
#include "records/device_bytes.h"

#include <chrono>
#include <cstring>
#include <sys/mman.h>

namespace replay {

using namespace xcc::rt;

static void check(xcc_status status) {
  if (status != XCC_SUCCESS)
    throw Failure(xcc_error_last());
}

namespace {

/// The launch's linked unit and kernel, as the compiler would have written
/// them. Never freed: the runtime refers to it until the process ends.
struct Unit {
  explicit Unit(const Launch &l) : images(l.images) {
    record.abi_version = XCC_ABI_VERSION;
    record.kind = XCC_BINARY_PLAIN;
    record.images_begin = images.data();
    record.images_end = images.data() + images.size();
    info.magic = XCC_KERNEL_MAGIC;
    info.abi_version = XCC_ABI_VERSION;
    info.name = l.kernel.c_str();
    info.symbol = l.symbol.c_str();
    info.file = l.kernelFile.c_str();
    info.line = l.kernelLine;
    info.kernarg_size = uint32_t(l.arguments.size());
    info.kernarg_alignment = l.kernargAlignment;
    info.fingerprint = l.fingerprint;
    info.binary = &record;
    info.slots = slots;
  }
  const std::string images;
  xcc_binary record{};
  xcc_kernel_info info{};
  void *slots[XCC_KERNEL_SLOTS] = {};
};

/// The device's memory while the launch is run again.
class Memory {
public:
  Memory(Device &on, Queue &queue, const Launch &l)
      : on(on), queue(queue), launch(l) {}

  void place();
  void restore();
  std::string read();

private:
  void placeHost(const Range &r);

  Device &on;
  Queue &queue;
  const Launch &launch;
};

} // namespace

static void *at(const Range &r) { return reinterpret_cast<void *>(r.begin); }

/// Page-locked or managed memory: the host's, which the device has to see at
/// the same address.
void Memory::placeHost(const Range &r) {
  const uint64_t page = 4096, begin = r.begin & -page,
                 end = (r.begin + r.bytes + page - 1) & -page;
  // Ranges of the same page come one after the other.
  static uint64_t mapped = 0;
  const uint64_t from = std::max(begin, mapped);
  if (from < end &&
      mmap(reinterpret_cast<void *>(from), end - from, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
           0) != reinterpret_cast<void *>(from))
    throw Failure("the " + std::to_string(r.bytes) +
                  " bytes of the host's memory cannot be placed where they "
                  "were: xcc-replay has other memory there; run it again");
  mapped = end;
  void *seen = nullptr;
  check(on.registerHost(at(r), r.bytes));
  if (rememberAllocation(at(r), {r.bytes, &on, MemoryKind::Registered}))
    check(on.seenAt(at(r), seen));
  if (seen != at(r))
    throw Failure(std::string("device ") + on.id() +
                  " does not see the host's memory at its address");
}

/// In the order of addresses, before the device has any other memory.
void Memory::place() {
  for (const Range &r : launch.memory) {
    if (r.ofHost && !on.kind().host) {
      placeHost(r);
      continue;
    }
    check(on.allocateAt(r.begin, r.bytes));
    (void)rememberAllocation(at(r), {r.bytes, &on, MemoryKind::Device});
  }
}

void Memory::restore() {
  for (const Range &r : launch.memory)
    if (r.ofHost)
      memcpy(at(r), launch.before.data() + r.offset, r.bytes);
    else
      check(records::writeMemory(on, queue, at(r), r.bytes,
                                 launch.before.data() + r.offset));
}

std::string Memory::read() {
  std::string out(launch.bytes(), 0);
  for (const Range &r : launch.memory)
    if (r.ofHost)
      memcpy(out.data() + r.offset, at(r), r.bytes);
    else
      check(records::readMemory(on, queue, at(r), r.bytes,
                                out.data() + r.offset));
  return out;
}

static xcc_launch_config configOf(const Launch &l) {
  xcc_launch_config config{};
  for (int i = 0; i != 3; ++i) {
    config.grid[i] = l.grid[size_t(i)];
    config.block[i] = l.block[size_t(i)];
  }
  config.shared_bytes = l.shared;
  config.file = l.file.c_str();
  config.line = l.line;
  config.flags = (l.cooperative ? unsigned(XCC_LAUNCH_COOPERATIVE) : 0) |
                 (l.loop ? unsigned(XCC_LAUNCH_LOOP) : 0);
  return config;
}

Outcome rerun(const Launch &l, unsigned times) {
  auto &unit = *new Unit(l);
  xcc_binary_register(&unit.record);
  Device *on;
  Queue *queue;
  check(currentDevice(on));
  check(on->defaultQueue(&queue));
  Memory memory(*on, *queue, l);
  memory.place();
  Outcome out;
  out.device = on->id();
  const xcc_launch_config config = configOf(l);
  // What cannot be loaded is no failure of the launch.
  xcc_kernel_properties properties;
  check(xcc_kernel_prepare(&unit.info, &properties));
  for (unsigned i = 0; i != times; ++i) {
    memory.restore();
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    if (xcc_kernel_launch(&unit.info, &config, l.arguments.data(),
                          l.arguments.size()) != XCC_SUCCESS ||
        xcc_stream_synchronize(nullptr) != XCC_SUCCESS) {
      out.failure = xcc_error_last();
      return out;
    }
    out.milliseconds.push_back(
        std::chrono::duration<double, std::milli>(Clock::now() - begin)
            .count());
  }
  out.memory = memory.read();
  return out;
}

} // namespace replay
