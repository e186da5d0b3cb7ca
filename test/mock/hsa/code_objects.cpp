// The mock's loader
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "execution.h"

#include <cstdlib>
#include <elf.h>
#include <memory>
#include <sstream>

using namespace mock;

namespace {
struct MockExecutable {
  std::vector<std::unique_ptr<MockKernel>> Kernels;
  std::vector<void *> Placed; ///< by the execution
  bool Frozen = false;
};
} // namespace

/// Whether a symbol that is no kernel is a variable the runtime may ask for.
static bool isVariable(const std::string &Name) {
  return Name.starts_with("__");
}

/// Puts an image's variables into the GPU's memory, cleared.
static void placeVariables(MockExecutable &In, Agent A) {
  std::lock_guard Lock(state().Mutex);
  for (auto &K : In.Kernels) {
    if (!isVariable(K->Symbol) || K->Variable)
      continue;
    if (K->Code) {
      K->Variable = execution()->addressOf(K->Code, K->Value);
      state().Variables[{K->Symbol, int(A.handle - FirstGpu)}] = K->Variable;
      continue;
    }
    K->Variable = calloc(1, K->Kernarg);
    ++state().MemoryVersion;
    state().Memory[reinterpret_cast<uintptr_t>(K->Variable)] = {
        K->Kernarg, A.handle * 10 + CoarseNumber, {A.handle}};
    state().Variables[{K->Symbol, int(A.handle - FirstGpu)}] = K->Variable;
  }
}

static void dropVariables(MockExecutable &In) {
  std::lock_guard Lock(state().Mutex);
  for (auto &K : In.Kernels) {
    if (!K->Variable)
      continue;
    std::erase_if(state().Variables,
                  [&](auto &Known) { return Known.second == K->Variable; });
    if (K->Code)
      continue;
    ++state().MemoryVersion;
    state().Memory.erase(reinterpret_cast<uintptr_t>(K->Variable));
    free(K->Variable);
  }
}

static bool readText(const std::string &Text, MockExecutable &Out) {
  std::istringstream In(Text);
  std::string Word;
  In >> Word;
  MockKernel K;
  int Dynamic;
  while (In >> K.Symbol >> K.Kernarg >> K.Group >> K.Private >> Dynamic) {
    K.DynamicStack = Dynamic != 0;
    Out.Kernels.push_back(std::make_unique<MockKernel>(K));
  }
  return In.eof();
}

/// Reads the kernel descriptors that ELF symbols ending in .kd name.
static bool readElf(const std::string &File, MockExecutable &Out) {
  auto At = [&](uint64_t Offset, void *To, size_t Size) {
    if (Offset > File.size() || Size > File.size() - Offset)
      return false;
    memcpy(To, File.data() + Offset, Size);
    return true;
  };
  Elf64_Ehdr Header;
  if (!At(0, &Header, sizeof(Header)) || Header.e_machine != 224 /* AMDGPU */)
    return false;
  std::vector<Elf64_Shdr> Sections(Header.e_shnum);
  for (size_t I = 0; I != Sections.size(); ++I)
    if (!At(Header.e_shoff + I * sizeof(Elf64_Shdr), &Sections[I],
            sizeof(Elf64_Shdr)))
      return false;
  for (const Elf64_Shdr &Table : Sections) {
    if (Table.sh_type != SHT_DYNSYM || Table.sh_link >= Sections.size())
      continue;
    const Elf64_Shdr &Names = Sections[Table.sh_link];
    for (uint64_t I = 0; I != Table.sh_size / sizeof(Elf64_Sym); ++I) {
      Elf64_Sym S;
      if (!At(Table.sh_offset + I * sizeof(S), &S, sizeof(S)))
        return false;
      if (S.st_shndx >= Sections.size() ||
          Names.sh_offset + S.st_name >= File.size())
        continue;
      std::string Name(File.c_str() + Names.sh_offset + S.st_name);
      if (isVariable(Name) && S.st_shndx != SHN_UNDEF &&
          ELF64_ST_TYPE(S.st_info) == STT_OBJECT) {
        auto V = std::make_unique<MockKernel>();
        V->Symbol = Name;
        V->Kernarg = uint32_t(S.st_size);
        V->Value = S.st_value;
        Out.Kernels.push_back(std::move(V));
        continue;
      }
      if (Name.size() < 4 || Name.substr(Name.size() - 3) != ".kd")
        continue;
      const Elf64_Shdr &In = Sections[S.st_shndx];
      // The kernel descriptor: group, private and kernarg bytes, ..., and the
      // properties, whose bit 11 says that the stack is dynamic.
      struct {
        uint32_t Group, Private, Kernarg, Reserved[11];
        uint16_t Properties, Preload;
        uint32_t Reserved3;
      } D;
      static_assert(sizeof(D) == 64);
      if (!At(In.sh_offset + (S.st_value - In.sh_addr), &D, sizeof(D)))
        return false;
      Out.Kernels.push_back(std::make_unique<MockKernel>(
          MockKernel{Name.substr(0, Name.size() - 3), D.Kernarg, D.Group,
                     D.Private, (D.Properties >> 11 & 1) != 0, nullptr,
                     S.st_value, nullptr}));
    }
  }
  return !Out.Kernels.empty();
}

Status hsa_code_object_reader_create_from_memory(const void *Data, size_t Size,
                                                 Reader *Out) {
  MOCK_CALL(hsa_code_object_reader_create_from_memory);
  Out->handle = reinterpret_cast<uintptr_t>(
      new std::string(static_cast<const char *>(Data), Size));
  return StatusSuccess;
}

Status hsa_code_object_reader_destroy(Reader R) {
  MOCK_CALL(hsa_code_object_reader_destroy);
  delete reinterpret_cast<std::string *>(R.handle);
  return StatusSuccess;
}

Status hsa_executable_create_alt(Profile P, RoundingMode, const char *,
                                 Executable *Out) {
  MOCK_CALL(hsa_executable_create_alt);
  if (P != ProfileFull)
    return StatusInvalidArgument;
  Out->handle = reinterpret_cast<uintptr_t>(new MockExecutable);
  return StatusSuccess;
}

Status hsa_executable_load_agent_code_object(Executable E, Agent A, Reader R,
                                             const char *, LoadedObject *) {
  MOCK_CALL(hsa_executable_load_agent_code_object);
  if (!isGpu(A))
    return StatusInvalidAgent;
  auto &Text = *reinterpret_cast<std::string *>(R.handle);
  auto &To = *reinterpret_cast<MockExecutable *>(E.handle);
  bool Good =
      Text.rfind("MOCKHSA", 0) == 0 ? readText(Text, To) : readElf(Text, To);
  if (Good && execution()) {
    void *Placed = execution()->place(Text, A);
    if (!Placed)
      return StatusInvalidCodeObject;
    To.Placed.push_back(Placed);
    for (auto &K : To.Kernels)
      if (!K->Code)
        K->Code = Placed;
  }
  if (Good)
    placeVariables(To, A);
  return Good ? StatusSuccess : StatusInvalidCodeObject;
}

Status hsa_executable_freeze(Executable E, const char *) {
  MOCK_CALL(hsa_executable_freeze);
  reinterpret_cast<MockExecutable *>(E.handle)->Frozen = true;
  return StatusSuccess;
}

Status hsa_executable_destroy(Executable E) {
  MOCK_CALL(hsa_executable_destroy);
  // Records name the kernels.
  static auto &Kept = *new std::vector<std::unique_ptr<MockKernel>>;
  auto *Old = reinterpret_cast<MockExecutable *>(E.handle);
  dropVariables(*Old);
  for (void *P : Old->Placed)
    execution()->drop(P);
  {
    std::lock_guard Lock(state().Mutex);
    for (auto &K : Old->Kernels)
      Kept.push_back(std::move(K));
  }
  delete Old;
  return StatusSuccess;
}

Status hsa_executable_get_symbol_by_name(Executable E, const char *Name,
                                         const Agent *, Symbol *Out) {
  MOCK_CALL(hsa_executable_get_symbol_by_name);
  auto &From = *reinterpret_cast<MockExecutable *>(E.handle);
  if (!From.Frozen)
    violated("a symbol of an executable that is not frozen");
  for (auto &K : From.Kernels)
    if (K->Symbol + (K->Variable ? "" : ".kd") == Name) {
      Out->handle = reinterpret_cast<uintptr_t>(K.get());
      return StatusSuccess;
    }
  return StatusInvalidSymbolName;
}

Status hsa_executable_symbol_get_info(Symbol S, SymbolInfo What, void *Value) {
  MOCK_CALL(hsa_executable_symbol_get_info);
  auto &K = *reinterpret_cast<MockKernel *>(S.handle);
  uint32_t Word = 0;
  if (K.Variable ? What != SymbolVariableAddress && What != SymbolVariableSize
                 : What == SymbolVariableAddress || What == SymbolVariableSize)
    return StatusInvalidArgument;
  switch (What) {
  case SymbolVariableAddress:
    memcpy(Value, &K.Variable, sizeof(uint64_t));
    return StatusSuccess;
  case SymbolVariableSize:
    Word = K.Kernarg;
    break;
  case SymbolKernelObject:
    memcpy(Value, &S.handle, sizeof(uint64_t));
    return StatusSuccess;
  case SymbolDynamicCallstack:
    memcpy(Value, &K.DynamicStack, sizeof(bool));
    return StatusSuccess;
  case SymbolKernargSize:
    Word = K.Kernarg;
    break;
  case SymbolKernargAlignment:
    Word = 16;
    break;
  case SymbolGroupSize:
    Word = K.Group;
    break;
  case SymbolPrivateSize:
    Word = K.Private;
    break;
  }
  memcpy(Value, &Word, sizeof(Word));
  return StatusSuccess;
}
