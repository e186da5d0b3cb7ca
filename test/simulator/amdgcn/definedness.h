// Uninitialised values: which bits of registers and memory are undefined
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With XCC_SIM_CHECK=init each wave has a second set of registers, in which a bit
// is 1 where the register's bit is undefined. Before an instruction of arithmetic
// whose registers have such bits, it is carried out six times with other values
// for them: what differs depends on them. So no instruction needs a rule but
// comparisons, for whose turning points few values say nothing.
//
// Accesses are carried out twice, the first time on the bits that say what was
// written (Shadow). What is reported is the same as on NVIDIA GPUs: see
// nvptx/definedness.h.

#ifndef XCC_TEST_SIMULATOR_AMDGCN_DEFINEDNESS_H
#define XCC_TEST_SIMULATOR_AMDGCN_DEFINEDNESS_H

#include "instruction.h"

#include <memory>
#include <string>
#include <vector>

namespace amdgcn {

/// Where undefined bits are from.
struct Origin {
  enum Memory : uint8_t { Shared, Stack, Device };
  const Instruction *read = nullptr; ///< the load; null when there is none
  uint64_t address = 0;
  Memory in = Device;
  bool computed = false; ///< by arithmetic, which uses all of a value
};

class Definedness {
public:
  explicit Definedness(Wave &w);

  /// Before an instruction.
  void track(const Instruction &i);

  /// Whether an access is one of the shadow's, which place() takes.
  bool shadowing = false;
  /// What the handler reads or writes in place of memory.
  uint8_t *place(int lane, uint64_t at, unsigned size, Origin::Memory in);

private:
  void compute(const Instruction &i);
  void compareEqual(const Instruction &i);
  void load(const Instruction &i);
  void loadScalars(const Instruction &i);
  void store(const Instruction &i, unsigned data, unsigned end);
  void atomic(const Instruction &i, unsigned address);
  void checkAddress(const Operand &o);
  void branch(const char *what, uint64_t undefined, const Origin &from);
  void runShadow(const Instruction &i, const Operand *to);
  void storesUndefined(int lane, uint64_t at, unsigned bytes, bool isHost,
                       bool whole, const Origin &from);
  void accuse(const std::string &what, unsigned lane, const Origin &from);
  std::string tell(const Origin &o) const;
  std::string who(unsigned lane) const;

  bool isTainted(const Operand &o) const;
  bool isAnyTainted(const Instruction &i) const;
  const Origin *originOf(const Instruction &i) const;
  uint32_t *undefined(unsigned reg) { return &bits[size_t(reg) * 64]; }
  void noteTaint(unsigned reg);

  Wave &w;
  std::vector<uint32_t> bits; ///< of vector registers: 64 lanes each
  std::vector<char> tainted;  ///< registers of which any lane has such bits
  std::vector<uint32_t> scalars;
  bool scc = false;
  std::vector<Origin> origins, scalarOrigins; ///< the last one is SCC's
  std::vector<uint8_t> stack;                 ///< written bits of scratch

  static constexpr unsigned Accesses = 192; ///< of an instruction, at most
  static constexpr unsigned SpareRows = 32;
  /// An access of the shadow's.
  struct Access {
    int lane;
    uint64_t at;
    unsigned size;
    uint8_t *defined; ///< null: memory of the host
    Origin::Memory in;
    bool isHost;
    uint8_t data[64];
  };
  std::vector<Access> accesses;
  size_t used = 0;
  std::vector<uint32_t> spare; ///< rows in place of registers
};

/// What Definedness makes of an instruction.
enum class Track : uint8_t {
  Nothing,
  Compute,
  Equality,
  Load,
  LoadScalars,
  Store,
  Atomic,
  ReturningAtomic,
  BranchByScc,
  BranchByVcc,
  Jump
};
Track trackOf(const Instruction &i);

} // namespace amdgcn
#endif // XCC_TEST_SIMULATOR_AMDGCN_DEFINEDNESS_H
