// The parts of a constant value, and of a class
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

llvm::SmallVector<QualType, 4>
typeArguments(const ClassTemplateSpecializationDecl *made) {
  llvm::SmallVector<QualType, 4> types;
  for (const TemplateArgument &arg : made->getTemplateArgs().asArray())
    for (const TemplateArgument &each : arg.getKind() == TemplateArgument::Pack
                                            ? arg.pack_elements()
                                            : llvm::ArrayRef(arg))
      if (each.getKind() == TemplateArgument::Type)
        types.push_back(each.getAsType());
  return types;
}

llvm::SmallVector<QualType, 8> partTypes(const CXXRecordDecl *record) {
  llvm::SmallVector<QualType, 8> types;
  for (const CXXBaseSpecifier &base : record->bases())
    types.push_back(base.getType());
  for (const FieldDecl *field : record->fields())
    types.push_back(field->getType());
  return types;
}

} // namespace xcc
