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
//
// Most of the time goes into waiting for memory, where contexts are all over the
// place. A writer knows what comes next: numbers wait in a queue while what will
// be looked up for them is on its way.

#ifndef XCC_BACKEND_LINK_RECORDMODEL_H
#define XCC_BACKEND_LINK_RECORDMODEL_H

#include "RecordLines.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
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
  /// That begins with what another one, which wrote `learnt`, had learnt.
  RecordModel(BitCoder &coder, uint64_t numbers, llvm::StringRef learnt);

  /// A number; of a reader, the one that was written in its place, whatever
  /// `number` is. Contexts are hashes; `set` chooses the weights.
  uint64_t code(uint64_t number, const std::array<uint64_t, Contexts> &contexts,
                uint64_t set);
  /// A number of eight bits, likewise.
  uint8_t byte(uint8_t value, const std::array<uint64_t, Contexts> &contexts,
               uint64_t set);
  /// Behind the last number, before the coder's end.
  void finish();

  /// What it has learnt, in a form that is read in no time.
  void writeLearnt(llvm::SmallVectorImpl<char> &out) const;

private:
  using Hashes = std::array<uint64_t, Contexts>;
  /// One for each context, one that always says the same, and one for nothing:
  /// as many as processors have in a register.
  using Lanes = int16_t __attribute__((vector_size(16)));

  BitCoder &coder;
  unsigned lineBits; ///< there are 2^this lines for each context
  RecordLines lines;
  std::vector<Lanes> weights;

  /// How often a bit was a one in some context is in 1/4096, without the
  /// highest bit's complement, and behind that, in four bits, how often it has
  /// been seen, up to 15.
  struct Place {
    std::array<uint16_t *, Contexts> lines;
    Lanes *weights;
  };
  struct Waiting {
    uint64_t number;
    Hashes hashes;
    Place first, second; ///< the latter of bytes and of large numbers
    bool isByte;
  };
  static constexpr unsigned MostWaiting = 16;
  std::array<Waiting, MostWaiting> queue;
  unsigned queued = 0; ///< of all time

  static Hashes hashesOf(const std::array<uint64_t, Contexts> &contexts);
  Lanes *weightsOf(uint64_t set);
  void find(Place &place, const Hashes &hashes, uint64_t group,
            bool soon = false);
  bool bit(bool value, const Place &place, unsigned node);
  /// `second` is there if `number` is.
  uint64_t codeNow(uint64_t number, const Hashes &hashes, Place place,
                   const Place *second);
  uint8_t byteNow(uint8_t value, const Hashes &hashes, Place place,
                  const Place *second);
  void wait(uint64_t number, bool isByte, const Hashes &hashes, Lanes *set);
  void write(const Waiting &one);
};

} // namespace xcc

#endif // XCC_BACKEND_LINK_RECORDMODEL_H
