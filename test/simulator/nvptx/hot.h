// Functions that are executed often
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code (common/host_code.h) is made of blocks: instructions that all lanes of
// a group execute one after the other. What may stop a group or change its lanes,
// such as a barrier, a call or an exchange between lanes, is no part of one; the
// interpreter does it, and so it does where lanes disagree about a branch.

#ifndef XCC_SIMULATOR_NVPTX_HOT_H
#define XCC_SIMULATOR_NVPTX_HOT_H

#include "code.h"

#include <map>

namespace ptx {

/// Makes a spot of each place where a block begins.
void markBlocks(Code &c);

/// Blocks that host code is made of, together.
struct HotRegion {
  std::vector<const Spot *> blocks;
  uint64_t heat = 0; ///< instructions of them that were executed
  uint64_t cost = 0; ///< about how many could be while host code is made
};

/// A function's instructions as operations on lanes, and what lives where.
class HotCode {
public:
  explicit HotCode(const Code &c);
  /// The blocks that are warm, with the one at \p spot; \p all: and others.
  HotRegion around(const Spot &spot, bool all) const;
  simulator::LaneCode describe(const HotRegion &region) const;

  std::string_view opcodeOf(const Inst &i) const {
    return opcodes[size_t(&i - c.insts.data())];
  }

private:
  using Set = std::vector<uint64_t>; ///< a bit for each register
  struct Use {
    std::vector<uint32_t> reads, writes;
  };

  /// Instructions one after the other: a spot's block, or one that is in none.
  struct Node {
    uint32_t pc, count;
    Set live; ///< before it
  };

  void number();
  void read(const Statement &s, uint32_t begin, uint32_t end);
  void mention(const Operand &o, std::vector<uint32_t> &to) const;
  void findNumbers();
  bool isNumber(const simulator::LaneOperation &o) const;
  void findNodes();
  void findLiveness();
  std::vector<uint32_t> successors(const Node &n) const;
  size_t nodeOf(uint32_t pc) const;
  Set liveBehind(const Node &n) const;
  Set liveBefore(uint32_t pc) const;
  void stepBack(uint32_t pc, Set &live) const;
  uint64_t weightOf(const Spot &s) const;
  simulator::LaneBlock blockAt(const Spot &spot) const;
  simulator::LaneExit exitAt(uint32_t pc) const;

  const Code &c;
  std::vector<simulator::LaneRegister> registers;
  std::map<int32_t, uint32_t> numberAt; ///< of a register, by its slot
  std::vector<simulator::LaneOperation> operations; ///< of each instruction
  std::vector<Use> uses;                            ///< likewise
  std::vector<std::string_view> opcodes;            ///< likewise
  std::vector<Node> nodes;                          ///< in their order
};

/// Whether a block may hold it, and whether its first operand is what it writes.
enum class Role : uint8_t { Alone, AloneWrites, Writes, Reads, Branch };
Role roleOf(std::string_view opcode);

/// What a statement that is this one instruction does; a call where that is not
/// known. \p numberAt: of registers, by their slots.
simulator::LaneOperation
laneOperation(const Statement &s, const Inst &i, const Code &c,
              const std::map<int32_t, uint32_t> &numberAt);

} // namespace ptx
#endif // XCC_SIMULATOR_NVPTX_HOT_H
