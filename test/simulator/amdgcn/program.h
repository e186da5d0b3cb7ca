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
#include <set>

namespace amdgcn {

/// What stands at <kernel>.kd (User Guide for AMDGPU Backend, "Kernel
/// Descriptor").
struct KernelDescriptor {
  uint32_t groupSize, privateSize, kernargSize;
  uint8_t reserved0[4];
  int64_t entryOffset;
  uint8_t reserved1[20];
  uint32_t rsrc3, rsrc1, rsrc2;
  uint16_t properties, preload;
  uint8_t reserved2[4];
};
static_assert(sizeof(KernelDescriptor) == 64);

/// "file.cpp:12" for an offset in the code of an ELF file with line tables, or
/// "".
std::string lineOf(const std::string &elf, uint64_t value);
/// All lines of its tables.
std::set<std::pair<std::string, int>> linesOf(const std::string &elf);

class Program {
public:
  /// Null when the file cannot be loaded.
  static Program *load(const std::string &elf, const Architecture &arch,
                       uint64_t agent);
  /// Bare code behind a descriptor, for tests.
  static Program *ofCode(const KernelDescriptor &k, const std::string &bytes,
                         const Architecture &arch, uint64_t agent);
  ~Program();
  Program(const Program &) = delete;

  /// Where the object's address of this value is on the device.
  uint64_t address(uint64_t value) const { return base + value; }
  /// The instruction at an address, or null when no code is there.
  const Instruction *at(uint64_t pc, unsigned lanes);
  /// "_Z6kernelPi + 0x1c", and the source's line when there is one.
  std::string describe(uint64_t pc) const;
  /// The function alone, and "file.cpp:12"; either may be "".
  std::string functionAt(uint64_t pc) const;
  std::string lineAt(uint64_t pc) const { return lineOf(file, pc - base); }
  std::set<std::pair<std::string, int>> lines() const { return linesOf(file); }

  const Architecture &arch;

private:
  Program(const Architecture &arch, const std::string &elf)
      : arch(arch), file(elf) {}
  bool map();
  bool allocate();
  bool relocate(uint64_t dynamic, uint64_t size);
  void publish(uint64_t agent);

  struct Segment {
    uint64_t begin, end; ///< values
    bool writable, executable;
  };
  struct Code {
    uint64_t begin, end; ///< addresses
    std::unique_ptr<std::atomic<const Instruction *>[]> decoded[2];
  };
  std::string file;
  uint64_t base = 0;         ///< of the device's memory
  uint8_t *memory = nullptr; ///< where the simulator reaches that
  size_t bytes = 0;
  std::vector<Segment> segments;
  std::vector<Code> codes;
  std::map<uint64_t, std::string> functions; ///< by address
  std::mutex mutex;                          ///< guards the decoders
  std::unique_ptr<Decoder> decoders[2];
};

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_PROGRAM_H
