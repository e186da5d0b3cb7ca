// The images of a linked unit that are loaded
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_SRC_IMAGES_UNIT_STATE_H
#define XCC_SRC_IMAGES_UNIT_STATE_H

#include "devices/device.h"
#include "generation/generator.h"
#include "initialisers.h"
#include "specialization/variants.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace xcc::rt {

/// The object behind xcc_binary::state. The unit's first launch makes it.
struct UnitState {
  struct Loaded {
    Device *on;
    int group; ///< the group of a portable image's kernels; -1: all kernels
    /// The variant that was generated; null: the code as it was built.
    const Variant *variant = nullptr;
    Image *code = nullptr;
    std::unique_ptr<GeneratedImage> generated = {};
    Initialisers initialisers = {};
    enum { Generating, Fresh, Initialising, Usable, Failed } state = Fresh;
    xcc_status status = XCC_SUCCESS; ///< of a failure
    std::string why = {};
    std::vector<void *> variables = {};   ///< in the table of allocations
    std::vector<Loaded *> libraries = {}; ///< images whose variables it uses
    const char *exports = "";             ///< its own; part of the unit's bytes
  };
  /// The image of the unit that suits a device best.
  struct Choice {
    Device *on;
    OffloadImage image;
  };
  struct Slot {
    void **address;
    const xcc_kernel_info *info;
  };
  std::vector<Choice> choices; // at most one for each device
  /// At most one for each device, or each group of a portable image's kernels.
  std::vector<std::unique_ptr<Loaded>> images;
  std::vector<Slot> slots; // cleared when the unit is unloaded
  /// Kernels on devices for which descriptors have no slot.
  std::map<std::pair<const xcc_kernel_info *, int>, const Kernel *> others;
};

/// Guards every unit's state: loading is rare and seldom concurrent.
extern constinit std::mutex unitMutex;
/// Notified when an image's initialisers have run or its code was generated.
std::condition_variable &initialised();
/// The state of a unit that was unloaded.
extern char unloadedUnit;

} // namespace xcc::rt
#endif // XCC_SRC_IMAGES_UNIT_STATE_H
