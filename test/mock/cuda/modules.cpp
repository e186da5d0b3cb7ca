//===-- modules.cpp - Modules and launches of the mock driver -------------===//
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "state.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
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
        // Text that says so is what a compiler refuses.
        size_t Bad = M->Text ? M->Data.find("#error ") : std::string::npos;
        if (Bad != std::string::npos) {
          for (unsigned I = 0; I != Count; ++I)
            if (Options[I] == JitErrorLog)
              snprintf(static_cast<char *>(Values[I]), 100, "%s",
                       M->Data.c_str() + Bad + 7);
          delete M;
          return InvalidPtx;
        }
        S.Live.insert(M);
        *Out = M;
        return Success;
      },
      Count);
}

EXPORT Result cuModuleUnload(Module M) {
  return callInContext("cuModuleUnload", [&](State &S) {
    if (!S.Live.erase(M))
      return InvalidHandle;
    for (auto &[Name, A] : M->Variables) {
      auto Known = S.Variables.find({Name, M->In->Number});
      if (Known != S.Variables.end() && Known->second == A)
        S.Variables.erase(Known);
      S.Memory.erase(A);
      free(reinterpret_cast<void *>(A));
    }
    delete M;
    return Success;
  });
}

static bool isNameChar(char C) { return isalnum(C) || C == '_' || C == '$'; }

/// Does the name stand in the image as a word of its own?
static bool holds(const std::string &Data, const std::string &Name) {
  for (size_t At = Data.find(Name); At != std::string::npos;
       At = Data.find(Name, At + 1)) {
    size_t End = At + Name.size();
    if ((At == 0 || !isNameChar(Data[At - 1])) &&
        (End == Data.size() || !isNameChar(Data[End])))
      return true;
  }
  return false;
}

EXPORT Result cuModuleGetFunction(Function *Out, Module M, const char *Name) {
  return callInContext(
      "cuModuleGetFunction",
      [&](State &S) {
        if (!isLive(M))
          return InvalidHandle;
        if (!holds(M->Data, Name))
          return NotFound;
        *Out = new FunctionObject{M, Name};
        S.Live.insert(*Out);
        return Success;
      },
      Name);
}

/// Bytes of the variables there can be.
static size_t variableSize(const std::string &Name) {
  return Name == "__xcc_rpc" ? 40 : Name == "__xcc_trap_report" ? 8 : 0;
}

EXPORT Result cuModuleGetGlobal_v2(Address *Out, size_t *Size, Module M,
                                   const char *Name) {
  return callInContext(
      "cuModuleGetGlobal_v2",
      [&](State &S) {
        if (!isLive(M))
          return InvalidHandle;
        size_t Bytes = variableSize(Name);
        if (!Bytes || !holds(M->Data, Name))
          return NotFound;
        Address &A = M->Variables[Name];
        if (!A) {
          A = reinterpret_cast<uintptr_t>(calloc(1, Bytes));
          S.Memory[A] = {Bytes, M->In->Number};
        }
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
      [&](State &S) {
        if (!isLive(F))
          return InvalidHandle;
        switch (Which) {
        case FunctionMaxThreads:
          *Out = S.MaxThreads;
          return Success;
        case FunctionSharedSize:
          *Out = S.Shared;
          return Success;
        case FunctionLocalSize:
          *Out = S.Local;
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
      [&](State &S) {
        if (!isLive(F))
          return InvalidHandle;
        if (Which != FunctionMaxDynamicShared || Value + S.Shared > 227 * 1024)
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
      [&](State &S) {
        if (!isLive(F))
          return InvalidHandle;
        // A multiprocessor of sm_90 with registers to spare.
        *Blocks = Size > S.MaxThreads ? 0 : std::min(32, 2048 / Size);
        size_t Shared = size_t(S.Shared) + Dynamic;
        if (Shared)
          *Blocks = std::min(*Blocks, int(228 * 1024 / (Shared + 1024)));
        if (int(Dynamic) > F->DynamicAllowed)
          *Blocks = 0;
        return Success;
      },
      Size, Dynamic);
}

/// The kernel's body, if anybody gave it one.
static mock_kernel bodyOf(State &S, const std::string &Symbol) {
  if (auto Found = S.Kernels.find(Symbol); Found != S.Kernels.end())
    return Found->second;
  if (!S.KernelLibrary)
    return nullptr;
  return reinterpret_cast<mock_kernel>(dlsym(S.KernelLibrary, Symbol.c_str()));
}

EXPORT Result cuLaunchKernel(Function F, unsigned GX, unsigned GY, unsigned GZ,
                             unsigned BX, unsigned BY, unsigned BZ,
                             unsigned Shared, Stream In, void **Params,
                             void **Extra) {
  if (state().Quiet.load(std::memory_order_relaxed))
    return Current ? Success : InvalidContext;
  std::lock_guard Alone(state().Running);
  mock_kernel Body = nullptr;
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
      [&](State &S) {
        if (!isLive(F) || !isLive(In))
          return InvalidHandle;
        if (F->Of->In != Current || In->In != Current)
          return InvalidContext;
        if (Params || !GX || !GY || !GZ || !BX || !BY || !BZ || GY > 65535 ||
            GZ > 65535 || BX * BY * BZ > 1024 || BZ > 64 ||
            int(Shared) > F->DynamicAllowed)
          return InvalidValue;
        Body = bodyOf(S, F->Symbol);
        return Success;
      },
      Symbol.c_str(), GX, GY, GZ, BX, BY, BZ, Shared, Size);
  if (Started == Success && Body) {
    std::string Copy(static_cast<const char *>(Kernarg), Size);
    mock_launch L{{GX, GY, GZ}, {BX, BY, BZ}, Shared, Size, In};
    Body(Copy.data(), &L);
  }
  return Started;
}

EXPORT Result cuLaunchHostFunc(Stream In, HostFunction Body, void *Data) {
  return callInContext("cuLaunchHostFunc", [&](State &) {
    if (!isLive(In) || !Body)
      return InvalidHandle;
    Body(Data);
    return Success;
  });
}

// Every entry of the runtime's table is here, with the runtime's types.
extern "C" {
#define DECLARE(need, name, symbol, params) Result symbol params;
XCC_CUDA_DRIVER_API(DECLARE)
#undef DECLARE
}
