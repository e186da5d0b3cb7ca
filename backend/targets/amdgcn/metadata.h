// The metadata of kernels in a code object
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The metadata is a MessagePack document in a note (User Guide for AMDGPU
// Backend, "Code Object V5 Metadata").

#ifndef XCC_BACKEND_TARGETS_AMDGCN_METADATA_H
#define XCC_BACKEND_TARGETS_AMDGCN_METADATA_H

#include "Kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Support/Error.h"

namespace xcc::amdgcn {

/// A map in the document: that of a kernel or of an argument.
class KernelMetadata {
public:
  explicit KernelMetadata(llvm::msgpack::MapDocNode map) : map(map) {}

  /// Returns 0 or an empty string if the key does not exist.
  uint32_t number(llvm::StringRef key);
  llvm::StringRef text(llvm::StringRef key);
  void args(llvm::function_ref<void(KernelMetadata)> visit);

private:
  llvm::msgpack::MapDocNode map;
};

/// A linked code object has one note from each object. This joins them into one
/// note, because loaders read only the first.
llvm::Error joinNotes(llvm::MutableArrayRef<char> codeObject);

/// The metadata of a code object.
class Metadata {
public:
  /// Returns false if the code object has none.
  bool read(llvm::StringRef codeObject);
  std::optional<KernelMetadata> kernel(llvm::StringRef symbol) const;

private:
  std::string blob; ///< `document` refers to it
  llvm::msgpack::Document document;
  llvm::StringMap<llvm::msgpack::MapDocNode> kernels;
};

/// Compares the explicit arguments with the kernel's layout. Returns an empty
/// string if they agree.
std::string differenceInMetadata(KernelMetadata &data, const Kernel &kernel);

/// The columns of the kernel table that only AMD's runtime reads.
std::string columns(KernelMetadata &data);

} // namespace xcc::amdgcn

#endif // XCC_BACKEND_TARGETS_AMDGCN_METADATA_H
