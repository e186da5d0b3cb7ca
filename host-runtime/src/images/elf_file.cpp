// What must be known of an ELF file
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "elf_file.h"

#include <elf.h>

namespace xcc::rt {

static const char *readHeader(Bytes File, Elf64_Ehdr &Header) {
  if (File.size() < 4 || memcmp(File.data(), ELFMAG, SELFMAG) != 0)
    return "is not an ELF file";
  if (!File.read(0, Header))
    return "is cut short in its ELF header";
  if (Header.e_ident[EI_CLASS] != ELFCLASS64 ||
      Header.e_ident[EI_DATA] != ELFDATA2LSB)
    return "is not a 64-bit little-endian ELF file";
  return nullptr;
}

const char *checkSharedObject(Bytes File) {
  Elf64_Ehdr Header;
  if (const char *Why = readHeader(File, Header))
    return Why;
  if (Header.e_type != ET_DYN)
    return "is not an ELF shared object";
  if (Header.e_machine != EM_X86_64)
    return "is not code for x86-64";
  if (Header.e_phentsize != sizeof(Elf64_Phdr) ||
      !File.contains(Header.e_phoff,
                     uint64_t(Header.e_phnum) * sizeof(Elf64_Phdr)))
    return "has program headers outside the file";
  bool Dynamic = false, Load = false;
  for (unsigned I = 0; I != Header.e_phnum; ++I) {
    Elf64_Phdr P;
    File.read(Header.e_phoff + I * sizeof(P), P);
    if (P.p_type != PT_LOAD && P.p_type != PT_DYNAMIC)
      continue;
    if (!File.contains(P.p_offset, P.p_filesz) || P.p_filesz > P.p_memsz)
      return "has a segment outside the file";
    Dynamic |= P.p_type == PT_DYNAMIC;
    Load |= P.p_type == PT_LOAD;
  }
  if (!Load || !Dynamic)
    return "has nothing to load";
  return nullptr;
}

bool findSection(Bytes File, std::string_view Name, Bytes &Section,
                 const char *&Why) {
  Section = Bytes();
  Elf64_Ehdr Header;
  if ((Why = readHeader(File, Header)))
    return false;
  if (Header.e_shoff == 0)
    return true; // sections may be stripped
  Elf64_Shdr First;
  if (Header.e_shentsize != sizeof(Elf64_Shdr) ||
      !File.read(Header.e_shoff, First)) {
    Why = "has section headers outside the file";
    return false;
  }
  // Large files keep the true numbers in the first section header.
  uint64_t Count = Header.e_shnum ? Header.e_shnum : First.sh_size;
  uint64_t NamesIndex =
      Header.e_shstrndx == SHN_XINDEX ? First.sh_link : Header.e_shstrndx;
  if (Count > File.size() / sizeof(Elf64_Shdr) ||
      !File.contains(Header.e_shoff, Count * sizeof(Elf64_Shdr)) ||
      NamesIndex >= Count) {
    Why = "has section headers outside the file";
    return false;
  }
  auto Read = [&](uint64_t Index) {
    Elf64_Shdr S;
    File.read(Header.e_shoff + Index * sizeof(S), S);
    return S;
  };
  Elf64_Shdr NamesHeader = Read(NamesIndex);
  Bytes Names = File.slice(NamesHeader.sh_offset, NamesHeader.sh_size);
  for (uint64_t I = 0; I != Count; ++I) {
    Elf64_Shdr S = Read(I);
    if (S.sh_type == SHT_NOBITS || Names.string(S.sh_name) != Name)
      continue;
    if (!File.contains(S.sh_offset, S.sh_size)) {
      Why = "is cut short in a section";
      return false;
    }
    Section = File.slice(S.sh_offset, S.sh_size);
    return true;
  }
  return true;
}

} // namespace xcc::rt
