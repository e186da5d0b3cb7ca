// What executes what the driver is given
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points check and keep books; behind them is an engine. The mock's
// does everything at once and runs no device code. The simulator's
// (test/simulator/nvptx) has a thread for each stream, which begins when
// somebody waits for its work, and interprets PTX.

#ifndef XCC_TEST_MOCK_CUDA_ENGINE_H
#define XCC_TEST_MOCK_CUDA_ENGINE_H

#include "state.h"

#include <functional>

namespace mock {

struct LaunchArguments {
  unsigned grid[3], block[3];
  unsigned shared; ///< dynamic, bytes
  std::string kernarg;
};

class Engine {
public:
  virtual ~Engine() = default;
  virtual std::string deviceName(const ContextObject &d) const {
    return "Mock GPU " + std::to_string(d.number);
  }
  /// Is every call recorded, for tests that ask?
  virtual bool records() const { return true; }

  // Streams. Calls that wait are made without the state's lock.

  using Work = std::function<Result()>;
  enum Order {
    Usual,
    Always, ///< also when the device cannot be used any more
    Point   ///< so too; once it is done, all before it and it are
  };
  /// Does it in the stream's order, now or later. What it returns is the fault
  /// of running code.
  virtual Result submit(Stream, Work w, Order = Usual) { return w(); }
  /// How much was submitted to the stream so far.
  virtual uint64_t submitted(Stream) { return 0; }
  /// Somebody waits for that much of it, which may have to begin.
  virtual void want(Stream, uint64_t) {}
  static constexpr uint64_t Everything = ~uint64_t(0);
  /// Somebody asked whether it is done, and was told that it is not.
  virtual void asked(Stream) {}
  /// Is what is copied from the program's memory kept until it is copied?
  virtual bool stages() const { return false; }
  /// Waits for all that was submitted.
  virtual void finish(Stream) {}
  virtual void finishAll() {}
  virtual bool idle(Stream) { return true; }

  // Modules. Their data is there already.

  /// \p why: what a compiler says to a module that it refuses.
  virtual Result load(ModuleObject &m, std::string &why) = 0;
  virtual void unload(ModuleObject &) {}
  virtual bool hasFunction(const ModuleObject &m, const std::string &name) = 0;
  /// Its address, 0 if there is none.
  virtual Address variable(ModuleObject &m, const std::string &name,
                           size_t &size) = 0;
  virtual int attribute(const FunctionObject &f, FunctionAttribute which) = 0;
  /// Where a kernel's parameter is in a launch's buffer; InvalidValue behind the
  /// last.
  virtual Result parameter(const FunctionObject &f, size_t index,
                           size_t &offset, size_t &size) = 0;
  /// What was checked already is launched.
  virtual Result launch(Function f, Stream in, LaunchArguments given) = 0;

  /// New memory of a device.
  virtual void allocated(Address, size_t) {}
  // The driver has written or copied; either side may be the host's.
  virtual void written(Address, size_t) {}
  virtual void copied(Address to, Address from, size_t) {}
};

/// Each library has its own.
Engine &engine();

/// Does the stream capture what is put into it? Then it keeps this (graphs.cpp).
bool isCaptured(Stream in, std::function<Result(Stream)> work);
/// To the engine, or to the graph that the stream captures.
inline Result submit(Stream in, Engine::Work w) {
  auto later = [w](Stream s) { return engine().submit(s, w); };
  return isCaptured(in, later) ? Success : engine().submit(in, w);
}

} // namespace mock
#endif // XCC_TEST_MOCK_CUDA_ENGINE_H
