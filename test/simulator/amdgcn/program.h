// A loaded code object
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SIMULATOR_AMDGCN_PROGRAM_H
#define XCC_TEST_SIMULATOR_AMDGCN_PROGRAM_H

#include "decoder.h"
#include "wave.h"

#include <map>
#include <mutex>

namespace amdgcn {

/// What stands at <kernel>.kd (User Guide for AMDGPU Backend, "Kernel
/// Descriptor").
struct KernelDescriptor {
  uint32_t GroupSize, PrivateSize, KernargSize;
  uint8_t Reserved0[4];
  int64_t EntryOffset;
  uint8_t Reserved1[20];
  uint32_t Rsrc3, Rsrc1, Rsrc2;
  uint16_t Properties, Preload;
  uint8_t Reserved2[4];
};
static_assert(sizeof(KernelDescriptor) == 64);

class Program {
public:
  /// Null when the file cannot be loaded.
  static Program *load(const std::string &Elf, const Architecture &Arch,
                       uint64_t Agent);
  /// Bare code behind a descriptor, for tests.
  static Program *ofCode(const KernelDescriptor &K, const std::string &Bytes,
                         const Architecture &Arch, uint64_t Agent);
  ~Program();
  Program(const Program &) = delete;

  void *address(uint64_t Value) const { return Memory + Value; }
  /// The instruction at an address, or null when no code is there.
  const Instruction *at(uint64_t Pc, unsigned Lanes);
  /// "_Z6kernelPi + 0x1c", and the source's line when there is one.
  std::string describe(uint64_t Pc) const;

  const Architecture &Arch;

private:
  Program(const Architecture &Arch, const std::string &Elf)
      : Arch(Arch), File(Elf) {}
  bool map();
  bool relocate(uint64_t Dynamic, uint64_t Size);
  void publish(uint64_t Agent);

  struct Segment {
    uint64_t Begin, End; ///< values
    bool Writable, Executable;
  };
  struct Code {
    uint64_t Begin, End; ///< addresses
    std::unique_ptr<std::atomic<const Instruction *>[]> Decoded[2];
  };
  std::string File;
  uint8_t *Memory = nullptr;
  size_t Bytes = 0;
  std::vector<Segment> Segments;
  std::vector<Code> Codes;
  std::map<uint64_t, std::string> Functions; ///< by address
  std::mutex Mutex;                          ///< guards the decoders
  std::unique_ptr<Decoder> Decoders[2];
};

/// "file.cpp:12" for an offset in the code of an ELF file with line tables, or
/// "".
std::string lineOf(const std::string &Elf, uint64_t Value);

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_PROGRAM_H
