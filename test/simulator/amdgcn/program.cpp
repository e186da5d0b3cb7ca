// A loaded code object
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program.h"
#include "test/mock/device_memory.h"
#include "test/mock/hsa/state.h"
#include "test/simulator/common/definedness.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <elf.h>
#include <iterator>

namespace amdgcn {

static constexpr uint32_t RelocationAbs64 = 3, RelocationRelative64 = 13;

Program *Program::load(const std::string &elf, const Architecture &arch,
                       uint64_t agent) {
  std::unique_ptr<Program> p(new Program(arch, elf));
  if (!p->map())
    return nullptr;
  p->publish(agent);
  return p.release();
}

Program *Program::ofCode(const KernelDescriptor &k, const std::string &code,
                         const Architecture &arch, uint64_t agent) {
  auto *p = new Program(arch, "");
  p->bytes = sizeof(k) + code.size();
  if (!p->allocate())
    return nullptr;
  memcpy(p->memory, &k, sizeof(k));
  memcpy(p->memory + sizeof(k), code.data(), code.size());
  p->segments.push_back({0, p->bytes, false, true});
  p->codes.emplace_back();
  p->codes[0].begin = p->base;
  p->codes[0].end = p->codes[0].begin + p->bytes;
  p->publish(agent);
  return p;
}

template <class T>
static bool readAt(const std::string &file, uint64_t at, T &out) {
  if (at > file.size() || sizeof(T) > file.size() - at)
    return false;
  memcpy(&out, file.data() + at, sizeof(T));
  return true;
}

/// Cleared memory of the device for what is loaded.
bool Program::allocate() {
  base = mock::allocateDevice(bytes, 4096);
  if (!base)
    return false;
  memory = mock::reachable<uint8_t>(base);
  memset(memory, 0, bytes);
  simulator::define(base, bytes);
  return true;
}

bool Program::map() {
  Elf64_Ehdr header;
  if (!readAt(file, 0, header))
    return false;
  std::vector<Elf64_Phdr> parts(header.e_phnum);
  uint64_t dynamic = 0, dynamicSize = 0;
  for (size_t i = 0; i != parts.size(); ++i) {
    if (!readAt(file, header.e_phoff + i * sizeof(Elf64_Phdr), parts[i]))
      return false;
    const Elf64_Phdr &p = parts[i];
    if (p.p_type == PT_LOAD)
      bytes = std::max<size_t>(bytes, p.p_vaddr + p.p_memsz);
    if (p.p_type == PT_DYNAMIC) {
      dynamic = p.p_vaddr;
      dynamicSize = p.p_filesz;
    }
  }
  if (!bytes || bytes > size_t(1) << 32)
    return false;
  if (!allocate())
    return false;
  for (const Elf64_Phdr &p : parts) {
    if (p.p_type != PT_LOAD)
      continue;
    if (p.p_offset > file.size() || p.p_filesz > file.size() - p.p_offset ||
        p.p_filesz > p.p_memsz)
      return false;
    memcpy(memory + p.p_vaddr, file.data() + p.p_offset, p.p_filesz);
    bool executable = p.p_flags & PF_X;
    segments.push_back({p.p_vaddr, p.p_vaddr + p.p_memsz,
                        (p.p_flags & PF_W) != 0, executable});
    if (executable) {
      Code c;
      c.begin = base + p.p_vaddr;
      c.end = c.begin + p.p_memsz;
      codes.push_back(std::move(c));
    }
  }
  return relocate(dynamic, dynamicSize);
}

bool Program::relocate(uint64_t at, uint64_t size) {
  uint64_t rela = 0, relaSize = 0, symbols = 0;
  if (at > bytes || size > bytes - at)
    return false;
  for (uint64_t i = 0; i + sizeof(Elf64_Dyn) <= size; i += sizeof(Elf64_Dyn)) {
    Elf64_Dyn d;
    memcpy(&d, memory + at + i, sizeof(d));
    switch (d.d_tag) {
    case DT_RELA:
      rela = d.d_un.d_ptr;
      break;
    case DT_RELASZ:
      relaSize = d.d_un.d_val;
      break;
    case DT_SYMTAB:
      symbols = d.d_un.d_ptr;
      break;
    }
  }
  for (uint64_t i = 0; i + sizeof(Elf64_Rela) <= relaSize;
       i += sizeof(Elf64_Rela)) {
    Elf64_Rela r;
    memcpy(&r, memory + rela + i, sizeof(r));
    uint64_t value;
    if (ELF64_R_TYPE(r.r_info) == RelocationRelative64) {
      value = base + uint64_t(r.r_addend);
    } else if (ELF64_R_TYPE(r.r_info) == RelocationAbs64) {
      Elf64_Sym s;
      memcpy(&s, memory + symbols + ELF64_R_SYM(r.r_info) * sizeof(s),
             sizeof(s));
      if (s.st_shndx == SHN_UNDEF)
        return false;
      value = base + s.st_value + uint64_t(r.r_addend);
    } else {
      fprintf(stderr, "simulator: a relocation of type %u is not known\n",
              unsigned(ELF64_R_TYPE(r.r_info)));
      return false;
    }
    if (r.r_offset > bytes - 8)
      return false;
    memcpy(memory + r.r_offset, &value, 8);
  }
  // Names of functions, for reports: the dynamic symbols, and all others of a
  // file that was not stripped.
  Elf64_Ehdr header;
  if (!readAt(file, 0, header))
    return false;
  for (unsigned i = 0; i != header.e_shnum; ++i) {
    Elf64_Shdr table, strings;
    if (!readAt(file, header.e_shoff + i * sizeof(Elf64_Shdr), table) ||
        (table.sh_type != SHT_DYNSYM && table.sh_type != SHT_SYMTAB) ||
        !readAt(file, header.e_shoff + table.sh_link * sizeof(Elf64_Shdr),
                strings))
      continue;
    for (uint64_t j = 0; j + sizeof(Elf64_Sym) <= table.sh_size;
         j += sizeof(Elf64_Sym)) {
      Elf64_Sym s;
      if (!readAt(file, table.sh_offset + j, s) ||
          ELF64_ST_TYPE(s.st_info) != STT_FUNC ||
          strings.sh_offset + s.st_name >= file.size())
        continue;
      functions[base + s.st_value] =
          file.c_str() + strings.sh_offset + s.st_name;
    }
  }
  return true;
}

/// Makes the segments memory that the agent sees.
void Program::publish(uint64_t agent) {
  mock::State &s = mock::state();
  std::lock_guard lock(s.mutex);
  for (const Segment &part : segments)
    s.memory[base + part.begin] = {part.end - part.begin,
                                   agent * 10 + mock::CoarseNumber,
                                   {agent},
                                   !part.writable};
  ++s.memoryVersion;
}

Program::~Program() {
  if (!memory)
    return;
  {
    mock::State &s = mock::state();
    std::lock_guard lock(s.mutex);
    for (const Segment &part : segments)
      s.memory.erase(base + part.begin);
    ++s.memoryVersion;
  }
  mock::freeDevice(base);
}

const Instruction *Program::at(uint64_t pc, unsigned lanes) {
  bool wide = lanes == 64;
  for (Code &c : codes) {
    if (pc < c.begin || pc >= c.end || pc % 4)
      continue;
    size_t slot = (pc - c.begin) / 4;
    if (c.decoded[wide])
      if (auto *i = c.decoded[wide][slot].load(std::memory_order_acquire))
        return i;
    std::lock_guard lock(mutex);
    if (!c.decoded[wide])
      c.decoded[wide].reset(
          new std::atomic<const Instruction *>[(c.end - c.begin) / 4 + 1]());
    auto &known = c.decoded[wide][slot];
    if (auto *i = known.load(std::memory_order_relaxed))
      return i;
    if (!decoders[wide])
      decoders[wide] = std::make_unique<Decoder>(arch.name, lanes);
    const Instruction *i = decoders[wide]->decode(
        mock::reachable<const uint8_t>(pc), c.end - pc, pc);
    known.store(i, std::memory_order_release);
    return i;
  }
  return nullptr;
}

std::string Program::functionAt(uint64_t pc) const {
  auto after = functions.upper_bound(pc);
  return after == functions.begin() ? "" : std::prev(after)->second;
}

std::string Program::describe(uint64_t pc) const {
  auto after = functions.upper_bound(pc);
  char text[64];
  uint64_t value = pc - base;
  if (after == functions.begin()) {
    snprintf(text, sizeof(text), "0x%" PRIx64 " of the code object", value);
    return text;
  }
  auto &[begin, name] = *std::prev(after);
  snprintf(text, sizeof(text), " + 0x%" PRIx64, pc - begin);
  std::string line = lineOf(file, value);
  return name + text + (line.empty() ? "" : " (" + line + ")");
}

} // namespace amdgcn
