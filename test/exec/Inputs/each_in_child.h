// Cases of which each has a process of its own: a GPU is of no use to a process
// whose kernel failed.
#ifndef EACH_IN_CHILD_H
#define EACH_IN_CHILD_H

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

/// Calls run(0) ... run(count - 1), one after the other.
template <class Run> void each_in_child(int count, const Run &run) {
  std::setbuf(stdout, nullptr);
  for (int which = 0; which < count; ++which) {
    if (pid_t child = fork()) {
      waitpid(child, nullptr, 0);
      continue;
    }
    run(which);
    std::_Exit(0);
  }
}

#endif // EACH_IN_CHILD_H
