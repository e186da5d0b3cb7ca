// Finds a translation unit's kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelFinder.h"
#include "HostCalls.h"
#include "KernelLayout.h"
#include "LaunchArguments.h"
#include "MemberVisits.h"
#include "Names.h"
#include "Report.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SaveAndRestore.h"
#include <memory>

using namespace clang;

namespace xcc {

bool isAnnotated(const Decl *decl, llvm::StringRef text) {
  for (const auto *attr : decl->specific_attrs<AnnotateAttr>())
    if (attr->getAnnotation() == text)
      return true;
  return false;
}

namespace {

FunctionTemplateDecl *entryTemplate(ASTContext &context, llvm::StringRef name) {
  for (FunctionTemplateDecl *tmpl : templatesNamed(context, name))
    if (isAnnotated(tmpl->getTemplatedDecl(), annotation::Entry))
      return tmpl;
  return nullptr;
}

/// The entry of a kernel that is a function; null where the header has none.
FunctionDecl *functionEntry(Sema &sema, FunctionDecl *fn, SourceLocation at) {
  FunctionTemplateDecl *tmpl = entryTemplate(sema.Context, "function_kernel");
  if (!tmpl)
    return nullptr;
  TemplateArgument arg(fn, sema.Context.getPointerType(fn->getType()));
  return sema.InstantiateFunctionDeclaration(
      tmpl, TemplateArgumentList::CreateCopy(sema.Context, arg), at);
}

/// Visits code that exists after instantiation: never a template's pattern,
/// whose instantiations arrive as declarations of their own.
class CallVisitor : public RecursiveASTVisitor<CallVisitor> {
public:
  using Base = RecursiveASTVisitor<CallVisitor>;
  CallVisitor(Sema &sema, llvm::SmallPtrSetImpl<const void *> &visited,
              std::vector<KernelCall> &calls, Prepared &prepared)
      : sema(sema), context(sema.getASTContext()), visited(visited),
        calls(calls), prepared(prepared) {}

  bool TraverseDecl(Decl *decl) {
    if (!decl || decl->isTemplated() || decl->isInStdNamespace())
      return true;
    llvm::SaveAndRestore<DeclContext *> inside(where, where);
    if (auto *function = dyn_cast<FunctionDecl>(decl))
      where = function;
    return Base::TraverseDecl(decl);
  }
  bool TraverseLambdaExpr(LambdaExpr *lambda) {
    if (!lambda->isGenericLambda()) {
      for (Expr *init : lambda->capture_inits())
        if (init && !TraverseStmt(init))
          return false;
      llvm::SaveAndRestore<DeclContext *> inside(where,
                                                 lambda->getCallOperator());
      for (ParmVarDecl *param : lambda->getCallOperator()->parameters())
        if (!TraverseDecl(param))
          return false;
      return TraverseStmt(lambda->getBody());
    }
    for (Expr *init : lambda->capture_inits())
      if (init && !TraverseStmt(init))
        return false;
    return true;
  }
  /// What is evaluated where it is used, and of templates is nowhere else.
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *expr) {
    return !visited.insert(expr->getExpr()).second ||
           TraverseStmt(expr->getExpr());
  }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *expr) {
    return !visited.insert(expr->getExpr()).second ||
           TraverseStmt(expr->getExpr());
  }
  bool VisitInitListExpr(InitListExpr *list) {
    InitListExpr *whole =
        list->isSemanticForm() ? list : list->getSemanticForm();
    if (!whole || !visited.insert(whole).second)
      return true;
    for (Expr *init : whole->inits())
      if (isa_and_nonnull<CXXDefaultInitExpr, InitListExpr>(init) &&
          !TraverseStmt(init))
        return false;
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *expr) {
    CXXConstructorDecl *made = expr->getConstructor();
    if (!made->isDefaulted() || !made->getDefinition() ||
        !visited.insert(made).second)
      return true;
    for (CXXCtorInitializer *init : made->inits())
      if (!TraverseStmt(init->getInit()))
        return false;
    return true;
  }
  /// A launch returns nothing, so that it is always a whole operand or
  /// statement: a child that can be another.
  bool VisitStmt(Stmt *parent) {
    for (Stmt *&child : parent->children()) {
      auto *call = dyn_cast_or_null<CallExpr>(child);
      if (!call || !isLaunch(call) || !visited.insert(call).second)
        continue;
      auto param = kernelParam(call->getDirectCallee());
      if (!param || *param >= call->getNumArgs())
        continue;
      if (Expr *complete = completeLaunch(sema, call, *param, where))
        child = complete;
    }
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    if (FunctionDecl *callee = call->getDirectCallee())
      if (auto param = kernelParam(callee);
          param && *param < call->getNumArgs() &&
          visited.insert(call->getCallee()).second) {
        calls.push_back({call, *param});
        simplify(call, *param, calls.back());
      }
    if (isHostCall(call))
      prepared.hostCalls.push_back(call);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    auto *function = dyn_cast<FunctionDecl>(ref->getDecl());
    if (function && isMemberVisit(function))
      prepared.memberVisits.push_back(function);
    return true;
  }

  static std::optional<unsigned> kernelParam(const FunctionDecl *callee) {
    for (unsigned i = 0, n = callee->getNumParams(); i < n; ++i) {
      const ParmVarDecl *param = callee->getParamDecl(i);
      if (param->hasAttrs() && isAnnotated(param, annotation::Kernel))
        return i;
    }
    return std::nullopt;
  }

private:
  Sema &sema;
  ASTContext &context;
  llvm::SmallPtrSetImpl<const void *> &visited;
  std::vector<KernelCall> &calls;
  Prepared &prepared;
  DeclContext *where = nullptr; ///< the function around what is visited

  /// Host lowering recognises a function's name in the argument, and constants
  /// that Clang itself folds; the rest of what is constant is made a name here.
  void simplify(CallExpr *call, unsigned param, KernelCall &found) {
    Expr *arg = call->getArg(param);
    if (!arg->getType()->isFunctionPointerType())
      return;
    QualType taken = call->getDirectCallee()->getParamDecl(param)->getType();
    if (taken->isReferenceType() && !forwardedKernel(arg)) {
      nameEntry(call, param, taken, found);
      return;
    }
    if (isa<DeclRefExpr>(arg->IgnoreParenImpCasts()))
      return;
    FunctionDecl *fn = constantFunction(context, arg);
    if (!fn)
      return;
    Expr *name = DeclRefExpr::Create(
        context, NestedNameSpecifierLoc(), SourceLocation(), fn,
        /*RefersToEnclosingVariableOrCapture=*/false, arg->getExprLoc(),
        fn->getType(), VK_LValue);
    name =
        ImplicitCastExpr::Create(context, context.getPointerType(fn->getType()),
                                 CK_FunctionToPointerDecay, name, nullptr,
                                 VK_PRValue, FPOptionsOverride());
    if (!context.hasSameType(name->getType(), arg->getType()))
      name = ImplicitCastExpr::Create(context, arg->getType(), CK_BitCast, name,
                                      nullptr, VK_PRValue, FPOptionsOverride());
    call->setArg(param, name);
  }

  /// A reference to a pointer: what the pointer holds is the entry, of which
  /// host lowering makes the descriptor wherever it stands.
  void nameEntry(CallExpr *call, unsigned param, QualType taken,
                 KernelCall &found) {
    Expr *arg = call->getArg(param);
    FunctionDecl *fn = constantFunction(context, arg);
    if (!fn || fn->isVariadic())
      return;
    FunctionDecl *entry = functionEntry(sema, fn, arg->getExprLoc());
    if (!entry)
      return;
    found.function = fn;
    sema.MarkFunctionReferenced(arg->getExprLoc(), entry);
    Expr *name = DeclRefExpr::Create(
        context, NestedNameSpecifierLoc(), SourceLocation(), entry,
        /*RefersToEnclosingVariableOrCapture=*/false, arg->getExprLoc(),
        entry->getType(), VK_LValue);
    name = ImplicitCastExpr::Create(context,
                                    context.getPointerType(entry->getType()),
                                    CK_FunctionToPointerDecay, name, nullptr,
                                    VK_PRValue, FPOptionsOverride());
    QualType type = arg->getType();
    name = ImplicitCastExpr::Create(context, type, CK_BitCast, name, nullptr,
                                    VK_PRValue, FPOptionsOverride());
    call->setArg(param, sema.CreateMaterializeTemporaryExpr(
                            type, name, taken->isLValueReferenceType()));
  }
};

/// Where a token is written, as a number that is the same in every pass: in
/// which line and column, reached through which macros and, up to the file that
/// holds `outer`, through which #include. Physical lines: #line has no say. What
/// options include, or a precompiled header holds, no pass has at the same line.
class PlaceHash {
public:
  PlaceHash(const SourceManager &sources, SourceLocation outer)
      : sources(sources), last(sources.getFileID(sources.getFileLoc(outer))) {}

  uint64_t of(SourceLocation at) {
    if (at.isInvalid())
      return 0;
    if (at.isMacroID()) {
      if (auto found = known.find(at.getRawEncoding()); found != known.end())
        return found->second;
      // Each use of a macro has an expansion of its own; in an argument, the
      // expansion is the parameter's place in the macro's body.
      uint64_t hash =
          combine(of(sources.getImmediateSpellingLoc(at)),
                  of(sources.getImmediateExpansionRange(at).getBegin()));
      known[at.getRawEncoding()] = hash;
      return hash;
    }
    // What ## pasted stands in a buffer whose lines no two passes share.
    if (sources.isWrittenInScratchSpace(at))
      return 1;
    auto [file, offset] = sources.getDecomposedLoc(at);
    uint64_t hash = combine(sources.getLineNumber(file, offset),
                            sources.getColumnNumber(file, offset));
    SourceLocation included = sources.getIncludeLoc(file);
    // Clang lets the main file's start include a precompiled header.
    if (file == last || included.isInvalid() ||
        sources.isWrittenInBuiltinFile(included) ||
        (sources.isLoadedFileID(file) &&
         sources.isLocalSourceLocation(included)))
      return hash;
    return combine(hash, of(included));
  }

private:
  const SourceManager &sources;
  FileID last;
  llvm::DenseMap<unsigned, uint64_t> known;

  static uint64_t combine(uint64_t a, uint64_t b) {
    uint64_t hash = 0xcbf29ce484222325;
    for (uint64_t word : {a, b})
      for (int i = 0; i < 8; ++i, word >>= 8)
        hash = (hash ^ (word & 0xff)) * 0x100000001b3;
    return hash;
  }
};

/// The classes without a name of their own for the linker, those of functions
/// and unnamed ones, among what an entry is made of. Clang numbers the ones
/// that no other translation unit sees in the order it meets them.
class LocalTypes : public RecursiveASTVisitor<LocalTypes> {
public:
  explicit LocalTypes(ASTContext &context) : context(context) {}
  std::string places; ///< a number in hexadecimal for each

  void addArgs(llvm::ArrayRef<TemplateArgument> args) {
    for (const TemplateArgument &arg : args)
      if (arg.getKind() == TemplateArgument::Type)
        TraverseType(context.getCanonicalType(arg.getAsType()));
      else if (arg.getKind() == TemplateArgument::Declaration)
        add(arg.getAsDecl());
      else if (arg.getKind() == TemplateArgument::Pack)
        addArgs(arg.pack_elements());
  }
  bool VisitTagType(TagType *type) {
    add(type->getDecl());
    return true;
  }

private:
  ASTContext &context;
  llvm::SmallPtrSet<const Decl *, 8> seen;

  void add(const NamedDecl *decl) {
    if (!seen.insert(decl->getCanonicalDecl()).second)
      return;
    if (const auto *function = dyn_cast<FunctionDecl>(decl)) {
      if (const auto *args = function->getTemplateSpecializationArgs())
        addArgs(args->asArray());
    } else if (const auto *tag = dyn_cast<TagDecl>(decl)) {
      if (const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(tag))
        addArgs(made->getTemplateArgs().asArray());
      const auto *record = dyn_cast<CXXRecordDecl>(tag);
      if ((tag->getParentFunctionOrMethod() || !tag->getIdentifier()) &&
          !(record && record->isLambda()))
        places += "_" + llvm::utohexstr(
                            PlaceHash(context.getSourceManager(), {})
                                .of(tag->getCanonicalDecl()->getLocation()),
                            /*LowerCase=*/true);
    }
    if (const auto *around = dyn_cast<NamedDecl>(decl->getDeclContext());
        around && !isa<NamespaceDecl>(around))
      add(around);
  }
};

/// Clang numbers closure types by where they are in its own order, which is
/// not the same in a host pass and a device pass. A symbol must be: so it says
/// where the lambda is written.
UnsignedOrNone lambdaNumber(ASTContext &context, const NamedDecl *decl) {
  const auto *record = dyn_cast<CXXRecordDecl>(decl);
  if (!record || !record->isLambda())
    return std::nullopt;
  // A function in a header is the same in every file that includes it.
  SourceLocation outer;
  if (const Decl *around = record->getLambdaContextDecl())
    outer = around->getLocation();
  else if (const auto *function = dyn_cast_or_null<FunctionDecl>(
               record->getParentFunctionOrMethod()))
    outer = function->getLocation();
  uint64_t hash =
      PlaceHash(context.getSourceManager(), outer).of(record->getLocation());
  // A pack's expansion makes several of one lambda, in an order that is the
  // function's: the same in each pass and in each file.
  const DeclContext *within = record->getDeclContext();
  for (const Decl *other : within->isFunctionOrMethod()
                               ? within->decls()
                               : DeclContext::decl_range({}, {})) {
    if (other == record)
      break;
    const auto *before = dyn_cast<CXXRecordDecl>(other);
    if (before && before->isLambda() &&
        before->getLocation() == record->getLocation())
      hash = (hash + 1) * 0x9e3779b97f4a7c15u;
  }
  return unsigned((hash ^ hash >> 32) & 0x7fffffff) + 2;
}

} // namespace

std::vector<FunctionTemplateDecl *> templatesNamed(ASTContext &context,
                                                   llvm::StringRef name) {
  std::vector<FunctionTemplateDecl *> found;
  for (NamedDecl *space :
       context.getTranslationUnitDecl()->lookup(&context.Idents.get("xcc")))
    if (auto *ns = dyn_cast<NamespaceDecl>(space))
      for (NamedDecl *member : ns->lookup(&context.Idents.get(name)))
        if (auto *tmpl = dyn_cast<FunctionTemplateDecl>(member))
          found.push_back(tmpl);
  return found;
}

std::string stableSymbol(ASTContext &context, const FunctionDecl *function,
                         llvm::StringRef unique) {
  std::unique_ptr<MangleContext> mangler(ItaniumMangleContext::create(
      context, context.getDiagnostics(), lambdaNumber));
  std::string symbol;
  llvm::raw_string_ostream os(symbol);
  mangler->mangleName(GlobalDecl(function), os);
  if (!function->isExternallyVisible()) {
    LocalTypes types(context);
    if (const auto *args = function->getTemplateSpecializationArgs())
      types.addArgs(args->asArray());
    os << "__" << unique << types.places;
  }
  return symbol;
}

namespace {

class Finder {
public:
  Finder(Sema &sema, LaunchDiagnostics diagnostics, const Warnings &warnings,
         llvm::StringRef unique)
      : sema(sema), context(sema.getASTContext()),
        check(sema, diagnostics, warnings), unique(unique) {}

  std::vector<FoundKernel> run(llvm::ArrayRef<KernelCall> calls) {
    for (const KernelCall &found : calls)
      addCall(found);
    addObjectKernels();
    return finish();
  }

private:
  Sema &sema;
  ASTContext &context;
  LaunchCheck check;
  llvm::StringRef unique;
  llvm::MapVector<FunctionDecl *, FoundKernel> kernels; // by entry
  llvm::DenseMap<const CXXRecordDecl *, SourceLocation> objectLaunch;

  void addCall(const KernelCall &found) {
    Expr *arg = found.call->getArg(found.param);
    QualType type = arg->getType();
    if (type->isFunctionPointerType() || type->isFunctionType()) {
      // A parameter that is itself marked already holds a kernel.
      if (forwardedKernel(arg)) {
        check.forwarded(found.call, found.param);
        return;
      }
      if (FunctionDecl *fn =
              check.function(found.call, found.param, found.function))
        addFunctionKernel(fn, found.call);
    } else if (const CXXRecordDecl *object = type->getAsCXXRecordDecl()) {
      objectLaunch.try_emplace(object->getCanonicalDecl(),
                               found.call->getExprLoc());
      check.object(found.call, found.param, object);
    } else {
      check.notAKernel(found.call, found.param);
    }
  }

  void addFunctionKernel(FunctionDecl *fn, CallExpr *call) {
    FunctionDecl *entry = functionEntry(sema, fn, call->getExprLoc());
    if (!entry)
      return;
    FoundKernel &kernel = kernels[entry];
    if (kernel.entry)
      return;
    kernel.entry = entry;
    kernel.function = fn;
    kernel.launch = call->getExprLoc();
  }

  void addObjectKernels() {
    FunctionTemplateDecl *tmpl = entryTemplate(context, "object_kernel");
    if (!tmpl)
      return;
    for (FunctionDecl *entry : tmpl->specializations()) {
      const TemplateArgumentList *args = entry->getTemplateSpecializationArgs();
      QualType object = args->get(0).getAsType();
      if (object->isDependentType() || !entry->isUsed(false))
        continue;
      SourceLocation launch = launchOf(object->getAsCXXRecordDecl());
      if (launch.isInvalid())
        launch = entry->getPointOfInstantiation();
      if (!check.object(object, args->get(1).pack_elements(), launch))
        continue;
      FoundKernel &kernel = kernels[entry];
      kernel.entry = entry;
      kernel.launch = launch;
    }
  }

  /// Where the user launches an object: for one that a header of ours wraps in
  /// another, as parallel_for does, the call that names the inner one.
  SourceLocation launchOf(const CXXRecordDecl *object) const {
    SourceLocation at = objectLaunch.lookup(object->getCanonicalDecl());
    if (at.isValid() && !context.getSourceManager().isInSystemHeader(at))
      return at;
    if (!object->hasDefinition())
      return at;
    for (const FieldDecl *field : object->fields())
      if (const CXXRecordDecl *inner = field->getType()->getAsCXXRecordDecl())
        if (SourceLocation outer =
                objectLaunch.lookup(inner->getCanonicalDecl());
            outer.isValid())
          return outer;
    return at;
  }

  std::vector<FoundKernel> finish() {
    std::vector<FoundKernel> list;
    for (auto &[entry, kernel] : kernels) {
      describeKernel(sema, kernel);
      list.push_back(std::move(kernel));
    }
    for (FoundKernel &kernel : list) {
      kernel.info.symbol = stableSymbol(context, kernel.entry, unique);
      kernel.info.external = kernel.entry->isExternallyVisible();
    }
    llvm::sort(list, [](const FoundKernel &a, const FoundKernel &b) {
      return std::tie(a.info.file, a.info.line, a.info.column, a.info.name,
                      a.info.symbol) < std::tie(b.info.file, b.info.line,
                                                b.info.column, b.info.name,
                                                b.info.symbol);
    });
    llvm::StringMap<SourceLocation> launches;
    for (FoundKernel &kernel : list) {
      auto [first, fresh] =
          launches.insert({kernel.info.symbol, kernel.launch});
      if (!fresh)
        check.sameSymbol(kernel.launch, first->second);
    }
    makeNamesDiffer(list);
    return list;
  }
};

} // namespace

FunctionDecl *constantFunction(ASTContext &context, const Expr *arg) {
  Expr::EvalResult result;
  if (arg->isValueDependent() || arg->containsErrors())
    return nullptr;
  // A function itself, where the parameter is a reference.
  bool known = arg->getType()->isFunctionType()
                   ? arg->EvaluateAsLValue(result, context)
                   : arg->EvaluateAsRValue(result, context);
  if (!known || !result.Val.isLValue())
    return nullptr;
  const auto *decl = result.Val.getLValueBase().dyn_cast<const ValueDecl *>();
  return decl ? const_cast<FunctionDecl *>(dyn_cast<FunctionDecl>(decl))
              : nullptr;
}

FunctionDecl *byValueForm(Sema &sema, const FoundKernel &kernel) {
  ASTContext &context = sema.getASTContext();
  llvm::SmallVector<TemplateArgument, 8> params;
  llvm::SmallVector<TemplateArgument, 2> args;
  if (kernel.function) {
    args.push_back(TemplateArgument(
        kernel.function, context.getPointerType(kernel.function->getType())));
    for (const ParmVarDecl *param : kernel.function->parameters())
      params.push_back(TemplateArgument(param->getType()));
  } else {
    const TemplateArgumentList *given =
        kernel.entry->getTemplateSpecializationArgs();
    args.push_back(given->get(0));
    llvm::append_range(params, given->get(1).pack_elements());
  }
  args.push_back(TemplateArgument::CreatePackCopy(context, params));
  for (FunctionTemplateDecl *tmpl : templatesNamed(
           context, kernel.function ? "function_values" : "object_values"))
    return sema.InstantiateFunctionDeclaration(
        tmpl, TemplateArgumentList::CreateCopy(context, args), kernel.launch);
  return nullptr;
}

void collectCalls(Sema &sema, Decl *decl,
                  llvm::SmallPtrSetImpl<const void *> &visited,
                  std::vector<KernelCall> &kernels, Prepared &prepared) {
  CallVisitor(sema, visited, kernels, prepared).TraverseDecl(decl);
}

std::vector<FoundKernel> findKernels(Sema &sema,
                                     llvm::ArrayRef<KernelCall> calls,
                                     LaunchDiagnostics diagnostics,
                                     const Warnings &warnings,
                                     llvm::StringRef unique) {
  return Finder(sema, diagnostics, warnings, unique).run(calls);
}

} // namespace xcc
