// Compares class layouts between units
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayoutNotes.h"
#include "Names.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace xcc {
namespace {

struct Note {
  unsigned number; ///< of the unit
  StringRef unit;
  StringRef layout; ///< the line after the name
  bool ofKernel;
};

std::string bytes(StringRef bits) {
  uint64_t number = 0;
  if (bits.getAsInteger(10, number) || number % 8)
    return (bits + " bits").str();
  return utostr(number / 8);
}

std::string quoted(StringRef unit) { return ("'" + unit + "'").str(); }

/// Whether a layout has the part. Names follow size and alignment, and
/// alternate with offsets.
bool hasPart(ArrayRef<StringRef> layout, StringRef name) {
  for (size_t i = 2; i < layout.size(); i += 2)
    if (layout[i] == name)
      return true;
  return false;
}

/// Describes the first difference.
std::string difference(const Note &a, const Note &b) {
  SmallVector<StringRef> left, right;
  a.layout.split(left, '\t');
  b.layout.split(right, '\t');
  auto at = [](ArrayRef<StringRef> list, size_t i) {
    return i < list.size() ? list[i] : StringRef();
  };
  for (size_t i = 2; i < left.size() || i < right.size(); i += 2) {
    StringRef name = at(left, i), other = at(right, i);
    if (name != other) {
      if (!name.empty() && !hasPart(right, name))
        return (name + " is only in " + quoted(a.unit)).str();
      if (!other.empty() && !hasPart(left, other))
        return (other + " is only in " + quoted(b.unit)).str();
      return "the order of its members differs";
    }
    if (at(left, i + 1) != at(right, i + 1))
      return (name + " is at offset " + bytes(at(left, i + 1)) + " in " +
              quoted(a.unit) + " and at " + bytes(at(right, i + 1)) + " in " +
              quoted(b.unit))
          .str();
  }
  const size_t which = at(left, 0) == at(right, 0) ? 1 : 0;
  return ((which ? "its alignment is " : "its size is ") + at(left, which) +
          " in " + quoted(a.unit) + " and " + at(right, which) + " in " +
          quoted(b.unit))
      .str();
}

void add(unsigned number, StringRef unit, StringRef text,
         MapVector<StringRef, SmallVector<Note, 2>> &classes) {
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    const bool ofKernel = line.consume_front("*");
    auto [name, layout] = line.split('\t');
    SmallVector<Note, 2> &notes = classes[name];
    // Keep only distinct layouts of a class.
    bool known = false;
    for (Note &note : notes)
      if (note.layout == layout) {
        note.ofKernel |= ofKernel;
        known = true;
      }
    if (!known)
      notes.push_back({number, unit, layout, ofKernel});
  }
}

} // namespace

void compareLayouts(const Module &module, std::vector<std::string> &warnings) {
  const NamedMDNode *list = module.getNamedMetadata(metadata::Layouts);
  if (!list)
    return;
  MapVector<StringRef, SmallVector<Note, 2>> classes;
  unsigned number = 0;
  for (const MDNode *node : list->operands()) {
    ++number;
    if (node->getNumOperands() != 2)
      continue; // bitcode may contain any metadata
    const auto *unit = dyn_cast_or_null<MDString>(node->getOperand(0).get());
    const auto *text = dyn_cast_or_null<MDString>(node->getOperand(1).get());
    if (unit && text)
      add(number, unit->getString(), text->getString(), classes);
  }
  for (const auto &[name, notes] : classes) {
    // One source may be compiled twice. But two classes with one name in one
    // unit are not reported.
    if (notes.size() < 2 || notes[0].number == notes[1].number)
      continue;
    const Note &first = notes.front();
    Note second = notes[1];
    std::string again;
    if (second.unit == first.unit) {
      again = (second.unit + ", compiled another time").str();
      second.unit = again;
    }
    if (any_of(notes, [](const Note &note) { return note.ofKernel; }))
      warnings.push_back(
          ("warning: kernels are given objects of '" + name +
           "', which has another layout in " + quoted(second.unit) +
           " than in " + quoted(first.unit) + ": " + difference(first, second) +
           " [-Woffload-layout]\n"
           "note: compile all units that use it with the same macros and "
           "options, or give one of two classes another name\n")
              .str());
  }
}

void dropLayouts(Module &module) {
  if (NamedMDNode *list = module.getNamedMetadata(metadata::Layouts))
    list->eraseFromParent();
}

} // namespace xcc
