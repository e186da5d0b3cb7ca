// Buffers of a program's own: marked lines, two places at once; words kept in streams
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --devices host,sm_90,gfx1100 --levels=-O2
#include <fstream>
#include <iostream>
#include <sstream>
#include <streambuf>
#include <string>

class Marked : public std::streambuf {
public:
  Marked(std::streambuf *to, std::string mark) : to(to), mark(std::move(mark)) {}

protected:
  int overflow(int c) override {
    if (c == traits_type::eof())
      return to->pubsync();
    if (atStart)
      to->sputn(mark.data(), std::streamsize(mark.size()));
    atStart = c == '\n';
    return to->sputc(char(c));
  }
  int sync() override { return to->pubsync(); }

private:
  std::streambuf *to;
  std::string mark;
  bool atStart = true;
};

class Both : public std::streambuf {
public:
  Both(std::streambuf *a, std::streambuf *b) : a(a), b(b) { setp(room, room + sizeof room); }
  ~Both() override { sync(); }

protected:
  int overflow(int c) override {
    sync();
    return c == traits_type::eof() ? 0 : sputc(char(c));
  }
  int sync() override {
    a->sputn(pbase(), pptr() - pbase());
    b->sputn(pbase(), pptr() - pbase());
    setp(room, room + sizeof room);
    return 0;
  }

private:
  std::streambuf *a, *b;
  char room[16];
};

const int Level = std::ios_base::xalloc();
std::ostream &deeper(std::ostream &out) {
  ++out.iword(Level);
  return out;
}
std::ostream &indent(std::ostream &out) { return out << std::string(size_t(out.iword(Level)) * 2, ' '); }
void told(std::ios_base::event what, std::ios_base &, int index) { std::cout << "event " << int(what) << ' ' << index << '\n'; }

struct Early {
  Early() { std::cout << "before main\n"; }
  ~Early() { std::cout << "after main" << std::endl; }
} early;

int main() {
  std::ofstream file("log.txt");
  Both both(std::cout.rdbuf(), file.rdbuf());
  Marked marked(&both, "[log] ");
  std::ostream log(&marked);
  log << "one\ntwo " << 2 << "\n" << deeper << indent << "three" << std::endl << deeper << indent << 4.5 << '\n';
  log.register_callback(told, 7);
  std::ostringstream other;
  other.copyfmt(log);
  std::cout << other.iword(Level) << '\n';
  log.flush();
  file.close();
  std::ifstream again("log.txt");
  std::cout << again.rdbuf() << "end\n";
  std::ostringstream everything;
  std::streambuf *before = std::clog.rdbuf(everything.rdbuf());
  std::clog << "hidden " << std::hex << 255;
  std::clog.rdbuf(before);
  std::clog << everything.str() << '\n';
}
