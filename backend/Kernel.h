// What one pass knows about the kernels that it found
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain data. The host pass and each device pass compute it independently from
// their own ASTs. The results are compared before linking, and then written as
// descriptors (host), kernel objects (device), tables and JSON.

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

/// Something that a launch passes to a kernel, or memory that is reachable from
/// it through addresses (-foffload-report-mapping).
struct KernelMapping {
  /// Bits of the kernarg segment; an address that is passed unchanged; memory
  /// that is mapped; a statement of an xcc::transfer about an object.
  enum Kind : uint32_t { Bits, Address, Memory, Trait };
  /// xcc_map_flags.
  enum Stated : uint32_t { In = 1, Out = 2, Keep = 4 };
  /// Offsets at which an address may be.
  struct Range {
    int64_t first, last;
  };
  std::string what; ///< "capture 'y' (reference to 'float')"
  std::string file; ///< of the launch
  uint32_t line = 0, column = 0;
  Kind kind = Bits;
  bool isConst = false;
  uint32_t stated = 0; ///< by the launch
  /// The offsets of the addresses that lead to it, starting in the kernarg
  /// segment.
  std::vector<Range> path;
};

/// A number in the kernarg segment.
struct KernelPlace {
  uint32_t offset, size; ///< bytes
};

struct Kernel {
  /// The name in every image. Every pass of a translation unit computes the
  /// same name. If the kernel has internal linkage, no other unit has a kernel
  /// of this name.
  std::string symbol;
  /// The function that stands for the kernel in this pass's module: the entry
  /// to compile (device), or what descriptors replace (host).
  std::string irName;
  /// In the host pass, for kernels that are functions: the function itself.
  /// Where a launch is passed its name, the descriptor is passed instead.
  std::string irFunction;
  /// The readable name: "saxpy", "ns::scale<float>".
  std::string name;
  std::string file;
  unsigned line = 0, column = 0;
  /// The kernel is visible to other translation units, so equal kernels are
  /// merged.
  bool external = false;
  /// For a kernel with internal linkage, from the host pass: the hash of all
  /// source files of the unit.
  uint64_t text = 0;
  std::vector<KernelParam> params;
  std::vector<KernelCapture> captures;
  std::vector<KernelMapping> mapping; ///< only if it was requested
  /// Numbers that the kernel's code should know at each launch, in order.
  std::vector<KernelPlace> specialized;
  /// The kernel casts an object that it receives from a base class to a derived
  /// class.
  bool castsDown = false;
  /// No launch names the kernel: it is an exported function that the process
  /// may look up.
  bool root = false;
  /// A kernel of a standard algorithm, which runs on the host if it cannot be
  /// compiled for a device.
  bool optional = false;
  uint32_t kernargSize = 0, kernargAlignment = 1;
  uint32_t maxThreads = 0; ///< the launch bound, 0 if there is none
  uint32_t minBlocks = 0;  ///< requested blocks on a compute unit, 0 if none
  bool isLoop = false;     ///< of parallel_for; only the device pass sets this
  std::string makes;       ///< of the kernel of initialisers: its row's makes=

  /// Its row in an image's kernel table, with the resources that it needs.
  rt::KernelRow row(uint32_t sharedSize, uint32_t privateSize,
                    uint32_t flags = 0) const;

  /// FNV-1a hash of all sizes, alignments, offsets and kinds of the layout.
  uint64_t fingerprint() const;
};

/// Kernels, sorted by symbol.
using KernelTable = std::vector<Kernel>;

/// Describes the first field that differs between two layouts of one kernel:
/// "parameter 'n' has size 8 on the host and 4 on the device". Returns an empty
/// string if none does.
std::string layoutDifference(const Kernel &host, const Kernel &device);

/// The descriptors as a JSON document, for -emit-kernel-info.
std::string toJSON(const KernelTable &kernels);

/// One line for each kernel, separated by tabs: the "xcc.layouts" string of an
/// embedded device module. parseLayouts reads it back. It returns false for
/// text in another form.
std::string writeLayouts(const KernelTable &kernels);
bool parseLayouts(llvm::StringRef text, KernelTable &kernels);

} // namespace xcc

#endif // XCC_BACKEND_KERNEL_H
