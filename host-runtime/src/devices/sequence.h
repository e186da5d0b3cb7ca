// Recorded work, to be enqueued repeatedly
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequences are reference-counted: the graph holds its sequence, and a queue
// does while it is in flight. A sequence with one holder may be changed in
// place; otherwise a copy is changed.

#ifndef XCC_SRC_DEVICES_SEQUENCE_H
#define XCC_SRC_DEVICES_SEQUENCE_H

#include "device.h"
#include "rows.h"

#include <memory>

namespace xcc::rt {

/// A launch, copy or fill. It owns the bytes of its arguments or element.
struct Step {
  enum class Kind : uint8_t { Launch, Copy, Fill };
  Kind kind = Kind::Launch;

  //===--- Of a launch ---===//
  const Kernel *function = nullptr;
  const xcc_binary *unit = nullptr; ///< the kernel's unit
  uint32_t grid[3] = {}, block[3] = {};
  uint32_t sharedBytes = 0;
  bool cooperative = false, loop = false;
  const char *file = nullptr; ///< valid until the process ends
  uint32_t line = 0;

  //===--- Of a copy or fill ---===//
  Place to, from;
  size_t size = 0, fromSize = 0; ///< bytes from the first to the last one
  bool apart = false;            ///< copies or fills rows
  Rows rows{};

  /// A launch's arguments, or a fill's element.
  std::vector<char> bytes;

  LaunchRequest request() const {
    return {function, grid, block,       sharedBytes, bytes.data(),
            file,     line, cooperative, loop};
  }
  Element element() const { return {bytes.data(), bytes.size()}; }
};

/// Enqueues one step.
xcc_status enqueue(const Step &s, Device &on, Queue &in);

/// A device's own form of a sequence, which it enqueues faster.
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
  /// Call this after steps have changed.
  void summarize();

  void retain() { count.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (count.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
  /// Does anything but the caller hold it?
  bool isShared() const { return count.load(std::memory_order_acquire) != 1; }

  Device &on;
  std::vector<Step> steps;
  bool copies = false;      ///< has copies or fills
  bool callsHost = false;   ///< has a kernel that calls the host
  bool cooperative = false; ///< has a cooperative launch
  std::mutex preparing;
  std::unique_ptr<Prepared> prepared; ///< null until it is first replayed

private:
  ~Sequence() = default;
  std::atomic<uint32_t> count{1};
};

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_SEQUENCE_H
