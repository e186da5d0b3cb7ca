// Images embedded in a unit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a sequence of OffloadBinary version 1 objects, as LLVM writes them
// (llvm/Object/OffloadBinary.h), one after another at multiples of 8 bytes:
//
//     header  | 10 FF 10 AD | version u32 | size u64 | entry offset u64
//             | entry size u64 |
//     entry   | image kind u16 | offload kind u16 | flags u32
//             | strings offset u64 | strings count u64
//             | image offset u64 | image size u64 |
//     string  | key offset u64 | value offset u64 |    (offsets of C strings)
//
// All offsets are relative to the object's first byte. The reader checks every
// number and reports a damaged object. "xcc.strings" is a hash of an image's
// strings, "xcc.hash" of its bytes.

#ifndef XCC_FORMATS_OFFLOAD_BINARY_H
#define XCC_FORMATS_OFFLOAD_BINARY_H

#include "bytes.h"

namespace xcc::rt {

/// OffloadImage::imageKind of code that must still be linked for its device.
constexpr uint16_t ImageKindBitcode = 2;

/// One image and its strings: views into the bytes. Missing strings are "". All
/// strings end with a zero byte.
struct OffloadImage {
  uint16_t imageKind = 0;
  uint16_t offloadKind = 0;
  Bytes data;
  const char *triple = "";
  const char *arch = "";
  const char *abi = "";      ///< "xcc.abi"
  const char *hash = "";     ///< "xcc.hash"
  const char *features = ""; ///< "xcc.features"
  const char *kernels = "";  ///< "xcc.kernels"
  const char *exports = "";  ///< "xcc.offers"
  const char *imports = "";  ///< "xcc.imports"
  const char *lacks = "";    ///< "xcc.lacks", of generated images
  // In object files, for the link
  const char *archs = "";       ///< "xcc.archs"
  const char *options = "";     ///< "xcc.options", also in portable images
  const char *layouts = "";     ///< "xcc.layouts", also in portable images
  const char *library = "";     ///< "xcc.library"
  const char *digest = "";      ///< "xcc.digest", in portable images
  bool ours = false;            ///< there is a string with the prefix "xcc."
  bool stringsVerified = false; ///< "xcc.strings" exists and matches

  /// Whether this is bitcode from which the runtime generates code.
  bool portable() const {
    return imageKind == ImageKindBitcode &&
           std::string_view(arch).starts_with("generic:");
  }
  /// Whether the hash of data equals \p hash.
  bool intact() const;
};

/// The hash in "xcc.strings" begins with the kinds and adds the hash of each
/// string but itself, so that the order of strings does not matter.
uint64_t beginStrings(uint16_t imageKind, uint16_t offloadKind);
uint64_t hashOfString(std::string_view key, std::string_view value);

/// Whether the bytes begin like such an object.
bool isOffloadBinary(Bytes bytes);

/// Reads the objects of a section one after another.
class OffloadReader {
public:
  explicit OffloadReader(Bytes section) : rest(section) {}

  /// Reads the next object. Returns false at the end or on damage; see error().
  bool next(OffloadImage &image);
  /// What is wrong with the bytes; null if nothing is.
  const char *error() const { return error_; }

private:
  bool damaged(const char *text) {
    error_ = text;
    rest = Bytes();
    return false;
  }
  Bytes rest;
  const char *error_ = nullptr;
};

} // namespace xcc::rt
#endif // XCC_FORMATS_OFFLOAD_BINARY_H
