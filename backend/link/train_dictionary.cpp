// Trains the dictionary for packed bitcode (PackDictionary.h)
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: xcc_train_dictionary OUTPUT BITCODE...
//
// Runs when xcc is built. The result does not depend on the sources' folder,
// because file names are removed from the modules.

#include "link/RecordBytes.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <zdict.h>

using namespace llvm;

/// A larger one saves little more, and each compile reads all of it.
constexpr size_t DictionarySize = 112 << 10;

static SmallString<0> sampleOf(const char *path) {
  LLVMContext context;
  SMDiagnostic wrong;
  std::unique_ptr<Module> module = parseIRFile(path, wrong, context);
  if (!module)
    reportFatalUsageError(Twine(path) + ": " + wrong.getMessage());
  module->setSourceFileName("");
  SmallString<0> bitcode;
  BitcodeWriter writer(bitcode);
  writer.writeModule(*module);
  writer.writeStrtab();
  return ExitOnError(path)(xcc::bytesOfRecords(bitcode));
}

int main(int count, char **arguments) {
  if (count < 3) {
    errs() << "usage: xcc_train_dictionary OUTPUT BITCODE...\n";
    return 2;
  }
  SmallString<0> samples;
  std::vector<size_t> sizes;
  for (const char *path : ArrayRef(arguments, count).drop_front(2)) {
    SmallString<0> sample = sampleOf(path);
    samples += sample;
    sizes.push_back(sample.size());
  }
  SmallVector<char, 0> dictionary;
  dictionary.resize_for_overwrite(DictionarySize);
  size_t size =
      ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(),
                            samples.data(), sizes.data(), sizes.size());
  if (ZDICT_isError(size)) {
    errs() << "xcc_train_dictionary: " << ZDICT_getErrorName(size) << '\n';
    return 1;
  }
  std::error_code error;
  raw_fd_ostream out(arguments[1], error);
  if (!error) {
    out.write(dictionary.data(), size);
    out.close();
    error = out.error();
    out.clear_error();
  }
  if (!error)
    return 0;
  errs() << arguments[1] << ": " << error.message() << '\n';
  return 1;
}
