// Any bytes may be embedded
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libFuzzer target: the readers of embedded and on-disk data read what they
// are given and nothing else.
//
//   clang++ -fsanitize=fuzzer,address,undefined ... && ./fuzz_readers CORPUS

#include "src/images/kernel_row.h"
#include "src/images/elf_file.h"
#include "src/images/offload_binary.h"

using namespace xcc::rt;

static void readSection(Bytes Section) {
  OffloadReader Reader(Section);
  OffloadImage Image;
  uint64_t Used = 0;
  while (Reader.next(Image)) {
    for (const char *Text :
         {Image.Triple, Image.Arch, Image.Abi, Image.Hash, Image.Features})
      Used += strlen(Text);
    Used += hashOf(Image.Data);
    std::string_view Table = Image.Kernels;
    KernelRow Row;
    while (nextKernelRow(Table, Row))
      Used += Row.symbol.size() + Row.name.size();
    (void)checkSharedObject(Image.Data);
  }
  asm volatile("" : : "r"(Used));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Bytes File(Data, Size), Section;
  readSection(File);
  (void)checkSharedObject(File);
  const char *Why = nullptr;
  if (findSection(File, ".llvm.offloading", Section, Why))
    readSection(Section);
  return 0;
}
