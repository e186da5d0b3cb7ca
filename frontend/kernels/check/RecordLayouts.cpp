// Layouts of the classes that host and device share
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordLayouts.h"
#include "kernels/find/CallParameters.h"
#include "kernels/find/FunctionObjects.h"
#include "kernels/find/WrittenPlaces.h"
#include "kernels/walk/TreeVisitor.h"
#include "kernels/walk/ValueParts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace xcc {
namespace {

/// Follows types to the classes in them and behind their addresses.
class Collector {
public:
  explicit Collector(ASTContext &context)
      : context(context), policy(context.getPrintingPolicy()) {
    policy.SuppressTagKeyword = true;
    policy.FullyQualifiedName = true;
  }
  RecordLayouts found;

  void add(llvm::ArrayRef<FoundKernel> kernels) {
    for (const FoundKernel &kernel : kernels) {
      if (kernel.function) {
        for (const ParmVarDecl *param : kernel.function->parameters())
          add(param->getType());
        continue;
      }
      add(objectOf(kernel.entry));
      for (const EntryParameter &param : entryParameters(kernel.entry))
        add(param.type);
    }
    run();
  }
  void add(const VarDecl *variable) {
    add(variable->getType());
    run();
  }
  void add(const CXXRecordDecl *record) {
    note(record);
    run();
  }
  void add(const FunctionDecl *function) {
    add(function->getReturnType());
    for (const ParmVarDecl *param : function->parameters())
      add(param->getType());
    if (const auto *method = dyn_cast<CXXMethodDecl>(function))
      note(method->getParent());
    run();
  }

private:
  ASTContext &context;
  PrintingPolicy policy;
  llvm::SmallPtrSet<const CXXRecordDecl *, 32> seen;
  std::vector<const CXXRecordDecl *> work;

  void add(QualType type) {
    while (!type.isNull()) {
      type = context.getBaseElementType(type.getCanonicalType());
      if (const auto *atomic = type->getAs<AtomicType>())
        type = atomic->getValueType();
      else if (type->isPointerType() || type->isReferenceType())
        type = type->getPointeeType();
      else
        break;
    }
    if (type.isNull())
      return;
    if (const CXXRecordDecl *record = type->getAsCXXRecordDecl())
      note(record);
  }

  /// Notes a class. Instantiates nothing: skips classes that no code of the
  /// pass needs to be complete.
  void note(const CXXRecordDecl *record) {
    record = record->getDefinition();
    if (record && !record->isBeingDefined() && !record->isDependentType() &&
        !record->isInvalidDecl() && seen.insert(record).second)
      work.push_back(record);
  }
  void add(llvm::ArrayRef<TemplateArgument> args) {
    for (const TemplateArgument &arg : args)
      if (arg.getKind() == TemplateArgument::Type)
        add(arg.getAsType());
      else if (arg.getKind() == TemplateArgument::Pack)
        add(arg.pack_elements());
  }

  void run() {
    while (!work.empty()) {
      const CXXRecordDecl *record = work.back();
      work.pop_back();
      // A closure's layout is compared as part of its kernel.
      if (!record->isLambda())
        describe(record);
      for (QualType part : partTypes(record))
        add(part);
      if (const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(record))
        add(made->getTemplateArgs().asArray());
    }
  }

  bool isOfProgram(const CXXRecordDecl *record) const {
    if (!context.getLangOpts().CPlusPlus || !record->isExternallyVisible() ||
        record->getParentFunctionOrMethod())
      return false;
    const DeclContext *outer = nullptr;
    for (const DeclContext *at = record->getDeclContext();
         !at->isTranslationUnit(); at = at->getParent())
      outer = at;
    const auto *space = dyn_cast_or_null<NamespaceDecl>(outer);
    return !space || !space->getIdentifier() ||
           (space->getName() != "std" && space->getName() != "xcc" &&
            !space->getName().starts_with("__"));
  }

  void describe(const CXXRecordDecl *record) {
    RecordLayout made;
    made.name =
        QualType(context.getCanonicalTagType(record)).getAsString(policy);
    WrittenPlace at = writtenPlace(context, record->getLocation());
    made.file = std::move(at.file);
    made.line = at.line;
    made.column = at.column;
    made.ofProgram = isOfProgram(record);
    const ASTRecordLayout &layout = context.getASTRecordLayout(record);
    made.size = layout.getSize().getQuantity();
    made.alignment = layout.getAlignment().getQuantity();
    for (const CXXBaseSpecifier &base : record->bases()) {
      const CXXRecordDecl *of = base.getType()->getAsCXXRecordDecl();
      made.parts.push_back(
          {"base '" + base.getType().getAsString(policy) + "'",
           8 * uint64_t((base.isVirtual() ? layout.getVBaseClassOffset(of)
                                          : layout.getBaseClassOffset(of))
                            .getQuantity())});
    }
    for (const FieldDecl *field : record->fields())
      made.parts.push_back({field->getIdentifier()
                                ? "'" + field->getNameAsString() + "'"
                                : "an unnamed member",
                            layout.getFieldOffset(field->getFieldIndex())});
    std::string key = made.name + '\n' + made.file + ':' +
                      std::to_string(made.line) + ':' +
                      std::to_string(made.column);
    found.insert({std::move(key), std::move(made)});
  }
};

/// Visits the program's own classes and variables.
class Declared : public TreeVisitor {
public:
  explicit Declared(Collector &collector) : collector(collector) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool TraverseStmt(Stmt *) override { return true; }
  bool TraverseTypeLoc(TypeLoc, bool = true) override { return true; }
  bool TraverseDecl(Decl *decl) override {
    if (!decl || decl->isInStdNamespace() ||
        decl->getASTContext().getSourceManager().isInSystemHeader(
            decl->getLocation()))
      return true;
    return TreeVisitor::TraverseDecl(decl);
  }
  bool VisitCXXRecordDecl(CXXRecordDecl *record) override {
    collector.add(record);
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->hasGlobalStorage() && !variable->isTemplated())
      collector.add(variable);
    return true;
  }

private:
  Collector &collector;
};

} // namespace

RecordLayouts sharedLayouts(ASTContext &context,
                            llvm::ArrayRef<FoundKernel> kernels,
                            llvm::ArrayRef<const VarDecl *> variables) {
  Collector collector(context);
  collector.add(kernels);
  for (const VarDecl *variable : variables)
    collector.add(variable);
  return std::move(collector.found);
}

RecordLayouts allLayouts(ASTContext &context,
                         llvm::ArrayRef<FoundKernel> kernels,
                         llvm::ArrayRef<Decl *> decls) {
  Collector collector(context);
  collector.add(kernels);
  Declared declared(collector);
  for (Decl *decl : decls)
    declared.TraverseDecl(decl);
  return std::move(collector.found);
}

std::string layoutNotes(ASTContext &context, const RecordLayouts &shared,
                        llvm::ArrayRef<const FunctionDecl *> functions) {
  Collector collector(context);
  for (const FunctionDecl *function : functions)
    if (function->isExternallyVisible())
      collector.add(function);
  RecordLayouts all = std::move(collector.found);
  all.insert(shared.begin(), shared.end());
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const auto &[key, layout] : all) {
    if (!layout.ofProgram)
      continue;
    out << (shared.count(key) ? "*" : "") << layout.name << '\t' << layout.size
        << '\t' << layout.alignment;
    for (const RecordLayout::Part &part : layout.parts)
      out << '\t' << part.name << '\t' << part.bits;
    out << '\n';
  }
  return text;
}

static std::string bytes(uint64_t bits) {
  return bits % 8 ? std::to_string(bits) + " bits" : std::to_string(bits / 8);
}

std::string layoutDifference(const RecordLayout &host,
                             const RecordLayout &device) {
  for (size_t i = 0; i < host.parts.size() || i < device.parts.size(); ++i) {
    if (i >= device.parts.size())
      return host.parts[i].name + " is only on the host";
    if (i >= host.parts.size() || host.parts[i].name != device.parts[i].name)
      return device.parts[i].name + " is only on the device";
    if (host.parts[i].bits != device.parts[i].bits)
      return host.parts[i].name + " is at offset " + bytes(host.parts[i].bits) +
             " on the host and at " + bytes(device.parts[i].bits) +
             " on the device";
  }
  if (host.size != device.size)
    return "its size is " + std::to_string(host.size) + " on the host and " +
           std::to_string(device.size) + " on the device";
  if (host.alignment != device.alignment)
    return "its alignment is " + std::to_string(host.alignment) +
           " on the host and " + std::to_string(device.alignment) +
           " on the device";
  return {};
}

} // namespace xcc
