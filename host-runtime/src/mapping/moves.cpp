// Reporting transfers, for XCC_LOG=map and XCC_TRACE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/moves.h"

#include <new>
#include <utility>

namespace xcc::rt {

/// "a.cpp:3"; "" if it is not known.
static std::string textOf(const MappingPlace &at) {
  return at.file ? std::string(at.file) + ":" + std::to_string(at.line) : "";
}

/// The place where an entry was mapped; "" if that is the place that moves it
/// now.
static std::string mappedAt(const Entry &e, const MappingPlace &by) {
  std::string at = textOf(e.place);
  return at.empty() || at == textOf(by) ? "" : "mapped at " + at;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static thread_local MoveLines *lines = nullptr;

/// A name without its digits: "v[][]" for "v[3][12]".
static std::string shapeOf(const std::string &name) {
  std::string shape;
  for (size_t i = 0; i != name.size(); ++i)
    if (!(name[i] >= '0' && name[i] <= '9'))
      shape += name[i];
  return shape;
}

MoveLines::MoveLines() : outer(std::exchange(lines, this)) {}

MoveLines::~MoveLines() {
  lines = outer;
  for (const auto &[key, a] : alike)
    if (a.more)
      log(LogCategory::Map, "device %d: %zu more like %s: %llu bytes %s",
          a.device, a.more, a.name.c_str(),
          static_cast<unsigned long long>(a.bytes), a.what.c_str());
}

void MoveLines::add(const Device &on, const std::string &name, uint64_t bytes,
                    const std::string &what) {
  if (!logs(LogCategory::Map))
    return;
  if (lines) {
    Alike &a =
        lines->alike[std::to_string(on.ordinal()) + shapeOf(name) + what];
    if (++a.lines > Alone) {
      ++a.more;
      a.bytes += bytes;
      return;
    }
    a.device = on.ordinal();
    a.name = name;
    a.what = what;
  }
  log(LogCategory::Map, "device %d: %s: %llu bytes %s", on.ordinal(),
      name.c_str(), static_cast<unsigned long long>(bytes), what.c_str());
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

void Move::begin(const Device &on, Direction direction, const Entry &e,
                 uint64_t bytes, const char *reason,
                 const MappingPlace &by) try {
  if (profile::enabled() && by.info && bytes)
    profile::moved(on.ordinal(), by.info->name, direction == ToDevice, bytes);
  std::string why = std::string(reason) + subjectOf(by),
              mapped = mappedAt(e, by);
  MoveLines::add(
      on, e.name(), bytes,
      (direction == ToDevice ? "to the device: " : "back to the host: ") + why +
          (mapped.empty() ? "" : ", ") + mapped);
  if (!trace::enabled())
    return;
  std::string to = direction == ToDevice ? " to device " : " from device ";
  name = trace::name((e.name() + to + std::to_string(on.ordinal())).c_str());
  trace::Members list;
  list.number("bytes", bytes);
  list.text("variable", e.name());
  list.text("mapped", textOf(e.place));
  list.text("reason", why);
  list.text("device", on.id());
  members = trace::name(list.json().c_str());
  start();
} catch (const std::bad_alloc &) {
}

void Move::begin(const Device &on, Direction direction, uint64_t bytes,
                 size_t objects) try {
  name = trace::name(
      ((direction == ToDevice ? "objects to device " : "objects from device ") +
       std::to_string(on.ordinal()))
          .c_str());
  trace::Members list;
  list.number("bytes", bytes);
  list.number("objects", objects);
  list.text("device", on.id());
  members = trace::name(list.json().c_str());
  start();
} catch (const std::bad_alloc &) {
}

void Move::start() {
  since = trace::now();
  flow = trace::newFlow();
  outer = std::exchange(trace::copiesBelongTo, flow);
}

void Move::end() {
  trace::copiesBelongTo = outer;
  trace::add({name, "map", since, trace::now(), flow, 0, 0, true, members});
}

void showPresent(const Device &on, const std::string &name, uint64_t bytes,
                 const Entry &e, const MappingPlace &by) {
  std::string mapped = mappedAt(e, by);
  MoveLines::add(on, name, bytes,
                 "present, count " +
                     std::to_string(e.holders() + e.uses.size()) + ": " +
                     subjectOf(by) + (mapped.empty() ? "" : ", ") + mapped);
}

} // namespace xcc::rt
