// A queue on an NVIDIA GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "queue.h"
#include "cuda/image/image.h"
#include "process/log.h"
#include "process/trace.h"
#include "services/host_services.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace xcc::rt::cuda {

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// May a launch use the kernel's second entry? Only if the grid has one
/// dimension and fills the GPU, and its indices have 31 bits.
static bool canCoarsen(const CudaKernel &k, const LaunchRequest &r,
                       uint64_t manyThreads) {
  const uint64_t threads = uint64_t(r.grid[0]) * r.block[0];
  return threads >= manyThreads && threads <= uint64_t(1) << 31 &&
         r.block[0] <= k.coarseThreads && r.grid[1] == 1 && r.grid[2] == 1 &&
         r.block[1] == 1 && r.block[2] == 1 && !r.sharedBytes && !r.loop;
}

/// Launches the second entry. The number of blocks follows the arguments.
[[gnu::noinline]] Result CudaQueue::startCoarse(const LaunchRequest &r) {
  auto *k = static_cast<const CudaKernel *>(r.function);
  alignas(8) char arguments[CudaKernel::MostCoarseArguments + sizeof(uint64_t)];
  std::memcpy(arguments, r.kernarg, k->kernargSize);
  const uint64_t blocks = r.grid[0];
  const size_t at = (k->kernargSize + 7) / 8 * 8;
  std::memcpy(arguments + at, &blocks, sizeof(blocks));
  size_t size = at + sizeof(blocks);
  void *extra[] = {LaunchBuffer, arguments, LaunchBufferSize, &size, LaunchEnd};
  return theDriver.LaunchKernel(
      k->coarse, uint32_t((blocks - 1) / k->coarseBlocks + 1), 1, 1, r.block[0],
      1, 1, r.sharedBytes, work, nullptr, extra);
}

/// Calls the driver's launch. The driver copies the bytes of the arguments
/// before it returns.
inline Result CudaQueue::start(const LaunchRequest &r) {
  auto *k = static_cast<const CudaKernel *>(r.function);
  size_t size = k->kernargSize;
  void *extra[] = {LaunchBuffer, const_cast<void *>(r.kernarg),
                   LaunchBufferSize, &size, LaunchEnd};
  if (r.cooperative) [[unlikely]] {
    LaunchAttribute together{LaunchIsCooperative, {}, 1, {}};
    ExtendedLaunch shape{{r.grid[0], r.grid[1], r.grid[2]},
                         {r.block[0], r.block[1], r.block[2]},
                         r.sharedBytes,
                         work,
                         &together,
                         1};
    return theDriver.LaunchKernelEx(&shape, k->code, nullptr,
                                    size ? extra : nullptr);
  }
  if (k->coarse && canCoarsen(*k, r, on.manyThreads()))
    return startCoarse(r);
  // Threads of a loop handle several indices each, if there are many threads.
  uint32_t blocks = r.grid[0];
  if (k->elements > 1 && r.loop &&
      uint64_t(blocks) * r.block[0] >= on.manyThreads())
    blocks = (blocks - 1) / k->elements + 1;
  return theDriver.LaunchKernel(
      k->code, blocks, r.grid[1], r.grid[2], r.block[0], r.block[1], r.block[2],
      r.sharedBytes, work, nullptr, size ? extra : nullptr);
}

/// Launches without regard to host calls.
inline xcc_status CudaQueue::launchAlone(const LaunchRequest &r) {
  auto *k = static_cast<const CudaKernel *>(r.function);
  if (!on.isEntered()) [[unlikely]]
    XCC_TRY(on.enter());
  if (r.sharedBytes > k->dynamic.load(std::memory_order_relaxed)) [[unlikely]]
    XCC_TRY(moreShared(r));
  uint64_t begin = trace::enabled() ? trace::now() : 0;
  uint64_t flow = 0;
  Result status = profile::watching() ? startTimed(r, flow) : start(r);
  if (status) [[unlikely]]
    return launchFailed(r, status);
  launches.add(r, on.nextOrder());
  if (r.cooperative) [[unlikely]]
    gridMark.store(launches.mark(), std::memory_order_relaxed);
  if (begin) [[unlikely]]
    trace::add(
        {k->traceName, "launch", begin, trace::now(), flow, 0, 0, flow != 0});
  return XCC_SUCCESS;
}

int CudaQueue::track() {
  std::lock_guard lock(times.mutex);
  if (!times.track && trace::enabled())
    times.track = profile::newTrack(on.id());
  return times.track;
}

profile::Work *CudaQueue::timed(profile::Direction direction, size_t size) {
  if (!profile::watching()) [[likely]]
    return nullptr;
  return profile::copies(on.ordinal(), direction, size, track());
}

Result CudaQueue::startTimed(const LaunchRequest &r, uint64_t &flow) {
  profile::Work *w = profile::launched(on.ordinal(), r.profiled(), track());
  flow = w ? w->flow : 0;
  std::lock_guard lock(times.launching);
  return times.between(w, work, [&] { return start(r); });
}

void CudaQueue::collectTimes() {
  if (profile::watching() && !on.ended()) [[unlikely]]
    times.collect();
}

xcc_status CudaQueue::launch(const LaunchRequest &r) {
  if (r.function->callsHost) [[unlikely]]
    return launchCalling(r);
  return launchAlone(r);
}

/// Launches a kernel that calls the host. The host serves calls from before the
/// kernel begins until it has ended.
xcc_status CudaQueue::launchCalling(const LaunchRequest &r) {
  beginCalls(on);
  if (xcc_status status = launchAlone(r); status != XCC_SUCCESS) {
    endCalls(on);
    return status;
  }
  // The driver does not call it if the context has failed; then fault() ends
  // the calls.
  Result enqueueResult = theDriver.LaunchHostFunc(
      work, [](void *data) { endCalls(*static_cast<CudaDevice *>(data)); },
      &on);
  if (enqueueResult == Success)
    return XCC_SUCCESS;
  if (killsContext(enqueueResult)) {
    // The kernel was launched and has failed since; the wait reports that.
    endCalls(on);
    keep(on.fault(enqueueResult));
    return XCC_SUCCESS;
  }
  unreportedKernels.fetch_add(1);
  XCC_LOG(Launch,
          "the end of '%s' is noticed only by a wait for its stream: %s",
          r.function->info->name, ResultText(enqueueResult).text());
  return XCC_SUCCESS;
}

xcc_status CudaQueue::call(void (*function)(void *), void *data) {
  XCC_TRY(on.enter());
  if (Result r = theDriver.LaunchHostFunc(work, function, data))
    return on.failed(r, "enqueuing a call of the host");
  return XCC_SUCCESS;
}

/// Ends the calls of the first \p begun kernels whose end the driver does not
/// report.
void CudaQueue::endUnreportedCalls(uint32_t begun) {
  uint32_t was = unreportedEnded.load();
  while (int32_t(begun - was) > 0)
    if (unreportedEnded.compare_exchange_weak(was, begun)) {
      for (; was != begun; ++was)
        endCalls(on);
      return;
    }
}

/// The driver has one code for two causes; the advice tells them apart.
static std::string adviceFor(Result why, const LaunchRequest &r) {
  if (why != LaunchOutOfResources)
    return "";
  auto *k = static_cast<const CudaKernel *>(r.function);
  const uint64_t threads = uint64_t(r.block[0]) * r.block[1] * r.block[2];
  const std::string fewer =
      "launch fewer threads in a block (xcc_kernel_suggest_block)";
  int most = 0;
  if (theDriver.FuncGetAttribute(&most, FunctionMaxThreads, k->code) ==
          Success &&
      threads > uint64_t(std::max(most, 0)))
    return "; a block of " + std::to_string(threads) +
           " threads needs more registers than there are, and one of " +
           std::to_string(most) + " does not: " + fewer;
  return "; either a block of " + std::to_string(threads) +
         " threads needs more registers than there are: " + fewer +
         "; or the kernel takes arguments of another size than the " +
         std::to_string(k->kernargSize) +
         " bytes of this launch: rebuild the program";
}

xcc_status CudaQueue::launchFailed(const LaunchRequest &r, Result why) {
  // Other code made another context current in this thread.
  if (why == InvalidContext || why == InvalidHandle || why == NotInitialized) {
    XCC_TRY(on.enter());
    why = start(r);
    if (why == Success) {
      launches.add(r, on.nextOrder());
      return XCC_SUCCESS;
    }
  }
  const char *name = r.function->info->name;
  const char *file = r.file ? r.file : "";
  ErrorSite site{name, r.file, r.line, on.ordinal()};
  if (killsContext(why))
    if (xcc_error *earlier = on.fault(why)) {
      xcc_status status = fail(XCC_ERROR_LAUNCH_FAILED, site,
                               "launch of '%s' (%s:%u) was refused: %s", name,
                               file, r.line, xcc_error_message(earlier));
      xcc_error_release(earlier);
      return status;
    }
  return fail(statusOf(why), site,
              "launch of '%s' (%s:%u) failed on device %d (%s): %s%s", name,
              file, r.line, on.ordinal(), on.id(), ResultText(why).text(),
              adviceFor(why, r).c_str());
}

xcc_status CudaQueue::moreShared(const LaunchRequest &r) {
  XCC_TRY(on.enter());
  auto *k = static_cast<const CudaKernel *>(r.function);
  Result why = k->allowShared(on);
  if (why == Success)
    return XCC_SUCCESS;
  if (killsContext(why))
    return launchFailed(r, why);
  const char *name = k->info->name;
  return fail(XCC_ERROR_INVALID_LAUNCH, {name, r.file, r.line, on.ordinal()},
              "launch of '%s' (%s:%u): device %d (%s) does not give it %u "
              "bytes of dynamic shared memory: %s",
              name, r.file ? r.file : "", r.line, on.ordinal(), on.id(),
              r.sharedBytes, ResultText(why).text());
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

void CudaQueue::keep(xcc_error *error) {
  xcc_error *none = nullptr;
  if (error && !pending.compare_exchange_strong(none, error))
    xcc_error_release(error);
}

void CudaQueue::drain() {
  if (on.ended())
    return;
  if (on.enter() != XCC_SUCCESS)
    return on.ended() ? void() : keep(xcc_error_capture());
  uint64_t mark = launches.mark();
  uint32_t calling = unreportedKernels.load();
  Result r = launches.mayRun(gridMark.load(std::memory_order_relaxed))
                 ? waitForGrid()
                 : theDriver.StreamSynchronize(work);
  noteEnd(r, mark, calling);
}

void CudaQueue::noteEnd(Result r, uint64_t mark, uint32_t calling) {
  if (r == Success) {
    launches.ended(mark);
    endUnreportedCalls(calling);
    collectTimes();
  } else
    keep(on.lateFailure(r));
}

void CudaQueue::drainInterruptibly() {
  constexpr useconds_t first = 20, most = 2000;
  for (useconds_t pause = first; !idle(); pause = std::min(2 * pause, most))
    usleep(pause);
}

bool CudaQueue::idle() {
  if (on.ended())
    return true;
  if (on.enter() != XCC_SUCCESS) {
    keep(xcc_error_capture());
    return true;
  }
  uint64_t mark = launches.mark();
  uint32_t calling = unreportedKernels.load();
  Result r = theDriver.StreamQuery(work);
  if (r == NotReady)
    return false;
  noteEnd(r, mark, calling);
  return true;
}

unsigned CudaQueue::suspects(Suspect out[2]) const {
  unsigned count = 0;
  launches.visitRunning([&](const PastLaunch &p) {
    if (count)
      out[1] = out[0];
    count = std::min(count + 1, 2u);
    out[0] = p;
  });
  return count;
}

xcc_error *CudaQueue::takeError() {
  if (pending.load(std::memory_order_acquire)) [[unlikely]]
    if (xcc_error *error = pending.exchange(nullptr))
      return error;
  return on.unusableError();
}

xcc_status CudaQueue::record(Event &point) {
  auto &e = static_cast<CudaEvent &>(point);
  XCC_TRY(on.enter());
  uint64_t mark = launches.mark();
  if (Result r = theDriver.EventRecord(e.handle, work))
    return on.failed(r, "recording an event");
  e.mark.store(mark, std::memory_order_relaxed);
  e.use.store(use(), std::memory_order_relaxed);
  e.at.store(this, std::memory_order_release);
  return XCC_SUCCESS;
}

xcc_status CudaQueue::wait(Event &point) {
  auto &e = static_cast<CudaEvent &>(point);
  CudaQueue *at = e.at.load(std::memory_order_acquire);
  if (!at || at == this)
    return XCC_SUCCESS; // nothing recorded, or already in this queue's order
  XCC_TRY(on.enter());
  if (Result r = theDriver.StreamWaitEvent(work, e.handle, 0))
    return on.failed(r, "making a stream wait for an event");
  return XCC_SUCCESS;
}

} // namespace xcc::rt::cuda
