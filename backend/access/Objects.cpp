// Objects, and what is stored in them
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All data here only grows, so repeated passes over a kernel's instructions
// come to an end.

#include "Objects.h"
#include "block/Intrinsics.h"
#include "gpu/AddressSpaces.h"
#include "xcc/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace xcc::access {
namespace {

/// The most offsets of one object in a set; with more, the offset becomes Any.
constexpr unsigned MaxOffsets = 8;
/// The most addresses in one object that are distinguished by their offsets.
constexpr unsigned MaxChildren = 24;
/// The most entries of one object that are distinguished by their offsets.
constexpr unsigned MaxEntries = 64;
constexpr unsigned MaxPaths = 256;
/// The most pieces, as large as an address, in which a copy is followed.
constexpr uint64_t MaxPieces = 32;

constexpr uint64_t AddressSize = 8;

int64_t plus(int64_t offset, uint64_t bytes) {
  return offset == Any ? Any : int64_t(uint64_t(offset) + bytes);
}

bool overlap(int64_t a, uint64_t sizeA, int64_t b, uint64_t sizeB) {
  if (a == Any || b == Any)
    return true;
  return (!sizeB || a < plus(b, sizeB)) && (!sizeA || b < plus(a, sizeA));
}

} // namespace

bool Places::add(Place place) {
  auto first = lower_bound(list, Place{place.object, Any});
  auto last = first;
  while (last != list.end() && last->object == place.object) {
    if (last->offset == place.offset || last->offset == Any)
      return false;
    ++last;
  }
  if (last - first >= MaxOffsets)
    place.offset = Any;
  if (place.offset == Any)
    first = list.erase(first, last);
  list.insert(lower_bound(list, place), place);
  return true;
}

bool Places::merge(const Places &other) {
  bool more = false;
  if (&other != this)
    for (Place place : other)
      more |= add(place);
  return more;
}

bool Places::contains(unsigned object) const {
  auto at = lower_bound(list, Place{object, Any});
  return at != list.end() && at->object == object;
}

Objects::Objects(const DataLayout &layout, unsigned maxDepth)
    : layout(layout), maxDepth(maxDepth) {
  for (unsigned i = 0; i != FirstOther; ++i)
    list.emplace_back().kind = i == Kernarg ? Kind::Path : Kind::Special;
}

unsigned Objects::of(const Value &value, Kind kind) {
  auto [at, isNew] =
      indices.try_emplace(std::make_pair(&value, unsigned(kind)), list.size());
  if (isNew) {
    Object &made = list.emplace_back();
    made.kind = kind;
    made.value = &value;
    changed = true;
  }
  return at->second;
}

unsigned Objects::child(unsigned object, int64_t offset) {
  Object &parent = list[object];
  if (parent.below)
    return object;
  if (parent.children.size() >= MaxChildren && !parent.children.count(offset))
    offset = Any;
  auto [at, isNew] = parent.children.try_emplace(offset, list.size());
  if (!isNew)
    return at->second;
  if (++paths > MaxPaths) {
    tooMany = true;
    fail("the kernel reaches more memory than the analysis distinguishes");
  }
  unsigned index = at->second;
  Object &made = list.emplace_back();
  made.parent = object;
  made.component = offset;
  made.depth = list[object].depth + 1;
  made.below = made.depth == maxDepth;
  changed = true;
  return index;
}

Places Objects::withUnknownOffsets(const Places &values) {
  Places result;
  for (Place place : values) {
    const Object &object = list[place.object];
    if (object.kind == Kind::Path && object.depth && !object.below)
      result.add({child(object.parent, Any), Any});
    result.add(
        {place.object, object.kind == Kind::Special ? place.offset : Any});
  }
  return result;
}

void Objects::markRead(const Places &at) {
  for (Place place : at) {
    Object &object = list[place.object];
    if (place.object < Services)
      fail("reads through an address of unknown origin");
    else if (object.kind == Kind::Path && !object.read)
      object.read = changed = true;
  }
}

void Objects::markOffset(const Places &at, uint64_t size) {
  if (at.size() != 1)
    return;
  auto [index, offset] = *at.begin();
  Object &object = list[index];
  if (object.kind != Kind::Path)
    return;
  if (offset == Any)
    object.beside = true;
  else if (offset < 0)
    object.before = true;
  else
    object.end = std::max(object.end, uint64_t(offset) + size);
}

void Objects::markWritten(const Places &at) {
  for (Place place : at) {
    Object &object = list[place.object];
    if (place.object < Services || object.kind == Kind::Function)
      fail("writes through an address of unknown origin");
    else if (object.kind == Kind::Path && !object.written)
      object.written = changed = true;
  }
}

/// Whether two paths may lead to one place, judged by the paths alone.
bool Objects::mayBeSame(unsigned a, unsigned b) const {
  if (list[a].depth > list[b].depth)
    std::swap(a, b);
  if (list[a].depth != list[b].depth && !list[a].below)
    return false;
  while (list[b].depth > list[a].depth)
    b = list[b].parent;
  for (; a != b; a = list[a].parent, b = list[b].parent)
    if (list[a].component != list[b].component && list[a].component != Any &&
        list[b].component != Any)
      return false;
  return true;
}

/// Whether a path leads to one object only.
bool Objects::isOne(unsigned object) const {
  for (; list[object].depth; object = list[object].parent)
    if (list[object].component == Any || list[object].below)
      return false;
  return true;
}

void Objects::load(Place from, const Access &how, Places &found) {
  switch (list[from.object].kind) {
  case Kind::Special:
    if (from.object == Services)
      found.add(how.pointer ? Unknown : Number);
    break; // markRead has failed
  case Kind::Path:
    return loadPath(from, how, found);
  case Kind::Own:
    return loadOwn(from, how, found);
  case Kind::Global:
    return loadGlobal(from, how, found);
  case Kind::Function:
    found.add(Unknown);
    break;
  }
}

void Objects::loadPath(Place from, const Access &how, Places &found) {
  if (how.data) {
    found.add(Number);
    return;
  }
  bool whole = how.size >= AddressSize;
  if (whole && from.offset != Any && how.size <= 4 * AddressSize) {
    for (uint64_t at = 0; at + AddressSize <= how.size; at += AddressSize)
      found.add(child(from.object, plus(from.offset, at)));
    if (how.size % AddressSize)
      found.add({child(from.object, Any), Any});
  } else if (from.object != Kernarg || whole || !how.size) {
    found.add({child(from.object, Any), whole || !how.size ? 0 : Any});
  }
  if (!how.pointer)
    found.add(whole || !how.size ? Copied : Number);
  for (auto &[object, entry] : stored) {
    if (entry.how.data && how.typed)
      continue;
    // No address points to the kernarg block itself.
    if (object != from.object && (object == Kernarg || from.object == Kernarg))
      continue;
    if (object == from.object && entry.offset != Any && how.size &&
        !overlap(entry.offset, entry.how.size, from.offset, how.size))
      continue;
    bool same = mayBeSame(object, from.object);
    Places values =
        whole || how.copy ? entry.values : withUnknownOffsets(entry.values);
    for (Place value : values) {
      if (value.object == Copied && how.pointer)
        continue;
      // Numbers become an address only where they are stored as its bytes.
      if (value.object == Number) {
        if (same)
          found.add(how.pointer ? Unknown : Number);
        continue;
      }
      found.add(value);
    }
  }
}

void Objects::loadOwn(Place from, const Access &how, Places &found) {
  const Object &object = list[from.object];
  if (object.escaped)
    found.add(how.pointer ? Unknown : Number);
  if (!how.pointer && how.size && how.size < AddressSize)
    found.add(Number);
  // smeared() may create objects, but no entries.
  for (const Entry &entry : object.contents) {
    if ((entry.how.data && how.typed) ||
        !overlap(entry.offset, entry.how.size, from.offset, how.size))
      continue;
    uint64_t size = entry.how.size;
    bool exact = how.copy || (size >= AddressSize && how.size >= AddressSize);
    if (exact && size && how.size && from.offset != Any && entry.offset != Any)
      exact = (from.offset - entry.offset) % int64_t(AddressSize) == 0;
    Places values = exact || !size || !how.size
                        ? entry.values
                        : withUnknownOffsets(entry.values);
    for (Place value : values) {
      if (value.object == Number && how.pointer)
        found.add(Unknown);
      else if (value.object != Copied || !how.pointer)
        found.add(value);
    }
  }
}

void Objects::addressesIn(const Value &constant, Places &found) {
  if (const auto *alias = dyn_cast<GlobalAlias>(&constant))
    return addressesIn(*alias->getAliasee(), found);
  if (const auto *function = dyn_cast<llvm::Function>(&constant)) {
    found.add(of(*function, Kind::Function));
  } else if (const auto *variable = dyn_cast<GlobalVariable>(&constant)) {
    bool shared = variable->getAddressSpace() == gpu::SharedAddressSpace ||
                  block::isBlockShared(*variable);
    found.add({of(*variable, shared ? Kind::Own : Kind::Global), Any});
  } else if (isa<GlobalValue>(constant)) {
    found.add(Unknown);
  } else if (const auto *user = dyn_cast<Constant>(&constant)) {
    for (const Use &operand : user->operands())
      addressesIn(*operand, found);
  }
}

void Objects::loadGlobal(Place from, const Access &how, Places &found) {
  const auto &variable = *cast<GlobalVariable>(list[from.object].value);
  if (variable.isConstant() && variable.hasInitializer()) {
    Constant *initial = const_cast<Constant *>(variable.getInitializer());
    Places addresses;
    Constant *one = nullptr;
    if (from.offset != Any && how.pointer && how.size == AddressSize)
      one = ConstantFoldLoadFromConst(
          initial, PointerType::getUnqual(variable.getContext()),
          APInt(64, uint64_t(from.offset)), layout);
    addressesIn(one ? *one : *initial, found);
    if (!how.pointer)
      found.add(Number);
    return;
  }
  bool imports = variable.getName() == XCC_SYMBOL_IMPORTS;
  if (imports && from.offset != Any)
    found.add({from.object, Any}); // a library's variable, for all of them
  else if (!imports && variable.getName().starts_with("__xcc_"))
    found.add(Services);
  else
    found.add(how.data || (how.size && how.size < AddressSize) ? Number
                                                               : Unknown);
}

void Objects::put(std::vector<Entry> &contents, int64_t offset,
                  const Access &how, const Places &values) {
  if (values.empty())
    return;
  for (Entry &entry : contents)
    if (entry.offset == offset && entry.how.size == how.size &&
        entry.how.data == how.data) {
      changed |= entry.values.merge(values);
      return;
    }
  if (contents.size() >= MaxEntries && offset != Any) {
    Access any = how;
    any.size = 0;
    return put(contents, Any, any, values);
  }
  contents.push_back({offset, how, values});
  changed = true;
}

void Objects::store(Place to, const Access &how, const Places &values) {
  Object &object = list[to.object];
  switch (object.kind) {
  case Kind::Special:
    if (to.object == Services)
      escape(values);
    break; // markWritten has failed
  case Kind::Path: {
    Places kept = how.pointer ? values : withUnknownOffsets(values);
    // The offset is recorded only for integers, because unoptimised code has no
    // types, and counters lie beside addresses.
    int64_t offset = Any;
    if (!how.pointer && !how.copy && how.size && isOne(to.object) &&
        stored.size() < MaxEntries)
      offset = to.offset;
    for (auto &[into, entry] : stored)
      if (into == to.object && entry.how.data == how.data &&
          entry.offset == offset &&
          (offset == Any || entry.how.size == how.size)) {
        changed |= entry.values.merge(kept);
        kept = {};
        break;
      }
    if (!kept.empty()) {
      stored.push_back({to.object, {offset, how, kept}});
      changed = true;
    }
    if (pathEscaped)
      escape(values);
    break;
  }
  case Kind::Own:
    put(object.contents, to.offset, how,
        how.pointer || how.copy || to.offset != Any
            ? values
            : withUnknownOffsets(values));
    if (object.escaped)
      escape(values);
    break;
  case Kind::Global:
    if (!cast<GlobalVariable>(object.value)->isConstant())
      escape(values);
    break;
  case Kind::Function:
    break;
  }
}

void Objects::copy(const Places &to, const Places &from, uint64_t size) {
  for (Place target : to)
    for (Place source : from) {
      bool pieces = size && size <= MaxPieces * AddressSize &&
                    target.offset != Any && source.offset != Any &&
                    list[target.object].kind == Kind::Own;
      Access how;
      how.pointer = false;
      how.copy = true;
      if (!pieces) {
        Places all;
        load({source.object, Any}, how, all);
        store({target.object, Any}, how, all);
        continue;
      }
      for (uint64_t at = 0; at < size; at += AddressSize) {
        Places piece;
        how.size = std::min(AddressSize, size - at);
        load({source.object, plus(source.offset, at)}, how, piece);
        store({target.object, plus(target.offset, at)}, how, piece);
      }
    }
}

void Objects::escape(const Places &values) {
  SmallVector<unsigned> work;
  for (Place value : values)
    work.push_back(value.object);
  while (!work.empty()) {
    Object &object = list[work.pop_back_val()];
    auto reaches = [&](const Places &inside) {
      for (Place value : inside)
        work.push_back(value.object);
    };
    if (object.kind == Kind::Path) {
      if (!(object.read && object.written && object.escaped))
        changed = true;
      object.read = object.written = object.escaped = object.below = true;
      if (!pathEscaped) {
        pathEscaped = changed = true;
        for (auto &[into, entry] : stored)
          reaches(entry.values);
      }
    } else if (object.kind == Kind::Own && !object.escaped) {
      object.escaped = changed = true;
      for (const Entry &entry : object.contents)
        reaches(entry.values);
    }
  }
}

} // namespace xcc::access
