// What a device link made, told and written
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
  std::vector<std::pair<size_t, size_t>> places; // of an arch, and of its image
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

/// What the link has to say, all of it of one group.
static bool warn(ArrayRef<DeviceImage> images, const Options &options,
                 WarningGroup group,
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
        errs() << (at == 0 ? "xcc: " : "") << text;
      }
  return said.empty() || severity != Severity::Error;
}

bool reportImages(ArrayRef<DeviceImage> images, const KernelTable &kernels,
                  const Options &options) {
  bool fine =
      warn(images, options, WarningGroup::Globals, &DeviceImage::warnings);
  fine &= warn(images, options, WarningGroup::StandardAlgorithms,
               &DeviceImage::onHost);
  fine &=
      warn(images, options, WarningGroup::Layout, &DeviceImage::classWarnings);
  StringSet<> said;
  for (const DeviceImage &image : images)
    for (const std::string &note : image.notes)
      if (said.insert(note).second)
        errs() << "xcc: note: " << note << '\n';
  for (const DeviceImage &image : images)
    for (const std::string &remark : image.remarks)
      errs() << remark << " (" << image.arch << ")\n";
  if (options.unit.reportMapping)
    for (const std::string &line : access::mappingRemarks(kernels, images))
      errs() << line << '\n';
  if (options.codegen.resourceUsage)
    printResources(images, errs());
  return fine;
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

bool writeImages(std::vector<DeviceImage> images, const CompileStep &step) {
  // Of an arch's images the first; the others are what -S writes.
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
    if (!writeOutput(path, image.data->getBuffer())) {
      for (const std::string &file : written)
        removeOutput(file);
      return false;
    }
    if (path != "-")
      written.push_back(path.str().str());
  }
  return true;
}

bool writeKernelInfo(const KernelTable &kernels, const Options &options) {
  if (options.kernelInfoFile.empty())
    return true;
  // An inline kernel is in every file that uses it.
  KernelTable once;
  StringSet<> symbols;
  for (const Kernel &kernel : kernels)
    if (symbols.insert(kernel.symbol).second)
      once.push_back(kernel);
  return writeOutput(options.kernelInfoFile, toJSON(once));
}

} // namespace xcc
