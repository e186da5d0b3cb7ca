// What comes next in a module's bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace llvm;

namespace xcc {

BitCoder::BitCoder(StringRef in) : in(in) {
  for (unsigned i = 0; i != 4; ++i)
    value = value << 8 | next();
}

uint8_t BitCoder::next() {
  if (in.empty()) {
    ++behind;
    return 0;
  }
  uint8_t byte = uint8_t(in.front());
  in = in.drop_front();
  return byte;
}

bool BitCoder::code(bool bit, uint32_t one) {
  // Ones have the lower part of what is left.
  uint32_t middle = low + uint32_t(uint64_t(high - low) * one >> 16);
  if (reading())
    bit = value <= middle;
  (bit ? high : low) = bit ? middle : middle + 1;
  while ((low ^ high) >> 24 == 0) {
    if (reading())
      value = value << 8 | next();
    else
      out->push_back(char(high >> 24));
    low <<= 8;
    high = high << 8 | 255;
  }
  return bit;
}

void BitCoder::finish() {
  if (!reading())
    for (unsigned shift = 24; shift + 8; shift -= 8)
      out->push_back(char(low >> shift));
}

namespace {

/// Chances are mixed as logarithms of odds, in 1/256: ln(p / (1 - p)).
constexpr int Limit = 2047;

/// e^x for small x, in constant evaluation alone: libraries differ in the last
/// bit.
consteval double power(double x) {
  double sum = 1, term = 1;
  for (int i = 1; i != 14; ++i)
    sum += term *= x / 64 / i;
  for (int i = 0; i != 6; ++i)
    sum *= sum;
  return sum;
}

/// The chance, in 1/65536, for odds of -Limit to Limit.
struct Chances {
  std::array<uint16_t, 2 * Limit + 1> of{};
  consteval Chances() {
    for (int odds = -Limit; odds <= Limit; ++odds)
      of[odds + Limit] = uint16_t(
          std::clamp(65536 / (1 + power(-odds / 256.0)), 16.0, 65520.0));
  }
};
constexpr Chances ChanceOf;

/// The odds for a chance in 1/4096.
struct Odds {
  std::array<int16_t, 4096> of{};
  consteval Odds() {
    int odds = -Limit;
    for (int chance = 0; chance != 4096; ++chance) {
      while (odds < Limit && ChanceOf.of[odds + Limit] < chance * 16 + 8)
        ++odds;
      of[chance] = int16_t(odds);
    }
  }
};
constexpr Odds OddsOf;

/// How far a chance moves towards what was seen, in 1/65536, by how often it
/// has done so.
constexpr int Patience = 15;
struct Rates {
  std::array<uint16_t, Patience + 1> of{};
  consteval Rates() {
    for (int seen = 0; seen <= Patience; ++seen)
      of[seen] = uint16_t(65536 / (seen + 1.6));
  }
};
constexpr Rates RateOf;

constexpr unsigned MostLineBits = 17;
constexpr unsigned WeightBits = 12; // 2^this sets of weights
constexpr int One = 1 << 16;        // a weight

uint64_t mix(uint64_t value) {
  value *= 0x9e3779b97f4a7c15;
  return value ^ value >> 32;
}

} // namespace

RecordModel::RecordModel(BitCoder &coder, uint64_t numbers)
    : coder(coder),
      lineBits(std::clamp<unsigned>(bit_width(numbers), 8, MostLineBits)) {
  for (std::vector<Line> &table : tables)
    table.resize(size_t(1) << lineBits);
  Weights first;
  first.fill(One * 3 / 10);
  weights.assign(size_t(1) << WeightBits, first);
}

RecordModel::RecordModel(BitCoder &coder, uint64_t numbers,
                         const RecordModel &taught)
    : coder(coder), lineBits(std::clamp<unsigned>(
                        bit_width(numbers), taught.lineBits, MostLineBits)),
      weights(taught.weights) {
  // Lines are found by the upper bits of a hash: of each there are more now.
  size_t copies = size_t(1) << (lineBits - taught.lineBits);
  for (auto [table, from] : zip(tables, taught.tables)) {
    table.reserve(from.size() * copies);
    for (const Line &line : from)
      table.insert(table.end(), copies, line);
  }
}

void RecordModel::find(Place &place,
                       const std::array<uint64_t, Contexts> &contexts,
                       uint64_t group) {
  for (unsigned i = 0; i != Contexts; ++i)
    place.lines[i] =
        &tables[i][mix(mix(contexts[i] + i) + group) >> (64 - lineBits)];
}

bool RecordModel::bit(bool value, const Place &place, unsigned node) {
  std::array<int32_t, Contexts> says;
  std::array<Chance *, Contexts> chance;
  Weights &weight = *place.weights;
  int64_t sum = 0;
  for (unsigned i = 0; i != Contexts; ++i) {
    chance[i] = &(*place.lines[i])[node];
    says[i] = OddsOf.of[chance[i]->both >> 4];
    sum += int64_t(says[i]) * weight[i];
  }
  int together = int(std::clamp<int64_t>(sum >> 16, -Limit, Limit));
  int one = ChanceOf.of[together + Limit];
  value = coder.code(value, one);
  // Weights move by what was said and how wrong all of it was.
  int error = ((value ? 65536 : 0) - one) >> 4;
  for (unsigned i = 0; i != Contexts; ++i) {
    weight[i] += (says[i] * error * 10) >> 14;
    int both = chance[i]->both, seen = both & 15, was = both >> 4;
    int now = was + (((value ? 4095 : 0) - was) * RateOf.of[seen] >> 16);
    chance[i]->both = uint16_t(now << 4 | (seen + (seen != Patience)));
  }
  return value;
}

uint64_t RecordModel::code(uint64_t number,
                           std::array<uint64_t, Contexts> contexts,
                           uint64_t set) {
  Place place;
  place.weights = &weights[mix(set) >> (64 - WeightBits)];
  // First how many bits it has, then these without the highest. What most
  // numbers take is in one line: twelve of the former, and up to two bits.
  unsigned width = coder.reading() ? 0 : bit_width(number), count = 0;
  find(place, contexts, 0);
  for (; count != 64; ++count) {
    if (count % 16 == 12)
      find(place, contexts, count);
    unsigned node = count < 8    ? count
                    : count < 12 ? count + 4
                                 : (count + 4) % 16;
    if (!bit(count < width, place, node))
      break;
  }
  if (count < 2)
    return count;
  if (count == 2)
    return 2 | bit(number & 1, place, 8);
  if (count == 3) {
    unsigned high = bit(number >> 1 & 1, place, 9);
    return 4 | high << 1 | bit(number & 1, place, 10 + high);
  }
  uint64_t found = 1;
  for (unsigned i = 1; i != count; ++i) {
    bool one = number >> (count - 1 - i) & 1;
    if (i > 12) {
      one = coder.code(one, 1 << 15);
    } else {
      if (i % 4 == 1)
        find(place, contexts, found << 8 | count << 1 | 128);
      unsigned depth = (i - 1) % 4;
      one = bit(one, place, 1u << depth | (found & ((1u << depth) - 1)));
    }
    found = found << 1 | one;
  }
  return found;
}

uint8_t RecordModel::byte(uint8_t value,
                          std::array<uint64_t, Contexts> contexts,
                          uint64_t set) {
  Place place;
  place.weights = &weights[mix(set) >> (64 - WeightBits)];
  unsigned found = 1;
  for (unsigned i = 0; i != 8; ++i) {
    if (i % 4 == 0)
      find(place, contexts, found << 8 | 255);
    unsigned depth = i % 4;
    found = found << 1 | bit(value >> (7 - i) & 1, place,
                             1u << depth | (found & ((1u << depth) - 1)));
  }
  return uint8_t(found);
}

} // namespace xcc
