// The result of compiling a source
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "source_table.h"
#include "cache_folder.h"

#include <charconv>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

namespace xcc::rt {

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
class Writer {
public:
  std::string text;

  template <class... Field> void row(char kind, const Field &...fields) {
    text += kind;
    (add(fields), ...);
    text += '\n';
  }

private:
  void add(const std::string &field) {
    text += '\t';
    for (char c : field)
      switch (c) {
      case '\t':
        text += "\\t";
        break;
      case '\n':
        text += "\\n";
        break;
      case '\\':
        text += "\\\\";
        break;
      default:
        text += c;
      }
  }
  void add(uint64_t number) { text += '\t' + std::to_string(number); }
  void add(uint32_t number) { add(uint64_t(number)); }
  void add(char letter) {
    text += '\t';
    text += letter;
  }
};
} // namespace

std::string writeSource(const SourceTable &table, std::string_view images) {
  Writer out;
  for (const SourceDiagnostic &d : table.diagnostics)
    out.row('d', d.level, d.line, d.column, d.file, d.message);
  out.row('l', table.log);
  for (const SourceFile &f : table.files)
    out.row('f', f.stamp, f.hash, f.path);
  for (const std::string &path : table.missing)
    out.row('m', path);
  for (const SourceKernel &k : table.kernels) {
    out.row('k', k.symbol, k.name, k.file, k.line, k.column, k.kernargSize,
            k.kernargAlignment, k.fingerprint);
    for (const std::string &expression : k.expressions)
      out.row('n', expression);
    for (const SourceParam &p : k.params)
      out.row('p', p.name, p.type, p.size, p.alignment, p.offset, p.kind, p.how,
              p.mangled);
    for (const SourceCapture &c : k.captures)
      out.row('c', c.name, c.type, c.size, c.offset, c.byReference, c.kind);
    for (const xcc_argument_place &place : k.specialized)
      out.row('s', place.offset, place.size);
  }
  for (const SourceVariable &v : table.variables)
    out.row('v', v.name, v.type, v.size, v.symbol, v.mangled);
  uint64_t size = out.text.size();
  std::string all(reinterpret_cast<const char *>(&size), sizeof(size));
  all += out.text;
  all += images;
  return all;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// The fields of one row.
class Fields {
public:
  explicit Fields(std::string_view line) : rest(line) {}

  void take(std::string &field) {
    field.clear();
    std::string_view raw = next();
    for (size_t i = 0; i < raw.size(); ++i) {
      char c = raw[i];
      if (c == '\\' && i + 1 < raw.size()) {
        c = raw[++i];
        c = c == 't' ? '\t' : c == 'n' ? '\n' : c;
      }
      field += c;
    }
  }
  template <class Number> void take(Number &number) {
    std::string_view raw = next();
    auto [end, error] =
        std::from_chars(raw.data(), raw.data() + raw.size(), number);
    good &= error == std::errc() && end == raw.data() + raw.size();
  }
  void take(char &letter) {
    std::string_view raw = next();
    good &= raw.size() == 1;
    letter = raw.empty() ? 'v' : raw.front();
  }
  template <class... Field> bool all(Field &...fields) {
    (take(fields), ...);
    return good && rest.empty();
  }

private:
  std::string_view rest; ///< begins with the tab before the next field
  bool good = true;

  std::string_view next() {
    if (rest.empty()) {
      good = false;
      return {};
    }
    rest.remove_prefix(1);
    std::string_view field = rest.substr(0, rest.find('\t'));
    rest.remove_prefix(field.size());
    return field;
  }
};
} // namespace

static bool readRow(char kind, Fields fields, SourceTable &table) {
  SourceKernel *last = table.kernels.empty() ? nullptr : &table.kernels.back();
  switch (kind) {
  case 'd': {
    auto &d = table.diagnostics.emplace_back();
    return fields.all(d.level, d.line, d.column, d.file, d.message);
  }
  case 'l':
    return fields.all(table.log);
  case 'f': {
    auto &f = table.files.emplace_back();
    return fields.all(f.stamp, f.hash, f.path);
  }
  case 'm':
    return fields.all(table.missing.emplace_back());
  case 'k': {
    auto &k = table.kernels.emplace_back();
    return fields.all(k.symbol, k.name, k.file, k.line, k.column, k.kernargSize,
                      k.kernargAlignment, k.fingerprint);
  }
  case 'n':
    return last && fields.all(last->expressions.emplace_back());
  case 'p': {
    if (!last)
      return false;
    auto &p = last->params.emplace_back();
    return fields.all(p.name, p.type, p.size, p.alignment, p.offset, p.kind,
                      p.how, p.mangled);
  }
  case 'c': {
    if (!last)
      return false;
    auto &c = last->captures.emplace_back();
    return fields.all(c.name, c.type, c.size, c.offset, c.byReference, c.kind);
  }
  case 's': {
    if (!last)
      return false;
    auto &place = last->specialized.emplace_back();
    return fields.all(place.offset, place.size);
  }
  case 'v': {
    auto &v = table.variables.emplace_back();
    return fields.all(v.name, v.type, v.size, v.symbol, v.mangled);
  }
  default:
    return false;
  }
}

bool readSource(Bytes bytes, SourceTable &table, Bytes &images) {
  uint64_t size = 0;
  if (!bytes.read(0, size) || !bytes.contains(sizeof(size), size))
    return false;
  std::string_view text(bytes.data() + sizeof(size), size);
  images = bytes.slice(sizeof(size) + size, bytes.size() - sizeof(size) - size);
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    if (line.size() == text.size() || line.empty() ||
        !readRow(line.front(), Fields(line.substr(1)), table))
      return false;
    text.remove_prefix(line.size() + 1);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::string stampOfSource(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
    return "";
  return std::to_string(info.st_size) + " " +
         std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec) + " " +
         std::to_string(info.st_ctim.tv_sec) + "." +
         std::to_string(info.st_ctim.tv_nsec) + " " +
         std::to_string(info.st_ino);
}

std::string hashOfSource(const char *path) {
  FILE *file = fopen(path, "rbe");
  if (!file)
    return "";
  std::string all;
  char part[16384];
  size_t got;
  while ((got = fread(part, 1, sizeof(part), file)) != 0)
    all.append(part, got);
  bool good = !ferror(file);
  fclose(file);
  return good ? cacheKeyOf(all) : "";
}

bool isUpToDate(const SourceTable &table) {
  for (const SourceFile &file : table.files) {
    std::string stamp = stampOfSource(file.path.c_str());
    if (stamp != file.stamp &&
        (stamp.empty() || hashOfSource(file.path.c_str()) != file.hash))
      return false;
  }
  for (const std::string &path : table.missing)
    if (access(path.c_str(), F_OK) == 0)
      return false;
  return true;
}

} // namespace xcc::rt
