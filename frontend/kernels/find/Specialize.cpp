// [[xcc::specialize]]
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks a parameter of a kernel, or a member of one, that has few values in a
// program: each value gets code of its own. A structure is specialised number
// by number, because its padding has no value. The attribute is stored as an
// annotation, so that it equals XCC_SPECIALIZE, which other compilers accept
// too.

#include "Specialize.h"
#include "FunctionAttribute.h"
#include "Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

using namespace clang;

namespace xcc {
namespace {

struct SpecializeAttr : AnnotationAttribute {
  SpecializeAttr() {
    static constexpr Spelling spellings[] = {
        {ParsedAttr::AS_CXX11, "xcc::specialize"}};
    Spellings = spellings;
  }

  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attr,
                            const Decl *decl) const override {
    if (isa<ParmVarDecl, FieldDecl>(decl))
      return true;
    sema.Diag(attr.getLoc(), diag::warn_attribute_wrong_decl_type_str)
        << attr << attr.isRegularKeywordAttribute()
        << "parameters and data members";
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                   const ParsedAttr &attr) const override {
    return annotate(sema, decl, attr, annotation::Specialize);
  }
};

ParsedAttrInfoRegistry::Add<SpecializeAttr>
    registration("xcc-specialize", "values that code is generated for");

/// The largest argument, in bytes, that can be specialised.
constexpr uint64_t MostBytes = 128;

bool isMarked(const Decl *decl) {
  return decl->hasAttrs() &&
         llvm::any_of(decl->specific_attrs<AnnotateAttr>(),
                      [](const AnnotateAttr *attr) {
                        return attr->getAnnotation() == annotation::Specialize;
                      });
}

/// Whether any declaration of the function marks the parameter.
bool isMarkedAnywhere(const ParmVarDecl *param) {
  if (isMarked(param))
    return true;
  const auto *function = dyn_cast<FunctionDecl>(param->getDeclContext());
  unsigned index = param->getFunctionScopeIndex();
  return function && llvm::any_of(function->redecls(), [&](const auto *decl) {
           return index < decl->getNumParams() &&
                  isMarked(decl->getParamDecl(index));
         });
}

class Collector {
public:
  Collector(Sema &sema, Kernel &kernel)
      : context(sema.getASTContext()), diags(sema.getDiagnostics()),
        kernel(kernel) {}

  /// Adds all numbers of the marked declaration `at`.
  void addMarked(const NamedDecl *at, QualType type, uint64_t offset) {
    const size_t before = kernel.specialized.size();
    const QualType stored = type.getNonReferenceType();
    std::string why;
    if (type->isReferenceType())
      why = "what a reference refers to may change";
    else if (!stored->isDependentType() &&
             context.getTypeSizeInChars(stored).getQuantity() >
                 int64_t(MostBytes))
      why = "it is larger than " + std::to_string(MostBytes) + " bytes";
    else
      why = addNumbers(stored, offset);
    if (why.empty())
      return;
    kernel.specialized.resize(before);
    diags.Report(
        at->getLocation(),
        diags.getCustomDiagID(
            DiagnosticsEngine::Error,
            "%select{'%1'|this}0 of type %2 cannot be specialised: %3; what is "
            "marked [[xcc::specialize]] is a number, an enumerator, or a "
            "structure or array of these"))
        << at->getName().empty() << at->getName() << type << why;
  }

  /// Adds the marked members of an object.
  void addMembers(QualType type, uint64_t offset) {
    if (const auto *array = context.getAsConstantArrayType(type)) {
      QualType element = array->getElementType();
      if (!element->isRecordType() && !element->isArrayType())
        return;
      uint64_t size = context.getTypeSizeInChars(element).getQuantity();
      // Stop if the first element has no marks: an array may be long.
      for (uint64_t i = 0; i < array->getZExtSize(); ++i) {
        size_t before = kernel.specialized.size();
        addMembers(element, offset + i * size);
        if (kernel.specialized.size() == before)
          return;
      }
      return;
    }
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    record = record ? record->getDefinition() : nullptr;
    if (!record || record->isUnion() || record->isInvalidDecl())
      return;
    const ASTRecordLayout &layout = context.getASTRecordLayout(record);
    for (const CXXBaseSpecifier &base : record->bases())
      if (!base.isVirtual())
        addMembers(
            base.getType(),
            offset +
                layout.getBaseClassOffset(base.getType()->getAsCXXRecordDecl())
                    .getQuantity());
    for (const FieldDecl *field : record->fields()) {
      uint64_t bits = layout.getFieldOffset(field->getFieldIndex());
      if (!isMarked(field))
        addMembers(field->getType(), offset + bits / 8);
      else if (field->isBitField())
        addBits(offset * 8 + bits, field->getBitWidthValue());
      else
        addMarked(field, field->getType(), offset + bits / 8);
    }
  }

private:
  ASTContext &context;
  DiagnosticsEngine &diags;
  Kernel &kernel;

  void addPlace(uint64_t offset, uint64_t size) {
    kernel.specialized.push_back({uint32_t(offset), uint32_t(size)});
  }

  /// Adds each byte that contains a part of the bit-field, once.
  void addBits(uint64_t first, uint64_t width) {
    for (uint64_t byte = first / 8; byte * 8 < first + width; ++byte)
      if (kernel.specialized.empty() ||
          kernel.specialized.back().offset != byte)
        addPlace(byte, 1);
  }

  uint64_t sizeOf(QualType type) const {
    return context.getTypeSizeInChars(type).getQuantity();
  }

  /// Adds the numbers in a value of the type. Returns why it is not made of
  /// numbers, or an empty text.
  std::string addNumbers(QualType type, uint64_t offset) {
    type = type.getCanonicalType().getUnqualifiedType();
    if (const auto *array = context.getAsConstantArrayType(type))
      return addElements(array->getElementType(), array->getZExtSize(), offset);
    if (const auto *vector = type->getAs<VectorType>();
        vector && !vector->getElementType()->isBooleanType())
      return addElements(vector->getElementType(), vector->getNumElements(),
                         offset);
    if (const auto *complex = type->getAs<ComplexType>())
      return addElements(complex->getElementType(), 2, offset);
    if (type->isRecordType())
      return addRecord(type->getAsCXXRecordDecl()->getDefinition(), offset);
    if (type->isAnyPointerType())
      return type->isFunctionPointerType()
                 ? "the address of a function belongs to another copy of the "
                   "code"
                 : "addresses are no constants";
    if (!type->isArithmeticType() && !type->isEnumeralType() &&
        !type->isBitIntType())
      return "its values are not known bit by bit";
    uint64_t size = sizeOf(type);
    // Leave out the padding of x87's 80 bits.
    if (type->isSpecificBuiltinType(BuiltinType::LongDouble) &&
        &context.getFloatTypeSemantics(type) ==
            &llvm::APFloat::x87DoubleExtended())
      size = 10;
    addPlace(offset, size);
    return "";
  }

  std::string addElements(QualType element, uint64_t count, uint64_t offset) {
    std::string why;
    for (uint64_t i = 0; i < count && why.empty(); ++i)
      why = addNumbers(element, offset + i * sizeOf(element));
    return why;
  }

  std::string addRecord(const CXXRecordDecl *record, uint64_t offset) {
    if (record->isUnion())
      return "which member of a union has its value is not known";
    if (record->isDynamicClass())
      return "it has virtual functions or bases";
    if (!record->canPassInRegisters())
      return "it has code of its own to be copied or destroyed";
    const ASTRecordLayout &layout = context.getASTRecordLayout(record);
    std::string why;
    for (const CXXBaseSpecifier &base : record->bases()) {
      const CXXRecordDecl *of = base.getType()->getAsCXXRecordDecl();
      if (why.empty())
        why = addRecord(of->getDefinition(),
                        offset + layout.getBaseClassOffset(of).getQuantity());
    }
    for (const FieldDecl *field : record->fields()) {
      uint64_t bits = layout.getFieldOffset(field->getFieldIndex());
      if (!why.empty() || field->isUnnamedBitField())
        continue;
      if (field->isBitField())
        addBits(offset * 8 + bits, field->getBitWidthValue());
      else if (field->getType()->isReferenceType())
        why = "its member '" + field->getNameAsString() + "' is a reference";
      else
        why = addNumbers(field->getType(), offset + bits / 8);
    }
    return why;
  }
};

} // namespace

void addSpecialized(Sema &sema, const ParmVarDecl *param, QualType type,
                    uint32_t offset, Kernel &kernel) {
  Collector collector(sema, kernel);
  if (param && isMarkedAnywhere(param))
    collector.addMarked(param, type, offset);
  else if (!type->isReferenceType())
    collector.addMembers(type, offset);
}

} // namespace xcc
