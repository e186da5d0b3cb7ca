// The memory to which a launch refers, as the caller names it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of host memory, the places in them that hold addresses, and their
// names in the source. The caller knows the types; the code from here on
// handles bytes only. A mapping belongs to one thread until it becomes a
// launch, scope or update.

#ifndef XCC_SRC_MAPPING_COLLECTION_H
#define XCC_SRC_MAPPING_COLLECTION_H

#include "devices/device.h"
#include "mapping/numbers.h"
#include "mapping/visit.h"

#include <string>
#include <vector>

namespace xcc::rt {

class Sentence;

/// Names of variables, members and elements, as a tree. A node stands for the
/// path from the root to it.
class Paths {
public:
  static constexpr uint32_t Root = 0;
  uint32_t add(uint32_t parent, const char *name, uint64_t index);
  /// The path as written in C++: "world.rows[3].data". \p info has the names of
  /// parameters; may be null.
  std::string text(uint32_t node, const xcc_kernel_info *info) const;
  /// The same without allocations. Returns false if the text is empty.
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

/// A named range of host memory.
struct NamedRange {
  uintptr_t begin;
  uint64_t bytes;     ///< that hold objects
  uint64_t allocated; ///< bytes, from begin on
  uint32_t flags;     ///< xcc_map_flags; the union of all uses
  uint32_t path;
  xcc_mapping_visitor *visitor; ///< of its elements; null if not needed
                                /// For XCC_MAP_FOREIGN; null if not known.
  const xcc_mapping_allocator_functions *allocator;

  uintptr_t end() const { return begin + allocated; }
};

class Grown;

/// A place in memory that holds an address.
struct NamedAddress {
  uintptr_t at;
  uint32_t kind; ///< xcc_address_kind
  uint32_t path;
};

/// An object whose bytes determine what else was named, such as a container.
struct VisitedObject {
  uintptr_t at;
  uint32_t bytes;
  uint32_t addresses; ///< number of addresses named before it
};

struct Recording;

/// May kernels write the range, if the analysis says that they do?
inline bool mayBeWritten(uint32_t flags) {
  return flags & (XCC_MAP_OUT | XCC_MAP_CONST);
}

/// The place in the source, for an error or a line of the log.
struct MappingPlace {
  const xcc_kernel_info *info = nullptr; ///< null: no launch
  const char *file = nullptr;
  uint32_t line = 0;
};
/// "launch of 'k' (a.cpp:3)", for messages.
std::string subjectOf(const MappingPlace &place);

/// All that was named. The lists keep their memory for the next mapping.
struct MappingLists {
  std::vector<NamedRange> ranges;
  std::vector<NamedAddress> addresses;
  std::vector<VisitedObject> asked;
  Paths paths;

protected:
  void clear();
  size_t capacity() const;

  struct Entered {
    const char *name;
    uint64_t index;
    uint32_t node; ///< ~0 until something below it is named
  };
  std::vector<Entered> entered;
  Numbers<uintptr_t> begins;
  std::vector<uint32_t> rangeOf; ///< parallel to begins; ~0: needs no copy
  std::vector<uintptr_t> empty;  ///< starts of ranges without elements
  bool emptySorted = true;
};

} // namespace xcc::rt

struct xcc_mapping : xcc::rt::MappingLists {
  /// Returns null when memory ran out.
  static xcc_mapping *make(xcc::rt::Device &on, xcc::rt::Queue &queue);
  /// Releases a mapping; null is allowed. The thread's next mapping reuses it.
  static void release(xcc_mapping *m);

  bool addRange(const void *begin, uint64_t bytes, uint64_t allocated,
                uint32_t flags, xcc_mapping_visitor *visitor = nullptr);
  void addAddress(const void *location, uint32_t kind);
  void enter(const char *name, uint64_t index);
  void leave();
  void reject(const char *why);
  void ask(const void *object, uint64_t bytes);
  /// Was a range without elements named at this address?
  bool isEmptyRange(uintptr_t at);
  /// Forgets what was named, so that it can be named again.
  void restart();
  /// The path of the object that is being visited.
  uint32_t pathHere() { return here(); }
  /// The name of a path, in quotes.
  std::string nameOf(uint32_t path) const;
  void writeName(xcc::rt::Sentence &to, uint32_t path) const;
  /// The same for a place among the arguments.
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
  /// Equal bytes of the arguments and of visited objects name the same memory.
  bool repeats = false;
  bool described = false; ///< named from the kernel's descriptor
  /// Set if the named objects come back from the device; null otherwise.
  xcc::rt::Grown *grown = nullptr;
  /// The allocator of ranges named with XCC_MAP_FOREIGN.
  const xcc_mapping_allocator_functions *allocator = nullptr;
  /// The recording to which the launch is added; null: enqueue it.
  xcc::rt::Recording *recording = nullptr;

  /// Active until all is collected.
  xcc::rt::Visit visit{on};

  std::string rejection;            ///< the first error; "" if there is none
  xcc_status settled = XCC_SUCCESS; ///< of objects that had to come back
  bool outOfMemory = false;         ///< while collecting
  /// The value of objectsReturned() for which all that was named is up to date,
  /// unless \c older is set.
  uint64_t returned = 0;
  bool older = false;
  /// Reports the first error of collecting, if there was one.
  xcc_status checkRejected() const;

private:
  xcc_mapping(xcc::rt::Device &on, xcc::rt::Queue &queue,
              xcc::rt::MappingLists &&lists)
      : MappingLists(std::move(lists)), on(on), queue(queue) {}
  uint32_t here();
  void settleObject(uintptr_t first, uint64_t allocated);
  void addEmpty(uintptr_t at);
};

#endif // XCC_SRC_MAPPING_COLLECTION_H
