// What a code object says of its kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A MessagePack document in a note (User Guide for AMDGPU Backend, "Code Object
// V5 Metadata").

#ifndef XCC_BACKEND_TARGETS_AMDGCN_METADATA_H
#define XCC_BACKEND_TARGETS_AMDGCN_METADATA_H

#include "Kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Support/Error.h"

namespace xcc::amdgcn {

/// A map of the document: a kernel's, or an argument's.
class KernelMetadata {
public:
  explicit KernelMetadata(llvm::msgpack::MapDocNode map) : map(map) {}

  /// 0 or empty where there is none.
  uint32_t number(llvm::StringRef key);
  llvm::StringRef text(llvm::StringRef key);
  void args(llvm::function_ref<void(KernelMetadata)> visit);

private:
  llvm::msgpack::MapDocNode map;
};

/// Makes one note of those of the objects that a code object was linked from:
/// loaders read the first.
llvm::Error joinNotes(llvm::MutableArrayRef<char> codeObject);

/// The metadata of a code object.
class Metadata {
public:
  /// False when the code object has none.
  bool read(llvm::StringRef codeObject);
  std::optional<KernelMetadata> kernel(llvm::StringRef symbol) const;

private:
  std::string blob; ///< the document refers to it
  llvm::msgpack::Document document;
  llvm::StringMap<llvm::msgpack::MapDocNode> kernels;
};

/// Compares the explicit arguments with the kernel's layout. Empty when they
/// agree.
std::string differenceInMetadata(KernelMetadata &data, const Kernel &kernel);

/// The columns of the kernel table that only AMD's runtime reads.
std::string columns(KernelMetadata &data);

} // namespace xcc::amdgcn

#endif // XCC_BACKEND_TARGETS_AMDGCN_METADATA_H
