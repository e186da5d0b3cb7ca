// Reading ELF files
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "elf_file.h"

#include <elf.h>

namespace xcc::rt {

static const char *readHeader(Bytes file, Elf64_Ehdr &header) {
  if (file.size() < 4 || memcmp(file.data(), ELFMAG, SELFMAG) != 0)
    return "is not an ELF file";
  if (!file.read(0, header))
    return "is cut short in its ELF header";
  if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB)
    return "is not a 64-bit little-endian ELF file";
  return nullptr;
}

const char *checkSharedObject(Bytes file) {
  Elf64_Ehdr header;
  if (const char *why = readHeader(file, header))
    return why;
  if (header.e_type != ET_DYN)
    return "is not an ELF shared object";
  if (header.e_machine != EM_X86_64)
    return "is not code for x86-64";
  if (header.e_phentsize != sizeof(Elf64_Phdr) ||
      !file.contains(header.e_phoff,
                     uint64_t(header.e_phnum) * sizeof(Elf64_Phdr)))
    return "has program headers outside the file";
  bool dynamic = false, load = false;
  for (unsigned i = 0; i != header.e_phnum; ++i) {
    Elf64_Phdr p;
    file.read(header.e_phoff + i * sizeof(p), p);
    if (p.p_type != PT_LOAD && p.p_type != PT_DYNAMIC)
      continue;
    if (!file.contains(p.p_offset, p.p_filesz) || p.p_filesz > p.p_memsz)
      return "has a segment outside the file";
    dynamic |= p.p_type == PT_DYNAMIC;
    load |= p.p_type == PT_LOAD;
  }
  if (!load || !dynamic)
    return "has nothing to load";
  return nullptr;
}

bool findSection(Bytes file, std::string_view name, Bytes &section,
                 const char *&why) {
  section = Bytes();
  Elf64_Ehdr header;
  if ((why = readHeader(file, header)))
    return false;
  if (header.e_shoff == 0)
    return true; // the sections may be stripped
  Elf64_Shdr first;
  if (header.e_shentsize != sizeof(Elf64_Shdr) ||
      !file.read(header.e_shoff, first)) {
    why = "has section headers outside the file";
    return false;
  }
  // Large files store the actual numbers in the first section header.
  uint64_t count = header.e_shnum ? header.e_shnum : first.sh_size;
  uint64_t namesIndex =
      header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx;
  if (count > file.size() / sizeof(Elf64_Shdr) ||
      !file.contains(header.e_shoff, count * sizeof(Elf64_Shdr)) ||
      namesIndex >= count) {
    why = "has section headers outside the file";
    return false;
  }
  auto read = [&](uint64_t index) {
    Elf64_Shdr s;
    file.read(header.e_shoff + index * sizeof(s), s);
    return s;
  };
  Elf64_Shdr namesHeader = read(namesIndex);
  Bytes names = file.slice(namesHeader.sh_offset, namesHeader.sh_size);
  for (uint64_t i = 0; i != count; ++i) {
    Elf64_Shdr s = read(i);
    if (s.sh_type == SHT_NOBITS || names.string(s.sh_name) != name)
      continue;
    if (!file.contains(s.sh_offset, s.sh_size)) {
      why = "is cut short in a section";
      return false;
    }
    section = file.slice(s.sh_offset, s.sh_size);
    return true;
  }
  return true;
}

} // namespace xcc::rt
