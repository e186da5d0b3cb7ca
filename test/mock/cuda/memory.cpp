// Memory of the mock driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"
#include "test/mock/device_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace mock;

#define EXPORT extern "C" __attribute__((visibility("default")))

/// Memory of the host that devices reach: page-locked, or managed.
static Address allocateShared(size_t size) {
  void *memory = nullptr;
  return posix_memalign(&memory, 256, size) == 0
             ? reinterpret_cast<uintptr_t>(memory)
             : 0;
}

/// \p is: everything but its size.
static Result allocate(State &s, Address *out, size_t size, Range is) {
  if (!size)
    return InvalidValue;
  if (size > TotalMemory)
    return OutOfMemory;
  Address a = is.shared ? allocateShared(size) : allocateDevice(size, 256);
  if (!a)
    return OutOfMemory;
  *out = a;
  is.size = size;
  s.memory[a] = is;
  ++s.memoryVersion;
  engine().allocated(a, size);
  return Success;
}

static Result release(State &s, Address a, bool host) {
  auto found = s.memory.find(a);
  if (found == s.memory.end() || (found->second.device < 0) != host ||
      !found->second.of.empty() || found->second.registered)
    return InvalidValue;
  const bool shared = found->second.shared;
  s.memory.erase(found);
  ++s.memoryVersion;
  if (shared)
    free(reinterpret_cast<void *>(a));
  else
    freeDevice(a);
  return Success;
}

EXPORT Result cuMemGetInfo_v2(size_t *free, size_t *total) {
  return callInContext("cuMemGetInfo_v2", [&](State &s) {
    *total = *free = TotalMemory;
    for (auto &[begin, r] : s.memory)
      if (r.device == current->number)
        *free -= r.size;
    return Success;
  });
}

EXPORT Result cuMemAlloc_v2(Address *out, size_t size) {
  return callInContext(
      "cuMemAlloc_v2",
      [&](State &s) {
        return allocate(s, out, size, {.device = current->number});
      },
      size);
}

EXPORT Result cuMemFree_v2(Address a) {
  engine().finishAll(); // as the driver does
  return callInContext("cuMemFree_v2",
                       [&](State &s) { return release(s, a, false); });
}

EXPORT Result cuMemHostAlloc(void **out, size_t size, unsigned flags) {
  return callInContext(
      "cuMemHostAlloc",
      [&](State &s) {
        Address a = 0;
        Result r = allocate(s, &a, size, {.device = -1, .shared = true});
        if (r == Success)
          *out = reinterpret_cast<void *>(a);
        return r;
      },
      size, flags);
}

EXPORT Result cuMemHostGetDevicePointer_v2(Address *out, void *pointer,
                                           unsigned flags) {
  return callInContext("cuMemHostGetDevicePointer_v2", [&](State &) {
    Range r;
    Address a = reinterpret_cast<uintptr_t>(pointer);
    if (flags || !isWithin(a, 0, &r) || r.device >= 0)
      return InvalidValue;
    *out = a;
    return Success;
  });
}

EXPORT Result cuMemFreeHost(void *pointer) {
  engine().finishAll();
  return callInContext("cuMemFreeHost", [&](State &s) {
    return release(s, reinterpret_cast<uintptr_t>(pointer), true);
  });
}

EXPORT Result cuMemAllocManaged(Address *out, size_t size, unsigned flags) {
  return callInContext(
      "cuMemAllocManaged",
      [&](State &s) {
        return flags != AttachGlobal || !s.managed
                   ? InvalidValue
                   : allocate(s, out, size,
                              {.device = current->number, .shared = true});
      },
      size, flags);
}

EXPORT Result cuMemHostRegister_v2(void *pointer, size_t size, unsigned flags) {
  return callInContext(
      "cuMemHostRegister_v2",
      [&](State &s) {
        Address a = reinterpret_cast<uintptr_t>(pointer);
        auto after = s.memory.lower_bound(a);
        if (!a || !size || flags != (RegisterPortable | RegisterDeviceMap) ||
            isWithin(a, 0) ||
            (after != s.memory.end() && after->first - a < size))
          return InvalidValue;
        s.memory[a] = {.size = size, .device = -1, .registered = true};
        ++s.memoryVersion;
        return Success;
      },
      size, flags);
}

EXPORT Result cuMemHostUnregister(void *pointer) {
  engine().finishAll();
  return callInContext("cuMemHostUnregister", [&](State &s) {
    auto found = s.memory.find(reinterpret_cast<uintptr_t>(pointer));
    if (found == s.memory.end() || !found->second.registered)
      return InvalidValue;
    s.memory.erase(found);
    ++s.memoryVersion;
    return Success;
  });
}

static uint64_t pooled(State &s);

EXPORT Result cuMemAllocAsync(Address *out, size_t size, Stream in) {
  return callInContext(
      "cuMemAllocAsync",
      [&](State &s) {
        if (!s.pools || !isLive(in))
          return InvalidHandle;
        Result r =
            allocate(s, out, size, {.device = in->in->number, .pooled = true});
        if (r == Success)
          s.pool.reserved = std::max(s.pool.reserved, pooled(s));
        return r;
      },
      size, in);
}

EXPORT Result cuMemFreeAsync(Address a, Stream in) {
  return callInContext("cuMemFreeAsync", [&](State &s) {
    if (!isLive(in))
      return InvalidHandle;
    if (!s.memory.count(a))
      return InvalidValue;
    return submit(in, [a] {
      std::lock_guard lock(state().mutex);
      return release(state(), a, false);
    });
  });
}

EXPORT Result cuDeviceGetDefaultMemPool(MemoryPool *out, DeviceNumber d) {
  return call(
      "cuDeviceGetDefaultMemPool",
      [&](State &s) {
        *out = &s.pool;
        return Success;
      },
      d);
}

static uint64_t pooled(State &s) {
  uint64_t bytes = 0;
  for (auto &[begin, r] : s.memory)
    bytes += r.pooled ? r.size : 0;
  return bytes;
}

EXPORT Result cuMemPoolSetAttribute(MemoryPool pool, PoolAttribute which,
                                    void *value) {
  return call(
      "cuMemPoolSetAttribute",
      [&](State &) {
        if (!value || which != PoolReleaseThreshold)
          return InvalidValue;
        memcpy(&pool->threshold, value, sizeof(pool->threshold));
        return Success;
      },
      which);
}

EXPORT Result cuMemPoolGetAttribute(MemoryPool pool, PoolAttribute which,
                                    void *value) {
  return call(
      "cuMemPoolGetAttribute",
      [&](State &s) {
        const uint64_t is = which == PoolUsed       ? pooled(s)
                            : which == PoolReserved ? pool->reserved
                                                    : pool->threshold;
        memcpy(value, &is, sizeof(is));
        return Success;
      },
      which);
}

EXPORT Result cuMemPoolTrimTo(MemoryPool pool, size_t keep) {
  return call(
      "cuMemPoolTrimTo",
      [&](State &s) {
        if (!pool)
          return InvalidValue;
        pool->reserved = std::max<uint64_t>(
            pooled(s), std::min<uint64_t>(pool->reserved, keep));
        return Success;
      },
      keep);
}

EXPORT Result cuMemPoolSetAccess(MemoryPool pool, const AccessDescription *map,
                                 size_t count) {
  return callInContext(
      "cuMemPoolSetAccess",
      [&](State &) {
        return pool && count == 1 && map->locationType == LocationDevice &&
                       map->access == AccessReadWrite
                   ? Success
                   : InvalidValue;
      },
      map->number);
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

/// Device memory must be one allocation; anything else is taken for the host's.
static bool isUsable(Address a, size_t size) {
  return !isWithin(a, 1) || isWithin(a, size);
}

/// Page-locked or a device's: a copy from or to there is not waited for.
static bool isKnown(Address a) { return isWithin(a, 1); }

static Result copy(Address to, Address from, size_t size, Stream in) {
  if (!to || !from || !isUsable(to, size) || !isUsable(from, size))
    return InvalidValue;
  if (to < from + size && from < to + size)
    return InvalidValue; // undefined, says the reference
  return submit(in, [=] {
    memmove(reachable(to), reachable(from), size);
    engine().copied(to, from, size);
    return Success;
  });
}

/// From memory that devices cannot reach: the driver takes the bytes at once,
/// and the copy goes on without it.
static Result copyStaged(Address to, Address from, size_t size, Stream in) {
  if (!to || !from || !isUsable(to, size))
    return InvalidValue;
  auto bytes =
      std::make_shared<std::string>(reinterpret_cast<const char *>(from), size);
  return submit(in, [=] {
    memcpy(reachable(to), bytes->data(), bytes->size());
    engine().written(to, bytes->size());
    return Success;
  });
}

EXPORT Result cuMemcpyAsync(Address to, Address from, size_t size, Stream in) {
  bool waits = false;
  Result r = callInContext(
      "cuMemcpyAsync",
      [&](State &) {
        if (!isLive(in))
          return InvalidHandle;
        Range r;
        if (engine().stages() && !isKnown(from) && isWithin(to, 1, &r) &&
            !r.shared && !r.registered)
          return copyStaged(to, from, size, in);
        waits = !(isKnown(to) && isKnown(from));
        return copy(to, from, size, in);
      },
      to, from, size);
  if (r == Success && waits)
    engine().finish(in);
  return r;
}

EXPORT Result cuMemcpyPeerAsync(Address to, Context toIn, Address from,
                                Context fromIn, size_t size, Stream in) {
  return callInContext(
      "cuMemcpyPeerAsync",
      [&](State &) {
        if (!isLive(in))
          return InvalidHandle;
        Range a, b;
        if (!isWithin(to, size, &a) || !isWithin(from, size, &b) ||
            a.device != toIn->number || b.device != fromIn->number)
          return InvalidValue;
        return copy(to, from, size, in);
      },
      toIn->number, fromIn->number, size);
}

/// As strict as the driver: what each side is said to be, and where it ends.
static bool isSideUsable(const CopySide &side, const CopyOfRows &c) {
  if (side.x || side.y || side.z || side.level || side.array || side.reserved ||
      side.pitch < c.width || side.height < c.height ||
      side.pitch > 0x7fff'ffff)
    return false;
  const size_t reach =
      ((c.depth - 1) * side.height + c.height - 1) * side.pitch + c.width;
  Range r;
  const auto host = reinterpret_cast<uintptr_t>(side.host);
  return side.memoryType == int(MemoryTypeDevice)
             ? isWithin(side.device, reach, &r) && r.device >= 0
             : side.memoryType == int(MemoryTypeHost) && host &&
                   isUsable(host, reach) &&
                   (!isWithin(host, 0, &r) || r.device < 0);
}

static Address begins(const CopySide &side) {
  return side.memoryType == int(MemoryTypeDevice)
             ? side.device
             : reinterpret_cast<uintptr_t>(side.host);
}

EXPORT Result cuMemcpy3DAsync_v2(const CopyOfRows *copy, Stream in) {
  bool waits = false;
  const CopyOfRows c = *copy;
  Result r = callInContext(
      "cuMemcpy3DAsync_v2",
      [&](State &) {
        if (!isLive(in))
          return InvalidHandle;
        if (!c.width || !c.height || !c.depth || !isSideUsable(c.to, c) ||
            !isSideUsable(c.from, c))
          return InvalidValue;
        for (const CopySide *side : {&c.to, &c.from})
          waits |= !isKnown(begins(*side));
        return submit(in, [=] {
          for (size_t z = 0; z != c.depth; ++z)
            for (size_t y = 0; y != c.height; ++y) {
              const Address to = begins(c.to) +
                                 (z * c.to.height + y) * c.to.pitch,
                            from = begins(c.from) +
                                   (z * c.from.height + y) * c.from.pitch;
              memmove(reachable(to), reachable(from), c.width);
              engine().copied(to, from, c.width);
            }
          return Success;
        });
      },
      c.width, c.height, c.depth);
  if (r == Success && waits)
    engine().finish(in);
  return r;
}

EXPORT Result cuMemsetD8Async(Address to, unsigned char byte, size_t size,
                              Stream in) {
  return callInContext(
      "cuMemsetD8Async",
      [&](State &) {
        if (!isLive(in))
          return InvalidHandle;
        if (!isWithin(to, size))
          return InvalidValue;
        return submit(in, [=] {
          memset(reachable(to), byte, size);
          engine().written(to, size);
          return Success;
        });
      },
      to, byte, size);
}

/// \p width words of \p Word in each of \p height rows.
template <class Word>
static Result fillRows(const char *call, Address to, size_t pitch, Word word,
                       size_t width, size_t height, Stream in) {
  return callInContext(
      call,
      [&](State &) {
        if (!isLive(in))
          return InvalidHandle;
        if (!width || !height || pitch < width * sizeof(Word) ||
            to % sizeof(Word) || (height > 1 && pitch % sizeof(Word)) ||
            !isWithin(to, (height - 1) * pitch + width * sizeof(Word)))
          return InvalidValue;
        return submit(in, [=] {
          for (size_t row = 0; row != height; ++row) {
            auto *first = reachable<Word>(to + row * pitch);
            std::fill(first, first + width, word);
            engine().written(to + row * pitch, width * sizeof(Word));
          }
          return Success;
        });
      },
      to, word, width, height);
}

EXPORT Result cuMemsetD2D8Async(Address to, size_t pitch, unsigned char byte,
                                size_t width, size_t height, Stream in) {
  return fillRows("cuMemsetD2D8Async", to, pitch, byte, width, height, in);
}

EXPORT Result cuMemsetD2D32Async(Address to, size_t pitch, unsigned word,
                                 size_t width, size_t height, Stream in) {
  return fillRows("cuMemsetD2D32Async", to, pitch, word, width, height, in);
}

EXPORT Result cuPointerGetAttribute(void *out, PointerAttribute which,
                                    Address a) {
  return callInContext(
      "cuPointerGetAttribute",
      [&](State &) {
        Range r;
        if (which != PointerMemoryType || !isWithin(a, 0, &r))
          return InvalidValue;
        unsigned type = r.device < 0 ? 1 : MemoryTypeDevice;
        memcpy(out, &type, sizeof(type));
        return Success;
      },
      which);
}
