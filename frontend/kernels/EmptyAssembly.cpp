// Assembly without text, in code for machines that are not the host's
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EmptyAssembly.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

using namespace clang;
using llvm::StringRef;

namespace xcc {
namespace {

/// Whether there is nothing but comments.
bool isEmpty(StringRef text) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  return llvm::all_of(lines, [](StringRef line) {
    line = line.trim();
    return line.empty() || line.starts_with("#");
  });
}

/// The number of the output that an input has the place of, or nothing.
std::optional<unsigned> tiedTo(const GCCAsmStmt &assembly, unsigned input) {
  std::string text = assembly.getInputConstraint(input);
  StringRef constraint = text;
  unsigned number;
  if (!constraint.ltrim("%&").consumeInteger(10, number))
    return number;
  if (constraint.consume_front("[") && constraint.consume_back("]"))
    for (unsigned i = 0; i < assembly.getNumOutputs(); ++i)
      if (assembly.getOutputName(i) == constraint)
        return i;
  return std::nullopt;
}

bool fitsRegisters(QualType type) {
  return type->isScalarType() || type->isVectorType();
}

} // namespace

bool translateEmptyAssembly(Sema &sema, GCCAsmStmt *assembly) {
  if (assembly->isAsmGoto() || !isEmpty(assembly->getAsmString()))
    return false;
  ASTContext &context = sema.getASTContext();
  SourceLocation at = assembly->getAsmLoc();
  auto literal = [&](StringRef text) -> Expr * {
    return StringLiteral::Create(
        context, text, StringLiteralKind::Ordinary, /*Pascal=*/false,
        context.getStringLiteralArrayType(context.CharTy, text.size()), at);
  };
  unsigned outputs = assembly->getNumOutputs(),
           inputs = assembly->getNumInputs();
  llvm::SmallVector<IdentifierInfo *> names(outputs + inputs);
  llvm::SmallVector<Expr *> constraints, operands, clobbers;
  llvm::SmallVector<std::optional<unsigned>> ties(inputs);
  llvm::SmallBitVector tied(outputs);
  for (unsigned i = 0; i < inputs; ++i)
    if ((ties[i] = tiedTo(*assembly, i)) && *ties[i] < outputs)
      tied.set(*ties[i]);
  // What is only written keeps its value: nothing writes it.
  for (unsigned i = 0; i < outputs; ++i) {
    Expr *operand = assembly->getOutputExpr(i);
    operands.push_back(operand);
    constraints.push_back(literal(!fitsRegisters(operand->getType()) ? "+m"
                                  : tied[i]                          ? "=r"
                                                                     : "+r"));
  }
  for (unsigned i = 0; i < inputs; ++i) {
    Expr *operand = assembly->getInputExpr(i);
    // Behind a constraint that is not the machine's, Sema looked at nothing.
    bool memory = !fitsRegisters(operand->getType()) && operand->isLValue();
    if (!memory)
      operand = sema.DefaultFunctionArrayLvalueConversion(operand).get();
    if (!operand)
      return false;
    operands.push_back(operand);
    constraints.push_back(ties[i] ? literal(std::to_string(*ties[i]))
                                  : literal(memory ? "m" : "r"));
  }
  for (unsigned i = 0; i < assembly->getNumClobbers(); ++i)
    if (assembly->getClobber(i) == "memory")
      clobbers.push_back(literal("memory"));
  // In its own place: its parents are of many kinds.
  new (assembly)
      GCCAsmStmt(context, at, assembly->isSimple(), assembly->isVolatile(),
                 outputs, inputs, names.data(), constraints.data(),
                 operands.data(), literal(""), clobbers.size(), clobbers.data(),
                 /*numlabels=*/0, assembly->getRParenLoc());
  return true;
}

} // namespace xcc
