// The work of a stream
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each stream has a thread, because kernels wait for services of the host. It
// does the stream's work in order, as far as somebody has asked for it: by
// waiting for the stream or for an event behind the work, or by asking twice
// whether it is done. Work that nobody asks for begins after some milliseconds,
// for programs that look at memory instead (test/mock/lateness.h).

#ifndef XCC_SIMULATOR_NVPTX_STREAM_H
#define XCC_SIMULATOR_NVPTX_STREAM_H

#include "../../mock/cuda/engine.h"

#include <deque>

namespace mock {

class Line {
public:
  void add(Engine::Work w, Engine::Order how);
  /// What was put in so far.
  uint64_t submitted();
  /// Somebody waits for the first \p count: they may begin. True if they were
  /// not asked for before.
  bool want(uint64_t count);
  /// Before anything else of this line, that much of another is to be done. Not
  /// for longer than some milliseconds: that may wait for the host, or for this.
  void goAfter(Line &other, uint64_t count);
  void finish();
  /// Is all of it done? Asks for it, the second time.
  bool idle();
  /// Somebody has asked whether it is done.
  void asked();
  /// A while has passed. True when there is work that nobody has asked for.
  bool tick();
  /// True when there is work that nobody has asked for.
  bool isWaiting();

private:
  struct Item {
    Engine::Work work;
    Engine::Order how;
  };
  struct Earlier {
    Line *line;
    uint64_t count;
  };
  void run();
  void doNext(std::unique_lock<std::mutex> &lock);
  void waitForOthers(std::unique_lock<std::mutex> &lock);
  bool wantLocked(uint64_t count);
  void askedLocked();

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Item> waiting;
  std::vector<Earlier> earlier;
  // Counts of work: put in, asked for, begun, and done.
  uint64_t added = 0, wanted = 0, taken = 0, done = 0;
  uint64_t atTick = 0; ///< what was put in when a while ended
  unsigned looks = 0;  ///< how often somebody asked whether it is done
  bool begun = false;
};

/// All streams' lines.
class Lines {
public:
  Line &of(Stream s);
  void add(Stream s, Engine::Work w, Engine::Order how);
  void want(Stream s, uint64_t count);
  void finish(Stream s);
  void finishAll();
  /// A while has passed. True when there is work that nobody has asked for.
  bool tick();

private:
  std::vector<Line *> all();
  void want(Line &l, uint64_t count);
  std::mutex mutex;
  std::map<Stream, Line *> lines; ///< for ever, as the streams' objects
};

Lines &allLines();

} // namespace mock
#endif // XCC_SIMULATOR_NVPTX_STREAM_H
