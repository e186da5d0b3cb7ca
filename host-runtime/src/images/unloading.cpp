// Registering and unloading of linked units, and the ends of their images
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/allocations.h"
#include "duplicate_kernels.h"
#include "generation/adaptive.h"
#include "graphs/graphs.h"
#include "mapping/settle.h"
#include "process/log.h"
#include "registry.h"
#include "specialization/variants.h"
#include "unit_state.h"
#include "units.h"

#include <atomic>
#include <link.h>

namespace xcc::rt {

/// Calls \p each for every loaded image on the device.
template <class Fn> static void forImagesOn(Device &on, Fn each) {
  std::lock_guard lock(unitMutex);
  visitUnits([&](xcc_binary &unit) {
    if (!unit.state || unit.state == &unloadedUnit)
      return;
    for (auto &image : static_cast<UnitState *>(unit.state)->images)
      if (image->on == &on && image->code)
        each(*image);
  });
}

bool beginDestructors(Device &on) {
  bool any = false;
  forImagesOn(on, [&](UnitState::Loaded &image) {
    any |= image.initialisers.finish(on);
  });
  return any;
}

void endDestructors(Device &on) {
  forImagesOn(
      on, [&](UnitState::Loaded &image) { image.initialisers.finished(on); });
}

/// Is the unit the program's own?
static bool isOfProgram(const xcc_binary &unit) {
  struct Search {
    uintptr_t address;
    bool found;
  } search{reinterpret_cast<uintptr_t>(&unit), false};
  auto look = [](dl_phdr_info *info, size_t, void *data) {
    auto &s = *static_cast<Search *>(data);
    for (int i = 0; i != info->dlpi_phnum; ++i) {
      const auto &segment = info->dlpi_phdr[i];
      s.found |=
          segment.p_type == PT_LOAD &&
          s.address - info->dlpi_addr - segment.p_vaddr < segment.p_memsz;
    }
    return 1; // stop after the first, which is the program
  };
  dl_iterate_phdr(look, &search);
  return search.found;
}

static void waitForGenerators(std::unique_lock<std::mutex> &lock,
                              const UnitState &state) {
  initialised().wait(lock, [&] {
    for (const std::unique_ptr<UnitState::Loaded> &l : state.images)
      if (l->state == UnitState::Loaded::Generating)
        return false;
    return true;
  });
}

/// Ends the program's unit without unloading it, because destructors of
/// libraries may still call its functions, such as inline functions in both.
/// Runs the image's own destructors if the runtime's end has not done so.
static void endProgram(xcc_binary &unit) {
  std::unique_lock lock(unitMutex);
  if (!unit.state || unit.state == &unloadedUnit)
    return;
  auto &state = *static_cast<UnitState *>(unit.state);
  waitForGenerators(lock, state);
  for (const std::unique_ptr<UnitState::Loaded> &l : state.images) {
    if (!started())
      break;
    if (!l->code)
      continue;
    (void)drainAndSettle(*l->on);
    l->initialisers.finish(*l->on);
    l->initialisers.finished(*l->on);
  }
}

} // namespace xcc::rt

using namespace xcc::rt;

void xcc_binary_register(xcc_binary *unit) {
  // A record of another version may lack the list's link.
  if (!unit || unit->abi_version != XCC_ABI_VERSION)
    return;
  if (unit->kind == XCC_BINARY_DUPLICATES)
    separateDuplicates(*unit);
  rememberUnit(*unit);
}

void xcc_binary_unload(xcc_binary *unit) {
  if (!unit || forked())
    return;
  if (isOfProgram(*unit))
    return endProgram(*unit);
  if (unit->abi_version == XCC_ABI_VERSION)
    forgetUnit(*unit);
  if (unit->abi_version == XCC_ABI_VERSION &&
      unit->kind == XCC_BINARY_DUPLICATES)
    forgetDuplicates(*unit);
  forgetProfiles(*unit);
  std::unique_lock lock(unitMutex);
  void *old = unit->state;
  unit->state = &unloadedUnit;
  if (!old || old == &unloadedUnit)
    return;
  forgetRecorded(*unit);
  auto *state = static_cast<UnitState *>(old);
  waitForGenerators(lock, *state);
  for (const UnitState::Slot &s : state->slots)
    std::atomic_ref(*s.address).store(nullptr, std::memory_order_relaxed);
  for (const std::unique_ptr<UnitState::Loaded> &l : state->images) {
    // After a fork there are no threads to wait for, and freeing is pointless.
    if (!started())
      break;
    if (!l->code)
      continue;
    (void)drainAndSettle(*l->on); // it uses names in the unit
    forgetLaunches(*l->on);
    l->initialisers.finish(*l->on);
    l->initialisers.finished(*l->on);
    for (void *variable : l->variables)
      forgetVariable(variable);
    l->on->unloadImage(l->code);
    XCC_LOG(Load, "device %d: unloaded an image", l->on->ordinal());
  }
  delete state;
  forgetVariants(*unit);
}

xcc_status xcc_binary_visit_images(const xcc_binary *unit,
                                   int (*visit)(const xcc_image_info *, void *),
                                   void *user) {
  if (!unit || !visit)
    return failNull("xcc_binary_visit_images", "an argument");
  OffloadReader reader(sectionOf(*unit));
  OffloadImage i;
  while (reader.next(i)) {
    xcc_image_info info{i.data.data(), i.data.size(), i.triple,
                        i.arch,        i.hash,        i.kernels};
    if (visit(&info, user))
      return XCC_SUCCESS;
  }
  if (reader.error())
    return fail(XCC_ERROR_INVALID_IMAGE, "the .llvm.offloading section %s",
                reader.error());
  return XCC_SUCCESS;
}
