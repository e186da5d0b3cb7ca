// Finding and loading the kernel of a descriptor
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "registry.h"
#include "common/kernel_checks.h"
#include "devices/allocations.h"
#include "duplicate_kernels.h"
#include "formats/kernel_row.h"
#include "generation/adaptive.h"
#include "generation/code_cache.h"
#include "generation/generator.h"
#include "graphs/graphs.h"
#include "imports.h"
#include "initialisers.h"
#include "mapping/settle.h"
#include "process/log.h"
#include "process/trace.h"
#include "services/host_services.h"
#include "specialization/variants.h"
#include "units.h"

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <link.h>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace xcc::rt {

namespace {
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
} // namespace

/// Guards every unit's state: loading is rare and seldom concurrent.
static std::mutex unitMutex;
/// Notified when an image's initialisers have run or its code was generated.
/// Never freed, because threads may launch until the process ends.
static std::condition_variable &initialised() {
  static auto &some = *new std::condition_variable;
  return some;
}
/// The state of a unit that was unloaded.
static char unloaded;

xcc_status checkDescriptor(const xcc_kernel_info *info) {
  if (!info)
    return fail(XCC_ERROR_INVALID_KERNEL, "the kernel descriptor is null");
  if (info->magic != XCC_KERNEL_MAGIC)
    return fail(XCC_ERROR_INVALID_KERNEL,
                "the kernel descriptor was not made by xcc; take it from "
                "kernel_info_for");
  if (info->abi_version != XCC_ABI_VERSION)
    return fail(XCC_ERROR_INVALID_KERNEL,
                "the kernel descriptor is for version %u of xcc's ABI, this "
                "runtime has version %u; rebuild with one xcc",
                info->abi_version, XCC_ABI_VERSION);
  return XCC_SUCCESS;
}

static xcc_status checkUnit(const xcc_binary *unit, const ErrorSite &site) {
  if (!unit)
    return fail(XCC_ERROR_INVALID_KERNEL, site,
                "kernel '%s' was linked without xcc, so its device code is "
                "not in the program; link with xcc",
                site.kernel);
  if (unit->abi_version != XCC_ABI_VERSION)
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the program was linked for version %u of xcc's ABI, this "
                "runtime has version %u; rebuild with one xcc",
                unit->abi_version, XCC_ABI_VERSION);
  return XCC_SUCCESS;
}

/// Chooses the image that suits the device best.
static xcc_status chooseImage(const xcc_binary &unit, Device &on,
                              const ErrorSite &site, OffloadImage &best) {
  OffloadReader reader(sectionOf(unit));
  OffloadImage candidate, portable;
  int bestRank = 0;
  std::string have;
  while (reader.next(candidate)) {
    const char *missing = nullptr;
    int rank = on.suits(candidate, missing);
    if (rank > bestRank) {
      bestRank = rank;
      best = candidate;
    }
    if (isPortableFor(candidate, on))
      portable = candidate;
    if (!have.empty())
      have += ", ";
    have += *candidate.arch ? candidate.arch : "(no arch)";
    if (missing && rank == 0)
      have = have + " (needs " + missing + ")";
  }
  if (reader.error())
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the embedded device code of kernel '%s' is damaged: the "
                ".llvm.offloading section %s; rebuild the program",
                site.kernel, reader.error());
  if (portable.portable() && (!bestRank || jitMode() == JitMode::Always)) {
    best = portable;
    return XCC_SUCCESS;
  }
  if (bestRank)
    return XCC_SUCCESS;
  xcc_device_properties p{};
  on.properties(p);
  if (unit.kind == XCC_BINARY_SOURCE)
    return fail(XCC_ERROR_NO_IMAGE, site,
                "kernel '%s' has no image that device %d (%s, %s) can run: its "
                "source was compiled for %s; compile it while that device is "
                "current, or with %s in source_options::arch",
                site.kernel, on.ordinal(), on.id(), p.arch,
                have.empty() ? "none" : have.c_str(), p.arch);
  return fail(XCC_ERROR_NO_IMAGE, site,
              "kernel '%s' has no image that device %d (%s, %s) can run; the "
              "program holds %s; rebuild with --offload-arch=%s",
              site.kernel, on.ordinal(), on.id(), p.arch,
              have.empty() ? "no images" : have.c_str(), p.arch);
}

static xcc_status checkImage(const OffloadImage &image, const ErrorSite &site) {
  if (std::string_view(image.abi) != std::to_string(XCC_ABI_VERSION))
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the %s image of kernel '%s' is for version '%s' of xcc's ABI, "
                "this runtime has version %u; rebuild with one xcc",
                image.arch, site.kernel, image.abi, XCC_ABI_VERSION);
  if (!image.intact())
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the %s image of kernel '%s' is damaged: its bytes hash to "
                "%016llx, not to '%s'; rebuild the program",
                image.arch, site.kernel,
                static_cast<unsigned long long>(hashOf(image.data)),
                image.hash);
  return XCC_SUCCESS;
}

/// Finds the unit's image for the device, and checks it.
static xcc_status choiceOf(const xcc_binary &unit, UnitState &state, Device &on,
                           const ErrorSite &site, OffloadImage &out) {
  for (const UnitState::Choice &c : state.choices)
    if (c.on == &on) {
      out = c.image;
      return XCC_SUCCESS;
    }
  XCC_TRY(chooseImage(unit, on, site, out));
  XCC_TRY(checkImage(out, site));
  state.choices.push_back({&on, out});
  return XCC_SUCCESS;
}

static xcc_status libraryImage(xcc_binary &unit, Device &on,
                               const ErrorSite &site, UnitState::Loaded *&out);

/// Writes the addresses of libraries' variables into an image. Loads the
/// libraries' images first.
static xcc_status connectLibraries(UnitState::Loaded &image, Image &code,
                                   const OffloadImage &source,
                                   const ErrorSite &site) {
  Device &on = *image.on;
  std::vector<ImportedLibrary> libraries = readImports(source);
  for (const ImportedLibrary &library : libraries)
    warnOfOthers(library, source);
  std::vector<void *> addresses;
  for (const ImportedLibrary &library : libraries) {
    if (library.variables.empty())
      continue;
    xcc_binary *unit;
    XCC_TRY(findLibrary(library, site, unit));
    UnitState::Loaded *other = nullptr;
    static unsigned depth = 0; // guarded by the lock
    if (depth == 64)
      return fail(XCC_ERROR_INVALID_IMAGE, site,
                  "libraries use variables of each other in a circle");
    ++depth;
    xcc_status s = libraryImage(*unit, on, site, other);
    --depth;
    if (s != XCC_SUCCESS) {
      std::string why = xcc_error_last();
      return fail(s, site, "kernel '%s' uses '%s' of the library %s: %s",
                  site.kernel, library.variables[0].name.c_str(),
                  library.name.c_str(), why.c_str());
    }
    image.libraries.push_back(other);
    XCC_TRY(findVariables(library, on, *other->code, other->exports, site,
                          addresses));
  }
  if (addresses.empty())
    return XCC_SUCCESS;
  return writeImports(on, code, addresses, site);
}

/// Loads an image on its device.
static xcc_status load(xcc_binary &unit, UnitState::Loaded &image,
                       const OffloadImage &source, const ErrorSite &site) {
  Device &on = *image.on;
  Image *code = nullptr;
  uint64_t begin = trace::enabled() ? trace::now() : 0;
  XCC_TRY(on.loadImage(source, &code));
  if (begin)
    trace::add({"load image", "load", begin, trace::now(), 0, 0, 0, false});
  char how[64] = "";
  const char *what = image.variant ? "specialised, " : "";
  if (image.generated && image.generated->found)
    snprintf(how, sizeof(how), " (%sgenerated before, found in %.1f ms)", what,
             image.generated->milliseconds);
  else if (image.generated)
    snprintf(how, sizeof(how), " (%sgenerated here in %.0f ms)", what,
             image.generated->milliseconds);
  XCC_LOG(Load, "device %d: loaded the %s image, %llu bytes%s", on.ordinal(),
          source.arch, static_cast<unsigned long long>(source.data.size()),
          how);
  if (*source.lacks)
    XCC_LOG(Load, "device %d: that code goes without %s", on.ordinal(),
            source.lacks);
  xcc_status s = connectImage(on, *code);
  if (s == XCC_SUCCESS)
    s = connectLibraries(image, *code, source, site);
  if (s == XCC_SUCCESS)
    s = image.initialisers.find(on, *code, source, unit,
                                image.generated ? image.generated->makes : "");
  if (s != XCC_SUCCESS) {
    on.unloadImage(code);
    return s;
  }
  image.code = code;
  image.exports = source.exports;
  image.state = image.initialisers.any() || !image.libraries.empty()
                    ? UnitState::Loaded::Fresh
                    : UnitState::Loaded::Usable;
  return XCC_SUCCESS;
}

/// Generates the image's code and loads it. Releases the lock meanwhile, so
/// that other threads can load theirs; threads that need this image wait.
static xcc_status generate(std::unique_lock<std::mutex> &lock, xcc_binary &unit,
                           UnitState::Loaded &image,
                           const OffloadImage &portable,
                           const ErrorSite &site) {
  image.state = UnitState::Loaded::Generating;
  auto make = [&](bool anew) {
    std::unique_ptr<GeneratedImage> made;
    lock.unlock();
    xcc_status s;
    try {
      made = std::make_unique<GeneratedImage>();
      s = generateImage(portable, image.group, image.variant, *image.on, anew,
                        *made);
    } catch (const std::bad_alloc &) {
      s = fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory while its code was "
                                        "generated");
    }
    lock.lock();
    if (s == XCC_SUCCESS) {
      image.generated = std::move(made);
      s = load(unit, image, image.generated->image, site);
    }
    return s;
  };
  xcc_status s = make(false);
  // A result from disk may not match the loaded images: generate it again.
  if (s != XCC_SUCCESS && image.generated && image.generated->found) {
    forget(image.generated->text);
    s = make(true);
  }
  if (s != XCC_SUCCESS) {
    image.state = UnitState::Loaded::Failed;
    image.status = s;
    try {
      image.why = xcc_error_last();
    } catch (const std::bad_alloc &) {
    }
  }
  initialised().notify_all();
  return s;
}

/// Finds or loads a library's image, which has the variables that others use.
static xcc_status libraryImage(xcc_binary &unit, Device &on,
                               const ErrorSite &site, UnitState::Loaded *&out) {
  if (!unit.state)
    unit.state = new UnitState;
  auto &state = *static_cast<UnitState *>(unit.state);
  OffloadImage best;
  XCC_TRY(choiceOf(unit, state, on, site, best));
  if (best.portable())
    return fail(XCC_ERROR_NO_IMAGE, site,
                "its image for device %d (%s) is a portable one, which shares "
                "no variables; rebuild it with the device's --offload-arch=",
                on.ordinal(), on.id());
  for (const std::unique_ptr<UnitState::Loaded> &l : state.images)
    if (l->on == &on && l->group == -1) {
      out = l.get();
      return XCC_SUCCESS;
    }
  auto made = std::make_unique<UnitState::Loaded>(&on, -1);
  state.images.reserve(state.images.size() + 1);
  XCC_TRY(load(unit, *made, best, site));
  out = made.get();
  state.images.push_back(std::move(made));
  return XCC_SUCCESS;
}

/// Finds the portable image from which a variant is generated.
static xcc_status portableFor(const xcc_binary &unit,
                              const xcc_kernel_info &info, Device &on,
                              const ErrorSite &site, OffloadImage &out) {
  OffloadReader reader(sectionOf(unit));
  for (OffloadImage candidate; reader.next(candidate);)
    if (isPortableFor(candidate, on))
      out = candidate;
  if (!out.portable())
    return fail(XCC_ERROR_NO_IMAGE, site,
                "kernel '%s' cannot be generated anew: the program has no "
                "portable image for device %d (%s); rebuild with generic in "
                "--offload-arch=",
                site.kernel, on.ordinal(), on.id());
  XCC_TRY(checkImage(out, site));
  KernelRow row;
  if (findKernelRow(out.kernels, info.symbol, row) && row.column("tied"))
    return fail(
        XCC_ERROR_NO_IMAGE, site,
        "kernel '%s' cannot be generated anew: it uses variables, "
        "constants' addresses or calls through pointers, which a second "
        "copy of its code would have its own of",
        site.kernel);
  return XCC_SUCCESS;
}

xcc_status checkVaries(const xcc_kernel_info &info, Device &on) {
  OffloadImage portable;
  ErrorSite site{info.name, nullptr, 0, on.ordinal()};
  return portableFor(*info.binary, info, on, site, portable);
}

bool canVary(const xcc_kernel_info &info, Device &on) {
  OffloadImage portable;
  ErrorSite site{info.name, nullptr, 0, on.ordinal()};
  return portableFor(*info.binary, info, on, site, portable) == XCC_SUCCESS &&
         !openGenerator(portable);
}

/// Finds or loads the image with the kernel for the device. The result may be
/// an image that another thread is generating, or that failed.
static xcc_status imageOf(std::unique_lock<std::mutex> &lock, xcc_binary &unit,
                          UnitState &state, const xcc_kernel_info &info,
                          Device &on, const ErrorSite &site,
                          UnitState::Loaded *&out) {
  OffloadImage best;
  const Variant *variant = variantOf(info);
  if (variant)
    XCC_TRY(portableFor(unit, info, on, site, best));
  else
    XCC_TRY(choiceOf(unit, state, on, site, best));
  int group = -1;
  if (best.portable() && (group = groupOf(best, info.symbol)) < 0)
    return notInImage(info, best.arch, "its table does not name it", site);
  for (const std::unique_ptr<UnitState::Loaded> &l : state.images)
    if (l->on == &on && l->group == group && l->variant == variant) {
      out = l.get();
      return XCC_SUCCESS;
    }
  state.images.reserve(state.images.size() + 1);
  auto made = std::make_unique<UnitState::Loaded>(&on, group, variant);
  out = made.get();
  if (!best.portable())
    XCC_TRY(load(unit, *made, best, site));
  state.images.push_back(std::move(made));
  if (best.portable())
    (void)generate(lock, unit, *out, best, site); // the caller sees its state
  return XCC_SUCCESS;
}

/// Runs the image's initialisers, or waits for the thread that does. Releases
/// the lock meanwhile, because they may take long and may call the host.
static xcc_status initialise(std::unique_lock<std::mutex> &lock,
                             UnitState::Loaded &image, const ErrorSite &site) {
  using Loaded = UnitState::Loaded;
  initialised().wait(lock, [&] { return image.state != Loaded::Generating; });
  if (image.state == Loaded::Usable)
    return XCC_SUCCESS;
  for (Loaded *library : std::vector<Loaded *>(image.libraries))
    XCC_TRY(initialise(lock, *library, site));
  if (image.state == Loaded::Fresh && !image.initialisers.any())
    image.state = Loaded::Usable;
  if (image.state == Loaded::Usable)
    return XCC_SUCCESS;
  if (image.state != Loaded::Failed)
    XCC_TRY(mayWait("a launch that runs the initialisers of global variables"));
  initialised().wait(lock, [&] { return image.state != Loaded::Initialising; });
  if (image.state == Loaded::Fresh) {
    image.state = Loaded::Initialising;
    lock.unlock();
    xcc_status s = image.initialisers.run(*image.on, site.kernel);
    lock.lock();
    image.state = s == XCC_SUCCESS ? Loaded::Usable : Loaded::Failed;
    if (s != XCC_SUCCESS) {
      image.status = s;
      image.why = xcc_error_last();
    }
    initialised().notify_all();
  }
  if (image.state == Loaded::Usable)
    return XCC_SUCCESS;
  return fail(image.status, site, "kernel '%s' cannot run: %s", site.kernel,
              image.why.c_str());
}

xcc_status loadKernel(const xcc_kernel_info &info, Device &on,
                      const Kernel **out) {
  ErrorSite site{info.name, nullptr, 0, on.ordinal()};
  XCC_TRY(checkUnit(info.binary, site));
  if (!info.symbol || !info.slots)
    return fail(XCC_ERROR_INVALID_KERNEL, site,
                "the descriptor of kernel '%s' is incomplete", site.kernel);
  xcc_binary &unit = *info.binary;
  void **slot = on.ordinal() < int(XCC_KERNEL_SLOTS) ? &info.slots[on.ordinal()]
                                                     : nullptr;
  std::unique_lock lock(unitMutex);
  if (unit.state == &unloaded)
    return fail(XCC_ERROR_INVALID_KERNEL, site,
                "kernel '%s' was launched after its program or library was "
                "unloaded",
                site.kernel);
  try {
    if (!unit.state)
      unit.state = new UnitState;
    if (unit.kind == XCC_BINARY_DUPLICATES)
      separateDuplicate(info);
    auto &state = *static_cast<UnitState *>(unit.state);
    *out = slot ? static_cast<const Kernel *>(*slot)
                : state.others[{&info, on.ordinal()}];
    if (*out)
      return XCC_SUCCESS; // another thread has loaded it
    UnitState::Loaded *image;
    XCC_TRY(imageOf(lock, unit, state, info, on, site, image));
    XCC_TRY(initialise(lock, *image, site));
    // Another thread may have loaded it while the lock was released.
    if (slot && (*out = static_cast<const Kernel *>(*slot)))
      return XCC_SUCCESS;
    XCC_TRY(on.findKernel(*image->code, info, out));
    if (slot)
      state.slots.push_back({slot, &info});
    else
      state.others[{&info, on.ordinal()}] = *out;
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY, site,
                "out of memory while loading kernel '%s'", site.kernel);
  }
  // Pairs with the acquire in the launch, which then sees a complete kernel.
  if (slot)
    std::atomic_ref(*slot).store(const_cast<Kernel *>(*out),
                                 std::memory_order_release);
  return XCC_SUCCESS;
}

bool rememberVariable(const xcc_kernel_info &info, Device &on, void *address,
                      size_t size) {
  std::lock_guard lock(unitMutex);
  auto &state = *static_cast<UnitState *>(info.binary->state);
  int group = -1;
  for (const UnitState::Choice &c : state.choices)
    if (c.on == &on && c.image.portable())
      group = groupOf(c.image, info.symbol);
  for (auto &image : state.images)
    if (image->on == &on && image->group == group && !image->variant) {
      try {
        image->variables.push_back(address);
      } catch (const std::bad_alloc &) {
        return false;
      }
      return rememberAllocation(address, {size, &on, MemoryKind::Variable});
    }
  return true;
}

/// Calls \p each for every loaded image on the device.
template <class Fn> static void forImagesOn(Device &on, Fn each) {
  std::lock_guard lock(unitMutex);
  visitUnits([&](xcc_binary &unit) {
    if (!unit.state || unit.state == &unloaded)
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
  if (!unit.state || unit.state == &unloaded)
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
  forgetGuesses(*unit);
  std::unique_lock lock(unitMutex);
  void *old = unit->state;
  unit->state = &unloaded;
  if (!old || old == &unloaded)
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
