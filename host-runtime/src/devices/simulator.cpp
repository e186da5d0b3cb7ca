// Simulated devices: XCC_DEVICE=sim:sm_90
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator.h"
#include "errors/error.h"
#include "images/units.h"
#include "process/log.h"
#include "simulator_interface.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>

namespace xcc::rt {

static std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= list.size();) {
    size_t end = std::min(list.find(',', at), list.size());
    parts.emplace_back(list.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::optional<std::vector<std::string>> simulatedArchs(std::string_view text) {
  constexpr std::string_view prefix = "sim:";
  if (!text.starts_with(prefix))
    return std::nullopt;
  return split(text.substr(prefix.size()));
}

const DeviceKind *kindOfArch(std::string_view arch) {
  for (const DeviceKind &kind : deviceKinds())
    if (kind.simulator && arch.starts_with(kind.simulator->archPrefix))
      return &kind;
  return nullptr;
}

std::vector<std::string> archsToSimulate() {
  std::vector<std::string> archs;
  auto add = [&](std::string_view arch) {
    if (std::ranges::find(archs, arch) == archs.end())
      archs.emplace_back(arch);
  };
  visitUnits([&](xcc_binary &unit) {
    OffloadReader reader(sectionOf(unit));
    OffloadImage image;
    while (reader.next(image))
      for (const DeviceKind &kind : deviceKinds())
        if (kind.simulator &&
            std::string_view(image.triple).starts_with(kind.triplePrefix))
          add(image.portable() ? kind.simulator->usualArch : image.arch);
  });
  return archs;
}

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

/// Folders that may hold xcc's libraries: where the compiler's own were when
/// the program's units were linked.
static std::vector<std::string> compilersFolders() {
  std::vector<std::string> folders;
  visitUnits([&](xcc_binary &unit) {
    OffloadReader reader(sectionOf(unit));
    OffloadImage image;
    while (reader.next(image)) {
      std::string path = image.library;
      path.resize(path.rfind('/') == path.npos ? 0 : path.rfind('/'));
      if (!path.empty() && std::ranges::find(folders, path) == folders.end())
        folders.push_back(path);
    }
  });
  return folders;
}

/// Opens the library of that name. If XCC_SIMULATORS is set, looks only there;
/// else where the system finds libraries, then beside the compiler.
static void *openLibrary(const std::string &name, std::string &why) {
  constexpr int how = RTLD_NOW | RTLD_LOCAL;
  std::vector<std::string> paths = {name};
  if (const char *set = secure_getenv("XCC_SIMULATORS"); set && *set)
    paths = {std::string(set) + "/" + name};
  else
    for (const std::string &folder : compilersFolders())
      paths.push_back(folder + "/" + name);
  for (const std::string &path : paths) {
    if (void *library = dlopen(path.c_str(), how)) {
      XCC_LOG(Load, "opened the simulator %s", path.c_str());
      return library;
    }
    // The first message says what is missing; a later one may say what is
    // broken.
    const char *text = dlerror();
    if (why.empty() || (text && std::string_view(text).find("No such file") ==
                                    std::string_view::npos))
      why = text ? text : "cannot open " + path;
  }
  return nullptr;
}

std::string archsOfSimulator(const DeviceKind &kind, std::string &why) {
  void *library = openLibrary(kind.simulator->library, why);
  if (!library)
    return "";
  auto archs = reinterpret_cast<decltype(&xcc_simulated_archs)>(
      dlsym(library, XCC_SIMULATED_ARCHS_ENTRY));
  if (!archs)
    why =
        std::string(kind.simulator->library) + " is of another version of xcc";
  return archs ? archs() : "";
}

void *findInSimulator(const DeviceKind &kind, const char *name) {
  std::string why;
  void *library = openLibrary(kind.simulator->library, why);
  return library ? dlsym(library, name) : nullptr;
}

void *openSimulator(const DeviceKind &kind,
                    const std::vector<std::string> &archs, xcc_error *&error) {
  std::string why;
  void *library = openLibrary(kind.simulator->library, why);
  if (!library) {
    error = makeError(XCC_ERROR_INVALID_DEVICE, {},
                      "the simulator of %s devices cannot be opened (%s); "
                      "install xcc's simulators, or name the folder of %s with "
                      "XCC_SIMULATORS",
                      kind.name, why.c_str(), kind.simulator->library);
    return nullptr;
  }
  auto simulate = reinterpret_cast<decltype(&xcc_simulate)>(
      dlsym(library, XCC_SIMULATE_ENTRY));
  std::string list;
  for (const std::string &arch : archs)
    list += (list.empty() ? "" : ",") + arch;
  char text[256] = "it is of another version of xcc";
  if (simulate && simulate(list.c_str(), text, sizeof(text)) == 0)
    return library;
  error = makeError(XCC_ERROR_INVALID_DEVICE, {}, "%s: %s",
                    kind.simulator->library, text);
  return nullptr;
}

} // namespace xcc::rt
