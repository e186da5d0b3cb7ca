// What moves, for XCC_LOG=map and XCC_TRACE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line for each transfer, and for each object that is there already; and on
// the timeline a slice of the thread that makes the transfer, which the copies
// that a queue runs for it are linked with. Costs three loads if nobody
// looks.

#ifndef XCC_SRC_MAPPING_MOVES_H
#define XCC_SRC_MAPPING_MOVES_H

#include "mapping/present.h"
#include "process/log.h"
#include "process/profile.h"
#include "process/trace.h"

#include <map>
#include <string>

namespace xcc::rt {

/// Lines of one launch or synchronisation, from construction to destruction. Of
/// objects whose names differ in numbers alone, and whose lines say the same,
/// the first few have a line each, and the others one at the end.
class MoveLines {
public:
  MoveLines();
  ~MoveLines();
  MoveLines(const MoveLines &) = delete;

  /// "device 0: 'x': 4000 bytes to the device: ..."
  static void add(const Device &on, const std::string &name, uint64_t bytes,
                  const std::string &what);

private:
  static constexpr size_t Alone = 4;
  struct Alike {
    int device = 0;
    std::string name, what; ///< of the last one that has a line
    size_t lines = 0, more = 0;
    uint64_t bytes = 0; ///< of those more
  };
  std::map<std::string, Alike> alike;
  MoveLines *outer;
};

/// Bytes of an entry on their way, or of several together: from construction,
/// through the calls that enqueue their copies, to destruction.
class Move {
public:
  enum Direction { ToDevice, ToHost };
  /// \p reason is what comes before \p by, that which wants them moved.
  Move(const Device &on, Direction direction, const Entry &e, uint64_t bytes,
       const char *reason, const MappingPlace &by)
      : Move() {
    if (logs(LogCategory::Map) || profile::watching()) [[unlikely]]
      begin(on, direction, e, bytes, reason, by);
  }
  /// A transfer of several objects; shown only on the timeline.
  Move(const Device &on, Direction direction, uint64_t bytes, size_t objects)
      : Move() {
    if (trace::enabled()) [[unlikely]]
      begin(on, direction, bytes, objects);
  }
  ~Move() {
    if (since) [[unlikely]]
      end();
  }
  Move(const Move &) = delete;

private:
  Move() = default;
  void begin(const Device &on, Direction direction, const Entry &e,
             uint64_t bytes, const char *reason, const MappingPlace &by);
  void begin(const Device &on, Direction direction, uint64_t bytes,
             size_t objects);
  void start();
  void end();

  uint64_t since = 0; ///< 0: not on the timeline
  uint64_t flow = 0, outer = 0;
  const char *name = nullptr;
  const char *members = nullptr;
};

/// A line for what a launch or scope wants, and the device has.
void showPresent(const Device &on, const std::string &name, uint64_t bytes,
                 const Entry &e, const MappingPlace &by);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_MOVES_H
