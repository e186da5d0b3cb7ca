// Writes and reads device code as OffloadBinary
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects between -c and the link, and linked units, hold device code as
// OffloadBinary (version 1) in the section .llvm.offloading.

#ifndef XCC_BACKEND_LINK_EMBED_H
#define XCC_BACKEND_LINK_EMBED_H

#include "Kernel.h"
#include "targets/Target.h"
#include "llvm/Object/OffloadBinary.h"

namespace xcc {

/// The value of "xcc.abi", which marks an OffloadBinary as xcc's.
std::string abiString();

/// The value of "arch" for kernels that were compiled for the host only.
inline constexpr llvm::StringLiteral HostOnlyArch = "none";

/// How an object was compiled, as the object records it.
struct CompiledFor {
  /// The archs of all targets, in the order given.
  std::vector<std::string> archs;
  /// Options for the link that were given at the compile.
  std::vector<std::string> options;
};

/// Packs a device pass's module for one triple and any arch.
llvm::SmallString<0> packModule(const Target &target, llvm::StringRef bitcode,
                                const KernelTable &layouts,
                                const CompiledFor &how);
/// Packs a mark that replaces the device code of host-only kernels.
llvm::SmallString<0> packHostOnly(const KernelTable &layouts);
/// Packs a shared library's device code for the units that link it, and its
/// description.
llvm::SmallString<0> packExports(const Target &target, llvm::Module &module,
                                 llvm::StringRef exports,
                                 const CompiledFor &how);
/// Packs a finished image.
llvm::SmallString<0> packImage(const DeviceImage &image);

/// The section of an object's device code, and the section that marks host-only
/// kernels.
inline constexpr llvm::StringLiteral OffloadSection = ".llvm.offloading";
inline constexpr llvm::StringLiteral HostOnlySection = ".llvm.offloading.none";
/// The section in a shared library.
inline constexpr llvm::StringLiteral LibrarySection = XCC_SECTION_DEVICE;

/// Puts `blob` into a section of the module that is excluded from the link.
/// Other assemblers do not know LLVM's name for the section's type: with
/// `foreignAssembler` the type is a number.
void embedForLink(llvm::Module &module, llvm::StringRef blob,
                  llvm::StringRef section, bool foreignAssembler);

/// Reserves a place in the module's object for device code, which is added
/// after all else has been written.
void reserveForLink(llvm::Module &module);
/// Writes `blobs` to that place. An object without one does not change.
llvm::Error fillReserved(llvm::SmallVectorImpl<char> &object,
                         llvm::ArrayRef<llvm::SmallString<0>> blobs);

/// A module in the embedded format: packed bitcode (PackedBitcode.h).
llvm::SmallString<0> packBitcode(const llvm::Module &module);
/// The format of a portable image, which a runtime of another build may read:
/// packed without a dictionary.
llvm::SmallString<0> packPortableBitcode(const llvm::Module &module);
/// Unpacks both formats.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
unpackBitcode(llvm::StringRef data, llvm::StringRef origin);

} // namespace xcc

#endif // XCC_BACKEND_LINK_EMBED_H
