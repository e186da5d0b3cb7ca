// Kernels that failed on an NVIDIA GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/stacks.h"
#include "cuda/queue/queue.h"
#include "errors/sentence.h"
#include "gpu.h"
#include "services/host_services.h"

#include <algorithm>
#include <new>

namespace xcc::rt::cuda {

void CudaDevice::describe(std::string &out, const PastLaunch &p) const {
  out = out + "'" + p.info->name + "'";
  if (p.file && *p.file)
    out = out + " (" + p.file + ":" + std::to_string(p.line) + ")";
}

xcc_error *CudaDevice::fault(Result r) {
  std::lock_guard lock(mutex);
  if (xcc_error *known = deadError())
    return known;
  if (ended())
    return nullptr;
  abandonCalls(*this);
  const char *name = id();
  ResultText text(r);
  try {
    // What the kernel said before it gave up tells more than the driver can.
    std::string why = text.text();
    char trap[1280];
    bool said = takeTrap(*this, trap, sizeof(trap));
    if (said)
      why = std::string(trap) + " (" + text.name() + ")";
    std::vector<PastLaunch> running;
    uint64_t count = 0;
    for (CudaQueue &q : queues)
      count += q.launches.visitRunning(
          [&](const PastLaunch &p) { running.push_back(p); });
    std::sort(running.begin(), running.end(),
              [](const PastLaunch &a, const PastLaunch &b) {
                return a.order > b.order;
              });
    ErrorSite where = site();
    std::string who;
    if (count == 1 && running.size() == 1) {
      const PastLaunch &p = running[0];
      where = {p.info->name, p.file, p.line, ordinal()};
      char advice[256];
      if (!said)
        why += stackAdvice(p.info, "XCC_CUDA_STACK", advice, sizeof(advice));
      SentenceOf<128> shape;
      shape.addShape(p.grid, p.block);
      who = "kernel ";
      describe(who, p);
      who = who + " of " + shape.text();
    } else if (running.empty()) {
      who = "work";
    } else {
      who = "one of these launches: ";
      size_t shown = std::min<size_t>(4, running.size());
      for (size_t i = 0; i != shown; ++i) {
        if (i)
          who += ", ";
        describe(who, running[i]);
      }
      if (count > shown)
        who = who + " and " + std::to_string(count - shown) + " before them";
      who += " (CUDA_LAUNCH_BLOCKING=1 tells which)";
    }
    xcc_error *first =
        makeError(statusOf(r), where, "%s failed on device %d (%s): %s",
                  who.c_str(), ordinal(), name, why.c_str());
    dead.store(makeError(XCC_ERROR_LAUNCH_FAILED, where,
                         "device %d (%s) is unusable since %s failed: %s; "
                         "restart the program",
                         ordinal(), name, who.c_str(), why.c_str()),
               std::memory_order_release);
    return first;
  } catch (const std::bad_alloc &) {
    return makeError(statusOf(r), site(), "a kernel failed on device %d (%s)",
                     ordinal(), name);
  }
}

xcc_error *CudaDevice::lateFailure(Result r) {
  if (r == Deinitialized)
    return nullptr; // the process is ending
  if (killsContext(r))
    return fault(r);
  return makeError(statusOf(r), site(), "waiting for device %d (%s) failed: %s",
                   ordinal(), id(), ResultText(r).text());
}

xcc_error *CudaDevice::deadError() {
  xcc_error *error = dead.load(std::memory_order_acquire);
  return error && !ended() ? xcc_error_retain(error) : nullptr;
}

xcc_status CudaDevice::failed(Result r, const char *what) {
  if (killsContext(r))
    if (xcc_error *error = fault(r))
      return failWith(error);
  return fail(statusOf(r), site(), "%s failed on device %d (%s): %s", what,
              ordinal(), id(), ResultText(r).text());
}

} // namespace xcc::rt::cuda
