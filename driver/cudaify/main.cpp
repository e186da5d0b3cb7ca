// xcc-cudaify: rewrites CUDA sources for xcc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceRewriter.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

constexpr StringLiteral Usage =
    R"(usage: xcc-cudaify [--in-place | --check] [-p FOLDER] FILE...

Rewrites CUDA sources for xcc: launches become calls, and CUDA's headers become
xcc's. Prints the result, or with --in-place changes the files. With --check says
which files would change. -p takes the files (.cu) of FOLDER/compile_commands.json.
What is left to do is said on standard error.

exit status: 0; 1 where something is left to do or would change; 2 on an error
)";

struct Arguments {
  bool inPlace = false, check = false;
  std::vector<std::string> files;
};

int fail(const Twine &why) {
  errs() << "xcc-cudaify: error: " << why << '\n';
  return 2;
}

/// The CUDA files of a compilation database.
bool readDatabase(StringRef folder, std::vector<std::string> &files) {
  SmallString<128> path(folder);
  sys::path::append(path, "compile_commands.json");
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer) {
    fail("cannot read '" + path + "': " + buffer.getError().message());
    return false;
  }
  Expected<json::Value> read = json::parse((*buffer)->getBuffer());
  if (!read) {
    fail("'" + path + "': " + toString(read.takeError()));
    return false;
  }
  const json::Array *commands = read->getAsArray();
  for (const json::Value &value : commands ? *commands : json::Array()) {
    const json::Object *command = value.getAsObject();
    auto file = command ? command->getString("file") : std::nullopt;
    if (!file || !file->ends_with(".cu"))
      continue;
    SmallString<128> name(command->getString("directory").value_or(""));
    sys::path::append(name, *file);
    std::string found =
        sys::path::is_absolute(*file) ? file->str() : std::string(name);
    if (!is_contained(files, found))
      files.push_back(found);
  }
  return true;
}

/// Returns the exit status for one file: 0, 1, or 2 on an error.
int rewrite(const std::string &file, const Arguments &arguments) {
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    return fail("cannot read '" + file + "': " + buffer.getError().message());
  const StringRef before = (*buffer)->getBuffer();
  xcc::RewrittenSource made = xcc::rewriteSource(before);
  for (const xcc::Remark &remark : made.remarks)
    errs() << file << ':' << remark.line << ": " << remark.text << '\n';
  const bool changes = made.text != before;
  if (arguments.check) {
    if (changes)
      outs() << file << '\n';
    return changes || !made.remarks.empty();
  }
  if (!arguments.inPlace) {
    outs() << made.text;
  } else if (changes) {
    std::error_code error;
    raw_fd_ostream out(file, error);
    out << made.text;
    out.close();
    if (error || out.has_error())
      return fail("cannot write '" + file + "'");
  }
  return !made.remarks.empty();
}

} // namespace

int main(int argc, char **argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    StringRef arg = argv[i];
    if (arg == "--help" || arg == "-h") {
      outs() << Usage;
      return 0;
    }
    if (arg == "--in-place") {
      arguments.inPlace = true;
    } else if (arg == "--check") {
      arguments.check = true;
    } else if (arg == "-p") {
      if (++i == argc)
        return fail("-p needs a folder");
      if (!readDatabase(argv[i], arguments.files))
        return 2;
    } else if (arg.starts_with("-")) {
      return fail("unknown option '" + arg + "'; see --help");
    } else {
      arguments.files.push_back(arg.str());
    }
  }
  if (arguments.files.empty())
    return fail("no files; see --help");
  if (arguments.inPlace && arguments.check)
    return fail("--in-place and --check exclude each other");
  if (!arguments.inPlace && !arguments.check && arguments.files.size() > 1)
    return fail("several files need --in-place or --check");
  int status = 0;
  for (const std::string &file : arguments.files)
    status = std::max(status, rewrite(file, arguments));
  return status;
}
