// Error messages for faults of a GPU
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "faults.h"
#include "errors/sentence.h"
#include "mapping/settle.h"
#include "services/host_services.h"
#include "stacks.h"

#include <algorithm>
#include <csignal>

namespace xcc::rt {

/// The most launches that a message names.
static constexpr size_t MaxNamed = 4;

void addLaunches(Sentence &s, std::span<const Suspect> launches) {
  for (const Suspect &launch : launches) {
    s.add("%s", &launch == launches.data() ? "" : ", or ");
    s.addLaunch(launch.info->name, launch.file, launch.line);
    s.add(" (");
    s.addShape(launch.grid, launch.block);
    s.add(")");
  }
}

/// Adds the best known reason of the failure. Returns the matching signal.
static int addReason(Sentence &s, Device &on, const Fault &f, Trap &trap) {
  char advice[256];
  if (takeTrap(on, trap)) {
    s.add("%s (%s)", trap.text, f.name);
    return SIGABRT;
  }
  if (f.running == 1 && f.suspects.size() == 1)
    s.add("%s%s", f.text,
          stackAdvice(f.suspects[0].info, f.stackSetting, advice,
                      sizeof(advice)));
  else
    s.add("%s", f.text);
  if (const std::string name = nameOfForeign(on); !name.empty())
    s.add(
        "; %s has a stateful allocator, whose functions run on the host only: "
        "a kernel can use its elements, but cannot allocate or free memory",
        name.c_str());
  return f.signal;
}

/// Adds "; one of these launches, the latest first: ...".
static void addSuspects(Sentence &s, const Fault &f) {
  size_t named = std::min(f.suspects.size(), MaxNamed);
  if (!named)
    return;
  s.add("; one of these launches, the latest first:");
  for (size_t i = 0; i != named; ++i) {
    const Suspect &one = f.suspects[i];
    s.add("%s '%s' (", i ? "," : "", one.info->name);
    if (one.file && *one.file)
      s.add("%s:%u, ", one.file, one.line);
    s.addShape(one.grid, one.block);
    s.add(")");
  }
  if (f.running > named)
    s.add(" and %llu before them",
          static_cast<unsigned long long>(f.running - named));
  s.add("%s", f.hint);
}

xcc_error *describeFault(Device &on, const Fault &f) {
  SentenceOf<4096> s;
  bool known = f.running == 1 && f.suspects.size() == 1;
  ErrorSite site{nullptr, nullptr, 0, on.ordinal()};
  if (known) {
    const Suspect &one = f.suspects[0];
    site = {one.info->name, one.file, one.line, on.ordinal()};
    s.addLaunch(one.info->name, one.file, one.line);
  } else {
    s.add("a kernel");
  }
  s.add(" failed on device %d (%s): ", on.ordinal(), on.id());
  Trap trap;
  site.signal = addReason(s, on, f, trap);
  site.thrown = trap.thrown;
  if (known) {
    s.add("; ");
    s.addShape(f.suspects[0].grid, f.suspects[0].block);
  } else {
    addSuspects(s, f);
  }
  return makeError(f.status, site, "%s", s.text());
}

xcc_error *describeEndless(Device &on, const Kernel &running, const char *why) {
  const char *name = running.info->name;
  return makeError(XCC_ERROR_LAUNCH_FAILED,
                   {name, nullptr, 0, on.ordinal(), SIGABRT},
                   "kernel '%s' failed on device %d (%s): %s", name,
                   on.ordinal(), on.id(), why);
}

xcc_error *unusableSince(const Device &on, const xcc_error *fault) {
  ErrorSite site{xcc_error_kernel(fault), xcc_error_file(fault),
                 xcc_error_line(fault),   on.ordinal(),
                 signalOf(fault),         thrownOf(fault)};
  return makeError(XCC_ERROR_LAUNCH_FAILED, site,
                   "device %d (%s) is unusable since a kernel failed there: "
                   "%s; restart the program",
                   on.ordinal(), on.id(), xcc_error_message(fault));
}

} // namespace xcc::rt
