// Modules and launches of the mock driver
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"

#include <algorithm>
#include <cstring>
#include <elf.h>

using namespace mock;

#define EXPORT extern "C" __attribute__((visibility("default")))

/// How long an ELF file in memory is: the end of its last part.
static size_t elfSize(const char *Data) {
  Elf64_Ehdr Header;
  memcpy(&Header, Data, sizeof(Header));
  size_t End = std::max<size_t>(
      Header.e_shoff + size_t(Header.e_shnum) * Header.e_shentsize,
      Header.e_phoff + size_t(Header.e_phnum) * Header.e_phentsize);
  for (unsigned I = 0; I != Header.e_shnum; ++I) {
    Elf64_Shdr Section;
    memcpy(&Section, Data + Header.e_shoff + size_t(I) * Header.e_shentsize,
           sizeof(Section));
    if (Section.sh_type != SHT_NOBITS)
      End = std::max<size_t>(End, Section.sh_offset + Section.sh_size);
  }
  return End;
}

/// Writes a compiler's words where the options want them.
static void tell(const std::string &Why, unsigned Count, JitOption *Options,
                 void **Values) {
  char *Log = nullptr;
  size_t Size = 0;
  for (unsigned I = 0; I != Count; ++I)
    if (Options[I] == JitErrorLog)
      Log = static_cast<char *>(Values[I]);
    else if (Options[I] == JitErrorLogSize)
      Size = reinterpret_cast<size_t>(Values[I]);
  if (Log && Size)
    snprintf(Log, Size, "%s", Why.c_str());
}

EXPORT Result cuModuleLoadDataEx(Module *Out, const void *Image, unsigned Count,
                                 JitOption *Options, void **Values) {
  return callInContext(
      "cuModuleLoadDataEx",
      [&](State &S) {
        auto *Data = static_cast<const char *>(Image);
        auto *M = new ModuleObject{Current, {}, false};
        if (!memcmp(Data, ELFMAG, SELFMAG))
          M->Data.assign(Data, elfSize(Data));
        else
          M->Data = Data; // text, up to its zero byte
        M->Text = memcmp(Data, ELFMAG, SELFMAG) != 0;
        if (M->Text && M->Data.find('\x10') != std::string::npos) {
          delete M; // read on into the next offload binary's magic
          return InvalidPtx;
        }
        std::string Why;
        if (Result R = engine().load(*M, Why)) {
          tell(Why, Count, Options, Values);
          delete M;
          return R;
        }
        S.Live.insert(M);
        *Out = M;
        return Success;
      },
      Count);
}

EXPORT Result cuModuleUnload(Module M) {
  engine().finishAll();
  return callInContext("cuModuleUnload", [&](State &S) {
    if (!S.Live.erase(M))
      return InvalidHandle;
    for (auto &[Name, A] : M->Variables) {
      auto Known = S.Variables.find({Name, M->In->Number});
      if (Known != S.Variables.end() && Known->second == A)
        S.Variables.erase(Known);
    }
    engine().unload(*M);
    delete M;
    return Success;
  });
}

EXPORT Result cuModuleGetFunction(Function *Out, Module M, const char *Name) {
  return callInContext(
      "cuModuleGetFunction",
      [&](State &S) {
        if (!isLive(M))
          return InvalidHandle;
        if (!engine().hasFunction(*M, Name))
          return NotFound;
        *Out = new FunctionObject{M, Name};
        S.Live.insert(*Out);
        return Success;
      },
      Name);
}

EXPORT Result cuModuleGetGlobal_v2(Address *Out, size_t *Size, Module M,
                                   const char *Name) {
  return callInContext(
      "cuModuleGetGlobal_v2",
      [&](State &S) {
        if (!isLive(M))
          return InvalidHandle;
        size_t Bytes = 0;
        Address A = engine().variable(*M, Name, Bytes);
        if (!A)
          return NotFound;
        M->Variables[Name] = A;
        S.Variables[{Name, M->In->Number}] = A;
        *Out = A;
        *Size = Bytes;
        return Success;
      },
      Name);
}

EXPORT void *mock_cuda_variable(const char *Name, int Device) {
  State &S = state();
  std::lock_guard Lock(S.Mutex);
  auto Found = S.Variables.find({Name, Device});
  return Found == S.Variables.end() ? nullptr
                                    : reinterpret_cast<void *>(Found->second);
}

EXPORT Result cuFuncGetAttribute(int *Out, FunctionAttribute Which,
                                 Function F) {
  return callInContext(
      "cuFuncGetAttribute",
      [&](State &) {
        if (!isLive(F))
          return InvalidHandle;
        switch (Which) {
        case FunctionMaxThreads:
        case FunctionSharedSize:
        case FunctionLocalSize:
          *Out = engine().attribute(*F, Which);
          return Success;
        default:
          return InvalidValue;
        }
      },
      Which);
}

EXPORT Result cuFuncSetAttribute(Function F, FunctionAttribute Which,
                                 int Value) {
  return callInContext(
      "cuFuncSetAttribute",
      [&](State &) {
        if (!isLive(F))
          return InvalidHandle;
        if (Which != FunctionMaxDynamicShared ||
            Value + engine().attribute(*F, FunctionSharedSize) > 227 * 1024)
          return InvalidValue;
        F->DynamicAllowed = Value;
        return Success;
      },
      Which, Value);
}

EXPORT Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks,
                                                          Function F, int Size,
                                                          size_t Dynamic) {
  return callInContext(
      "cuOccupancyMaxActiveBlocksPerMultiprocessor",
      [&](State &) {
        if (!isLive(F))
          return InvalidHandle;
        // A multiprocessor of sm_90 with registers to spare.
        *Blocks = Size > engine().attribute(*F, FunctionMaxThreads)
                      ? 0
                      : std::min(32, 2048 / Size);
        size_t Shared =
            size_t(engine().attribute(*F, FunctionSharedSize)) + Dynamic;
        if (Shared)
          *Blocks = std::min(*Blocks, int(228 * 1024 / (Shared + 1024)));
        if (int(Dynamic) > F->DynamicAllowed)
          *Blocks = 0;
        return Success;
      },
      Size, Dynamic);
}

EXPORT Result cuLaunchKernel(Function F, unsigned GX, unsigned GY, unsigned GZ,
                             unsigned BX, unsigned BY, unsigned BZ,
                             unsigned Shared, Stream In, void **Params,
                             void **Extra) {
  if (state().Quiet.load(std::memory_order_relaxed))
    return Current ? Success : InvalidContext;
  std::unique_lock Alone(state().Running, std::defer_lock);
  if (engine().records())
    Alone.lock();
  const void *Kernarg = nullptr;
  size_t Size = 0;
  for (void **E = Extra; E && *E != LaunchEnd; E += 2) {
    if (E[0] == LaunchBuffer)
      Kernarg = E[1];
    else if (E[0] == LaunchBufferSize)
      Size = *static_cast<size_t *>(E[1]);
  }
  std::string Symbol;
  {
    std::lock_guard Lock(state().Mutex);
    Symbol = isLive(F) ? F->Symbol : "?";
  }
  Result Started = callInContext(
      "cuLaunchKernel",
      [&](State &) {
        if (!isLive(F) || !isLive(In))
          return InvalidHandle;
        if (F->Of->In != Current || In->In != Current)
          return InvalidContext;
        if (Params || !GX || !GY || !GZ || !BX || !BY || !BZ || GY > 65535 ||
            GZ > 65535 || BX * BY * BZ > 1024 || BZ > 64 ||
            int(Shared) > F->DynamicAllowed)
          return InvalidValue;
        return Success;
      },
      Symbol.c_str(), GX, GY, GZ, BX, BY, BZ, Shared, Size);
  if (Started != Success)
    return Started;
  return engine().launch(
      F, In,
      {{GX, GY, GZ},
       {BX, BY, BZ},
       Shared,
       std::string(static_cast<const char *>(Kernarg), Kernarg ? Size : 0)});
}

EXPORT Result cuLaunchHostFunc(Stream In, HostFunction Body, void *Data) {
  return callInContext("cuLaunchHostFunc", [&](State &) {
    if (!isLive(In) || !Body)
      return InvalidHandle;
    return engine().submit(In, [=] {
      Body(Data);
      return Success;
    });
  });
}

// Every entry of the runtime's table is here, with the runtime's types.
extern "C" {
#define DECLARE(need, name, symbol, params) Result symbol params;
XCC_CUDA_DRIVER_API(DECLARE)
#undef DECLARE
}
