// What a pointer of a kernel may point to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is modelled as objects. The kernarg block is one. The target of an
// address at a certain offset of an object is another object, its child. So
// objects that are reached from the kernarg block have paths: 16.0 is the
// target of the address at offset 0 in the target of the address at offset 16
// of the block. Two paths may lead to the same memory. Local variables, memory
// from malloc and global variables are objects too, and record what is stored
// in them.

#ifndef XCC_BACKEND_ACCESS_OBJECTS_H
#define XCC_BACKEND_ACCESS_OBJECTS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class DataLayout;
class GlobalVariable;
class Value;
} // namespace llvm

namespace xcc::access {

/// An unknown offset.
constexpr int64_t Any = INT64_MIN;

/// Objects that always exist. The first three stand for no memory.
enum : unsigned {
  Unknown,  ///< an address of unknown origin
  Number,   ///< an integer that is no address of anything known
  Copied,   ///< an integer as it was found in memory, perhaps an address
  Services, ///< what the device runtime shares with the host
  Kernarg,
  FirstOther
};

/// An address: an offset in bytes from the start of an object. A child starts
/// where the address that leads to it points.
struct Place {
  unsigned object;
  int64_t offset;
  bool operator==(const Place &) const = default;
  auto operator<=>(const Place &) const = default;
};

/// What a value may point to. The set only grows.
class Places {
public:
  /// \returns whether the place was new.
  bool add(Place place);
  bool add(unsigned object) { return add({object, 0}); }
  bool merge(const Places &other);
  bool contains(unsigned object) const;
  bool empty() const { return list.empty(); }
  size_t size() const { return list.size(); }
  auto begin() const { return list.begin(); }
  auto end() const { return list.end(); }

private:
  llvm::SmallVector<Place, 3> list; ///< sorted
};

enum class Kind {
  Special,
  Path,   ///< the kernarg block, or reached from it
  Own,    ///< unknown to other kernels: local, block-shared, from malloc
  Global, ///< other kernels may have put addresses there
  Function
};

/// The kind of an access.
struct Access {
  uint64_t size = 0;   ///< bytes, 0: unknown
  bool pointer = true; ///< of an address, by its type
  bool copy = false;   ///< of bytes, which keep their order
  bool data = false;   ///< by aliasing rules, of a number that is no address
  bool typed = false;  ///< by aliasing rules, of a pointer
};

/// Something stored in an object.
struct Entry {
  int64_t offset;
  Access how;
  Places values;
};

struct Object {
  Kind kind = Kind::Path;
  const llvm::Value *value = nullptr;
  // Paths.
  unsigned parent = 0;
  int64_t component = 0; ///< the address's offset in its parent, or Any
  unsigned depth = 0;    ///< 0: the kernarg block
  bool read = false, written = false;
  bool beside = false; ///< used at offsets that are not constant
  bool before = false; ///< used in front of where the address points
  uint64_t end = 0;    ///< of what is used at constant offsets
  bool below = false;  ///< also stands for all that is reachable from it
  llvm::SmallDenseMap<int64_t, unsigned, 4> children;
  // Other objects.
  bool escaped = false; ///< known to unseen code
  std::vector<Entry> contents;
};

/// All objects of one kernel. After a failure nothing is known.
class Objects {
public:
  Objects(const llvm::DataLayout &layout, unsigned maxDepth);

  Object &operator[](unsigned index) { return list[index]; }
  const Object &operator[](unsigned index) const { return list[index]; }
  unsigned size() const { return list.size(); }

  /// The object that stands for a variable, a call or a function.
  unsigned of(const llvm::Value &value, Kind kind);
  /// Adds the functions and variables to which a constant refers to `found`.
  void addressesIn(const llvm::Value &constant, Places &found);
  /// The object to which an address in a path's object points.
  unsigned child(unsigned object, int64_t offset);
  /// What \p values may be if only parts of the addresses are known, or if they
  /// lie at other offsets: any place in their objects, and in all siblings of
  /// their paths.
  Places withUnknownOffsets(const Places &values);

  /// Adds what an access may find to `found`, without marking it read.
  void load(Place from, const Access &how, Places &found);
  void store(Place to, const Access &how, const Places &values);
  /// Copies contents, of a length that may be unknown (0).
  void copy(const Places &to, const Places &from, uint64_t size);
  void markRead(const Places &at);
  void markWritten(const Places &at);
  /// Notes the memory of an access of \p size bytes that certainly goes to one
  /// object.
  void markOffset(const Places &at, uint64_t size);
  /// The values become known to unseen code.
  void escape(const Places &values);

  /// Something changed since the last call.
  bool takeChanged() { return std::exchange(changed, false); }
  void change() { changed = true; }

  void fail(std::string why) {
    if (failure.empty())
      failure = std::move(why);
  }
  std::string failure;  ///< why nothing is known
  bool tooMany = false; ///< the failure was for the number of objects

private:
  const llvm::DataLayout &layout;
  std::deque<Object> list;
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, unsigned> indices;
  std::vector<std::pair<unsigned, Entry>> stored; ///< into paths' objects
  unsigned maxDepth, paths = 0;
  bool changed = false, pathEscaped = false;

  void loadPath(Place from, const Access &how, Places &found);
  void loadGlobal(Place from, const Access &how, Places &found);
  void loadOwn(Place from, const Access &how, Places &found);
  bool mayBeSame(unsigned a, unsigned b) const;
  bool isOne(unsigned object) const;
  void put(std::vector<Entry> &contents, int64_t offset, const Access &how,
           const Places &values);
};

} // namespace xcc::access

#endif // XCC_BACKEND_ACCESS_OBJECTS_H
