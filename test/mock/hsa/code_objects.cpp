// The mock's loader
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "execution.h"
#include "test/mock/device_memory.h"
#include "xcc/abi.h"

#include <cstdlib>
#include <elf.h>
#include <memory>
#include <sstream>

using namespace mock;

namespace {
struct MockExecutable {
  std::vector<std::unique_ptr<MockKernel>> kernels;
  std::vector<void *> placed; ///< by the execution
  bool frozen = false;
};
} // namespace

/// Whether a symbol that is no kernel is a variable the runtime may ask for.
static bool isVariable(const std::string &name) {
  return name.starts_with("__") && !name.ends_with(".kd") &&
         name != XCC_SYMBOL_INIT && name != XCC_SYMBOL_FINI;
}

/// Puts an image's variables into the GPU's memory, cleared.
static void placeVariables(MockExecutable &in, Agent a) {
  std::lock_guard lock(state().mutex);
  for (auto &k : in.kernels) {
    if (!isVariable(k->symbol) || k->variable)
      continue;
    if (k->code) {
      k->variable = execution()->addressOf(k->code, k->value);
      state().variables[{k->symbol, int(a.handle - FirstGpu)}] = k->variable;
      continue;
    }
    const uint64_t at = allocateDevice(k->kernarg, 256);
    memset(reachable(at), 0, k->kernarg);
    k->variable = reinterpret_cast<void *>(at);
    ++state().memoryVersion;
    state().memory[reinterpret_cast<uintptr_t>(k->variable)] = {
        k->kernarg, a.handle * 10 + CoarseNumber, {a.handle}};
    state().variables[{k->symbol, int(a.handle - FirstGpu)}] = k->variable;
  }
}

static void dropVariables(MockExecutable &in) {
  std::lock_guard lock(state().mutex);
  for (auto &k : in.kernels) {
    if (!k->variable)
      continue;
    std::erase_if(state().variables,
                  [&](auto &known) { return known.second == k->variable; });
    if (k->code)
      continue;
    ++state().memoryVersion;
    state().memory.erase(reinterpret_cast<uintptr_t>(k->variable));
    freeDevice(reinterpret_cast<uintptr_t>(k->variable));
  }
}

static bool readText(const std::string &text, MockExecutable &out) {
  std::istringstream in(text);
  std::string word;
  in >> word;
  MockKernel k;
  int dynamic;
  while (in >> k.symbol >> k.kernarg >> k.group >> k.privateSize >> dynamic) {
    k.dynamicStack = dynamic != 0;
    out.kernels.push_back(std::make_unique<MockKernel>(k));
  }
  return in.eof();
}

/// Reads the kernel descriptors that ELF symbols ending in .kd name.
static bool readElf(const std::string &file, MockExecutable &out) {
  auto at = [&](uint64_t offset, void *to, size_t size) {
    if (offset > file.size() || size > file.size() - offset)
      return false;
    memcpy(to, file.data() + offset, size);
    return true;
  };
  Elf64_Ehdr header;
  if (!at(0, &header, sizeof(header)) || header.e_machine != 224 /* AMDGPU */)
    return false;
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  for (size_t i = 0; i != sections.size(); ++i)
    if (!at(header.e_shoff + i * sizeof(Elf64_Shdr), &sections[i],
            sizeof(Elf64_Shdr)))
      return false;
  for (const Elf64_Shdr &table : sections) {
    if (table.sh_type != SHT_DYNSYM || table.sh_link >= sections.size())
      continue;
    const Elf64_Shdr &names = sections[table.sh_link];
    for (uint64_t i = 0; i != table.sh_size / sizeof(Elf64_Sym); ++i) {
      Elf64_Sym s;
      if (!at(table.sh_offset + i * sizeof(s), &s, sizeof(s)))
        return false;
      if (s.st_shndx >= sections.size() ||
          names.sh_offset + s.st_name >= file.size())
        continue;
      std::string name(file.c_str() + names.sh_offset + s.st_name);
      if (isVariable(name) && s.st_shndx != SHN_UNDEF &&
          ELF64_ST_TYPE(s.st_info) == STT_OBJECT) {
        auto v = std::make_unique<MockKernel>();
        v->symbol = name;
        v->kernarg = uint32_t(s.st_size);
        v->value = s.st_value;
        out.kernels.push_back(std::move(v));
        continue;
      }
      if (name.size() < 4 || name.substr(name.size() - 3) != ".kd")
        continue;
      const Elf64_Shdr &in = sections[s.st_shndx];
      // The kernel descriptor: group, private and kernarg bytes, ..., and the
      // properties, whose bit 11 says that the stack is dynamic.
      struct {
        uint32_t group, privateSize, kernarg, reserved[11];
        uint16_t properties, preload;
        uint32_t reserved3;
      } d;
      static_assert(sizeof(d) == 64);
      if (!at(in.sh_offset + (s.st_value - in.sh_addr), &d, sizeof(d)))
        return false;
      out.kernels.push_back(std::make_unique<MockKernel>(MockKernel{
          name.substr(0, name.size() - 3), d.kernarg, d.group, d.privateSize,
          (d.properties >> 11 & 1) != 0, nullptr, s.st_value, nullptr}));
    }
  }
  return !out.kernels.empty();
}

Status hsa_code_object_reader_create_from_memory(const void *data, size_t size,
                                                 Reader *out) {
  MOCK_CALL(hsa_code_object_reader_create_from_memory);
  out->handle = reinterpret_cast<uintptr_t>(
      new std::string(static_cast<const char *>(data), size));
  return StatusSuccess;
}

Status hsa_code_object_reader_destroy(Reader r) {
  MOCK_CALL(hsa_code_object_reader_destroy);
  delete reinterpret_cast<std::string *>(r.handle);
  return StatusSuccess;
}

Status hsa_executable_create_alt(Profile p, RoundingMode, const char *,
                                 Executable *out) {
  MOCK_CALL(hsa_executable_create_alt);
  if (p != ProfileFull)
    return StatusInvalidArgument;
  out->handle = reinterpret_cast<uintptr_t>(new MockExecutable);
  return StatusSuccess;
}

Status hsa_executable_load_agent_code_object(Executable e, Agent a, Reader r,
                                             const char *, LoadedObject *) {
  MOCK_CALL(hsa_executable_load_agent_code_object);
  if (!isGpu(a))
    return StatusInvalidAgent;
  auto &text = *reinterpret_cast<std::string *>(r.handle);
  auto &to = *reinterpret_cast<MockExecutable *>(e.handle);
  bool good =
      text.rfind("MOCKHSA", 0) == 0 ? readText(text, to) : readElf(text, to);
  if (good && execution()) {
    void *placed = execution()->place(text, a);
    if (!placed)
      return StatusInvalidCodeObject;
    to.placed.push_back(placed);
    for (auto &k : to.kernels)
      if (!k->code)
        k->code = placed;
  }
  if (good)
    placeVariables(to, a);
  return good ? StatusSuccess : StatusInvalidCodeObject;
}

Status hsa_executable_freeze(Executable e, const char *) {
  MOCK_CALL(hsa_executable_freeze);
  reinterpret_cast<MockExecutable *>(e.handle)->frozen = true;
  return StatusSuccess;
}

Status hsa_executable_destroy(Executable e) {
  MOCK_CALL(hsa_executable_destroy);
  // Records name the kernels.
  static auto &kept = *new std::vector<std::unique_ptr<MockKernel>>;
  auto *old = reinterpret_cast<MockExecutable *>(e.handle);
  dropVariables(*old);
  for (void *p : old->placed)
    execution()->drop(p);
  {
    std::lock_guard lock(state().mutex);
    for (auto &k : old->kernels)
      kept.push_back(std::move(k));
  }
  delete old;
  return StatusSuccess;
}

Status hsa_executable_get_symbol_by_name(Executable e, const char *name,
                                         const Agent *, Symbol *out) {
  MOCK_CALL(hsa_executable_get_symbol_by_name);
  auto &from = *reinterpret_cast<MockExecutable *>(e.handle);
  if (!from.frozen)
    violated("a symbol of an executable that is not frozen");
  for (auto &k : from.kernels)
    if (k->symbol + (k->variable ? "" : ".kd") == name) {
      out->handle = reinterpret_cast<uintptr_t>(k.get());
      return StatusSuccess;
    }
  return StatusInvalidSymbolName;
}

Status hsa_executable_symbol_get_info(Symbol s, SymbolInfo what, void *value) {
  MOCK_CALL(hsa_executable_symbol_get_info);
  auto &k = *reinterpret_cast<MockKernel *>(s.handle);
  uint32_t word = 0;
  if (k.variable ? what != SymbolVariableAddress && what != SymbolVariableSize
                 : what == SymbolVariableAddress || what == SymbolVariableSize)
    return StatusInvalidArgument;
  switch (what) {
  case SymbolVariableAddress:
    memcpy(value, &k.variable, sizeof(uint64_t));
    return StatusSuccess;
  case SymbolVariableSize:
    word = k.kernarg;
    break;
  case SymbolKernelObject:
    memcpy(value, &s.handle, sizeof(uint64_t));
    return StatusSuccess;
  case SymbolDynamicCallstack:
    memcpy(value, &k.dynamicStack, sizeof(bool));
    return StatusSuccess;
  case SymbolKernargSize:
    word = k.kernarg;
    break;
  case SymbolKernargAlignment:
    word = 16;
    break;
  case SymbolGroupSize:
    word = k.group;
    break;
  case SymbolPrivateSize:
    word = k.privateSize;
    break;
  }
  memcpy(value, &word, sizeof(word));
  return StatusSuccess;
}
