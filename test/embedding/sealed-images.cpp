// The code of a CPU image lies in a file that nobody can change once it is loaded.
// RUN: %xcc -std=c++20 %s -o %t && %t | FileCheck %s
// CHECK: images 1, sealed 1
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <xcc/xcc.h>

int main() {
  int value = 0;
  xcc::launch({{1}, {1}}, [v = &value] { *v = 1; });
  xcc::synchronize();
  int images = 0, sealed = 0;
  DIR *files = opendir("/proc/self/fd");
  while (dirent *entry = readdir(files)) {
    char target[256] = {};
    const std::string path = std::string("/proc/self/fd/") + entry->d_name;
    if (readlink(path.c_str(), target, sizeof target - 1) < 0 ||
        !std::strstr(target, "xcc-image"))
      continue;
    ++images;
    const int file = std::atoi(entry->d_name), all = F_SEAL_WRITE | F_SEAL_GROW |
                                                     F_SEAL_SHRINK | F_SEAL_SEAL;
    sealed += fcntl(file, F_GET_SEALS) == all && write(file, "x", 1) < 0;
  }
  std::printf("images %d, sealed %d\n", images, sealed);
}
