// What a launch refers to, as the caller names it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of host memory, the places in them that hold addresses, and what all
// that is called in the source. The caller knows the types; from here on there
// are only bytes. One thread's, until it becomes a launch, scope or update.

#ifndef XCC_SRC_MAPPING_COLLECTION_H
#define XCC_SRC_MAPPING_COLLECTION_H

#include "devices/device.h"
#include "mapping/numbers.h"
#include "mapping/visit.h"

#include <string>
#include <vector>

namespace xcc::rt {

class Sentence;

/// Names of variables, members and elements: a tree, whose nodes are paths
/// through the program's objects.
class Paths {
public:
  static constexpr uint32_t Root = 0;
  uint32_t add(uint32_t parent, const char *name, uint64_t index);
  /// As one would write it: "world.rows[3].data". \p info names parameters;
  /// may be null.
  std::string text(uint32_t node, const xcc_kernel_info *info) const;
  /// The same where nothing may be allocated; true if it is anything.
  bool write(Sentence &to, uint32_t node, const xcc_kernel_info *info) const;
  void clear() { nodes.resize(1); }
  size_t capacity() const { return nodes.capacity(); }

private:
  struct Node {
    const char *name; ///< null: an index
    uint64_t index;
    uint32_t parent;
  };
  std::vector<Node> nodes{{nullptr, 0, 0}};
};

/// Host memory that was named.
struct NamedRange {
  uintptr_t begin;
  uint64_t bytes;     ///< that hold something
  uint64_t allocated; ///< bytes, from begin on
  uint32_t flags;     ///< xcc_map_flags; all that were stated
  uint32_t path;
  xcc_mapping_visitor *visitor; ///< of its elements; null: none is needed
  /// For XCC_MAP_FOREIGN; null: not known.
  const xcc_mapping_allocator_functions *allocator;

  uintptr_t end() const { return begin + allocated; }
};

class Grown;

/// A place that holds an address.
struct NamedAddress {
  uintptr_t at;
  uint32_t kind; ///< xcc_address_kind
  uint32_t path;
};

/// An object whose bytes say what else there is, such as a container.
struct AskedObject {
  uintptr_t at;
  uint32_t bytes;
  uint32_t addresses; ///< how many were named before
};

struct Recording;

/// May what was named be written by kernels, if they are known to do so?
inline bool mayBeWritten(uint32_t flags) {
  return flags & (XCC_MAP_OUT | XCC_MAP_CONST);
}

/// The place in the source that an error or a line of the log names.
struct MappingPlace {
  const xcc_kernel_info *info = nullptr; ///< null: no launch
  const char *file = nullptr;
  uint32_t line = 0;
};
/// "launch of 'k' (a.cpp:3)", for messages.
std::string subjectOf(const MappingPlace &place);

/// What was named. The lists keep their memory from one mapping to the next.
struct MappingLists {
  std::vector<NamedRange> ranges;
  std::vector<NamedAddress> addresses;
  std::vector<AskedObject> asked;
  Paths paths;

protected:
  void clear();
  size_t capacity() const;

  struct Entered {
    const char *name;
    uint64_t index;
    uint32_t node; ///< ~0 until something was named there
  };
  std::vector<Entered> entered;
  Numbers<uintptr_t> begins;
  std::vector<uint32_t> rangeOf; ///< beside begins; ~0: it needs no copy
  std::vector<uintptr_t> empty;  ///< begins of ranges without elements
  bool emptySorted = true;
};

} // namespace xcc::rt

struct xcc_mapping : xcc::rt::MappingLists {
  /// Null when memory ran out.
  static xcc_mapping *make(xcc::rt::Device &on, xcc::rt::Queue &queue);
  /// Null is nothing. The thread's next one has its memory.
  static void release(xcc_mapping *m);

  bool addRange(const void *begin, uint64_t bytes, uint64_t allocated,
                uint32_t flags, xcc_mapping_visitor *visitor = nullptr);
  void addAddress(const void *location, uint32_t kind);
  void enter(const char *name, uint64_t index);
  void leave();
  void refuse(const char *why);
  void ask(const void *object, uint64_t bytes);
  /// Was a range without elements named there?
  bool isEmptyRange(uintptr_t at);
  /// Removes what was named: all of it has to be named again.
  void restart();
  /// The path of the object that is being visited.
  uint32_t pathHere() { return here(); }
  /// What something of that path is called, in quotes.
  std::string nameOf(uint32_t path) const;
  void writeName(xcc::rt::Sentence &to, uint32_t path) const;
  /// The same for something among the arguments.
  std::string nameAt(uintptr_t location, uint32_t path) const;
  xcc::rt::ErrorSite site() const;
  std::string subject() const { return xcc::rt::subjectOf(place); }

  xcc::rt::Device &on;
  xcc::rt::Queue &queue;
  xcc::rt::MappingPlace place;
  /// The kernel of a launch.
  const xcc::rt::Kernel *kernel = nullptr;
  xcc_launch_config config{};
  const char *kernarg = nullptr;
  size_t kernargSize = 0;
  /// The same bytes of arguments and of what was asked have the same named.
  bool repeats = false;
  bool described = false; ///< named by the kernel's descriptor
  /// What is named has come from the device, and goes home; null: as ever.
  xcc::rt::Grown *grown = nullptr;
  /// The allocator of ranges that are named with XCC_MAP_FOREIGN.
  const xcc_mapping_allocator_functions *allocator = nullptr;
  /// The launch is kept for a graph; null: it is enqueued.
  xcc::rt::Recording *recording = nullptr;

  /// Until all was collected.
  xcc::rt::Visit visit{on};

  std::string refusal;              ///< "" while there is none
  xcc_status settled = XCC_SUCCESS; ///< what had to come back first
  bool outOfMemory = false;         ///< while collecting
  /// Objects that came home after so many were named as they are now, unless
  /// there is an older one.
  uint64_t returned = 0;
  bool older = false;
  /// An error where something was refused.
  xcc_status checkRefused() const;

private:
  xcc_mapping(xcc::rt::Device &on, xcc::rt::Queue &queue,
              xcc::rt::MappingLists &&lists)
      : MappingLists(std::move(lists)), on(on), queue(queue) {}
  uint32_t here();
  void settleObject(uintptr_t first, uint64_t allocated);
  void addEmpty(uintptr_t at);
};

#endif // XCC_SRC_MAPPING_COLLECTION_H
