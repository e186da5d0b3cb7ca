// Finds a CUDA toolkit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "toolkit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace xcc::nvptx {

/// Directories that may contain a toolkit, the preferred one first.
static std::vector<std::string> toolkits(const DeviceCodegenOptions &options) {
  std::vector<std::string> found;
  auto add = [&](const Twine &path) {
    std::string text = path.str();
    if (!text.empty() && !is_contained(found, text))
      found.push_back(text);
  };
  if (auto given = options.value("--cuda-path="))
    add(*given);
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *value = getenv(variable))
      add(value);
  if (auto program = sys::findProgramByName("ptxas")) {
    SmallString<128> real;
    if (!sys::fs::real_path(*program, real))
      add(sys::path::parent_path(sys::path::parent_path(real)));
  }
  add("/usr/local/cuda");
  std::vector<std::string> versions;
  std::error_code error;
  for (sys::fs::directory_iterator at("/usr/local", error), end;
       !error && at != end; at.increment(error))
    if (sys::path::filename(at->path()).starts_with("cuda-"))
      versions.push_back(at->path());
  llvm::sort(versions, std::greater<>());
  for (const std::string &version : versions)
    add(version);
  add("/opt/cuda");
  add("/usr/lib/nvidia-cuda-toolkit"); // Debian
  add("/usr");
  return found;
}

static std::string findIn(ArrayRef<std::string> toolkits,
                          ArrayRef<StringRef> places) {
  for (const std::string &toolkit : toolkits)
    for (StringRef place : places) {
      std::string path = toolkit + "/" + place.str();
      if (sys::fs::exists(path))
        return path;
    }
  return "";
}

std::string findLibdevice(const DeviceCodegenOptions &options) {
  return findIn(toolkits(options),
                {"nvvm/libdevice/libdevice.10.bc", "libdevice/libdevice.10.bc",
                 "lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc"});
}

std::vector<std::string> assemblers(const DeviceCodegenOptions &options) {
  std::vector<std::string> list;
  for (const std::string &toolkit : toolkits(options)) {
    std::string path = toolkit + "/bin/ptxas";
    SmallString<128> real;
    if (sys::fs::can_execute(path) && !sys::fs::real_path(path, real) &&
        !is_contained(list, real.str()))
      list.push_back(real.str().str());
  }
  return list;
}

} // namespace xcc::nvptx
