// Runs a conformance program's tests
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second half of harness.h, which says what it does: the table of what is
// different on some devices, the child processes, and main.

#ifndef XCC_TEST_RUNNER_H
#define XCC_TEST_RUNNER_H

#include "harness.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace conformance {

//===----------------------------------------------------------------------===//
// What is known to be different on some devices: expectations.txt
//===----------------------------------------------------------------------===//

enum class expected { pass, unsupported, fail };

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
#ifndef CONFORMANCE_EXPECTATIONS
#define CONFORMANCE_EXPECTATIONS "expectations.txt"
#endif
inline constexpr char expectations[] = {
#embed CONFORMANCE_EXPECTATIONS
    , 0};
#pragma clang diagnostic pop

/// Whether a name is one, or begins with what comes before the star.
inline bool matches(const std::string &pattern, const std::string &name) {
  if (!pattern.empty() && pattern.back() == '*')
    return name.compare(0, pattern.size() - 1, pattern, 0,
                        pattern.size() - 1) == 0;
  return pattern == name;
}

/// The first line of the table that matches device and test decides.
inline expected lookup(const std::string &device, const std::string &name,
                       std::string &reason) {
  for (const char *at = expectations; *at;) {
    const char *end = std::strchr(at, '\n');
    const std::string line(at, end ? end - at : std::strlen(at));
    at += line.size() + (end != nullptr);
    if (line.empty() || line[0] == '#')
      continue;
    char who[100], which[100], how[20];
    int used = 0;
    if (std::sscanf(line.c_str(), "%99[^: ]: %99s %19s %n", who, which, how,
                    &used) != 3 ||
        line.size() == std::size_t(used) ||
        (std::strcmp(how, "unsupported") && std::strcmp(how, "fails"))) {
      std::fprintf(stderr, "expectations.txt: cannot read '%s'\n",
                   line.c_str());
      std::exit(2);
    }
    if (!matches(who, device) || !matches(which, name))
      continue;
    reason = line.substr(used);
    return *how == 'u' ? expected::unsupported : expected::fail;
  }
  return expected::pass;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

enum result : int { pass, fail, unsupported, xfail, xpass, results };
inline constexpr const char *result_names[] = {"PASS", "FAIL", "UNSUPPORTED",
                                               "XFAIL", "XPASS"};

/// What the child that runs tests tells the parent, in shared memory.
struct progress {
  int counts[results];
  int current;   ///< the test that runs, -1 when none does
  int next;      ///< the first that no child has begun
  bool fails;    ///< the one that runs is expected to fail
  char why[200]; ///< why it is
};

inline void report(progress &p, result r, const std::string &name,
                   const std::string &text) {
  ++p.counts[r];
  std::printf("%-11s %s%s%s%s\n", result_names[r], name.c_str(),
              text.empty() ? "" : " (", text.c_str(), text.empty() ? "" : ")");
  std::fflush(stdout);
}

/// The name by which expectations.txt knows the current device.
inline std::string device_key() {
  const char *given = std::getenv("CONFORMANCE_DEVICE");
  return given ? given : xcc::device::current().kind();
}
/// Mock drivers accept device code and run none of it.
inline bool executes(const std::string &key) {
  return key.find("-mock") == std::string::npos;
}

/// How many devices can run this program's kernels.
inline int usable_devices() {
  int usable = 0;
  const xcc::device before = xcc::device::current();
  for (int i = 0; i < xcc::device::count(); ++i) {
    xcc::device::get(i).set_current();
    usable += status_of([] { xcc::launch({{1}, {1}}, [] {}); }) == XCC_SUCCESS;
  }
  before.set_current();
  return usable;
}

/// Runs one test in this process; false when the process should end.
inline bool run(const test &t, progress &p) {
  const std::string name = full_name(t), key = device_key();
  std::string reason;
  const expected e = lookup(key, name, reason);
  if (e == expected::unsupported)
    return report(p, unsupported, name, reason), true;
  if ((t.needs & two_devices) && usable_devices() < 2)
    return report(p, unsupported, name, "needs two devices"), true;
  // What mock drivers are given is loaded and launched; only what the kernels
  // leave behind is not looked at.
  const bool blind = (t.needs & execution) && !executes(key);
  p.fails = e == expected::fail;
  std::snprintf(p.why, sizeof p.why, "%s", reason.c_str());
  std::string problem;
  try {
    t.body();
    // A device that the test has killed says so again at every wait.
    if (!(t.needs & own_process))
      xcc::synchronize();
    if (blind)
      report(p, unsupported, name, "runs no device code");
    else
      report(p, p.fails ? xpass : pass, name, reason);
    return true;
  } catch (const skipped &s) {
    report(p, unsupported, name, s.text);
    return true;
  } catch (const xcc::error &error) {
    problem =
        std::string(xcc_status_name(error.status())) + ": " + error.what();
  } catch (const std::exception &error) {
    problem = error.what();
    if (blind)
      return report(p, unsupported, name, "runs no device code"), true;
  }
  report(p, p.fails ? xfail : fail, name, p.fails ? reason : problem);
  return false;
}

/// The child: runs tests from p.next on, until one asks for a new process.
[[noreturn]] inline void child(const std::vector<test> &all, progress &p,
                               unsigned seconds) {
  try {
    for (bool first = true; p.next < int(all.size()); first = false) {
      const test &t = all[p.next];
      if ((t.needs & own_process) && !first)
        break;
      p.fails = false;
      p.current = p.next++;
      alarm(seconds);
      const bool go_on = run(t, p);
      p.current = -1;
      if (!go_on || (t.needs & own_process))
        break;
    }
  } catch (const std::exception &e) {
    p.current = -1;
    report(p, fail, full_name(all[p.next - 1]), e.what());
  }
  alarm(seconds); // unloading can hang as well
  std::exit(0);
}

/// The parent's word on a test that its child did not survive.
inline void report_death(const test &t, progress &p, int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const std::string how =
      signal == SIGALRM ? "hung"
      : signal          ? std::string("the process died: ") + strsignal(signal)
                        : "the process ended with status " +
                     std::to_string(WEXITSTATUS(status));
  report(p, p.fails ? xfail : fail, full_name(t), p.fails ? p.why : how);
}

/// In a process of its own, which may have no usable device.
inline bool print_device() {
  std::fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) {
    try {
      const xcc::device d = xcc::device::current();
      std::printf("device %d: %s, %s, %s\n", d.ordinal(), device_key().c_str(),
                  d.arch(), d.name());
    } catch (const std::exception &e) {
      std::printf("no device: %s\n", e.what());
      std::exit(1);
    }
    std::exit(0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return status == 0;
}

inline int run_all(int argc, char **argv) {
  std::vector<test> chosen;
  const bool list = argc > 1 && !std::strcmp(argv[1], "--list");
  for (const test &t : tests()) {
    const std::string name = full_name(t);
    bool take = argc == 1;
    for (int i = 1; i < argc; ++i)
      take |= name.rfind(argv[i], 0) == 0;
    if (list)
      std::printf("%s\n", name.c_str());
    else if (take)
      chosen.push_back(t);
  }
  if (list)
    return 0;
  if (chosen.empty())
    return std::fprintf(stderr, "no test has such a name; try --list\n"), 2;
  if (!print_device())
    return 1;

  const char *limit = std::getenv("CONFORMANCE_SECONDS");
  const unsigned seconds = limit ? std::strtoul(limit, nullptr, 10) : 120;
  auto &p = *static_cast<progress *>(mmap(nullptr, sizeof(progress),
                                          PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (&p == MAP_FAILED)
    return std::perror("mmap"), 2;
  p.current = -1;
  while (p.next < int(chosen.size())) {
    const int before = p.next;
    std::fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0)
      child(chosen, p, seconds);
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
      return std::perror("fork"), 2;
    if (p.current >= 0)
      report_death(chosen[p.current], p, status);
    else if (status != 0)
      report(p, fail, full_name(chosen[p.next > 0 ? p.next - 1 : 0]),
             "the process did not end well after it");
    p.current = -1;
    if (p.next == before) // a child that died before its first test
      ++p.next;
  }
  std::printf("%d passed, %d failed, %d unsupported, %d failed as expected, "
              "%d passed unexpectedly\n",
              p.counts[pass], p.counts[fail], p.counts[unsupported],
              p.counts[xfail], p.counts[xpass]);
  return p.counts[fail] || p.counts[xpass];
}

} // namespace conformance

int main(int argc, char **argv) { return conformance::run_all(argc, argv); }

#endif // XCC_TEST_RUNNER_H
