// The host's inline assembly in code for other machines
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostAssembly.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;

namespace xcc {
namespace {

/// The statements of an assembly without comments.
llvm::SmallVector<StringRef> statements(StringRef text) {
  llvm::SmallVector<StringRef> lines, list;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    llvm::SmallVector<StringRef> parts;
    line.split('#').first.split(parts, ';');
    for (StringRef part : parts)
      if (part = part.trim(); !part.empty())
        list.push_back(part);
  }
  return list;
}

/// The number of an operand, from "%1" or "%[name]".
std::optional<unsigned> operandNumber(const GCCAsmStmt &assembly,
                                      StringRef operand) {
  unsigned number;
  if (!operand.consume_front("%"))
    return std::nullopt;
  if (!operand.getAsInteger(10, number))
    return number;
  if (!operand.consume_front("[") || !operand.consume_back("]"))
    return std::nullopt;
  for (unsigned i = 0; i < assembly.getNumOutputs(); ++i)
    if (assembly.getOutputName(i) == operand)
      return i;
  for (unsigned i = 0; i < assembly.getNumInputs(); ++i)
    if (assembly.getInputName(i) == operand)
      return assembly.getNumOutputs() + i;
  return std::nullopt;
}

/// The text by which the back end knows an assembly: empty, "cpuid", or an
/// instruction with the numbers of its operands, as in "maxps 1, 0". (A "%1"
/// would make Clang look for the text in the source.) Nothing if the assembly
/// is unknown.
std::optional<std::string> knownText(const GCCAsmStmt &assembly) {
  std::string text = assembly.getAsmString();
  llvm::SmallVector<StringRef> list = statements(text);
  // Hints for spin loops and no-ops may be dropped.
  llvm::erase_if(list, [](StringRef each) {
    return each == "nop" || each == "pause" || each == "rep" ||
           each == "rep nop";
  });
  if (list.empty())
    return "";
  // cpuid, with code that saves its second register, which may hold the address
  // of the global offset table.
  if (llvm::is_contained(list, "cpuid") &&
      llvm::all_of(list, [](StringRef each) {
        return each == "cpuid" || each.starts_with("xchg") ||
               each.starts_with("mov");
      }))
    return "cpuid";
  auto [name, rest] = list.front().split(' ');
  std::string known = llvm::StringSwitch<std::string>(name.ltrim('v'))
                          .Cases({"minps", "minpd", "maxps", "maxpd",
                                  "fmadd231ps", "fmadd231pd"},
                                 name.str())
                          .Default("");
  if (list.size() != 1 || known.empty() || assembly.getNumOutputs() != 1)
    return std::nullopt;
  llvm::SmallVector<StringRef> operands;
  rest.split(operands, ',');
  for (StringRef operand : operands) {
    std::optional<unsigned> number = operandNumber(assembly, operand.trim());
    if (!number)
      return std::nullopt;
    known += (operand.data() == operands.front().data() ? " " : ", ") +
             std::to_string(*number);
  }
  bool three = name.starts_with("v");
  if (operands.size() != (three ? 3 : 2))
    return std::nullopt;
  return known;
}

/// The number of the output that shares a register with the input, or nothing.
std::optional<unsigned> tiedTo(const GCCAsmStmt &assembly, unsigned input) {
  std::string text = assembly.getInputConstraint(input);
  StringRef constraint = StringRef(text).ltrim("%&");
  unsigned number;
  if (!constraint.getAsInteger(10, number))
    return number;
  return constraint.starts_with("[")
             ? operandNumber(assembly, ("%" + constraint).str())
             : std::nullopt;
}

/// Makes a variable that names a host register an ordinary variable.
void forgetRegister(Expr *operand) {
  if (auto *reference = dyn_cast<DeclRefExpr>(operand->IgnoreParenImpCasts()))
    if (auto *variable = dyn_cast<VarDecl>(reference->getDecl());
        variable && variable->hasLocalStorage())
      variable->dropAttr<AsmLabelAttr>();
}

bool fitsRegisters(QualType type) {
  return type->isScalarType() || type->isVectorType();
}

} // namespace

bool translateHostAssembly(Sema &sema, GCCAsmStmt *assembly) {
  std::optional<std::string> text = knownText(*assembly);
  if (assembly->isAsmGoto() || !text)
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
  auto isPlus = [&](unsigned i) {
    return StringRef(assembly->getOutputConstraint(i)).starts_with("+");
  };
  for (unsigned i = 0; i < inputs; ++i)
    if ((ties[i] = tiedTo(*assembly, i)) && *ties[i] < outputs)
      tied.set(*ties[i]);
  // An output without instructions keeps its value, so it is an input too.
  bool writes = !text->empty();
  for (unsigned i = 0; i < outputs; ++i) {
    Expr *operand = assembly->getOutputExpr(i);
    forgetRegister(operand);
    operands.push_back(operand);
    constraints.push_back(literal(!fitsRegisters(operand->getType())  ? "+m"
                                  : tied[i] || (writes && !isPlus(i)) ? "=r"
                                                                      : "+r"));
  }
  for (unsigned i = 0; i < inputs; ++i) {
    Expr *operand = assembly->getInputExpr(i);
    forgetRegister(operand);
    // Sema does not convert an operand whose constraint it does not know.
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
  // Replace the node in place: its parents are of many kinds.
  new (assembly) GCCAsmStmt(context, at, assembly->isSimple(),
                            assembly->isVolatile(), outputs, inputs,
                            names.data(), constraints.data(), operands.data(),
                            literal(*text), clobbers.size(), clobbers.data(),
                            /*numlabels=*/0, assembly->getRParenLoc());
  return true;
}

} // namespace xcc
