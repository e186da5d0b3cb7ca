// Devices, contexts, streams and events
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"

#include <algorithm>
#include <ctime>

using namespace mock;

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT Result cuInit(unsigned Flags) {
  return call(
      "cuInit",
      [&](State &S) {
        if (Flags)
          return InvalidValue;
        S.Initialized = true;
        return S.Devices.empty() ? NoDevice : Success;
      },
      Flags);
}

EXPORT Result cuDriverGetVersion(int *Out) {
  return call("cuDriverGetVersion", [&](State &S) {
    *Out = S.Version;
    return Success;
  });
}

namespace {
struct Named {
  Result Code;
  const char *Name, *Text;
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

EXPORT Result cuGetErrorName(Result Code, const char **Out) {
  for (const Named &N : Names)
    if (N.Code == Code) {
      *Out = N.Name;
      return Success;
    }
  *Out = nullptr;
  return InvalidValue;
}

EXPORT Result cuGetErrorString(Result Code, const char **Out) {
  for (const Named &N : Names)
    if (N.Code == Code) {
      *Out = N.Text;
      return Success;
    }
  *Out = nullptr;
  return InvalidValue;
}

static bool isDevice(State &S, DeviceNumber D) {
  return S.Initialized && D >= 0 && size_t(D) < S.Devices.size();
}

EXPORT Result cuDeviceGetCount(int *Out) {
  return call("cuDeviceGetCount", [&](State &S) {
    *Out = int(S.Devices.size());
    return S.Initialized ? Success : NotInitialized;
  });
}

EXPORT Result cuDeviceGet(DeviceNumber *Out, int Index) {
  return call(
      "cuDeviceGet",
      [&](State &S) {
        *Out = Index;
        return isDevice(S, Index) ? Success : InvalidValue;
      },
      Index);
}

EXPORT Result cuDeviceGetName(char *Out, int Size, DeviceNumber D) {
  return call(
      "cuDeviceGetName",
      [&](State &S) {
        if (!isDevice(S, D))
          return InvalidValue;
        snprintf(Out, size_t(Size), "%s %d", engine().deviceName(), D);
        return Success;
      },
      D);
}

EXPORT Result cuDeviceTotalMem_v2(size_t *Out, DeviceNumber D) {
  return call(
      "cuDeviceTotalMem_v2",
      [&](State &S) {
        *Out = TotalMemory;
        return isDevice(S, D) ? Success : InvalidValue;
      },
      D);
}

EXPORT Result cuDeviceGetAttribute(int *Out, DeviceAttribute Which,
                                   DeviceNumber D) {
  return call(
      "cuDeviceGetAttribute",
      [&](State &S) {
        if (!isDevice(S, D))
          return InvalidValue;
        switch (int(Which)) {
        case MaxThreadsPerBlock:
        case MaxBlockDimX:
        case MaxBlockDimX + 1:
          *Out = 1024;
          return Success;
        case MaxBlockDimX + 2:
          *Out = 64;
          return Success;
        case MaxGridDimX:
          *Out = 0x7fffffff;
          return Success;
        case MaxGridDimX + 1:
        case MaxGridDimX + 2:
          *Out = 65535;
          return Success;
        case MaxSharedPerBlock:
          *Out = 48 * 1024;
          return Success;
        case MaxSharedPerBlockOptin:
          *Out = 227 * 1024;
          return Success;
        case WarpSize:
          *Out = 32;
          return Success;
        case MultiprocessorCount:
          *Out = 4;
          return Success;
        case CapabilityMajor:
          *Out = S.Devices[size_t(D)].Major;
          return Success;
        case CapabilityMinor:
          *Out = S.Devices[size_t(D)].Minor;
          return Success;
        case MemoryPoolsSupported:
          *Out = S.Pools;
          return Success;
        default:
          return InvalidValue;
        }
      },
      Which, D);
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

EXPORT Result cuDevicePrimaryCtxRetain(Context *Out, DeviceNumber D) {
  return call(
      "cuDevicePrimaryCtxRetain",
      [&](State &S) {
        if (!isDevice(S, D))
          return InvalidValue;
        *Out = &S.Devices[size_t(D)];
        (*Out)->Retained = true;
        return Success;
      },
      D);
}

EXPORT Result cuCtxSetCurrent(Context C) {
  return call("cuCtxSetCurrent", [&](State &S) {
    if (S.Fault == Deinitialized)
      return Deinitialized;
    if (C && (C < S.Devices.data() ||
              C >= S.Devices.data() + S.Devices.size() || !C->Retained))
      return InvalidContext;
    Current = C;
    return Success;
  });
}

EXPORT Result cuCtxGetCurrent(Context *Out) {
  *Out = Current; // too frequent to be recorded
  return state().Fault == Deinitialized ? Deinitialized : Success;
}

EXPORT Result cuCtxGetLimit(size_t *Out, ContextLimit Which) {
  return callInContext(
      "cuCtxGetLimit",
      [&](State &) {
        *Out = Current->StackLimit;
        return Which == LimitStackSize ? Success : InvalidValue;
      },
      Which);
}

EXPORT Result cuCtxSetLimit(ContextLimit Which, size_t Bytes) {
  return callInContext(
      "cuCtxSetLimit",
      [&](State &) {
        if (Which != LimitStackSize || Bytes > 512 * 1024)
          return InvalidValue;
        Current->StackLimit = (Bytes + 15) / 16 * 16;
        return Success;
      },
      Which, Bytes);
}

EXPORT Result cuDeviceCanAccessPeer(int *Out, DeviceNumber From,
                                    DeviceNumber To) {
  return call(
      "cuDeviceCanAccessPeer",
      [&](State &S) {
        if (!isDevice(S, From) || !isDevice(S, To))
          return InvalidValue;
        *Out = From != To;
        return Success;
      },
      From, To);
}

EXPORT Result cuCtxEnablePeerAccess(Context Peer, unsigned Flags) {
  return callInContext("cuCtxEnablePeerAccess", [&](State &) {
    if (Flags || !Peer || Peer == Current)
      return InvalidContext;
    return Current->Peers.insert(Peer->Number).second
               ? Success
               : PeerAccessAlreadyEnabled;
  });
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

void xcc::rt::cuda::EventMark::reach() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  std::lock_guard Lock(Mutex);
  Time = uint64_t(T.tv_sec) * 1'000'000'000u + uint64_t(T.tv_nsec);
  Reached.notify_all();
}

EXPORT Result cuStreamCreate(Stream *Out, unsigned Flags) {
  return callInContext(
      "cuStreamCreate",
      [&](State &S) {
        *Out = new StreamObject{Current};
        S.Live.insert(*Out);
        return Success;
      },
      Flags);
}

/// What running code left behind, if anything, once a wait is over.
static Result faultAfter(Result Waited) {
  std::lock_guard Lock(state().Mutex);
  return Waited == Success ? state().Fault : Waited;
}

EXPORT Result cuStreamSynchronize(Stream S) {
  Result R = callInContext("cuStreamSynchronize", [&](State &) {
    return isLive(S) ? Success : InvalidHandle;
  });
  if (R == Success)
    engine().finish(S);
  return faultAfter(R);
}

EXPORT Result cuStreamQuery(Stream S) {
  return callInContext("cuStreamQuery", [&](State &) {
    if (!isLive(S))
      return InvalidHandle;
    return engine().idle(S) ? Success : NotReady;
  });
}

EXPORT Result cuStreamWaitEvent(Stream S, EventHandle E, unsigned Flags) {
  return callInContext("cuStreamWaitEvent", [&](State &) {
    if (Flags)
      return InvalidValue;
    if (!isLive(S) || !isLive(E))
      return InvalidHandle;
    if (E->Last)
      engine().submit(
          S,
          [Mark = E->Last] {
            Mark->wait();
            return Success;
          },
          Engine::Always);
    return Success;
  });
}

EXPORT Result cuEventCreate(EventHandle *Out, unsigned Flags) {
  return callInContext(
      "cuEventCreate",
      [&](State &S) {
        *Out = new EventObject{Current};
        S.Live.insert(*Out);
        return Success;
      },
      Flags);
}

EXPORT Result cuEventDestroy_v2(EventHandle E) {
  return call("cuEventDestroy_v2", [&](State &S) {
    if (!S.Live.erase(E))
      return InvalidHandle;
    delete E;
    return Success;
  });
}

EXPORT Result cuEventRecord(EventHandle E, Stream To) {
  return callInContext("cuEventRecord", [&](State &) {
    if (!isLive(E) || !isLive(To) || E->In != To->In)
      return InvalidHandle;
    E->Last = std::make_shared<EventMark>();
    engine().submit(
        To,
        [Mark = E->Last] {
          Mark->reach();
          return Success;
        },
        Engine::Point);
    return Success;
  });
}

EXPORT Result cuEventQuery(EventHandle E) {
  return callInContext("cuEventQuery", [&](State &) {
    if (!isLive(E))
      return InvalidHandle;
    return !E->Last || E->Last->time() ? Success : NotReady;
  });
}

EXPORT Result cuEventSynchronize(EventHandle E) {
  std::shared_ptr<EventMark> Mark;
  Result R = callInContext("cuEventSynchronize", [&](State &) {
    if (!isLive(E))
      return InvalidHandle;
    Mark = E->Last;
    return Success;
  });
  if (Mark)
    Mark->wait();
  return faultAfter(R);
}

EXPORT Result cuEventElapsedTime(float *Out, EventHandle From, EventHandle To) {
  return callInContext("cuEventElapsedTime", [&](State &) {
    if (!isLive(From) || !isLive(To) || !From->Last || !To->Last)
      return InvalidHandle;
    if (!From->Last->time() || !To->Last->time())
      return NotReady;
    *Out = float(double(To->Last->time() - From->Last->time()) / 1e6);
    return Success;
  });
}
