// Device code as OffloadBinary
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an object holds between -c and the link, and what a linked unit
// holds: OffloadBinary (version 1), in the section .llvm.offloading.

#ifndef XCC_BACKEND_LINK_EMBED_H
#define XCC_BACKEND_LINK_EMBED_H

#include "Kernel.h"
#include "targets/Target.h"
#include "llvm/Object/OffloadBinary.h"

namespace xcc {

/// Marks OffloadBinary blobs as ours: the "xcc.abi" string.
std::string abiString();

/// What "arch" is of kernels that were compiled for the host alone.
inline constexpr llvm::StringLiteral HostOnlyArch = "none";

/// What an object says of how it was compiled.
struct CompiledFor {
  /// The archs of all targets, in the order given.
  std::vector<std::string> archs;
  /// Options of the link that were given where it was compiled.
  std::vector<std::string> options;
};

/// A device pass's module, packed, for one triple and any arch.
llvm::SmallString<0> packModule(const Target &target, llvm::StringRef bitcode,
                                const KernelTable &layouts,
                                const CompiledFor &how);
/// Stands for the device code of kernels that have none.
llvm::SmallString<0> packHostOnly(const KernelTable &layouts);
/// A shared library's device code for what links it, and what it says of that.
llvm::SmallString<0> packExports(const Target &target, llvm::Module &module,
                                 llvm::StringRef exports,
                                 const CompiledFor &how);
/// A finished image.
llvm::SmallString<0> packImage(const DeviceImage &image);

/// The section of an object's device code, and the mark that there is none.
inline constexpr llvm::StringLiteral OffloadSection = ".llvm.offloading";
inline constexpr llvm::StringLiteral HostOnlySection = ".llvm.offloading.none";
/// The section in a shared library.
inline constexpr llvm::StringLiteral LibrarySection = XCC_SECTION_DEVICE;

/// Writes `blob` into a section of the module that is excluded from the link.
/// LLVM's name for the section's type is unknown to other
/// assemblers: with `foreignAssembler` it is a number.
void embedForLink(llvm::Module &module, llvm::StringRef blob,
                  llvm::StringRef section, bool foreignAssembler);

/// Has a place for device code in the module's object, where it goes when all
/// else of the object has been written: it need not be there before.
void reserveForLink(llvm::Module &module);
/// Writes `blobs` to that place; an object that has none stays as it is.
llvm::Error fillReserved(llvm::SmallVectorImpl<char> &object,
                         llvm::ArrayRef<llvm::SmallString<0>> blobs);

/// A module as it is embedded: bitcode, packed (PackedBitcode.h).
llvm::SmallString<0> packBitcode(const llvm::Module &module);
/// As a portable image holds it, which a runtime of another build may read:
/// packed without a dictionary.
llvm::SmallString<0> packPortableBitcode(const llvm::Module &module);
/// Either.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
unpackBitcode(llvm::StringRef data, llvm::StringRef origin);

} // namespace xcc

#endif // XCC_BACKEND_LINK_EMBED_H
