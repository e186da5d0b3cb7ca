// Functions and variables that an image imports from shared libraries
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "imports.h"
#include "formats/library_row.h"
#include "process/log.h"
#include "units.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unordered_set>

namespace xcc::rt {

std::vector<ImportedLibrary> readImports(const OffloadImage &source) {
  std::vector<ImportedLibrary> libraries;
  std::string_view text = source.imports;
  const char *begin = text.data();
  LibraryRow row;
  while (nextLibraryRow(text, row)) {
    if (row.kind == 'l') {
      libraries.push_back(
          {std::string(row.fields[0]), std::string(row.fields[1]), {}, {}});
    } else if (!libraries.empty() && row.kind == 'v') {
      libraries.back().variables.push_back({std::string(row.fields[0]),
                                            std::string(row.fields[2]),
                                            sizeIn(row.fields[1])});
    } else if (!libraries.empty()) {
      libraries.back().code.append(begin, text.data() - begin);
    }
    begin = text.data();
  }
  return libraries;
}

/// Opens the loaded library of that name. Returns null if it is not loaded. The
/// caller closes it.
static void *openLoaded(const std::string &name) {
  if (void *found = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD))
    return found;
  // The library may have no soname, so compare file names.
  struct Search {
    const std::string &name;
    std::string path;
  } search{name, {}};
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *context) {
        auto &s = *static_cast<Search *>(context);
        const char *slash = strrchr(info->dlpi_name, '/');
        if (!slash || s.name != slash + 1)
          return 0;
        s.path = info->dlpi_name;
        return 1;
      },
      &search);
  return search.path.empty()
             ? nullptr
             : dlopen(search.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
}

/// The exports of a loaded library for a target; empty if the library is not
/// loaded or exports nothing.
static std::string exportsOf(const std::string &name, const char *triple) {
  void *library = openLoaded(name);
  if (!library)
    return {};
  std::string said;
  if (auto *text =
          static_cast<const char *>(dlsym(library, XCC_SYMBOL_EXPORTS))) {
    // The text has sections; each begins with a line that is a triple.
    std::string start = std::string(triple) + "\n";
    for (const char *at = text; (at = strstr(at, start.c_str())); ++at)
      if (at == text || at[-1] == '\n') {
        said = at + start.size();
        break;
      }
  }
  dlclose(library);
  LibraryExports first(said);
  return first.library == name ? said : std::string();
}

void warnOfOthers(const ImportedLibrary &library, const OffloadImage &source) {
  if (library.code.empty())
    return;
  std::string text = exportsOf(library.name, source.triple);
  if (LibraryExports(text).fingerprint == library.fingerprint || text.empty())
    return;
  std::unordered_set<std::string> there;
  LibraryRow row;
  for (std::string_view rest = text; nextLibraryRow(rest, row);)
    if (row.kind == 'f')
      there.insert(std::string(row.fields[0]) + ' ' +
                   std::string(row.fields[1]));
  std::string first;
  unsigned others = 0;
  for (std::string_view rest = library.code; nextLibraryRow(rest, row);)
    if (!there.count(std::string(row.fields[0]) + ' ' +
                     std::string(row.fields[1])) &&
        ++others == 1)
      first = row.fields[2];
  if (!others)
    return;
  std::string more =
      others > 1 ? " and " + std::to_string(others - 1) + " more" : "";
  complain("kernels were linked with another build of %s than the one that is "
           "loaded: devices use the old value of '%s'%s; link again",
           library.name.c_str(), first.c_str(), more.c_str());
}

xcc_status findLibrary(const ImportedLibrary &library, const ErrorSite &site,
                       xcc_binary *&out) {
  // Prefer the same build; else use a library of the same name.
  xcc_binary *same = nullptr, *other = nullptr;
  bool twice = false;
  visitUnits([&](xcc_binary &unit) {
    OffloadReader reader(sectionOf(unit));
    OffloadImage image;
    while (reader.next(image)) {
      LibraryExports said(image.exports);
      if (said.library != library.name)
        continue;
      bool exact = said.fingerprint == library.fingerprint;
      xcc_binary *&found = exact ? same : other;
      twice |= found && found != &unit;
      found = &unit;
    }
  });
  out = same ? same : other;
  const char *variable = library.variables[0].name.c_str();
  if (!out)
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "kernel '%s' uses '%s' of the library %s, which is not loaded, "
                "or was linked without xcc; link the program again",
                site.kernel, variable, library.name.c_str());
  if (twice)
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "kernel '%s' uses '%s' of the library %s, which is loaded more "
                "than once, so that there is more than one",
                site.kernel, variable, library.name.c_str());
  return XCC_SUCCESS;
}

xcc_status findVariables(const ImportedLibrary &library, Device &on,
                         Image &code, std::string_view exports,
                         const ErrorSite &site,
                         std::vector<void *> &addresses) {
  LibraryExports said(exports);
  for (const ImportedLibrary::Variable &variable : library.variables) {
    LibraryRow row;
    bool there = said.findVariable(variable.symbol, row);
    if (!there || sizeIn(row.fields[1]) != variable.size)
      return fail(XCC_ERROR_INVALID_IMAGE, site,
                  "kernel '%s' was linked with another build of the library "
                  "%s: %s '%s'%s; link the program again",
                  site.kernel, library.name.c_str(),
                  there ? "the size of" : "it has no", variable.name.c_str(),
                  there ? " differs" : " for devices any more");
    void *address = nullptr;
    XCC_TRY(on.findVariable(code, variable.symbol.c_str(), address));
    if (!address)
      return fail(XCC_ERROR_INVALID_IMAGE, site,
                  "kernel '%s' uses '%s' of the library %s, whose image for "
                  "device %d (%s) lacks it",
                  site.kernel, variable.name.c_str(), library.name.c_str(),
                  on.ordinal(), on.id());
    addresses.push_back(address);
  }
  return XCC_SUCCESS;
}

xcc_status writeImports(Device &on, Image &code,
                        const std::vector<void *> &addresses,
                        const ErrorSite &site) {
  void *array = nullptr;
  XCC_TRY(on.findVariable(code, XCC_SYMBOL_IMPORTS, array));
  if (!array)
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the image of kernel '%s' lacks " XCC_SYMBOL_IMPORTS
                "; rebuild the program",
                site.kernel);
  Queue *queue = nullptr;
  XCC_TRY(on.createQueue(&queue));
  xcc_status status = queue->copy({.at = array, .owner = &on},
                                  {.at = const_cast<void **>(addresses.data())},
                                  addresses.size() * sizeof(void *));
  queue->drain();
  xcc_error *error = queue->takeError();
  on.destroyQueue(queue);
  return error ? failWith(error) : status;
}

} // namespace xcc::rt
