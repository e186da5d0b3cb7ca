// Images embedded in a unit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "offload_binary.h"
#include "xcc/abi.h"

#include <charconv>

namespace xcc::rt {

namespace {
struct Header {
  unsigned char magic[4];
  uint32_t version;
  uint64_t size, entryOffset, entrySize;
};
static_assert(sizeof(Header) == 32);
struct Entry {
  uint16_t imageKind, offloadKind;
  uint32_t flags;
  uint64_t stringOffset, numStrings, imageOffset, imageSize;
};
static_assert(sizeof(Entry) == 40);
struct StringEntry {
  uint64_t key, value;
};
constexpr unsigned char Magic[4] = {0x10, 0xFF, 0x10, 0xAD};
} // namespace

/// Continues FNV-1a with one byte.
static uint64_t addByte(uint64_t hash, unsigned char byte) {
  return (hash ^ byte) * 0x100000001b3u;
}

uint64_t beginStrings(uint16_t imageKind, uint16_t offloadKind) {
  uint64_t hash = hashOf(Bytes());
  for (unsigned word : {unsigned(imageKind), unsigned(offloadKind)})
    hash = addByte(addByte(hash, word & 0xff), word >> 8);
  return hash;
}

uint64_t hashOfString(std::string_view key, std::string_view value) {
  uint64_t hash = hashOf(Bytes(key.data(), key.size()));
  hash = addByte(hash, 0);
  for (char c : value)
    hash = addByte(hash, static_cast<unsigned char>(c));
  return hash;
}

/// Parses a hash, with or without "0x" and leading zeros. Returns false if the
/// text is invalid.
static bool parseHash(std::string_view text, uint64_t &hash) {
  if (text.starts_with("0x"))
    text.remove_prefix(2);
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  return error == std::errc() && end == text.data() + text.size();
}

bool OffloadImage::intact() const {
  uint64_t given;
  return parseHash(hash, given) && given == hashOf(data);
}

bool OffloadReader::next(OffloadImage &image) {
  image = OffloadImage();
  // Linkers insert zeros between the objects of different files.
  uint64_t word = 0;
  while (rest.read(0, word) && word == 0)
    rest = rest.slice(8, rest.size() - 8);
  if (rest.size() < 8) {
    for (uint64_t i = 0; i != rest.size(); ++i)
      if (rest.data()[i])
        return damaged("is cut short after its last image");
    return false;
  }
  Header h;
  if (!rest.read(0, h))
    return damaged("is cut short in a header");
  if (memcmp(h.magic, Magic, sizeof(Magic)) != 0)
    return damaged("does not hold offload binaries");
  if (h.version != 1)
    return damaged("holds offload binaries of a version other than 1");
  if (h.size < sizeof(Header) || h.size > rest.size())
    return damaged("is cut short in an image");
  Bytes object = rest.slice(0, h.size);
  Entry e;
  if (h.entrySize < sizeof(Entry) || !object.read(h.entryOffset, e))
    return damaged("has an entry outside its object");
  if (!object.contains(e.imageOffset, e.imageSize))
    return damaged("has image bytes outside their object");
  if (e.numStrings > object.size() / sizeof(StringEntry) ||
      !object.contains(e.stringOffset, e.numStrings * sizeof(StringEntry)))
    return damaged("has a string table outside its object");

  image.imageKind = e.imageKind;
  image.offloadKind = e.offloadKind;
  image.data = object.slice(e.imageOffset, e.imageSize);
  uint64_t sum = beginStrings(e.imageKind, e.offloadKind);
  std::string_view given;
  for (uint64_t i = 0; i != e.numStrings; ++i) {
    StringEntry s;
    object.read(e.stringOffset + i * sizeof(s), s);
    std::string_view key = object.string(s.key);
    std::string_view value = object.string(s.value);
    if (!key.data() || !value.data())
      return damaged("has a string outside its object");
    const char **field = key == "triple"              ? &image.triple
                         : key == "arch"              ? &image.arch
                         : key == XCC_STRING_ABI      ? &image.abi
                         : key == XCC_STRING_HASH     ? &image.hash
                         : key == XCC_STRING_FEATURES ? &image.features
                         : key == XCC_STRING_KERNELS  ? &image.kernels
                         : key == XCC_STRING_ARCHS    ? &image.archs
                         : key == XCC_STRING_OPTIONS  ? &image.options
                         : key == XCC_STRING_LAYOUTS  ? &image.layouts
                         : key == XCC_STRING_LIBRARY  ? &image.library
                         : key == XCC_STRING_DIGEST   ? &image.digest
                         : key == XCC_STRING_EXPORTS  ? &image.exports
                         : key == XCC_STRING_IMPORTS  ? &image.imports
                         : key == XCC_STRING_LACKS    ? &image.lacks
                                                      : nullptr;
    if (field)
      *field = value.data();
    image.ours |= key.starts_with("xcc.");
    if (key == XCC_STRING_STRINGS)
      given = value;
    else
      sum += hashOfString(key, value);
  }
  if (given.data()) {
    uint64_t wanted;
    if (!parseHash(given, wanted) || wanted != sum)
      return damaged("has changed since it was written: an image's description "
                     "does not match its hash");
    image.stringsVerified = true;
  }
  // Rounding up cannot overflow, because the size is at most the rest's.
  uint64_t next = h.size + (8 - h.size % 8) % 8;
  rest = next >= rest.size() ? Bytes() : rest.slice(next, rest.size() - next);
  return true;
}

bool isOffloadBinary(Bytes bytes) {
  unsigned char begin[sizeof(Magic)];
  return bytes.read(0, begin) && memcmp(begin, Magic, sizeof(Magic)) == 0;
}

} // namespace xcc::rt
