//===-- device.h - What the runtime asks of a device ------------*- C++ -*-===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one interface between the runtime and a kind of device. Each kind is a
// folder beside this file with a Device, a Queue, an Event, an Image and a
// Kernel of its own; nothing outside that folder knows more of it than this.
//
// Every function may be called from any thread. A function that returns an
// xcc_status has called fail() when it returns anything but XCC_SUCCESS.
//
//===----------------------------------------------------------------------===//
#ifndef XCC_SRC_DEVICE_H
#define XCC_SRC_DEVICE_H

#include "error.h"
#include "offload_binary.h"

namespace xcc::rt {

/// A loaded image. Owned by the registry; goes back with unloadImage().
class Image {
protected:
  ~Image() = default;
};

/// A kernel of a loaded image; what a descriptor's slot points to. Lives as
/// long as its image.
struct Kernel {
  const xcc_kernel_info *Info = nullptr;
  uint32_t GroupSize = 0;   ///< bytes of static block-shared memory, rounded
                            ///< up to where the dynamic part begins
  uint32_t PrivateSize = 0; ///< bytes of scratch for each thread
  uint32_t KernargSize = 0; ///< bytes
  uint32_t MaxThreads = 0;  ///< the largest block, never 0
};

/// A validated launch. The kernarg bytes are the caller's.
struct LaunchRequest {
  const Kernel *Function;
  const uint32_t *Grid;  ///< [3], blocks
  const uint32_t *Block; ///< [3], threads
  uint32_t SharedBytes;  ///< dynamic
  const void *Kernarg;
  const char *File;
  uint32_t Line;
};

/// A point in a queue. Recording and waiting are the queue's.
class Event {
public:
  virtual ~Event() = default;
  virtual bool recorded() = 0; ///< ever
  virtual bool reached() = 0;  ///< true also when never recorded
  /// Waits, then reports the failure its queue has pending.
  virtual xcc_status synchronize() = 0;
  /// When the point was reached, nanoseconds of the device's clock.
  virtual uint64_t time() = 0;
};

/// Work in order. Destroyed with Device::destroyQueue().
class Queue {
public:
  virtual xcc_status launch(const LaunchRequest &Request) = 0;
  virtual xcc_status copy(void *To, const void *From, size_t Size) = 0;
  virtual xcc_status fill(void *To, int Byte, size_t Size) = 0;
  virtual xcc_status record(Event &Point) = 0;
  virtual xcc_status wait(Event &Point) = 0;
  /// Waits for what is enqueued, without reporting.
  virtual void drain() = 0;
  virtual bool idle() = 0;
  /// Takes the first failure since the last call; null when there is none.
  virtual xcc_error *takeError() = 0;

protected:
  ~Queue() = default;
};

class Device {
public:
  virtual ~Device() = default;
  virtual void properties(xcc_device_properties &Out) = 0;
  /// The largest group segment of a block, bytes.
  virtual uint64_t sharedLimit() const = 0;

  virtual xcc_status allocate(size_t Bytes, void **Out) = 0;
  /// Waits for the device's work, then frees what allocate() gave.
  virtual xcc_status release(void *Pointer) = 0;
  /// Fails when the range runs past the end of an allocation.
  virtual xcc_status checkRange(const void *Pointer, size_t Bytes) = 0;

  /// How well an image suits: 0 not at all, else higher is better. When 0,
  /// \p Missing may be set to what the device lacks, a static string or one of
  /// the image's.
  virtual int suits(const OffloadImage &Image, const char *&Missing) = 0;
  virtual xcc_status loadImage(const OffloadImage &Image,
                               xcc::rt::Image **Out) = 0;
  virtual void unloadImage(Image *Loaded) = 0;
  /// Finds the descriptor's kernel and checks that both agree.
  virtual xcc_status findKernel(Image &In, const xcc_kernel_info &Info,
                                const Kernel **Out) = 0;

  virtual xcc_status createQueue(Queue **Out) = 0;
  virtual void destroyQueue(Queue *Q) = 0;
  /// The queue of null streams.
  virtual xcc_status defaultQueue(Queue **Out) = 0;
  virtual xcc_status createEvent(Event **Out) = 0;
  /// Waits for all queues' work so far, without reporting.
  virtual void drain() = 0;
  /// The first unreported failure of any queue; null when there is none.
  virtual xcc_error *takeError() = 0;
  /// Called once while the process exits or the runtime is unloaded.
  virtual void shutDown() = 0;
};

} // namespace xcc::rt
#endif // XCC_SRC_DEVICE_H
