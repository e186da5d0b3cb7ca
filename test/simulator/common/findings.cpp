// What checks have found: counted, suppressed, reported
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "findings.h"
#include "checks.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <errno.h>
#include <fnmatch.h>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <unistd.h>

/// As <cxxabi.h> has it. LLVM's folder of headers has another file of that name.
namespace __cxxabiv1 {
extern "C" char *__cxa_demangle(const char *name, char *buffer, size_t *length,
                                int *failed);
}

namespace simulator {

namespace {

using json = nlohmann::ordered_json;

//===--- Suppressions ------------------------------------------------------===//

struct Suppression {
  std::string kind, pattern;
};

[[noreturn]] void refuse(const char *file, const std::string &why) {
  fprintf(stderr, "simulator: XCC_SIM_SUPPRESS=%s: %s\n", file, why.c_str());
  _exit(2);
}

std::vector<Suppression> readSuppressions() {
  std::vector<Suppression> all;
  const char *file = getenv("XCC_SIM_SUPPRESS");
  if (!file || !*file)
    return all;
  std::ifstream in(file);
  if (!in)
    refuse(file, "it cannot be read");
  unsigned number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    while (!line.empty() && isspace(static_cast<unsigned char>(line.back())))
      line.pop_back();
    if (line.empty() || line[0] == '#')
      continue;
    const size_t colon = line.find(':');
    const std::string kind = line.substr(0, colon);
    const bool known =
        colon != line.npos && colon + 1 != line.size() &&
        (kind == "*" || kind == "memory" || kind == "races" || kind == "init" ||
         kind == "sync" || kind == "note" || kind == "other");
    if (!known)
      refuse(file, "line " + std::to_string(number) + ": '" + line +
                       "': memory, races, init, sync, note, other or *, a "
                       "colon and a function's name were expected");
    all.push_back({kind, line.substr(colon + 1)});
  }
  return all;
}

bool isSuppressed(const Finding &f) {
  static const auto &all = *new std::vector(readSuppressions());
  auto names = [&](const std::string &pattern) {
    auto fits = [&](const std::string &name) {
      return fnmatch(pattern.c_str(), name.c_str(), 0) == 0 ||
             fnmatch(pattern.c_str(), demangled(name).c_str(), 0) == 0;
    };
    return fits(f.kernel) ||
           std::any_of(f.functions.begin(), f.functions.end(), fits);
  };
  return std::any_of(all.begin(), all.end(), [&](const Suppression &s) {
    return (s.kind == "*" || s.kind == f.kind) && names(s.pattern);
  });
}

//===--- The report --------------------------------------------------------===//

std::mutex mutex;
auto &findings = *new json(json::array());
unsigned count = 0, suppressed = 0;

json toJson(const Finding &f) {
  json out = {{"simulator", SimulatorName},
              {"kind", f.kind},
              {"kernel", demangled(f.kernel)},
              {"symbol", f.kernel},
              {"functions", json::array()}};
  for (const std::string &name : f.functions)
    out["functions"].push_back(demangled(name));
  if (!f.file.empty()) {
    out["file"] = f.file;
    out["line"] = f.line;
  }
  out["message"] = f.message;
  return out;
}

/// What the other simulator of this process has written there.
json ofOthers(const std::string &path) {
  json out = json::array();
  std::ifstream in(path);
  const json old = json::parse(in, nullptr, false);
  if (old.is_object() && old.value("process", 0) == int(getpid()) &&
      old.contains("findings"))
    for (const json &f : old["findings"])
      if (f.value("simulator", "") != SimulatorName)
        out.push_back(f);
  return out;
}

/// As often as there is something new: a process may end in a signal.
void writeReport() {
  const char *name = getenv("XCC_SIM_REPORT");
  if (!name || !*name)
    return;
  std::string path = name;
  if (const size_t at = path.find("%p"); at != path.npos)
    path.replace(at, 2, std::to_string(getpid()));
  json all = ofOthers(path);
  all.insert(all.end(), findings.begin(), findings.end());
  const char *checks = getenv("XCC_SIM_CHECK");
  const json report = {{"program", program_invocation_name},
                       {"process", int(getpid())},
                       {"checks", checks ? checks : ""},
                       {"suppressed", suppressed},
                       {"findings", std::move(all)}};
  const std::string fresh = path + ".new";
  std::ofstream out(fresh);
  // Names of a program are bytes; JSON is UTF-8.
  out << report.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
  out.close();
  if (!out || rename(fresh.c_str(), path.c_str()) != 0) {
    fprintf(stderr, "simulator: XCC_SIM_REPORT=%s: it cannot be written\n",
            name);
    _exit(2);
  }
}

//===--- The end -----------------------------------------------------------===//

std::atomic<int> status{0}; ///< that the process ends with

/// The runtime's own handler, which finishes all devices, runs before this one.
void onExit(int code, void *) {
  status = code;
  finishChecks();
  std::lock_guard lock(mutex);
  writeReport();
  if (!checksWanted())
    return;
  if (count)
    fprintf(stderr, "simulator: XCC_SIM_CHECK found %u fault%s\n", count,
            count == 1 ? "" : "s");
  if (suppressed)
    fprintf(stderr, "simulator: XCC_SIM_SUPPRESS hides %u fault%s\n",
            suppressed, suppressed == 1 ? "" : "s");
}

__attribute__((constructor)) void begin() { on_exit(onExit, nullptr); }

/// The status changes once all simulators of the process have told: libraries are
/// finished after all handlers of the exit.
__attribute__((destructor)) void end() {
  if (!count || !checksWanted() || status)
    return;
  fflush(nullptr);
  _exit(1);
}

} // namespace

std::string demangled(std::string name) {
  constexpr size_t end = 18;
  if (name.size() > end && name.compare(name.size() - end, 2, "__") == 0 &&
      name.find_first_not_of("0123456789abcdef", name.size() - end + 2) ==
          name.npos)
    name.resize(name.size() - end);
  if (!name.starts_with("_Z"))
    return name; // "f" is no float
  // Older demanglers do not know that a parameter is an auto value.
  const std::string symbol = name;
  for (size_t at; (at = name.find("ITnDaX")) != name.npos;)
    name.erase(at + 1, 4);
  int failed = 0;
  char *text =
      __cxxabiv1::__cxa_demangle(name.c_str(), nullptr, nullptr, &failed);
  std::string out = failed || !text ? symbol : text;
  free(text);
  return out;
}

bool countFinding(const Finding &f) {
  const bool hidden = isSuppressed(f);
  std::lock_guard lock(mutex);
  if (hidden) {
    ++suppressed;
    return false;
  }
  ++count;
  findings.push_back(toJson(f));
  writeReport();
  return true;
}

void tellFinding(const Finding &f) {
  if (countFinding(f))
    fprintf(stderr, "simulator: note: kernel %s: %s\n",
            demangled(f.kernel).c_str(), f.message.c_str());
}

} // namespace simulator
