// What comes next in a module's bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code that waits in an object is mostly never read, so it should be
// small. Bitcode is packed bit by bit, which hides from a compressor that
// records resemble each other: the same operand of the record before, of the
// one of that kind before, and the operand to the left say a lot of what one
// is. This model learns that while it goes along, on both sides alike: each bit
// of each number has a probability in every context it stands in, what the
// contexts say is mixed by weights that are learnt too, and an arithmetic coder
// spends as many bits on it as it was unexpected.
//
// All of it is integer arithmetic: what one machine writes any other reads.

#ifndef XCC_BACKEND_LINK_RECORDMODEL_H
#define XCC_BACKEND_LINK_RECORDMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <vector>

namespace xcc {

/// Bits with their probabilities, to bytes or back.
class BitCoder {
public:
  /// Writes.
  explicit BitCoder(llvm::SmallVectorImpl<char> &out) : out(&out) {}
  /// Reads; behind the end there are zeros.
  explicit BitCoder(llvm::StringRef in);

  bool reading() const { return !out; }
  /// What `bit` is, or, of a reader, turns out to be; `one` in 65536 is how
  /// likely a one is, and neither 0 nor 65536.
  bool code(bool bit, uint32_t one);
  /// Behind the last bit.
  void finish();
  /// Whether bits were read that nobody has written.
  bool overrun() const { return behind > 4; }

private:
  llvm::SmallVectorImpl<char> *out = nullptr;
  llvm::StringRef in;
  uint32_t low = 0, high = ~uint32_t(0), value = 0;
  unsigned behind = 0;

  uint8_t next();
};

/// Numbers in contexts.
class RecordModel {
public:
  static constexpr unsigned Contexts = 6;

  /// With memory for about so many numbers that differ.
  RecordModel(BitCoder &coder, uint64_t numbers);
  /// That begins with what `taught` has learnt.
  RecordModel(BitCoder &coder, uint64_t numbers, const RecordModel &taught);

  /// A number; of a reader, the one that was written in its place, whatever
  /// `number` is. Contexts are hashes; `set` chooses the weights.
  uint64_t code(uint64_t number, std::array<uint64_t, Contexts> contexts,
                uint64_t set);
  /// A number of eight bits, likewise.
  uint8_t byte(uint8_t value, std::array<uint64_t, Contexts> contexts,
               uint64_t set);

private:
  /// How often a bit was a one in some context: in 1/4096, and behind that how
  /// often it has been seen, up to 15.
  struct Chance {
    uint16_t both = 2048 << 4;
  };
  static constexpr unsigned LineSize = 16; ///< chances that are used together
  using Line = std::array<Chance, LineSize>;
  using Weights = std::array<int32_t, Contexts>;

  BitCoder &coder;
  std::array<std::vector<Line>, Contexts> tables;
  unsigned lineBits; ///< there are 2^this lines in each
  std::vector<Weights> weights;

  struct Place {
    std::array<Line *, Contexts> lines;
    Weights *weights;
  };
  void find(Place &place, const std::array<uint64_t, Contexts> &contexts,
            uint64_t group);
  bool bit(bool value, const Place &place, unsigned node);
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_RECORDMODEL_H
