// Reporting transfers, for XCC_LOG=map and XCC_TRACE
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log has a line for each transfer, and for each object that is on the
// device already. The trace has a slice for the thread that makes the transfer,
// linked with the copies that a queue runs for it. If both are off, this costs
// three loads.

#ifndef XCC_SRC_MAPPING_MOVES_H
#define XCC_SRC_MAPPING_MOVES_H

#include "mapping/present.h"
#include "process/log.h"
#include "process/profile.h"
#include "process/trace.h"

#include <map>
#include <string>

namespace xcc::rt {

/// Collects the lines of one launch or synchronisation while it lives. If names
/// differ only in numbers and the rest of the line is equal, the first few
/// objects have a line each, and the others share one at the end.
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
    std::string name, what; ///< of the last line that was printed
    size_t lines = 0, more = 0;
    uint64_t bytes = 0; ///< of the others
  };
  std::map<std::string, Alike> alike;
  MoveLines *outer;
};

/// A transfer of an entry, or of several together. It lives from before the
/// calls that enqueue the copies until after them.
class Move {
public:
  enum Direction { ToDevice, ToHost };
  /// The line says \p reason and then \p by, the place that needs the transfer.
  Move(const Device &on, Direction direction, const Entry &e, uint64_t bytes,
       const char *reason, const MappingPlace &by)
      : Move() {
    if (logs(LogCategory::Map) || profile::watching()) [[unlikely]]
      begin(on, direction, e, bytes, reason, by);
  }
  /// A transfer of several objects; only in the trace.
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

  uint64_t since = 0; ///< 0: not in the trace
  uint64_t flow = 0, outer = 0;
  const char *name = nullptr;
  const char *members = nullptr;
};

/// Logs that the device already has an object of a launch or scope.
void showPresent(const Device &on, const std::string &name, uint64_t bytes,
                 const Entry &e, const MappingPlace &by);

} // namespace xcc::rt
#endif // XCC_SRC_MAPPING_MOVES_H
