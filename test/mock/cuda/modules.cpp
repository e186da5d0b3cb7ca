// Modules and launches of the mock driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"

#include <algorithm>
#include <cstring>
#include <elf.h>

using namespace mock;

// Every entry of the runtime's table is here, with the runtime's types.
extern "C" {
#define DECLARE(need, name, symbol, params) Result symbol params;
XCC_CUDA_DRIVER_API(DECLARE)
#undef DECLARE
}

#define EXPORT extern "C" __attribute__((visibility("default")))

/// How long an ELF file in memory is: the end of its last part.
static size_t elfSize(const char *data) {
  Elf64_Ehdr header;
  memcpy(&header, data, sizeof(header));
  size_t end = std::max<size_t>(
      header.e_shoff + size_t(header.e_shnum) * header.e_shentsize,
      header.e_phoff + size_t(header.e_phnum) * header.e_phentsize);
  for (unsigned i = 0; i != header.e_shnum; ++i) {
    Elf64_Shdr section;
    memcpy(&section, data + header.e_shoff + size_t(i) * header.e_shentsize,
           sizeof(section));
    if (section.sh_type != SHT_NOBITS)
      end = std::max<size_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

/// Writes a compiler's words where the options want them.
static void tell(const std::string &why, unsigned count, JitOption *options,
                 void **values) {
  char *log = nullptr;
  size_t size = 0;
  for (unsigned i = 0; i != count; ++i)
    if (options[i] == JitErrorLog)
      log = static_cast<char *>(values[i]);
    else if (options[i] == JitErrorLogSize)
      size = reinterpret_cast<size_t>(values[i]);
  if (log && size)
    snprintf(log, size, "%s", why.c_str());
}

EXPORT Result cuModuleLoadDataEx(Module *out, const void *image, unsigned count,
                                 JitOption *options, void **values) {
  return callInContext(
      "cuModuleLoadDataEx",
      [&](State &s) {
        auto *data = static_cast<const char *>(image);
        auto *m = new ModuleObject{current, {}, false};
        if (!memcmp(data, ELFMAG, SELFMAG))
          m->data.assign(data, elfSize(data));
        else
          m->data = data; // text, up to its zero byte
        m->text = memcmp(data, ELFMAG, SELFMAG) != 0;
        if (m->text && m->data.find('\x10') != std::string::npos) {
          delete m; // read on into the next offload binary's magic
          return InvalidPtx;
        }
        std::string why;
        if (Result r = engine().load(*m, why)) {
          tell(why, count, options, values);
          delete m;
          return r;
        }
        s.live.insert(m);
        *out = m;
        return Success;
      },
      count);
}

EXPORT Result cuModuleUnload(Module m) {
  engine().finishAll();
  return callInContext("cuModuleUnload", [&](State &s) {
    if (!s.live.erase(m))
      return InvalidHandle;
    for (auto &[name, a] : m->variables) {
      auto known = s.variables.find({name, m->in->number});
      if (known != s.variables.end() && known->second == a)
        s.variables.erase(known);
    }
    engine().unload(*m);
    delete m;
    return Success;
  });
}

EXPORT Result cuModuleGetFunction(Function *out, Module m, const char *name) {
  return callInContext(
      "cuModuleGetFunction",
      [&](State &s) {
        if (!isLive(m))
          return InvalidHandle;
        if (!engine().hasFunction(*m, name))
          return NotFound;
        *out = new FunctionObject{m, name};
        s.live.insert(*out);
        return Success;
      },
      name);
}

EXPORT Result cuModuleGetGlobal_v2(Address *out, size_t *size, Module m,
                                   const char *name) {
  return callInContext(
      "cuModuleGetGlobal_v2",
      [&](State &s) {
        if (!isLive(m))
          return InvalidHandle;
        size_t bytes = 0;
        Address a = engine().variable(*m, name, bytes);
        if (!a)
          return NotFound;
        m->variables[name] = a;
        s.variables[{name, m->in->number}] = a;
        *out = a;
        *size = bytes;
        return Success;
      },
      name);
}

EXPORT void *mock_cuda_variable(const char *name, int device) {
  State &s = state();
  std::lock_guard lock(s.mutex);
  auto found = s.variables.find({name, device});
  return found == s.variables.end() ? nullptr
                                    : reinterpret_cast<void *>(found->second);
}

EXPORT Result cuFuncGetAttribute(int *out, FunctionAttribute which,
                                 Function f) {
  return callInContext(
      "cuFuncGetAttribute",
      [&](State &) {
        if (!isLive(f))
          return InvalidHandle;
        switch (which) {
        case FunctionMaxThreads:
        case FunctionSharedSize:
        case FunctionLocalSize:
          *out = engine().attribute(*f, which);
          return Success;
        default:
          return InvalidValue;
        }
      },
      which);
}

EXPORT Result cuFuncGetParamInfo(Function f, size_t index, size_t *offset,
                                 size_t *size) {
  return callInContext(
      "cuFuncGetParamInfo",
      [&](State &) {
        if (!isLive(f))
          return InvalidHandle;
        return engine().parameter(*f, index, *offset, *size);
      },
      index);
}

EXPORT Result cuFuncSetAttribute(Function f, FunctionAttribute which,
                                 int value) {
  return callInContext(
      "cuFuncSetAttribute",
      [&](State &) {
        if (!isLive(f))
          return InvalidHandle;
        if (which != FunctionMaxDynamicShared ||
            value + engine().attribute(*f, FunctionSharedSize) > 227 * 1024)
          return InvalidValue;
        f->dynamicAllowed = value;
        return Success;
      },
      which, value);
}

EXPORT Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                          Function f, int size,
                                                          size_t dynamic) {
  return callInContext(
      "cuOccupancyMaxActiveBlocksPerMultiprocessor",
      [&](State &) {
        if (!isLive(f))
          return InvalidHandle;
        // A multiprocessor of sm_90 with registers to spare.
        *blocks = size > engine().attribute(*f, FunctionMaxThreads)
                      ? 0
                      : std::min(32, 2048 / size);
        size_t shared =
            size_t(engine().attribute(*f, FunctionSharedSize)) + dynamic;
        if (shared)
          *blocks = std::min(*blocks, int(228 * 1024 / (shared + 1024)));
        if (int(dynamic) > f->dynamicAllowed)
          *blocks = 0;
        return Success;
      },
      size, dynamic);
}

EXPORT Result cuLaunchKernel(Function f, unsigned gx, unsigned gy, unsigned gz,
                             unsigned bx, unsigned by, unsigned bz,
                             unsigned shared, Stream in, void **params,
                             void **extra) {
  if (state().quiet.load(std::memory_order_relaxed))
    return current ? Success : InvalidContext;
  std::unique_lock alone(state().running, std::defer_lock);
  if (engine().records())
    alone.lock();
  const void *kernarg = nullptr;
  size_t size = 0;
  for (void **e = extra; e && *e != LaunchEnd; e += 2) {
    if (e[0] == LaunchBuffer)
      kernarg = e[1];
    else if (e[0] == LaunchBufferSize)
      size = *static_cast<size_t *>(e[1]);
  }
  std::string symbol;
  {
    std::lock_guard lock(state().mutex);
    symbol = isLive(f) ? f->symbol : "?";
  }
  Result started = callInContext(
      "cuLaunchKernel",
      [&](State &) {
        if (!isLive(f) || !isLive(in))
          return InvalidHandle;
        if (f->of->in != current || in->in != current)
          return InvalidContext;
        if (params || !gx || !gy || !gz || !bx || !by || !bz || gy > 65535 ||
            gz > 65535 || bx * by * bz > 1024 || bz > 64 ||
            int(shared) > f->dynamicAllowed)
          return InvalidValue;
        return Success;
      },
      symbol.c_str(), gx, gy, gz, bx, by, bz, shared, size);
  if (started != Success)
    return started;
  LaunchArguments given{
      {gx, gy, gz},
      {bx, by, bz},
      shared,
      std::string(static_cast<const char *>(kernarg), kernarg ? size : 0)};
  auto launch = [f, given](Stream s) { return engine().launch(f, s, given); };
  return isCaptured(in, launch) ? Success : launch(in);
}

EXPORT Result cuLaunchKernelEx(const ExtendedLaunch *shape, Function f,
                               void **params, void **extra) {
  // As the driver: all blocks of a cooperative launch have to fit.
  for (unsigned i = 0; i != shape->count; ++i) {
    const LaunchAttribute &a = shape->attributes[i];
    if (a.id != LaunchIsCooperative)
      return InvalidValue;
    int each = 0, processors = 0;
    const unsigned threads =
        shape->block[0] * shape->block[1] * shape->block[2];
    if (Result r = cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &each, f, int(threads), shape->shared))
      return r;
    if (Result r = cuDeviceGetAttribute(&processors, MultiprocessorCount,
                                        current->number))
      return r;
    if (a.value && uint64_t(shape->grid[0]) * shape->grid[1] * shape->grid[2] >
                       uint64_t(each) * processors)
      return CooperativeTooLarge;
  }
  return cuLaunchKernel(f, shape->grid[0], shape->grid[1], shape->grid[2],
                        shape->block[0], shape->block[1], shape->block[2],
                        shape->shared, shape->in, params, extra);
}

EXPORT Result cuLaunchHostFunc(Stream in, HostFunction body, void *data) {
  return callInContext("cuLaunchHostFunc", [&](State &) {
    if (!isLive(in) || !body)
      return InvalidHandle;
    return submit(in, [=] {
      body(data);
      return Success;
    });
  });
}
