// What comes next in a module's bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace llvm::support;

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

LLVM_ATTRIBUTE_ALWAYS_INLINE
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

/// The odds for a chance in 1/4096, without the highest bit's complement.
struct Odds {
  std::array<int16_t, 4096> of{};
  consteval Odds() {
    int odds = -Limit;
    for (int chance = 0; chance != 4096; ++chance) {
      while (odds < Limit && ChanceOf.of[odds + Limit] < chance * 16 + 8)
        ++odds;
      of[chance ^ 2048] = int16_t(odds);
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
constexpr unsigned WeightBits = 12;  // 2^this sets of weights
constexpr unsigned WeightShift = 14; // of a weight that is one
constexpr int16_t MostWeight = 31000;

uint64_t mix(uint64_t value) {
  value *= 0x9e3779b97f4a7c15;
  return value ^ value >> 32;
}

using Lanes = int16_t __attribute__((vector_size(16)));
using ULanes = uint16_t __attribute__((vector_size(16)));
using Wide = int32_t __attribute__((vector_size(32)));
using UWide = uint32_t __attribute__((vector_size(32)));

constexpr int16_t FirstWeight = (1 << WeightShift) * 3 / 10;
constexpr Lanes FirstWeights = {FirstWeight, FirstWeight, FirstWeight,
                                FirstWeight, FirstWeight, FirstWeight};

/// Upper halves of products, which processors have an instruction for.
Lanes upper(Lanes a, Lanes b) {
  return __builtin_convertvector(
      (__builtin_convertvector(a, Wide) * __builtin_convertvector(b, Wide)) >>
          16,
      Lanes);
}
ULanes upper(ULanes a, ULanes b) {
  return __builtin_convertvector(
      (__builtin_convertvector(a, UWide) * __builtin_convertvector(b, UWide)) >>
          16,
      ULanes);
}

int sumOfProducts(Lanes a, Lanes b) {
  Wide all =
      __builtin_convertvector(a, Wide) * __builtin_convertvector(b, Wide);
  return ((all[0] + all[1]) + (all[2] + all[3])) +
         ((all[4] + all[5]) + (all[6] + all[7]));
}

/// Bits of a group of lines: nodes of a tree of four, behind a one.
unsigned nodeOf(unsigned depth, uint64_t found) {
  return 1u << depth | (unsigned(found) & ((1u << depth) - 1));
}
constexpr uint64_t WholeNumber = 0;
uint64_t partOfNumber(uint64_t found, unsigned count) {
  return found << 8 | count << 1 | 128;
}
uint64_t partOfByte(uint64_t found) { return found << 8 | 255; }

} // namespace

RecordModel::RecordModel(BitCoder &coder, uint64_t numbers)
    : coder(coder),
      lineBits(std::clamp<unsigned>(bit_width(numbers), 8, MostLineBits)),
      lines(size_t(Contexts) << lineBits),
      weights(size_t(1) << WeightBits, FirstWeights) {}

// Learnt: the logarithm of the number of lines in a byte, how many weights and
// lines differ from those at the beginning in four bytes each; each of the
// former, its number and lanes in two bytes each; each of the latter, how far it
// is behind the one before, in a byte (0: 255, and there is more to it), which
// chances in two, and these.

void RecordModel::writeLearnt(SmallVectorImpl<char> &out) const {
  auto put = [&](uint64_t value, unsigned bytes) {
    for (; bytes--; value >>= 8)
      out.push_back(char(value));
  };
  auto changed = [&](size_t set) {
    return memcmp(&weights[set], &FirstWeights, sizeof(Lanes)) != 0;
  };
  put(lineBits, 1);
  size_t counts = out.size();
  uint32_t sets = 0, taught = 0;
  put(0, 8);
  for (size_t set = 0; set != weights.size(); ++set) {
    if (!changed(set))
      continue;
    ++sets;
    put(set, 2);
    for (unsigned i = 0; i != 8; ++i)
      put(uint16_t(weights[set][i]), 2);
  }
  for (size_t number = 0, distance = 1; number != lines.size();
       ++number, ++distance) {
    uint16_t which = 0;
    for (auto [i, chance] : enumerate(lines[number]))
      which |= uint16_t(chance ? 1u << i : 0);
    if (!which)
      continue;
    ++taught;
    for (; distance > 255; distance -= 255)
      put(0, 1);
    put(distance, 1);
    distance = 0;
    put(which, 2);
    for (uint16_t chance : lines[number])
      if (chance)
        put(chance, 2);
  }
  endian::write32le(&out[counts], sets);
  endian::write32le(&out[counts + 4], taught);
}

RecordModel::RecordModel(BitCoder &coder, uint64_t numbers, StringRef learnt)
    : coder(coder), lineBits(std::clamp<unsigned>(
                        bit_width(numbers), uint8_t(learnt[0]), MostLineBits)),
      lines(size_t(Contexts) << lineBits),
      weights(size_t(1) << WeightBits, FirstWeights) {
  // Lines are found by the upper bits of a hash: of each there are more now.
  const unsigned more = lineBits - uint8_t(learnt[0]);
  const char *at = learnt.data() + 1;
  auto take = [&at]<class Number>(Number) {
    Number number = endian::read<Number, endianness::little>(at);
    at += sizeof(Number);
    return number;
  };
  uint32_t sets = take(uint32_t()), taught = take(uint32_t());
  while (sets--) {
    Lanes &set = weights[take(uint16_t())];
    for (unsigned i = 0; i != 8; ++i)
      set[i] = int16_t(take(uint16_t()));
  }
  for (size_t behind = 0; taught--;) {
    uint8_t distance;
    while (!(distance = take(uint8_t())))
      behind += 255;
    behind += distance;
    RecordLine *line = &lines[(behind - 1) << more];
    for (unsigned which = take(uint16_t()); which; which &= which - 1)
      (*line)[countr_zero(which)] = take(uint16_t());
    std::fill(line + 1, line + (size_t(1) << more), *line);
  }
}

RecordModel::Hashes
RecordModel::hashesOf(const std::array<uint64_t, Contexts> &contexts) {
  Hashes hashes;
  for (unsigned i = 0; i != Contexts; ++i)
    hashes[i] = mix(contexts[i] + i);
  return hashes;
}

RecordModel::Lanes *RecordModel::weightsOf(uint64_t set) {
  return &weights[mix(set) >> (64 - WeightBits)];
}

LLVM_ATTRIBUTE_ALWAYS_INLINE
void RecordModel::find(Place &place, const Hashes &hashes, uint64_t group,
                       bool soon) {
  for (unsigned i = 0; i != Contexts; ++i) {
    uint64_t number = mix(hashes[i] + group) >> (64 - lineBits);
    place.lines[i] = lines[(size_t(i) << lineBits) + number].data();
    if (soon)
      __builtin_prefetch(place.lines[i], /*to write*/ 1);
  }
}

LLVM_ATTRIBUTE_ALWAYS_INLINE
bool RecordModel::bit(bool value, const Place &place, unsigned node) {
  std::array<uint16_t *, Contexts> at;
  std::array<uint16_t, Contexts> is;
  for (unsigned i = 0; i != Contexts; ++i) {
    at[i] = place.lines[i] + node;
    is[i] = *at[i];
  }
  auto odds = [&is](unsigned i) { return OddsOf.of[is[i] >> 4]; };
  auto rate = [&is](unsigned i) { return RateOf.of[is[i] & 15]; };
  Lanes says = {odds(0), odds(1), odds(2), odds(3), odds(4), odds(5), 256, 0};
  Lanes weight = *place.weights;
  int together =
      std::clamp(sumOfProducts(says, weight) >> WeightShift, -Limit, Limit);
  int one = ChanceOf.of[together + Limit];
  value = coder.code(value, one);
  // Weights move by what was said and how wrong all of it was.
  Lanes error = Lanes{} + int16_t((((value ? 65536 : 0) - one) * 7) >> 5);
  const Lanes most = Lanes{} + MostWeight;
  weight = weight > most ? most : weight;
  weight = weight < -most ? -most : weight;
  *place.weights = weight + ((upper(says << 3, error) + 1) >> 1);
  // Chances move towards what is.
  ULanes both = {is[0], is[1], is[2], is[3], is[4], is[5], 0, 0};
  ULanes rates = {rate(0), rate(1), rate(2), rate(3), rate(4), rate(5), 0, 0};
  ULanes seen = both & 15;
  seen = seen + 1 + (ULanes)(seen == Patience); // where it is, this is -1
  ULanes other = ULanes{} + uint16_t(value ? 2047 : 2048);
  ULanes away = both >> 4 ^ other;
  away -= upper(away, rates);
  both = (away ^ other) << 4 | seen;
  for (unsigned i = 0; i != Contexts; ++i)
    *at[i] = both[i];
  return value;
}

uint64_t RecordModel::codeNow(uint64_t number, const Hashes &hashes,
                              Place place, const Place *second) {
  // First how many bits it has, then these without the highest. What most
  // numbers take is in one line: twelve of the former, and up to two bits.
  unsigned width = second ? bit_width(number) : 0, count = 0;
  for (; count != 64; ++count) {
    if (count % 16 == 12)
      find(place, hashes, count);
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
      if (i == 1 && second)
        place = *second;
      else if (i % 4 == 1)
        find(place, hashes, partOfNumber(found, count));
      one = bit(one, place, nodeOf((i - 1) % 4, found));
    }
    found = found << 1 | one;
  }
  return found;
}

uint8_t RecordModel::byteNow(uint8_t value, const Hashes &hashes, Place place,
                             const Place *second) {
  unsigned found = 1;
  for (unsigned i = 0; i != 8; ++i) {
    if (i == 4 && second)
      place = *second;
    else if (i == 4)
      find(place, hashes, partOfByte(found));
    found = found << 1 | bit(value >> (7 - i) & 1, place, nodeOf(i % 4, found));
  }
  return uint8_t(found);
}

void RecordModel::wait(uint64_t number, bool isByte, const Hashes &hashes,
                       Lanes *set) {
  if (queued >= MostWaiting)
    write(queue[queued % MostWaiting]);
  Waiting &last = queue[queued++ % MostWaiting];
  last.number = number;
  last.hashes = hashes;
  last.isByte = isByte;
  last.first.weights = last.second.weights = set;
  __builtin_prefetch(set, /*to write*/ 1);
  if (isByte) {
    find(last.first, hashes, partOfByte(1), true);
    find(last.second, hashes, partOfByte(16 | number >> 4), true);
    return;
  }
  find(last.first, hashes, WholeNumber, true);
  if (unsigned width = bit_width(number); width > 3)
    find(last.second, hashes, partOfNumber(1, width), true);
}

void RecordModel::write(const Waiting &one) {
  if (one.isByte)
    byteNow(uint8_t(one.number), one.hashes, one.first, &one.second);
  else
    codeNow(one.number, one.hashes, one.first, &one.second);
}

void RecordModel::finish() {
  for (unsigned i = std::min(queued, MostWaiting); i; --i)
    write(queue[(queued - i) % MostWaiting]);
  queued = 0;
}

uint64_t RecordModel::code(uint64_t number,
                           const std::array<uint64_t, Contexts> &contexts,
                           uint64_t set) {
  Hashes hashes = hashesOf(contexts);
  if (!coder.reading()) {
    wait(number, /*isByte=*/false, hashes, weightsOf(set));
    return number;
  }
  Place place;
  place.weights = weightsOf(set);
  find(place, hashes, WholeNumber);
  return codeNow(0, hashes, place, nullptr);
}

uint8_t RecordModel::byte(uint8_t value,
                          const std::array<uint64_t, Contexts> &contexts,
                          uint64_t set) {
  Hashes hashes = hashesOf(contexts);
  if (!coder.reading()) {
    wait(value, /*isByte=*/true, hashes, weightsOf(set));
    return value;
  }
  Place place;
  place.weights = weightsOf(set);
  find(place, hashes, partOfByte(1));
  return byteNow(0, hashes, place, nullptr);
}

} // namespace xcc
