// A loaded code object
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program.h"
#include "test/mock/hsa/state.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <elf.h>
#include <iterator>
#include <sys/mman.h>

namespace amdgcn {

static constexpr uint32_t RelocationAbs64 = 3, RelocationRelative64 = 13;

Program *Program::load(const std::string &Elf, const Architecture &Arch,
                       uint64_t Agent) {
  std::unique_ptr<Program> P(new Program(Arch, Elf));
  if (!P->map())
    return nullptr;
  P->publish(Agent);
  return P.release();
}

Program *Program::ofCode(const KernelDescriptor &K, const std::string &Code,
                         const Architecture &Arch, uint64_t Agent) {
  auto *P = new Program(Arch, "");
  P->Bytes = sizeof(K) + Code.size();
  P->Memory =
      static_cast<uint8_t *>(mmap(nullptr, P->Bytes, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  memcpy(P->Memory, &K, sizeof(K));
  memcpy(P->Memory + sizeof(K), Code.data(), Code.size());
  P->Segments.push_back({0, P->Bytes, false, true});
  P->Codes.emplace_back();
  P->Codes[0].Begin = reinterpret_cast<uintptr_t>(P->Memory);
  P->Codes[0].End = P->Codes[0].Begin + P->Bytes;
  P->publish(Agent);
  return P;
}

template <class T>
static bool readAt(const std::string &File, uint64_t At, T &Out) {
  if (At > File.size() || sizeof(T) > File.size() - At)
    return false;
  memcpy(&Out, File.data() + At, sizeof(T));
  return true;
}

bool Program::map() {
  Elf64_Ehdr Header;
  if (!readAt(File, 0, Header))
    return false;
  std::vector<Elf64_Phdr> Parts(Header.e_phnum);
  uint64_t Dynamic = 0, DynamicSize = 0;
  for (size_t I = 0; I != Parts.size(); ++I) {
    if (!readAt(File, Header.e_phoff + I * sizeof(Elf64_Phdr), Parts[I]))
      return false;
    const Elf64_Phdr &P = Parts[I];
    if (P.p_type == PT_LOAD)
      Bytes = std::max<size_t>(Bytes, P.p_vaddr + P.p_memsz);
    if (P.p_type == PT_DYNAMIC) {
      Dynamic = P.p_vaddr;
      DynamicSize = P.p_filesz;
    }
  }
  if (!Bytes || Bytes > size_t(1) << 32)
    return false;
  void *Mapped = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Mapped == MAP_FAILED)
    return false;
  Memory = static_cast<uint8_t *>(Mapped);
  for (const Elf64_Phdr &P : Parts) {
    if (P.p_type != PT_LOAD)
      continue;
    if (P.p_offset > File.size() || P.p_filesz > File.size() - P.p_offset ||
        P.p_filesz > P.p_memsz)
      return false;
    memcpy(Memory + P.p_vaddr, File.data() + P.p_offset, P.p_filesz);
    bool Executable = P.p_flags & PF_X;
    Segments.push_back({P.p_vaddr, P.p_vaddr + P.p_memsz,
                        (P.p_flags & PF_W) != 0, Executable});
    if (Executable) {
      Code C;
      C.Begin = reinterpret_cast<uintptr_t>(Memory) + P.p_vaddr;
      C.End = C.Begin + P.p_memsz;
      Codes.push_back(std::move(C));
    }
  }
  return relocate(Dynamic, DynamicSize);
}

bool Program::relocate(uint64_t At, uint64_t Size) {
  uint64_t Rela = 0, RelaSize = 0, Symbols = 0;
  if (At > Bytes || Size > Bytes - At)
    return false;
  for (uint64_t I = 0; I + sizeof(Elf64_Dyn) <= Size; I += sizeof(Elf64_Dyn)) {
    Elf64_Dyn D;
    memcpy(&D, Memory + At + I, sizeof(D));
    switch (D.d_tag) {
    case DT_RELA:
      Rela = D.d_un.d_ptr;
      break;
    case DT_RELASZ:
      RelaSize = D.d_un.d_val;
      break;
    case DT_SYMTAB:
      Symbols = D.d_un.d_ptr;
      break;
    }
  }
  auto Base = reinterpret_cast<uintptr_t>(Memory);
  for (uint64_t I = 0; I + sizeof(Elf64_Rela) <= RelaSize;
       I += sizeof(Elf64_Rela)) {
    Elf64_Rela R;
    memcpy(&R, Memory + Rela + I, sizeof(R));
    uint64_t Value;
    if (ELF64_R_TYPE(R.r_info) == RelocationRelative64) {
      Value = Base + uint64_t(R.r_addend);
    } else if (ELF64_R_TYPE(R.r_info) == RelocationAbs64) {
      Elf64_Sym S;
      memcpy(&S, Memory + Symbols + ELF64_R_SYM(R.r_info) * sizeof(S),
             sizeof(S));
      if (S.st_shndx == SHN_UNDEF)
        return false;
      Value = Base + S.st_value + uint64_t(R.r_addend);
    } else {
      fprintf(stderr, "simulator: a relocation of type %u is not known\n",
              unsigned(ELF64_R_TYPE(R.r_info)));
      return false;
    }
    if (R.r_offset > Bytes - 8)
      return false;
    memcpy(Memory + R.r_offset, &Value, 8);
  }
  // Names of functions, for reports: the dynamic symbols, and all others of a
  // file that was not stripped.
  Elf64_Ehdr Header;
  if (!readAt(File, 0, Header))
    return false;
  for (unsigned I = 0; I != Header.e_shnum; ++I) {
    Elf64_Shdr Table, Strings;
    if (!readAt(File, Header.e_shoff + I * sizeof(Elf64_Shdr), Table) ||
        (Table.sh_type != SHT_DYNSYM && Table.sh_type != SHT_SYMTAB) ||
        !readAt(File, Header.e_shoff + Table.sh_link * sizeof(Elf64_Shdr),
                Strings))
      continue;
    for (uint64_t J = 0; J + sizeof(Elf64_Sym) <= Table.sh_size;
         J += sizeof(Elf64_Sym)) {
      Elf64_Sym S;
      if (!readAt(File, Table.sh_offset + J, S) ||
          ELF64_ST_TYPE(S.st_info) != STT_FUNC ||
          Strings.sh_offset + S.st_name >= File.size())
        continue;
      Functions[Base + S.st_value] =
          File.c_str() + Strings.sh_offset + S.st_name;
    }
  }
  return true;
}

/// Makes the segments memory that the agent sees.
void Program::publish(uint64_t Agent) {
  mock::State &S = mock::state();
  std::lock_guard Lock(S.mutex);
  for (const Segment &Part : Segments)
    S.memory[reinterpret_cast<uintptr_t>(Memory) + Part.Begin] = {
        Part.End - Part.Begin,
        Agent * 10 + mock::CoarseNumber,
        {Agent},
        !Part.Writable};
  ++S.memoryVersion;
}

Program::~Program() {
  if (!Memory)
    return;
  {
    mock::State &S = mock::state();
    std::lock_guard Lock(S.mutex);
    for (const Segment &Part : Segments)
      S.memory.erase(reinterpret_cast<uintptr_t>(Memory) + Part.Begin);
    ++S.memoryVersion;
  }
  munmap(Memory, Bytes);
}

const Instruction *Program::at(uint64_t Pc, unsigned Lanes) {
  bool Wide = Lanes == 64;
  for (Code &C : Codes) {
    if (Pc < C.Begin || Pc >= C.End || Pc % 4)
      continue;
    size_t Slot = (Pc - C.Begin) / 4;
    if (C.Decoded[Wide])
      if (auto *I = C.Decoded[Wide][Slot].load(std::memory_order_acquire))
        return I;
    std::lock_guard Lock(Mutex);
    if (!C.Decoded[Wide])
      C.Decoded[Wide].reset(
          new std::atomic<const Instruction *>[(C.End - C.Begin) / 4 + 1]());
    auto &Known = C.Decoded[Wide][Slot];
    if (auto *I = Known.load(std::memory_order_relaxed))
      return I;
    if (!Decoders[Wide])
      Decoders[Wide] = std::make_unique<Decoder>(Arch.Name, Lanes);
    const Instruction *I = Decoders[Wide]->decode(
        reinterpret_cast<const uint8_t *>(Pc), C.End - Pc, Pc);
    Known.store(I, std::memory_order_release);
    return I;
  }
  return nullptr;
}

std::string Program::describe(uint64_t Pc) const {
  auto After = Functions.upper_bound(Pc);
  char Text[64];
  uint64_t Value = Pc - reinterpret_cast<uintptr_t>(Memory);
  if (After == Functions.begin()) {
    snprintf(Text, sizeof(Text), "0x%" PRIx64 " of the code object", Value);
    return Text;
  }
  auto &[Begin, Name] = *std::prev(After);
  snprintf(Text, sizeof(Text), " + 0x%" PRIx64, Pc - Begin);
  std::string Line = lineOf(File, Value);
  return Name + Text + (Line.empty() ? "" : " (" + Line + ")");
}

} // namespace amdgcn
