// Writes what a model has learnt that has read PackedPrior.inc
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: xcc_learn_prior FILE
//
// Runs when xcc is built, to be part of it: ../PackedPrior.h.

#include "link/PackedBitcode.h"
#include "link/PackedPrior.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

constexpr uint8_t Prior[] = {
#include "link/PackedPrior.inc"
};

/// There is none before this one.
StringRef xcc::learntPrior() { return ""; }

int main(int count, char **arguments) {
  if (count != 2) {
    errs() << "usage: xcc_learn_prior FILE\n";
    return 2;
  }
  Expected<SmallString<0>> learnt =
      xcc::learnPrior(toStringRef(ArrayRef<uint8_t>(Prior)));
  // As it is while the model changes: the xcc that has learnt nothing makes
  // the prior anew.
  if (!learnt) {
    errs() << "warning: PackedPrior.inc is not of this model ("
           << toString(learnt.takeError())
           << "): make it anew with backend/link/prior/make.py\n";
    learnt = xcc::learnPrior("");
  }
  if (!learnt) {
    errs() << toString(learnt.takeError()) << '\n';
    return 1;
  }
  std::error_code error;
  raw_fd_ostream out(arguments[1], error);
  out << *learnt;
  out.close();
  if (!error)
    error = out.error();
  if (!error)
    return 0;
  errs() << arguments[1] << ": " << error.message() << '\n';
  return 1;
}
