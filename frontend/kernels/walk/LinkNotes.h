// Notes for the device link about a unit's functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fault in exported code is an error only if a kernel reaches the code, which
// only the link knows. So the faults, and the source lines on the paths to
// them, travel with the device module. backend/link/Reached.h reads them.

#ifndef XCC_FRONTEND_KERNELS_WALK_LINKNOTES_H
#define XCC_FRONTEND_KERNELS_WALK_LINKNOTES_H

#include "StartupInitialisers.h"
#include "clang/AST/Decl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <string>
#include <vector>

namespace xcc {

class LinkNotes {
public:
  /// Notes that no device, or not this one, can run the function or have the
  /// variable, and the reason. The body or initialiser is left out. The first
  /// reason stays.
  void addFault(const clang::ValueDecl *code, std::string text);
  /// Notes that this unit does not define the declaration; perhaps no unit of
  /// the link does. `why` is the reason why it cannot become a call of the
  /// host, if that was requested.
  void addUndefined(const clang::ValueDecl *decl, std::string why = {});
  /// Notes that a function, or null, uses a variable that the host may change.
  /// The first use stays.
  void addState(const clang::FunctionDecl *function,
                const clang::VarDecl *variable, clang::SourceLocation at);
  /// Notes that a function or variable names another.
  void addUse(const clang::ValueDecl *by, const clang::ValueDecl *of,
              clang::SourceLocation at);
  /// Notes the place where the kernel of an entry is launched.
  void addLaunch(const clang::FunctionDecl *entry, clang::SourceLocation at);
  /// Notes a used variable if code initialises it.
  void addInitialised(const clang::VarDecl *variable);

  /// Notes how a faulty function would change variables if it could run. It is
  /// then known that the changes do not happen before main.
  void addEffects(const clang::FunctionDecl *code, Effects effects);
  /// Notes an initialiser that should run before main but cannot on this
  /// device: its effects, and the place of the reason.
  void addSkipped(const clang::NamedDecl *initialiser, Effects effects,
                  clang::SourceLocation because);
  /// Notes that a function reads and writes a variable that other units see. A
  /// place is invalid if it does not.
  void addGlobal(const clang::FunctionDecl *function,
                 const clang::VarDecl *variable, clang::SourceLocation read,
                 clang::SourceLocation write);
  /// Notes that the unit names the variable in xcc::symbol.
  void addKnownGlobal(const clang::VarDecl *variable);
  /// Notes the layouts of classes: RecordLayouts.h.
  void addLayouts(std::string text) { layouts = std::move(text); }
  bool hasGlobals() const { return !globals.empty() || !namedInSymbol.empty(); }
  bool hasSkipped() const { return !skipped.empty(); }
  std::vector<const clang::ValueDecl *> faultyCode() const;

  /// Empties the bodies of code that no device can run. Must run before code
  /// generation.
  void emptyBodies(clang::ASTContext &context) const;
  /// resolve() looks names up while the declarations exist. write() writes the
  /// notes into the module after code generation.
  void resolve(clang::CodeGenerator &codegen, clang::ASTContext &context);
  void write(llvm::Module &module) const;

private:
  using Pair = std::pair<const clang::ValueDecl *, const clang::ValueDecl *>;
  struct Use {
    Pair pair;
    clang::SourceLocation at;
  };
  struct Place {
    std::vector<std::string> by, of; ///< symbols, of each variant
    std::string file, why;
    unsigned line = 0, column = 0;
  };
  llvm::MapVector<const clang::ValueDecl *, std::string>
      faults; ///< by definition
  llvm::MapVector<const clang::ValueDecl *, std::string> undefinedDecls;
  llvm::MapVector<const clang::FunctionDecl *, clang::SourceLocation> launches;
  llvm::DenseSet<Pair> known;
  std::vector<Use> uses;

  /// The symbols that code writes and calls.
  struct Touched {
    std::vector<std::string> written, called;
  };
  struct SkippedInitialiser {
    const clang::NamedDecl *initialiser;
    Effects effects;
    clang::SourceLocation because;
    Touched touched;
    std::string text;
  };
  llvm::MapVector<const clang::ValueDecl *, Effects> faultyEffects;
  std::vector<SkippedInitialiser> skipped;

  struct Global {
    const clang::FunctionDecl *function;
    const clang::VarDecl *variable;
    clang::SourceLocation read, write;
    std::vector<std::string> symbols;
    std::string name, file, readAt, writeAt;
  };
  std::vector<Global> globals;
  std::vector<const clang::VarDecl *> namedInSymbol;
  std::vector<std::string> knownGlobals, entries;
  std::string layouts;

  void writeGlobals(llvm::Module &module) const;

  struct State {
    const clang::VarDecl *variable;
    clang::SourceLocation at;
    std::vector<std::string> symbols;
    std::string text;
  };
  llvm::MapVector<const clang::ValueDecl *, State> states; ///< by the code that
                                                           ///< uses the
                                                           ///< variable

  struct Faulty {
    std::vector<std::string> symbols;
    std::string text;
    Touched touched;
  };
  std::vector<Faulty> faultySymbols;
  llvm::SmallSetVector<const clang::VarDecl *, 8> initialised;
  std::vector<Place> places, launchPlaces, initialisedPlaces;

  /// The uses on paths to code that may be an error.
  std::vector<Use> usesThatMatter() const;
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_LINKNOTES_H
