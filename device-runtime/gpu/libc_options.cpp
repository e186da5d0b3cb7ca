// <getopt.h> for GPUs
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a command line as the GNU C library does, with the same messages:
// options may follow operands, which are moved to the end, and long options may
// be abbreviated.

using size_t = decltype(sizeof 0);

struct option {
  const char *name;
  int has_arg; ///< 0: none, 1: needed, 2: optional
  int *flag;
  int val;
};

extern "C" {
extern void *stderr;
int fprintf(void *file, const char *format, ...);
char *getenv(const char *name);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
size_t strlen(const char *s);

[[gnu::weak]] char *optarg;
[[gnu::weak]] int optind = 1, opterr = 1, optopt = '?';
}

namespace {
enum class Order : char { Permute, Require, InOrder };

/// The position of getopt between two calls.
struct {
  const char *next; ///< within a group of short options
  int first, last;  ///< the operands that were skipped, [first, last)
  Order order;
  int wrong; ///< the last invalid option; copied to optopt after each call
  bool started;
} state;

struct Call {
  int argc;
  char **argv;
  const char *letters;
  const option *names;
  int *index;
  bool oneDash; ///< getopt_long_only

  bool tells() const { return opterr && *letters != ':'; }
  int lacksArgument() const { return *letters == ':' ? ':' : '?'; }
};

bool isOption(const char *word) { return word[0] == '-' && word[1]; }

void reverse(char **from, char **to) {
  while (from < to) {
    char *kept = *from;
    *from++ = *--to;
    *to = kept;
  }
}

/// Puts the options in [last, optind) before the operands in [first, last).
void exchange(char **argv) {
  reverse(argv + state.first, argv + state.last);
  reverse(argv + state.last, argv + optind);
  reverse(argv + state.first, argv + optind);
  state.first += optind - state.last;
  state.last = optind;
}

/// Finds the long option that \p text equals or abbreviates. Returns its index,
/// -1 if there is none, or -2 if there are several.
int findName(const option *names, const char *text, size_t size) {
  int found = -1;
  for (int i = 0; names[i].name; ++i) {
    if (strncmp(names[i].name, text, size) != 0)
      continue;
    if (strlen(names[i].name) == size)
      return i;
    if (found == -1)
      found = i;
    else if (found != -2 && (names[i].has_arg != names[found].has_arg ||
                             names[i].flag != names[found].flag ||
                             names[i].val != names[found].val))
      found = -2;
  }
  return found;
}

int takeLong(const Call &call, const char *dashes) {
  const char *text = state.next;
  size_t size = 0;
  while (text[size] && text[size] != '=')
    ++size;
  int found = findName(call.names, text, size);
  if (found == -1 && call.oneDash && *dashes && !dashes[1] &&
      strchr(call.letters, *text))
    return -1; // a short option
  state.next = nullptr;
  ++optind;
  if (found < 0) {
    if (call.tells() && found == -1)
      fprintf(stderr, "%s: unrecognized option '%s%s'\n", call.argv[0], dashes,
              text);
    if (call.tells() && found == -2) {
      fprintf(stderr,
              "%s: option '%s%s' is ambiguous; possibilities:", call.argv[0],
              dashes, text);
      for (const option *o = call.names; o->name; ++o)
        if (strncmp(o->name, text, size) == 0)
          fprintf(stderr, " '%s%s'", dashes, o->name);
      fprintf(stderr, "\n");
    }
    state.wrong = 0;
    return '?';
  }
  const option &o = call.names[found];
  if (text[size]) {
    if (!o.has_arg) {
      if (call.tells())
        fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n",
                call.argv[0], dashes, o.name);
      state.wrong = o.val;
      return '?';
    }
    optarg = const_cast<char *>(text + size + 1);
  } else if (o.has_arg == 1) {
    if (optind >= call.argc) {
      if (call.tells())
        fprintf(stderr, "%s: option '%s%s' requires an argument\n",
                call.argv[0], dashes, o.name);
      state.wrong = o.val;
      return call.lacksArgument();
    }
    optarg = call.argv[optind++];
  }
  if (call.index)
    *call.index = found;
  if (!o.flag)
    return o.val;
  *o.flag = o.val;
  return 0;
}

int takeShort(const Call &call) {
  const char letter = *state.next++;
  const char *known =
      letter == ':' || letter == ';' ? nullptr : strchr(call.letters, letter);
  const bool ends = !*state.next;
  if (ends)
    ++optind;
  if (!known) {
    if (call.tells())
      fprintf(stderr, "%s: invalid option -- '%c'\n", call.argv[0], letter);
    state.wrong = letter;
    return '?';
  }
  if (known[1] != ':')
    return letter;
  if (!ends) {
    optarg = const_cast<char *>(state.next);
    ++optind;
  } else if (known[2] != ':') {
    if (optind >= call.argc) {
      if (call.tells())
        fprintf(stderr, "%s: option requires an argument -- '%c'\n",
                call.argv[0], letter);
      state.wrong = letter;
      state.next = nullptr;
      return call.lacksArgument();
    }
    optarg = call.argv[optind++];
  }
  state.next = nullptr;
  return letter;
}

/// Moves to the next argument that is an option. Returns false if there is
/// none.
bool findWord(const Call &call, int &result) {
  result = -1;
  if (state.last > optind)
    state.last = optind;
  if (state.first > optind)
    state.first = optind;
  if (state.order == Order::Permute) {
    if (state.first != state.last && state.last != optind)
      exchange(call.argv);
    else if (state.last != optind)
      state.first = optind;
    while (optind < call.argc && !isOption(call.argv[optind]))
      ++optind;
    state.last = optind;
  }
  if (optind != call.argc && strncmp(call.argv[optind], "--", 3) == 0) {
    ++optind;
    if (state.first != state.last && state.last != optind)
      exchange(call.argv);
    else if (state.first == state.last)
      state.first = optind;
    state.last = call.argc;
    optind = call.argc;
  }
  if (optind == call.argc) {
    if (state.first != state.last)
      optind = state.first;
    return false;
  }
  if (isOption(call.argv[optind]))
    return true;
  if (state.order == Order::InOrder) {
    optarg = call.argv[optind++];
    result = 1;
  }
  return false;
}

int find(Call call) {
  if (call.argc < 1)
    return -1;
  optarg = nullptr;
  if (optind == 0 || !state.started) {
    if (optind == 0)
      optind = 1;
    state.first = state.last = optind;
    state.next = nullptr;
    state.order = *call.letters == '-' ? Order::InOrder
                  : *call.letters == '+' || getenv("POSIXLY_CORRECT")
                      ? Order::Require
                      : Order::Permute;
    state.started = true;
  }
  if (*call.letters == '-' || *call.letters == '+')
    ++call.letters;
  if (!state.next || !*state.next) {
    int result;
    if (!findWord(call, result))
      return result;
    const char *word = call.argv[optind];
    if (call.names && word[1] == '-') {
      state.next = word + 2;
      return takeLong(call, "--");
    }
    state.next = word + 1;
    if (call.names && call.oneDash &&
        (word[2] || !strchr(call.letters, word[1]))) {
      int found = takeLong(call, "-");
      if (found != -1)
        return found;
    }
  }
  return takeShort(call);
}

int next(const Call &call) {
  const int result = find(call);
  optopt = state.wrong;
  return result;
}
} // namespace

extern "C" {
int getopt(int argc, char *const *argv, const char *letters) {
  return next(
      {argc, const_cast<char **>(argv), letters, nullptr, nullptr, false});
}
int getopt_long(int argc, char *const *argv, const char *letters,
                const option *names, int *index) {
  return next({argc, const_cast<char **>(argv), letters, names, index, false});
}
int getopt_long_only(int argc, char *const *argv, const char *letters,
                     const option *names, int *index) {
  return next({argc, const_cast<char **>(argv), letters, names, index, true});
}
}
