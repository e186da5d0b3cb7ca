// Any bytes may be embedded
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libFuzzer target: the readers of embedded and on-disk data read what they
// are given and nothing else.
//
//   clang++ -fsanitize=fuzzer,address,undefined ... && ./fuzz_readers CORPUS

#include "formats/elf_file.h"
#include "formats/kernel_access.h"
#include "formats/kernel_row.h"
#include "formats/offload_binary.h"
#include "formats/source_table.h"
#include "host-runtime/tools/archive.h"

using namespace xcc::rt;

static uint64_t readAccess(std::string_view column,
                           std::string_view overwrites = {}) {
  KernelAccess access(column, overwrites);
  KernelAccess::State at = KernelAccess::Block;
  uint64_t used = access.names(8);
  for (int64_t offset : {0, 8, -16, 8, 0, 24}) {
    at = access.step(at, offset);
    used += access.reads(at) + access.writes(at) + access.ends(at) +
            access.uniform(at) + access.overwritten(at, "1234567", 8, 64).to;
  }
  return used;
}

static void readSection(Bytes section) {
  OffloadReader reader(section);
  OffloadImage image;
  uint64_t used = 0;
  while (reader.next(image)) {
    for (const char *text :
         {image.triple, image.arch, image.abi, image.hash, image.features})
      used += strlen(text);
    used += hashOf(image.data);
    std::string_view table = image.kernels;
    KernelRow row;
    while (nextKernelRow(table, row)) {
      used += row.symbol.size() + row.name.size();
      used += readAccess(row.column("access").value_or(""));
      used += readAccess("0.0:w", row.column("overwrites").value_or(""));
    }
    (void)checkSharedObject(image.data);
  }
  asm volatile("" : : "r"(used));
}

/// As if the bytes followed an archive's first line.
static void readArchive(Bytes file) {
  for (const char *magic : {"!<arch>\n", "!<thin>\n"}) {
    std::string text = magic + std::string(file.data(), file.size());
    ArchiveReader reader(Bytes(text.data(), text.size()));
    ArchiveReader::Member member;
    uint64_t used = 0;
    while (reader.next(member))
      used += hashOf(member.data) + member.name.size();
    asm volatile("" : : "r"(used));
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes file(data, size), section;
  uint64_t used = readAccess({reinterpret_cast<const char *>(data), size});
  used += readAccess("0.0:w", {reinterpret_cast<const char *>(data), size});
  asm volatile("" : : "r"(used));
  readSection(file);
  readArchive(file);
  SourceTable table;
  Bytes images;
  if (readSource(file, table, images))
    readSection(images);
  (void)checkSharedObject(file);
  const char *why = nullptr;
  if (findSection(file, ".llvm.offloading", section, why))
    readSection(section);
  return 0;
}
