// The parts of a constant value
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ValueParts.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace xcc {

using VisitPart = llvm::function_ref<void(const APValue &, QualType)>;

static void eachElement(const ASTContext &context, const APValue &value,
                        QualType type, VisitPart visit) {
  const ArrayType *array = context.getAsArrayType(type);
  QualType item = array ? array->getElementType() : QualType();
  // Skip tables of numbers, which may be large.
  if (item.isNull() || item->isArithmeticType() || item->isEnumeralType())
    return;
  for (unsigned i = 0; i < value.getArrayInitializedElts(); ++i)
    visit(value.getArrayInitializedElt(i), item);
  if (value.hasArrayFiller())
    visit(value.getArrayFiller(), item);
}

static void eachMember(const APValue &value, QualType type, VisitPart visit) {
  const auto *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return;
  record = record->getDefinition();
  if (value.getStructNumBases() == record->getNumBases()) {
    unsigned i = 0;
    for (const CXXBaseSpecifier &base : record->bases())
      visit(value.getStructBase(i++), base.getType());
  }
  for (const FieldDecl *field : record->fields())
    if (field->getFieldIndex() < value.getStructNumFields())
      visit(value.getStructField(field->getFieldIndex()), field->getType());
}

void eachPart(const ASTContext &context, const APValue &value, QualType type,
              VisitPart visit) {
  switch (value.getKind()) {
  case APValue::Array:
    return eachElement(context, value, type, visit);
  case APValue::Struct:
    return eachMember(value, type, visit);
  case APValue::Union:
    if (const FieldDecl *field = value.getUnionField())
      visit(value.getUnionValue(), field->getType());
    return;
  default:
    return;
  }
}

} // namespace xcc
