// Work that was recorded, to be enqueued again and again
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequence is counted: its graph holds it, and a queue while it is in flight.
// A sequence with no other holder may be changed; otherwise a copy is changed.

#ifndef XCC_SRC_DEVICES_SEQUENCE_H
#define XCC_SRC_DEVICES_SEQUENCE_H

#include "device.h"
#include "rows.h"

#include <memory>

namespace xcc::rt {

/// A launch, copy or fill whose bytes are its own.
struct Step {
  enum class Kind : uint8_t { Launch, Copy, Fill };
  Kind kind = Kind::Launch;

  //===--- Of a launch ---===//
  const Kernel *function = nullptr;
  const xcc_binary *unit = nullptr; ///< that the kernel is in
  uint32_t grid[3] = {}, block[3] = {};
  uint32_t sharedBytes = 0;
  bool cooperative = false, loop = false;
  const char *file = nullptr; ///< for as long as the process lives
  uint32_t line = 0;

  //===--- Of a copy or fill ---===//
  Place to, from;
  size_t size = 0, fromSize = 0; ///< bytes from the first to the last one
  bool apart = false;            ///< of rows
  Rows rows{};

  /// A launch's arguments, or a fill's element.
  std::vector<char> bytes;

  LaunchRequest request() const {
    return {function, grid, block,       sharedBytes, bytes.data(),
            file,     line, cooperative, loop};
  }
  Element element() const { return {bytes.data(), bytes.size()}; }
};

/// A step by itself.
xcc_status enqueue(const Step &s, Device &on, Queue &in);

/// What a kind of device has made of a sequence, to enqueue it faster.
class Prepared {
public:
  virtual ~Prepared() = default;
};

class Sequence {
public:
  Sequence(Device &on, std::vector<Step> steps)
      : on(on), steps(std::move(steps)) {
    summarize();
  }
  /// Once steps have changed.
  void summarize();

  void retain() { count.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (count.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
  /// Does anybody but the caller hold it?
  bool isShared() const { return count.load(std::memory_order_acquire) != 1; }

  Device &on;
  std::vector<Step> steps;
  bool copies = false;      ///< are there copies or fills
  bool callsHost = false;   ///< does a kernel call functions of the host
  bool cooperative = false; ///< is a launch
  std::mutex preparing;
  std::unique_ptr<Prepared> prepared; ///< null until it is needed

private:
  ~Sequence() = default;
  std::atomic<uint32_t> count{1};
};

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_SEQUENCE_H
