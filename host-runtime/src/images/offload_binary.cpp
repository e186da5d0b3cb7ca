// The images embedded in a unit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "offload_binary.h"
#include "xcc/abi.h"

#include <charconv>

namespace xcc::rt {

namespace {
struct Header {
  unsigned char Magic[4];
  uint32_t Version;
  uint64_t Size, EntryOffset, EntrySize;
};
static_assert(sizeof(Header) == 32);
struct Entry {
  uint16_t ImageKind, OffloadKind;
  uint32_t Flags;
  uint64_t StringOffset, NumStrings, ImageOffset, ImageSize;
};
static_assert(sizeof(Entry) == 40);
struct StringEntry {
  uint64_t Key, Value;
};
constexpr unsigned char Magic[4] = {0x10, 0xFF, 0x10, 0xAD};
} // namespace

/// FNV-1a over one more byte.
static uint64_t addByte(uint64_t Hash, unsigned char Byte) {
  return (Hash ^ Byte) * 0x100000001b3u;
}

uint64_t beginStrings(uint16_t ImageKind, uint16_t OffloadKind) {
  uint64_t Hash = hashOf(Bytes());
  for (unsigned Word : {unsigned(ImageKind), unsigned(OffloadKind)})
    Hash = addByte(addByte(Hash, Word & 0xff), Word >> 8);
  return Hash;
}

uint64_t hashOfString(std::string_view Key, std::string_view Value) {
  uint64_t Hash = hashOf(Bytes(Key.data(), Key.size()));
  Hash = addByte(Hash, 0);
  for (char C : Value)
    Hash = addByte(Hash, static_cast<unsigned char>(C));
  return Hash;
}

/// A hash as text; false when it is none. Written with or without "0x" and
/// leading zeros.
static bool parseHash(std::string_view Text, uint64_t &Hash) {
  if (Text.starts_with("0x"))
    Text.remove_prefix(2);
  auto [End, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Hash, 16);
  return Error == std::errc() && End == Text.data() + Text.size();
}

bool OffloadImage::intact() const {
  uint64_t Given;
  return parseHash(Hash, Given) && Given == hashOf(Data);
}

bool OffloadReader::next(OffloadImage &Image) {
  Image = OffloadImage();
  // Linkers pad between the objects of several files with zeros.
  uint64_t Word = 0;
  while (Rest.read(0, Word) && Word == 0)
    Rest = Rest.slice(8, Rest.size() - 8);
  if (Rest.size() < 8) {
    for (uint64_t I = 0; I != Rest.size(); ++I)
      if (Rest.data()[I])
        return damaged("is cut short after its last image");
    return false;
  }
  Header H;
  if (!Rest.read(0, H))
    return damaged("is cut short in a header");
  if (memcmp(H.Magic, Magic, sizeof(Magic)) != 0)
    return damaged("does not hold offload binaries");
  if (H.Version != 1)
    return damaged("holds offload binaries of a version other than 1");
  if (H.Size < sizeof(Header) || H.Size > Rest.size())
    return damaged("is cut short in an image");
  Bytes Object = Rest.slice(0, H.Size);
  Entry E;
  if (H.EntrySize < sizeof(Entry) || !Object.read(H.EntryOffset, E))
    return damaged("has an entry outside its object");
  if (!Object.contains(E.ImageOffset, E.ImageSize))
    return damaged("has image bytes outside their object");
  if (E.NumStrings > Object.size() / sizeof(StringEntry) ||
      !Object.contains(E.StringOffset, E.NumStrings * sizeof(StringEntry)))
    return damaged("has a string table outside its object");

  Image.ImageKind = E.ImageKind;
  Image.OffloadKind = E.OffloadKind;
  Image.Data = Object.slice(E.ImageOffset, E.ImageSize);
  uint64_t Sum = beginStrings(E.ImageKind, E.OffloadKind);
  std::string_view Given;
  for (uint64_t I = 0; I != E.NumStrings; ++I) {
    StringEntry S;
    Object.read(E.StringOffset + I * sizeof(S), S);
    std::string_view Key = Object.string(S.Key);
    std::string_view Value = Object.string(S.Value);
    if (!Key.data() || !Value.data())
      return damaged("has a string outside its object");
    const char **Field = Key == "triple"         ? &Image.Triple
                         : Key == "arch"         ? &Image.Arch
                         : Key == XCC_STRING_ABI      ? &Image.Abi
                         : Key == XCC_STRING_HASH     ? &Image.Hash
                         : Key == XCC_STRING_FEATURES ? &Image.Features
                         : Key == XCC_STRING_KERNELS  ? &Image.Kernels
                         : Key == XCC_STRING_ARCHS    ? &Image.Archs
                         : Key == XCC_STRING_OPTIONS  ? &Image.Options
                         : Key == XCC_STRING_LAYOUTS  ? &Image.Layouts
                                                 : nullptr;
    if (Field)
      *Field = Value.data();
    Image.Ours |= Key.starts_with("xcc.");
    if (Key == XCC_STRING_STRINGS)
      Given = Value;
    else
      Sum += hashOfString(Key, Value);
  }
  if (Given.data()) {
    uint64_t Wanted;
    if (!parseHash(Given, Wanted) || Wanted != Sum)
      return damaged("has changed since it was written: what is said of an "
                     "image does not hash to what it did");
    Image.Summed = true;
  }
  // Round up without wrapping: Size is at most the rest's.
  uint64_t Next = H.Size + (8 - H.Size % 8) % 8;
  Rest = Next >= Rest.size() ? Bytes() : Rest.slice(Next, Rest.size() - Next);
  return true;
}

} // namespace xcc::rt
