// Reports and writes the images of a device link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceOutput.h"
#include "Jobs.h"
#include "Resources.h"
#include "access/MappingRemarks.h"
#include "support/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace xcc {

void orderImages(std::vector<DeviceImage> &images, ArrayRef<DeviceArch> archs) {
  std::vector<std::pair<size_t, size_t>> places; // place of the arch, index of
                                                 // the image
  for (const auto &[index, image] : enumerate(images)) {
    auto place = find_if(
        archs, [&](const DeviceArch &arch) { return arch.arch == image.arch; });
    places.push_back({place - archs.begin(), index});
  }
  llvm::sort(places);
  std::vector<DeviceImage> ordered;
  for (const auto &[place, index] : places)
    ordered.push_back(std::move(images[index]));
  images = std::move(ordered);
}

/// Prints the messages of one warning group. Returns false if they are errors.
static bool printGroup(const DriverEnv &env, ArrayRef<DeviceImage> images,
                       const Options &options, WarningGroup group,
                       std::vector<std::string> DeviceImage::*texts) {
  Severity severity = options.unit.warnings.of(
      group, Severity::Warning, options.noWarnings, options.warningsAreErrors);
  if (severity == Severity::Ignored)
    return true;
  StringSet<> said;
  for (const DeviceImage &image : images)
    for (std::string text : image.*texts)
      if (said.insert(text).second) {
        size_t at = text.find("warning: ");
        if (severity == Severity::Error && at != std::string::npos)
          text.replace(at, 9, "error: ");
        env.err << (at == 0 ? "xcc: " : "") << text;
      }
  return said.empty() || severity != Severity::Error;
}

Error reportImages(const DriverEnv &env, ArrayRef<DeviceImage> images,
                   const KernelTable &kernels, const Options &options) {
  bool fine = true;
  for (auto [group, texts] :
       {std::pair(WarningGroup::Globals, &DeviceImage::warnings),
        std::pair(WarningGroup::StandardAlgorithms, &DeviceImage::onHost),
        std::pair(WarningGroup::Layout, &DeviceImage::classWarnings)})
    fine &= printGroup(env, images, options, group, texts);
  StringSet<> said;
  for (const DeviceImage &image : images)
    for (const std::string &note : image.notes)
      if (said.insert(note).second)
        env.err << "xcc: note: " << note << '\n';
  for (const DeviceImage &image : images)
    for (const std::string &remark : image.remarks)
      env.err << remark << " (" << image.arch << ")\n";
  if (options.unit.reportMapping)
    for (const std::string &line : access::mappingRemarks(kernels, images))
      env.err << line << '\n';
  if (options.codegen.resourceUsage)
    printResources(images, env.err);
  return fine ? Error::success() : reported();
}

std::optional<DeviceOutput> deviceOutput(const CompileStep &step) {
  auto has = [&](StringRef arg) {
    return is_contained(step.unit.cc1Args, arg);
  };
  if (has("-emit-llvm"))
    return DeviceOutput::LLVMAssembly;
  if (has("-emit-llvm-bc"))
    return DeviceOutput::Bitcode;
  if (has("-S"))
    return DeviceOutput::Assembly;
  if (has("-fsyntax-only"))
    return std::nullopt;
  return DeviceOutput::Image;
}

Error writeImages(std::vector<DeviceImage> images, const CompileStep &step) {
  // Write the first image of each arch. Only the output of -S has others.
  images.erase(llvm::unique(images,
                            [](const DeviceImage &a, const DeviceImage &b) {
                              return a.arch == b.arch;
                            }),
               images.end());
  std::vector<std::string> written;
  for (const DeviceImage &image : images) {
    SmallString<128> path(step.output);
    if (images.size() > 1 && path != "-") {
      std::string extension = image.extension.empty()
                                  ? sys::path::extension(path).str()
                                  : image.extension;
      sys::path::replace_extension(path, "");
      path += "-" + image.arch + extension;
    }
    if (Error error = writeOutput(path, image.data->getBuffer())) {
      for (const std::string &file : written)
        removeOutput(file);
      return error;
    }
    if (path != "-")
      written.push_back(path.str().str());
  }
  return Error::success();
}

Error writeKernelInfo(const KernelTable &kernels, const Options &options) {
  if (options.kernelInfoFile.empty())
    return Error::success();
  // An inline kernel is in every file that uses it.
  KernelTable once;
  StringSet<> symbols;
  for (const Kernel &kernel : kernels)
    if (symbols.insert(kernel.symbol).second)
      once.push_back(kernel);
  return writeOutput(options.kernelInfoFile, toJSON(once));
}

} // namespace xcc
