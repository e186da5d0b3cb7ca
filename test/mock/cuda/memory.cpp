// Memory of the mock driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"

#include <cstdlib>
#include <cstring>

using namespace mock;

#define EXPORT extern "C" __attribute__((visibility("default")))

static Result allocate(State &S, Address *Out, size_t Size, int Device) {
  void *Memory = nullptr;
  if (!Size)
    return InvalidValue;
  if (Size > TotalMemory || posix_memalign(&Memory, 256, Size) != 0)
    return OutOfMemory;
  *Out = reinterpret_cast<uintptr_t>(Memory);
  S.Memory[*Out] = {Size, Device};
  ++S.MemoryVersion;
  engine().allocated(Memory, Size);
  return Success;
}

static Result release(State &S, Address A, bool Host) {
  auto Found = S.Memory.find(A);
  if (Found == S.Memory.end() || (Found->second.Device < 0) != Host ||
      !Found->second.Of.empty())
    return InvalidValue;
  S.Memory.erase(Found);
  ++S.MemoryVersion;
  free(reinterpret_cast<void *>(A));
  return Success;
}

EXPORT Result cuMemGetInfo_v2(size_t *Free, size_t *Total) {
  return callInContext("cuMemGetInfo_v2", [&](State &S) {
    *Total = *Free = TotalMemory;
    for (auto &[Begin, R] : S.Memory)
      if (R.Device == Current->Number)
        *Free -= R.Size;
    return Success;
  });
}

EXPORT Result cuMemAlloc_v2(Address *Out, size_t Size) {
  return callInContext(
      "cuMemAlloc_v2",
      [&](State &S) { return allocate(S, Out, Size, Current->Number); }, Size);
}

EXPORT Result cuMemFree_v2(Address A) {
  engine().finishAll(); // as the driver does
  return callInContext("cuMemFree_v2",
                       [&](State &S) { return release(S, A, false); });
}

EXPORT Result cuMemHostAlloc(void **Out, size_t Size, unsigned Flags) {
  return callInContext(
      "cuMemHostAlloc",
      [&](State &S) {
        Address A = 0;
        Result R = allocate(S, &A, Size, -1);
        if (R == Success)
          *Out = reinterpret_cast<void *>(A);
        return R;
      },
      Size, Flags);
}

EXPORT Result cuMemHostGetDevicePointer_v2(Address *Out, void *Pointer,
                                           unsigned Flags) {
  return callInContext("cuMemHostGetDevicePointer_v2", [&](State &) {
    Range R;
    Address A = reinterpret_cast<uintptr_t>(Pointer);
    if (Flags || !isWithin(A, 0, &R) || R.Device >= 0)
      return InvalidValue;
    *Out = A;
    return Success;
  });
}

EXPORT Result cuMemFreeHost(void *Pointer) {
  engine().finishAll();
  return callInContext("cuMemFreeHost", [&](State &S) {
    return release(S, reinterpret_cast<uintptr_t>(Pointer), true);
  });
}

EXPORT Result cuMemAllocAsync(Address *Out, size_t Size, Stream In) {
  return callInContext(
      "cuMemAllocAsync",
      [&](State &S) {
        if (!S.Pools || !isLive(In))
          return InvalidHandle;
        return allocate(S, Out, Size, In->In->Number);
      },
      Size, In);
}

EXPORT Result cuMemFreeAsync(Address A, Stream In) {
  return callInContext("cuMemFreeAsync", [&](State &S) {
    if (!isLive(In))
      return InvalidHandle;
    if (!S.Memory.count(A))
      return InvalidValue;
    return engine().submit(In, [A] {
      std::lock_guard Lock(state().Mutex);
      return release(state(), A, false);
    });
  });
}

EXPORT Result cuDeviceGetDefaultMemPool(MemoryPool *Out, DeviceNumber D) {
  static MemoryPoolObject Pool{0};
  return call(
      "cuDeviceGetDefaultMemPool",
      [&](State &) {
        *Out = &Pool;
        return Success;
      },
      D);
}

EXPORT Result cuMemPoolSetAttribute(MemoryPool, PoolAttribute Which,
                                    void *Value) {
  return call(
      "cuMemPoolSetAttribute",
      [&](State &) { return Value ? Success : InvalidValue; }, Which);
}

EXPORT Result cuMemPoolTrimTo(MemoryPool Pool, size_t Keep) {
  return call(
      "cuMemPoolTrimTo", [&](State &) { return Pool ? Success : InvalidValue; },
      Keep);
}

EXPORT Result cuMemPoolSetAccess(MemoryPool Pool, const AccessDescription *Map,
                                 size_t Count) {
  return callInContext(
      "cuMemPoolSetAccess",
      [&](State &) {
        return Pool && Count == 1 && Map->LocationType == LocationDevice &&
                       Map->Access == AccessReadWrite
                   ? Success
                   : InvalidValue;
      },
      Map->Number);
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

/// Device memory must be one allocation; anything else is taken for the host's.
static bool isUsable(Address A, size_t Size) {
  return !isWithin(A, 0) || isWithin(A, Size);
}

/// Page-locked or a device's: a copy from or to there is not waited for.
static bool isKnown(Address A) { return isWithin(A, 0); }

static Result copy(Address To, Address From, size_t Size, Stream In) {
  if (!To || !From || !isUsable(To, Size) || !isUsable(From, Size))
    return InvalidValue;
  if (To < From + Size && From < To + Size)
    return InvalidValue; // undefined, says the reference
  return engine().submit(In, [=] {
    memmove(reinterpret_cast<void *>(To), reinterpret_cast<void *>(From), Size);
    return Success;
  });
}

EXPORT Result cuMemcpyAsync(Address To, Address From, size_t Size, Stream In) {
  bool Waits = false;
  Result R = callInContext(
      "cuMemcpyAsync",
      [&](State &) {
        Waits = isLive(In) && !(isKnown(To) && isKnown(From));
        return isLive(In) ? copy(To, From, Size, In) : InvalidHandle;
      },
      To, From, Size);
  if (R == Success && Waits)
    engine().finish(In);
  return R;
}

EXPORT Result cuMemcpyPeerAsync(Address To, Context ToIn, Address From,
                                Context FromIn, size_t Size, Stream In) {
  return callInContext(
      "cuMemcpyPeerAsync",
      [&](State &) {
        if (!isLive(In))
          return InvalidHandle;
        Range A, B;
        if (!isWithin(To, Size, &A) || !isWithin(From, Size, &B) ||
            A.Device != ToIn->Number || B.Device != FromIn->Number)
          return InvalidValue;
        return copy(To, From, Size, In);
      },
      ToIn->Number, FromIn->Number, Size);
}

EXPORT Result cuMemsetD8Async(Address To, unsigned char Byte, size_t Size,
                              Stream In) {
  return callInContext(
      "cuMemsetD8Async",
      [&](State &) {
        if (!isLive(In))
          return InvalidHandle;
        if (!isWithin(To, Size))
          return InvalidValue;
        return engine().submit(In, [=] {
          memset(reinterpret_cast<void *>(To), Byte, Size);
          return Success;
        });
      },
      To, Byte, Size);
}

EXPORT Result cuPointerGetAttribute(void *Out, PointerAttribute Which,
                                    Address A) {
  return callInContext(
      "cuPointerGetAttribute",
      [&](State &) {
        Range R;
        if (Which != PointerMemoryType || !isWithin(A, 0, &R))
          return InvalidValue;
        unsigned Type = R.Device < 0 ? 1 : MemoryTypeDevice;
        memcpy(Out, &Type, sizeof(Type));
        return Success;
      },
      Which);
}
