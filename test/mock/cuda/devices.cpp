// Devices, contexts, streams and events
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"

#include <algorithm>
#include <ctime>

using namespace mock;

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT Result cuInit(unsigned flags) {
  return call(
      "cuInit",
      [&](State &s) {
        if (flags)
          return InvalidValue;
        s.initialized = true;
        return s.devices.empty() ? NoDevice : Success;
      },
      flags);
}

EXPORT Result cuDriverGetVersion(int *out) {
  return call("cuDriverGetVersion", [&](State &s) {
    *out = s.version;
    return Success;
  });
}

namespace {
struct Named {
  Result code;
  const char *name, *text;
};
constexpr Named Names[] = {
    {Success, "CUDA_SUCCESS", "no error"},
    {InvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {InvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {NoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {InvalidPtx, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {UnsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {IllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {MisalignedAddress, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {InvalidPc, "CUDA_ERROR_INVALID_PC", "invalid program counter"},
    {LaunchOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {LaunchTimeout, "CUDA_ERROR_LAUNCH_TIMEOUT",
     "the launch timed out and was terminated"},
    {Assert, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {LaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"}};
} // namespace

EXPORT Result cuGetErrorName(Result code, const char **out) {
  for (const Named &n : Names)
    if (n.code == code) {
      *out = n.name;
      return Success;
    }
  *out = nullptr;
  return InvalidValue;
}

EXPORT Result cuGetErrorString(Result code, const char **out) {
  for (const Named &n : Names)
    if (n.code == code) {
      *out = n.text;
      return Success;
    }
  *out = nullptr;
  return InvalidValue;
}

static bool isDevice(State &s, DeviceNumber d) {
  return s.initialized && d >= 0 && size_t(d) < s.devices.size();
}

EXPORT Result cuDeviceGetCount(int *out) {
  return call("cuDeviceGetCount", [&](State &s) {
    *out = int(s.devices.size());
    return s.initialized ? Success : NotInitialized;
  });
}

EXPORT Result cuDeviceGet(DeviceNumber *out, int index) {
  return call(
      "cuDeviceGet",
      [&](State &s) {
        *out = index;
        return isDevice(s, index) ? Success : InvalidValue;
      },
      index);
}

EXPORT Result cuDeviceGetName(char *out, int size, DeviceNumber d) {
  return call(
      "cuDeviceGetName",
      [&](State &s) {
        if (!isDevice(s, d))
          return InvalidValue;
        snprintf(out, size_t(size), "%s",
                 engine().deviceName(s.devices[size_t(d)]).c_str());
        return Success;
      },
      d);
}

EXPORT Result cuDeviceTotalMem_v2(size_t *out, DeviceNumber d) {
  return call(
      "cuDeviceTotalMem_v2",
      [&](State &s) {
        *out = TotalMemory;
        return isDevice(s, d) ? Success : InvalidValue;
      },
      d);
}

EXPORT Result cuDeviceGetAttribute(int *out, DeviceAttribute which,
                                   DeviceNumber d) {
  return call(
      "cuDeviceGetAttribute",
      [&](State &s) {
        if (!isDevice(s, d))
          return InvalidValue;
        switch (int(which)) {
        case MaxThreadsPerBlock:
        case MaxBlockDimX:
        case MaxBlockDimX + 1:
          *out = 1024;
          return Success;
        case MaxBlockDimX + 2:
          *out = 64;
          return Success;
        case MaxGridDimX:
          *out = 0x7fffffff;
          return Success;
        case MaxGridDimX + 1:
        case MaxGridDimX + 2:
          *out = 65535;
          return Success;
        case MaxSharedPerBlock:
          *out = 48 * 1024;
          return Success;
        case MaxSharedPerBlockOptin:
          *out = 227 * 1024;
          return Success;
        case WarpSize:
          *out = 32;
          return Success;
        case ClockRate:
          *out = 1980000;
          return Success;
        case MultiprocessorCount:
          *out = 4;
          return Success;
        // Few, so that short loops are long ones to the runtime.
        case MaxThreadsPerMultiprocessor:
          *out = 32;
          return Success;
        case CapabilityMajor:
          *out = s.devices[size_t(d)].major;
          return Success;
        case CapabilityMinor:
          *out = s.devices[size_t(d)].minor;
          return Success;
        case MemoryPoolsSupported:
          *out = s.pools;
          return Success;
        case ManagedMemory:
          *out = s.managed;
          return Success;
        case PageableMemoryAccess:
          *out = s.pageable;
          return Success;
        default:
          return InvalidValue;
        }
      },
      which, d);
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

EXPORT Result cuDevicePrimaryCtxRetain(Context *out, DeviceNumber d) {
  return call(
      "cuDevicePrimaryCtxRetain",
      [&](State &s) {
        if (!isDevice(s, d))
          return InvalidValue;
        *out = &s.devices[size_t(d)];
        (*out)->retained = true;
        return Success;
      },
      d);
}

EXPORT Result cuCtxSetCurrent(Context c) {
  return call("cuCtxSetCurrent", [&](State &s) {
    if (s.fault == Deinitialized)
      return Deinitialized;
    if (c && (c < s.devices.data() ||
              c >= s.devices.data() + s.devices.size() || !c->retained))
      return InvalidContext;
    current = c;
    return Success;
  });
}

EXPORT Result cuCtxGetCurrent(Context *out) {
  *out = current; // too frequent to be recorded
  return state().fault == Deinitialized ? Deinitialized : Success;
}

EXPORT Result cuCtxGetLimit(size_t *out, ContextLimit which) {
  return callInContext(
      "cuCtxGetLimit",
      [&](State &) {
        *out = current->stackLimit;
        return which == LimitStackSize ? Success : InvalidValue;
      },
      which);
}

EXPORT Result cuCtxSetLimit(ContextLimit which, size_t bytes) {
  return callInContext(
      "cuCtxSetLimit",
      [&](State &) {
        if (which != LimitStackSize || bytes > 512 * 1024)
          return InvalidValue;
        current->stackLimit = (bytes + 15) / 16 * 16;
        return Success;
      },
      which, bytes);
}

EXPORT Result cuDeviceCanAccessPeer(int *out, DeviceNumber from,
                                    DeviceNumber to) {
  return call(
      "cuDeviceCanAccessPeer",
      [&](State &s) {
        if (!isDevice(s, from) || !isDevice(s, to))
          return InvalidValue;
        *out = from != to;
        return Success;
      },
      from, to);
}

EXPORT Result cuCtxEnablePeerAccess(Context peer, unsigned flags) {
  return callInContext("cuCtxEnablePeerAccess", [&](State &) {
    if (flags || !peer || peer == current)
      return InvalidContext;
    return current->peers.insert(peer->number).second
               ? Success
               : PeerAccessAlreadyEnabled;
  });
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

void xcc::rt::cuda::EventMark::reach() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  std::lock_guard lock(mutex);
  time_ = uint64_t(t.tv_sec) * 1'000'000'000u + uint64_t(t.tv_nsec);
  reached.notify_all();
}

EXPORT Result cuStreamCreate(Stream *out, unsigned flags) {
  return callInContext(
      "cuStreamCreate",
      [&](State &s) {
        *out = new StreamObject{current};
        s.live.insert(*out);
        return Success;
      },
      flags);
}

EXPORT Result cuStreamDestroy_v2(Stream s) {
  return callInContext("cuStreamDestroy_v2", [&](State &known) {
    if (!known.live.erase(s))
      return InvalidHandle;
    // Work that was put in goes on with the object.
    engine().want(s, Engine::Everything);
    known.destroyed.push_back(s);
    return Success;
  });
}

EXPORT Result cuStreamCreateWithPriority(Stream *out, unsigned flags,
                                         int priority) {
  return callInContext(
      "cuStreamCreateWithPriority",
      [&](State &s) {
        *out = new StreamObject{current};
        s.live.insert(*out);
        return Success;
      },
      flags, priority);
}

EXPORT Result cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return callInContext("cuCtxGetStreamPriorityRange", [&](State &) {
    *least = 0;
    *greatest = -5;
    return Success;
  });
}

/// What running code left behind, if anything, once a wait is over.
static Result faultAfter(Result waited) {
  std::lock_guard lock(state().mutex);
  return waited == Success ? state().fault : waited;
}

EXPORT Result cuStreamSynchronize(Stream s) {
  Result r = callInContext("cuStreamSynchronize", [&](State &) {
    return isLive(s) ? Success : InvalidHandle;
  });
  if (r == Success)
    engine().finish(s);
  return faultAfter(r);
}

EXPORT Result cuStreamQuery(Stream s) {
  return callInContext("cuStreamQuery", [&](State &) {
    if (!isLive(s))
      return InvalidHandle;
    return engine().idle(s) ? Success : NotReady;
  });
}

EXPORT Result cuStreamWaitEvent(Stream s, EventHandle e, unsigned flags) {
  return callInContext("cuStreamWaitEvent", [&](State &) {
    if (flags)
      return InvalidValue;
    if (!isLive(s) || !isLive(e))
      return InvalidHandle;
    if (e->last)
      engine().submit(
          s,
          [mark = e->last] {
            engine().want(mark->in, mark->position);
            mark->wait();
            return Success;
          },
          Engine::Always);
    return Success;
  });
}

EXPORT Result cuEventCreate(EventHandle *out, unsigned flags) {
  return callInContext(
      "cuEventCreate",
      [&](State &s) {
        *out = new EventObject{current};
        s.live.insert(*out);
        return Success;
      },
      flags);
}

EXPORT Result cuEventDestroy_v2(EventHandle e) {
  return call("cuEventDestroy_v2", [&](State &s) {
    if (!s.live.erase(e))
      return InvalidHandle;
    delete e;
    return Success;
  });
}

EXPORT Result cuEventRecord(EventHandle e, Stream to) {
  return callInContext("cuEventRecord", [&](State &) {
    if (!isLive(e) || !isLive(to) || e->in != to->in)
      return InvalidHandle;
    e->last = std::make_shared<EventMark>(to);
    engine().submit(
        to,
        [mark = e->last] {
          mark->reach();
          return Success;
        },
        Engine::Point);
    e->last->position = engine().submitted(to);
    return Success;
  });
}

EXPORT Result cuEventQuery(EventHandle e) {
  return callInContext("cuEventQuery", [&](State &) {
    if (!isLive(e))
      return InvalidHandle;
    if (!e->last || e->last->time())
      return Success;
    engine().asked(e->last->in);
    return NotReady;
  });
}

EXPORT Result cuEventSynchronize(EventHandle e) {
  std::shared_ptr<EventMark> mark;
  Result r = callInContext("cuEventSynchronize", [&](State &) {
    if (!isLive(e))
      return InvalidHandle;
    mark = e->last;
    return Success;
  });
  if (mark) {
    engine().want(mark->in, mark->position);
    mark->wait();
  }
  return faultAfter(r);
}

EXPORT Result cuEventElapsedTime(float *out, EventHandle from, EventHandle to) {
  return callInContext("cuEventElapsedTime", [&](State &) {
    if (!isLive(from) || !isLive(to) || !from->last || !to->last)
      return InvalidHandle;
    if (!from->last->time() || !to->last->time())
      return NotReady;
    *out = float(double(to->last->time() - from->last->time()) / 1e6);
    return Success;
  });
}
