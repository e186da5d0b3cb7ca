// Compressed bitcode
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PackedBitcode.h"
#include "PackDictionary.h"
#include "RecordBytes.h"
#include "llvm/ADT/ScopeExit.h"
#include <zstd.h>

using namespace llvm;

namespace xcc {
namespace {

/// The highest levels take longer and save less than a thousandth.
constexpr int Level = 17;
/// The largest size of a module's records.
constexpr uint64_t MostBytes = uint64_t(1) << 32;
/// No frame compresses by more than this factor.
constexpr uint64_t MostTimes = 20000;

Error zstdError(size_t result) {
  return createStringError(ZSTD_getErrorName(result));
}

} // namespace

Expected<SmallString<0>> packRecords(StringRef bitcode, PackWith with) {
  Expected<SmallString<0>> bytes = bytesOfRecords(bitcode);
  if (!bytes)
    return bytes.takeError();
  if (bytes->size() >= MostBytes)
    return createStringError("it is too large");
  ZSTD_CCtx *context = ZSTD_createCCtx();
  scope_exit freed([&] { ZSTD_freeCCtx(context); });
  StringRef dictionary =
      with == PackWith::Dictionary ? packDictionary() : StringRef();
  SmallString<0> out;
  out.resize_for_overwrite(ZSTD_compressBound(bytes->size()));
  size_t size = ZSTD_compress_usingDict(
      context, out.data(), out.size(), bytes->data(), bytes->size(),
      dictionary.data(), dictionary.size(), Level);
  if (ZSTD_isError(size))
    return zstdError(size);
  out.truncate(size);
  return std::move(out);
}

Expected<SmallVector<char, 0>> unpackRecords(StringRef packed) {
  StringRef dictionary;
  if (unsigned name = ZSTD_getDictID_fromFrame(packed.data(), packed.size())) {
    dictionary = packDictionary();
    if (name != ZSTD_getDictID_fromDict(dictionary.data(), dictionary.size()))
      return createStringError("it was packed by another version of xcc");
  }
  unsigned long long size =
      ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR)
    return createStringError("it is not packed as by this version of xcc");
  if (size >= MostBytes || size / MostTimes > packed.size())
    return createStringError("it has a wrong size");
  ZSTD_DCtx *context = ZSTD_createDCtx();
  scope_exit freed([&] { ZSTD_freeDCtx(context); });
  SmallString<0> bytes;
  bytes.resize_for_overwrite(size);
  size_t got = ZSTD_decompress_usingDict(context, bytes.data(), bytes.size(),
                                         packed.data(), packed.size(),
                                         dictionary.data(), dictionary.size());
  if (ZSTD_isError(got))
    return zstdError(got);
  bytes.truncate(got);
  return recordsOfBytes(bytes);
}

} // namespace xcc
