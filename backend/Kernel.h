// What one pass knows about the kernels that it found
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain data, computed by the host pass and by each device pass independently
// from their own ASTs, compared before anything is linked, and then written
// as descriptors (host), kernel objects (device), tables and JSON.

#ifndef XCC_BACKEND_KERNEL_H
#define XCC_BACKEND_KERNEL_H

#include "formats/kernel_row.h"
#include "xcc/abi.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace xcc {

/// One parameter; the fields are those of xcc_param_info.
struct KernelParam {
  std::string name, type;
  uint32_t size = 0, alignment = 1, offset = 0;
  xcc_param_kind kind = XCC_PARAM_VALUE;
};

/// One capture or member; the fields are those of xcc_capture_info.
struct KernelCapture {
  std::string name, type;
  uint32_t size = 0, offset = 0;
  bool byReference = false;
  xcc_param_kind kind = XCC_PARAM_VALUE;
};

/// Something that a launch gives to a kernel, and where a kernel's addresses
/// lead to it (-foffload-report-mapping).
struct KernelMapping {
  /// Bits of the kernarg segment; an address that is passed as it is; memory
  /// that is mapped; what an xcc::transfer says of an object.
  enum Kind : uint32_t { Bits, Address, Memory, Trait };
  /// xcc_map_flags.
  enum Stated : uint32_t { In = 1, Out = 2, Keep = 4 };
  /// Offsets at which an address may lie.
  struct Range {
    int64_t first, last;
  };
  std::string what; ///< "capture 'y' (reference to 'float')"
  std::string file; ///< of the launch
  uint32_t line = 0, column = 0;
  Kind kind = Bits;
  bool isConst = false;
  uint32_t stated = 0; ///< by the launch
  /// Where the addresses are that lead there, from the kernarg segment on.
  std::vector<Range> path;
};

/// A number in the kernarg segment.
struct KernelPlace {
  uint32_t offset, size; ///< bytes
};

struct Kernel {
  /// The name in every image: the same from every pass of one translation
  /// unit, unique to it when the kernel has internal linkage.
  std::string symbol;
  /// The function that stands for the kernel in this pass's module: the entry
  /// to compile (device), or what descriptors replace (host).
  std::string irName;
  /// Host pass, kernels that are functions: the function itself; where its
  /// name is passed to a launch, the descriptor is passed instead.
  std::string irFunction;
  /// As a reader of the source knows it: "saxpy", "ns::scale<float>".
  std::string name;
  std::string file;
  unsigned line = 0, column = 0;
  /// Visible to other translation units, so that equal ones are merged.
  bool external = false;
  /// For a kernel of internal linkage, from the host pass: the hash of all files
  /// that the unit was compiled from.
  uint64_t text = 0;
  std::vector<KernelParam> params;
  std::vector<KernelCapture> captures;
  std::vector<KernelMapping> mapping; ///< where it was asked for
  /// Numbers that its code is to know at each launch, in order.
  std::vector<KernelPlace> specialized;
  /// It casts what it is given as an object of a base class to the derived.
  bool castsDown = false;
  /// No launch names it: an exported function that the process may ask for.
  bool root = false;
  /// A kernel of a standard algorithm, which runs on the host if it cannot be
  /// compiled for a device.
  bool optional = false;
  uint32_t kernargSize = 0, kernargAlignment = 1;
  uint32_t maxThreads = 0; ///< the launch bound, 0 when none
  uint32_t minBlocks = 0;  ///< blocks a compute unit should hold, 0: no wish
  bool isLoop = false;     ///< of parallel_for; no other pass than the device's
  std::string makes;       ///< of the kernel of initialisers: its row's makes=

  /// Its row in an image's kernel table, with what the device needs for it.
  rt::KernelRow row(uint32_t sharedSize, uint32_t privateSize,
                    uint32_t flags = 0) const;

  /// FNV-1a over every size, alignment, offset and kind of the layout.
  uint64_t fingerprint() const;
};

/// Kernels in the order of their symbols.
using KernelTable = std::vector<Kernel>;

/// What differs between two layouts of one kernel, naming the first differing
/// field: "parameter 'n' has size 8 on the host and 4 on the device". Empty
/// when nothing does.
std::string layoutDifference(const Kernel &host, const Kernel &device);

/// The descriptors as a JSON document, for -emit-kernel-info.
std::string toJSON(const KernelTable &kernels);

/// One line for each kernel, tab separated: the "xcc.layouts" string of an
/// embedded device module. parseLayouts reads it back; it returns false on
/// text that is not of this form.
std::string writeLayouts(const KernelTable &kernels);
bool parseLayouts(llvm::StringRef text, KernelTable &kernels);

} // namespace xcc

#endif // XCC_BACKEND_KERNEL_H
