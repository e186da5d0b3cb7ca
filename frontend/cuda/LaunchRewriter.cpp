// CUDA's launches as calls, in a source's text
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchRewriter.h"
#include "AssemblyText.h"
#include "SourceTokens.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace clang;

namespace xcc {
namespace {

/// Functions that take a kernel, without "cuda" or "hip".
constexpr llvm::StringLiteral TakeKernels[] = {
    "LaunchKernel",     "LaunchKernelExC",   "LaunchCooperativeKernel",
    "FuncSetAttribute", "FuncGetAttributes", "FuncSetCacheConfig"};
/// What the names of others begin with.
constexpr llvm::StringLiteral TakeKernelsToo[] = {
    "OccupancyMaxActiveBlocks", "OccupancyMaxPotentialBlockSize"};

/// Classes and enumerations of CUDA and HIP that are aliases in xcc's headers,
/// without "cuda" or "hip". C++ allows no `struct` or `enum` before an alias.
constexpr llvm::StringLiteral Aliases[] = {"DeviceAttr",
                                           "DeviceAttribute_t",
                                           "Error",
                                           "Error_t",
                                           "Extent",
                                           "GraphExecUpdateResult",
                                           "GraphNodeType",
                                           "MemPoolAttr",
                                           "Memcpy3DParms",
                                           "MemcpyKind",
                                           "PitchedPtr",
                                           "Pos",
                                           "StreamCaptureMode",
                                           "StreamCaptureStatus"};
constexpr llvm::StringLiteral OtherAliases[] = {"__half",
                                                "__half2",
                                                "__nv_bfloat16",
                                                "__nv_bfloat162",
                                                "curandStateXORWOW",
                                                "curandStateMRG32k3a",
                                                "curandStatePhilox4_32_10"};

struct Piece {
  tok::TokenKind kind;
  size_t begin, end; ///< in the source
};

/// Where the parts of a launch are: tokens, by number.
struct Launch {
  size_t kernel, open, close, last; ///< of `kernel <<< >>> ( last )`
};

/// One variable of a declaration: tokens, by number.
struct Declarator {
  size_t name, end;           ///< of all of it
  size_t dimensions, initial; ///< where these begin
  unsigned stars = 0;         ///< in addition to those of the first one's type
};
/// `__managed__ type name[dimensions] = initial, ...;`
struct Managed {
  size_t first, last; ///< of all, with the semicolon
  size_t type;        ///< its first token; it ends where the first name begins
  bool isStatic = false, isExtern = false, isInline = false;
  std::vector<Declarator> names = {};
};

class Rewriter {
public:
  explicit Rewriter(llvm::StringRef source) : source(source) { lex(); }

  RewrittenLaunches run() {
    size_t done = 0;
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (namesKernelFunction(i))
        done = dropCasts(i + 1, done);
      if (namesAlias(i) && pieces[i].begin >= done)
        done = dropKeyword(i, done);
      if (isAssembly(i))
        if (std::optional<size_t> last = translate(i, done)) {
          done = pieces[*last].end;
          i = *last;
          continue;
        }
      if (isWord(i, "__managed__"))
        if (std::optional<Managed> found = managedAt(i)) {
          result.text += source.slice(done, pieces[found->first].begin);
          write(*found);
          done = pieces[found->last].end;
          i = found->last;
          ++result.rewritten;
          continue;
        }
      if (pieces[i].kind != tok::lesslessless || !followsName(i))
        continue;
      std::optional<Launch> found = launchAt(i);
      if (!found || pieces[found->kernel].begin < done)
        continue;
      result.text += source.slice(done, pieces[found->kernel].begin);
      write(*found);
      done = pieces[found->last].end;
      i = found->last;
      ++result.rewritten;
    }
    result.text += source.substr(done);
    return std::move(result);
  }

private:
  llvm::StringRef source;
  std::vector<Piece> pieces;
  RewrittenLaunches result;

  void lex() {
    visitTokens(source, [&](const Token &token, size_t begin) {
      pieces.push_back({token.getKind(), begin, begin + token.getLength()});
    });
    for (size_t i = 0; i < pieces.size(); ++i)
      if (size_t count = brackets(i, tok::less, tok::lessless))
        join(i, count, tok::lesslessless);
    for (size_t i = 0; i < pieces.size(); ++i)
      if (is(i, tok::lesslessless) && followsName(i) && !endOfConfiguration(i))
        joinEnd(i);
  }
  /// How many tokens make three brackets from `i` on. nvcc takes a launch with
  /// spaces between them, which some editors insert: `k << <1, 2 >> >(x)`.
  size_t brackets(size_t i, tok::TokenKind one, tok::TokenKind two) const {
    if (is(i, one) && is(i + 1, one) && is(i + 2, one))
      return 3;
    return (is(i, one) && is(i + 1, two)) || (is(i, two) && is(i + 1, one)) ? 2
                                                                            : 0;
  }
  void join(size_t i, size_t count, tok::TokenKind kind) {
    pieces[i] = {kind, pieces[i].begin, pieces[i + count - 1].end};
    pieces.erase(pieces.begin() + i + 1, pieces.begin() + i + count);
  }
  /// Joins the brackets that end the configuration of the launch whose `<<<` is
  /// at `open`: the last ones before a parenthesis, and before another launch.
  void joinEnd(size_t open) {
    size_t end = 0, count = 0;
    for (size_t i = open + 1;
         i < pieces.size() && !is(i, tok::semi) && !is(i, tok::lesslessless);
         ++i) {
      if (size_t here = brackets(i, tok::greater, tok::greatergreater);
          here && is(i + here, tok::l_paren)) {
        end = i;
        count = here;
      }
      if (is(i, tok::l_paren) || is(i, tok::l_square) || is(i, tok::l_brace)) {
        std::optional<size_t> close = closing(i);
        if (!close)
          break;
        i = *close;
      }
    }
    if (count)
      join(end, count, tok::greatergreatergreater);
  }

  llvm::StringRef spelling(size_t i) const {
    return source.slice(pieces[i].begin, pieces[i].end);
  }
  bool is(size_t i, tok::TokenKind kind) const {
    return i < pieces.size() && pieces[i].kind == kind;
  }
  bool isWord(size_t i, llvm::StringRef word) const {
    return is(i, tok::raw_identifier) && spelling(i) == word;
  }
  llvm::StringRef text(size_t first, size_t end) const {
    return first < end ? source.slice(pieces[first].begin, pieces[end - 1].end)
                       : llvm::StringRef();
  }
  /// Identifiers, except words that cannot end an expression.
  bool isName(size_t i) const {
    constexpr llvm::StringLiteral others[] = {
        "return", "else",     "do",   "if",   "while",
        "for",    "operator", "case", "goto", "define"};
    return is(i, tok::raw_identifier) &&
           !llvm::is_contained(others, spelling(i));
  }
  /// How many template argument lists end with that token.
  unsigned closes(size_t i) const {
    switch (pieces[i].kind) {
    case tok::greater:
      return 1;
    case tok::greatergreater:
      return 2;
    case tok::greatergreatergreater:
      return 3;
    default:
      return 0;
    }
  }
  bool followsName(size_t i) const {
    return i > 0 && (isName(i - 1) || is(i - 1, tok::r_paren) ||
                     is(i - 1, tok::r_square) || closes(i - 1));
  }

  /// From a closing bracket back to the one that it closes.
  std::optional<size_t> opening(size_t i) const {
    unsigned depth = 0;
    for (;; --i) {
      tok::TokenKind kind = pieces[i].kind;
      if (kind == tok::r_paren || kind == tok::r_square || kind == tok::r_brace)
        ++depth;
      else if (kind == tok::l_paren || kind == tok::l_square ||
               kind == tok::l_brace) {
        if (--depth == 0)
          return i;
      }
      if (i == 0)
        return std::nullopt;
    }
  }
  /// From the end of template arguments back to the `<`.
  std::optional<size_t> openingAngle(size_t i) const {
    int depth = 0;
    for (;; --i) {
      tok::TokenKind kind = pieces[i].kind;
      if (kind == tok::semi || kind == tok::l_paren || kind == tok::l_brace ||
          kind == tok::l_square)
        return std::nullopt;
      if (kind == tok::r_paren || kind == tok::r_square ||
          kind == tok::r_brace) {
        std::optional<size_t> open = opening(i);
        if (!open)
          return std::nullopt;
        i = *open;
      } else if (kind == tok::less) {
        if (--depth == 0)
          return i;
      } else {
        depth += closes(i);
      }
      if (i == 0)
        return std::nullopt;
    }
  }

  /// The first token of the expression that ends before `end`.
  std::optional<size_t> kernelBefore(size_t end) const {
    size_t i = end - 1;
    while (true) {
      std::optional<size_t> at = i;
      if (closes(i))
        at = openingAngle(i);
      else if (is(i, tok::r_paren) || is(i, tok::r_square))
        at = opening(i);
      if (!at)
        return std::nullopt;
      if (*at != i) { // what has brackets after it, or brackets alone
        if (*at > 0 && isName(*at - 1))
          i = *at - 1;
        else if (*at > 0 && is(*at, tok::l_square))
          i = *at - 1;
        else if (is(*at, tok::l_paren))
          return *at;
        else
          return std::nullopt;
        if (!isName(i))
          continue;
      }
      if (!isName(i))
        return std::nullopt;
      size_t before = i;
      if (before > 0 && is(before - 1, tok::raw_identifier) &&
          spelling(before - 1) == "template")
        --before;
      if (before == 0)
        return i;
      if (is(before - 1, tok::coloncolon)) {
        if (before == 1 || !(isName(before - 2) || closes(before - 2)))
          return before - 1;
        i = before - 2;
      } else if (before > 1 &&
                 (is(before - 1, tok::period) || is(before - 1, tok::arrow))) {
        i = before - 2;
      } else {
        return i;
      }
    }
  }

  /// The bracket that closes the one at `i`.
  std::optional<size_t> closing(size_t i) const {
    unsigned depth = 0;
    for (; i < pieces.size(); ++i) {
      tok::TokenKind kind = pieces[i].kind;
      if (kind == tok::l_paren || kind == tok::l_square || kind == tok::l_brace)
        ++depth;
      else if (kind == tok::r_paren || kind == tok::r_square ||
               kind == tok::r_brace)
        if (--depth == 0)
          return i;
    }
    return std::nullopt;
  }
  /// The `>>>` of the launch whose `<<<` is at `i`: the last before its end, as
  /// template arguments in the configuration may end with `>>>` too.
  std::optional<size_t> endOfConfiguration(size_t i) const {
    std::optional<size_t> end;
    for (++i; i < pieces.size(); ++i) {
      tok::TokenKind kind = pieces[i].kind;
      if (kind == tok::l_paren || kind == tok::l_square ||
          kind == tok::l_brace) {
        std::optional<size_t> close = closing(i);
        if (!close)
          return end;
        i = *close;
      } else if (kind == tok::semi || kind == tok::lesslessless ||
                 kind == tok::r_paren || kind == tok::r_square ||
                 kind == tok::r_brace || (kind == tok::hash && end)) {
        return end;
      } else if (kind == tok::greatergreatergreater) {
        end = i;
      }
    }
    return end;
  }

  std::optional<Launch> launchAt(size_t open) {
    std::optional<size_t> close = endOfConfiguration(open);
    if (!close)
      return unknown(open, "no '>>>' follows");
    if (!is(*close + 1, tok::l_paren))
      return unknown(open, "no arguments in parentheses follow '>>>'");
    std::optional<size_t> last = closing(*close + 1);
    if (!last)
      return unknown(open, "the parentheses of the arguments do not close");
    std::optional<size_t> kernel = kernelBefore(open);
    if (!kernel)
      return unknown(open, "the kernel is no name, call or parenthesis");
    return Launch{*kernel, open, *close, *last};
  }
  unsigned lineOf(size_t place) const {
    return source.take_front(place).count('\n') + 1;
  }
  std::nullopt_t unknown(size_t open, const char *why) {
    result.unknown.push_back({lineOf(pieces[open].begin), why});
    return std::nullopt;
  }

  /// Whether `struct` or the like stands at `i` before an alias, and does not
  /// define a class of the program's own.
  bool namesAlias(size_t i) const {
    if (!(isWord(i, "struct") || isWord(i, "class") || isWord(i, "enum")) ||
        !is(i + 1, tok::raw_identifier) || is(i + 2, tok::l_brace) ||
        is(i + 2, tok::colon))
      return false;
    llvm::StringRef name = spelling(i + 1);
    if (llvm::is_contained(OtherAliases, name))
      return true;
    return (name.consume_front("cuda") || name.consume_front("hip")) &&
           llvm::is_contained(Aliases, name);
  }
  /// Leaves out that word, or a declaration that has nothing else; returns what
  /// is written so far.
  size_t dropKeyword(size_t i, size_t done) {
    result.text += source.slice(done, pieces[i].begin);
    ++result.rewritten;
    return is(i + 2, tok::semi) ? pieces[i + 1].end : pieces[i + 1].begin;
  }

  bool isAssembly(size_t i) const {
    return isWord(i, "asm") || isWord(i, "__asm__") || isWord(i, "__asm");
  }
  /// Writes inline PTX as C++, behind what is written so far. Returns the last
  /// token of the statement, which is none of assembly that stays.
  std::optional<size_t> translate(size_t i, size_t done) {
    size_t open = i + 1;
    while (isWord(open, "volatile") || isWord(open, "__volatile__") ||
           isWord(open, "__volatile"))
      ++open;
    std::optional<size_t> close;
    if (is(open, tok::l_paren))
      close = closing(open);
    std::optional<std::string> made;
    if (close)
      made = translateAssembly(text(open, *close + 1));
    if (!made) {
      result.assembly.push_back(lineOf(pieces[i].begin));
      return std::nullopt;
    }
    result.text += source.slice(done, pieces[i].begin);
    result.text += *made;
    ++result.rewritten;
    return close;
  }

  /// Whether a call begins of a function whose argument is a kernel. CUDA's take a
  /// `const void *`; ours take the function, whose parameters they need.
  bool namesKernelFunction(size_t i) const {
    if (!is(i, tok::raw_identifier) || !is(i + 1, tok::l_paren))
      return false;
    llvm::StringRef name = spelling(i);
    return (name.consume_front("cuda") || name.consume_front("hip")) &&
           (llvm::is_contained(TakeKernels, name) ||
            llvm::any_of(TakeKernelsToo, [&](llvm::StringRef begin) {
              return name.starts_with(begin);
            }));
  }
  /// The token after `(const void *)`, if that is at `i`.
  std::optional<size_t> behindCast(size_t i) const {
    size_t at = i + 1;
    at += isWord(at, "const");
    if (!isWord(at, "void"))
      return std::nullopt;
    at += 1 + isWord(at + 1, "const");
    if (!is(at, tok::star) || !is(at + 1, tok::r_paren))
      return std::nullopt;
    return at + 2;
  }
  /// Leaves out the casts of the arguments of the call whose parenthesis is at
  /// `open`; returns what is written so far.
  size_t dropCasts(size_t open, size_t done) {
    std::optional<size_t> last = closing(open);
    for (size_t i = open + 1; last && i < *last; ++i) {
      if (is(i, tok::l_paren) && pieces[i].begin >= done)
        if (std::optional<size_t> next = behindCast(i);
            next &&
            (isName(*next) || is(*next, tok::amp) || is(*next, tok::l_paren))) {
          result.text += source.slice(done, pieces[i].begin);
          done = pieces[*next].begin;
          ++result.rewritten;
          i = *next;
          continue;
        }
      if (is(i, tok::l_paren) || is(i, tok::l_brace))
        if (std::optional<size_t> close = closing(i))
          i = *close;
    }
    return done;
  }

  /// A statement of its own needs no parentheses around the comma.
  bool isStatement(const Launch &launch) const {
    return launch.kernel > 0 && is(launch.last + 1, tok::semi) &&
           (is(launch.kernel - 1, tok::semi) ||
            is(launch.kernel - 1, tok::l_brace) ||
            is(launch.kernel - 1, tok::r_brace));
  }
  void write(const Launch &launch) {
    auto text = [&](size_t from, size_t to) { return source.slice(from, to); };
    bool alone = isStatement(launch);
    result.text +=
        alone ? "::xcc::cuda::configure(" : "(::xcc::cuda::configure(";
    result.text += text(pieces[launch.open].end, pieces[launch.close].begin);
    result.text += "), ";
    result.text += text(pieces[launch.kernel].begin, pieces[launch.open].begin);
    // The arguments may hold launches, in a lambda.
    RewrittenLaunches inner = rewriteLaunches(
        text(pieces[launch.close].end, pieces[launch.last].end));
    result.text += inner.text;
    result.rewritten += inner.rewritten;
    for (const UnknownLaunch &each : inner.unknown)
      result.unknown.push_back(
          {lineOf(pieces[launch.close].end) + each.line - 1, each.why});
    for (unsigned line : inner.assembly)
      result.assembly.push_back(lineOf(pieces[launch.close].end) + line - 1);
    if (!alone)
      result.text += ')';
  }

  /// Is it a word before the type of a managed variable? Notes what it says.
  bool isSpecifier(size_t i, Managed &of) const {
    of.isStatic |= isWord(i, "static");
    of.isExtern |= isWord(i, "extern");
    of.isInline |= isWord(i, "inline");
    return isWord(i, "__managed__") || isWord(i, "__device__") ||
           isWord(i, "static") || isWord(i, "extern") || isWord(i, "inline");
  }
  /// The first token at or behind `i` that ends a declarator or a part of one.
  size_t partEnd(size_t i) const {
    int angles = 0;
    for (; i < pieces.size(); ++i) {
      tok::TokenKind kind = pieces[i].kind;
      angles += kind == tok::less;
      if (unsigned closed = closes(i))
        angles -= int(closed);
      if (angles > 0)
        continue;
      if (kind == tok::l_square || kind == tok::l_brace || kind == tok::equal ||
          kind == tok::comma || kind == tok::semi || kind == tok::l_paren)
        return i;
    }
    return i;
  }
  std::optional<Declarator> declaratorAt(size_t i) const {
    size_t end = partEnd(i);
    if (end == i || !isName(end - 1))
      return std::nullopt;
    Declarator found{end - 1, end, end, end};
    while (is(found.end, tok::l_square)) {
      std::optional<size_t> close = closing(found.end);
      if (!close || *close == found.end + 1) // a size that the compiler counts
        return std::nullopt;
      found.end = *close + 1;
    }
    found.initial = found.end;
    for (; !is(found.end, tok::comma) && !is(found.end, tok::semi);
         ++found.end) {
      if (found.end >= pieces.size())
        return std::nullopt;
      if (is(found.end, tok::l_brace) || is(found.end, tok::l_paren)) {
        std::optional<size_t> close = closing(found.end);
        if (!close)
          return std::nullopt;
        found.end = *close;
      }
    }
    if (is(found.initial, tok::l_paren)) // a function, or another way to begin
      return std::nullopt;
    return found;
  }
  /// The declaration with the word at `i`; nothing of one that is left alone.
  std::optional<Managed> managedAt(size_t i) const {
    Managed found{i, i, i};
    while (found.first > 0 && isSpecifier(found.first - 1, found))
      --found.first;
    while (isSpecifier(found.type, found))
      ++found.type;
    size_t next = found.type;
    do {
      std::optional<Declarator> one = declaratorAt(next);
      if (!one)
        return std::nullopt;
      // After a comma, only pointers to what the first is, or the same.
      if (!found.names.empty())
        for (; next != one->name; ++next, ++one->stars)
          if (!is(next, tok::star))
            return std::nullopt;
      if (!found.names.empty() && is(found.names[0].name - 1, tok::star))
        return std::nullopt;
      found.names.push_back(*one);
      next = one->end + 1;
    } while (is(next - 1, tok::comma));
    found.last = next - 1;
    if (found.names[0].name == found.type)
      return std::nullopt;
    return found;
  }
  /// An object that all devices reach, and a reference of the variable's name.
  void write(const Managed &of) {
    std::string made;
    std::string base = text(of.type, of.names[0].name).str();
    std::string words = of.isStatic ? "static " : of.isInline ? "inline " : "";
    for (const Declarator &one : of.names) {
      std::string name = spelling(one.name).str();
      std::string dimensions = text(one.dimensions, one.initial).str();
      std::string type = base + std::string(one.stars, '*');
      if (of.isExtern) {
        made += "extern " + type + " (&" + name + ")" + dimensions + "; ";
        continue;
      }
      made += "struct xcc_type_of_" + name + " { " + type + " value" +
              dimensions + text(one.initial, one.end).str() + "; }; ";
      made += words + "::xcc::shared_global<xcc_type_of_" + name +
              "> xcc_object_of_" + name + "; " + words + "auto &" + name +
              " = xcc_object_of_" + name + "->value; ";
    }
    // Every line stays on its line.
    auto lines = text(of.first, of.last + 1).count('\n');
    auto used = llvm::StringRef(made).count('\n');
    result.text += made + std::string(lines > used ? lines - used : 0, '\n');
  }
};

} // namespace

RewrittenLaunches rewriteLaunches(llvm::StringRef source) {
  // Most headers have none of these: they are not read token by token.
  auto has = [&](llvm::StringRef text) { return source.contains(text); };
  const bool mayLaunch =
      has("<<<") || has("<< <") || has("< <<") || has("< < <");
  const bool mayName = has("struct cuda") || has("enum cuda") ||
                       has("struct hip") || has("enum hip") ||
                       llvm::any_of(OtherAliases, has);
  if (!mayLaunch && !mayName && !has("__managed__") && !has("asm") &&
      llvm::none_of(TakeKernels, has) && llvm::none_of(TakeKernelsToo, has))
    return {source.str(), 0, {}, {}};
  return Rewriter(source).run();
}

} // namespace xcc
