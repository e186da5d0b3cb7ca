// A Scheme: reader, closures, tail calls, a garbage collector
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %compare %s --input %S/Inputs/program.scm
// RUN: %compare %s --devices sm_90,gfx1100 --levels=-O2 --input %S/Inputs/program.scm
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct object *value;
enum kind { Nil, Number, Symbol, Pair, Builtin, Closure, Boolean };
struct object {
  enum kind kind;
  int marked;
  union {
    long number;
    const char *name;
    struct { value first, rest; };
    value (*call)(value);
    struct { value parameters, body, scope; };
  };
  value next;
};

static struct object nilObject = {Nil}, trueObject = {Boolean, 0, {1}}, falseObject = {Boolean, 0, {0}};
static value nil = &nilObject, yes = &trueObject, no = &falseObject;
static value heap, symbols, global;
static value roots[4096];
static int rootCount;
static long live, limit = 3000, collections;

static void die(const char *what) {
  printf("error: %s\n", what);
  exit(1);
}
static void keep(value v) {
  if (rootCount == 4096)
    die("recursion too deep");
  roots[rootCount++] = v;
}
static void mark(value v) {
  while (v && !v->marked && v->kind != Nil && v->kind != Boolean) {
    v->marked = 1;
    if (v->kind == Pair) {
      mark(v->first);
      v = v->rest;
    } else if (v->kind == Closure) {
      mark(v->parameters);
      mark(v->body);
      v = v->scope;
    }
  }
}
static void collect(void) {
  ++collections;
  mark(symbols);
  mark(global);
  for (int i = 0; i < rootCount; ++i)
    mark(roots[i]);
  for (value *at = &heap; *at;) {
    value v = *at;
    if (v->marked) {
      v->marked = 0;
      at = &v->next;
    } else {
      *at = v->next;
      free(v);
      --live;
    }
  }
  limit = live * 2 + 3000;
}
static value make(enum kind kind) {
  value v = calloc(1, sizeof *v);
  v->kind = kind;
  v->next = heap;
  heap = v;
  ++live;
  return v;
}
static value number(long n) {
  value v = make(Number);
  v->number = n;
  return v;
}
static value cons(value first, value rest) {
  value v = make(Pair);
  v->first = first;
  v->rest = rest;
  return v;
}
static value symbol(const char *name) {
  for (value s = symbols; s != nil; s = s->rest)
    if (!strcmp(s->first->name, name))
      return s->first;
  value v = make(Symbol);
  v->name = strdup(name);
  symbols = cons(v, symbols);
  return v;
}

static int peeked = -2;
static int peek(void) {
  if (peeked == -2)
    peeked = fgetc(stdin);
  return peeked;
}
static int take(void) {
  int c = peek();
  peeked = -2;
  return c;
}
static value read(void) {
  while (peek() == ' ' || peek() == '\n' || peek() == ';')
    if (take() == ';')
      while (peek() != '\n' && peek() != EOF)
        take();
  if (peek() == EOF)
    return 0;
  if (peek() == '\'') {
    take();
    return cons(symbol("quote"), cons(read(), nil));
  }
  if (peek() == '(') {
    take();
    value list = nil, *end = &list;
    for (;;) {
      while (peek() == ' ' || peek() == '\n')
        take();
      if (peek() == EOF)
        die("an open list");
      if (peek() == ')')
        break;
      *end = cons(read(), nil);
      end = &(*end)->rest;
    }
    take();
    return list;
  }
  char text[64];
  int n = 0;
  while (peek() != ' ' && peek() != '\n' && peek() != '(' && peek() != ')' && peek() != EOF && n < 63)
    text[n++] = (char)take();
  text[n] = 0;
  char *rest;
  long l = strtol(text, &rest, 10);
  if (!*rest && n)
    return number(l);
  if (!strcmp(text, "#t"))
    return yes;
  return strcmp(text, "#f") ? symbol(text) : no;
}
static void print(value v) {
  switch (v->kind) {
  case Nil: printf("()"); break;
  case Number: printf("%ld", v->number); break;
  case Boolean: printf(v == yes ? "#t" : "#f"); break;
  case Symbol: printf("%s", v->name); break;
  case Builtin:
  case Closure: printf("#<procedure>"); break;
  case Pair:
    printf("(");
    for (;; v = v->rest) {
      print(v->first);
      if (v->rest->kind != Pair)
        break;
      printf(" ");
    }
    if (v->rest != nil) {
      printf(" . ");
      print(v->rest);
    }
    printf(")");
  }
}

static value find(value name, value scope) {
  for (; scope != nil; scope = scope->rest)
    for (value b = scope->first; b != nil; b = b->rest)
      if (b->first->first == name)
        return b->first;
  return 0;
}
static value *cell(value name, value scope) {
  value binding = find(name, scope);
  if (!binding) {
    printf("error: unbound %s\n", name->name);
    exit(1);
  }
  return &binding->rest;
}
static void define(value name, value v, value scope) {
  scope->first = cons(cons(name, v), scope->first);
}
static value eval(value e, value scope);
static value evalList(value list, value scope) {
  if (list == nil)
    return nil;
  value first = eval(list->first, scope);
  keep(first);
  value rest = evalList(list->rest, scope);
  --rootCount;
  return cons(first, rest);
}
static value eval(value e, value scope) {
  int before = rootCount;
  for (;;) {
    rootCount = before;
    keep(e);
    keep(scope);
    if (live > limit)
      collect();
    value result = 0;
    if (e->kind == Symbol) {
      result = *cell(e, scope);
    } else if (e->kind != Pair) {
      result = e;
    } else {
      value head = e->first, args = e->rest;
      const char *name = head->kind == Symbol ? head->name : "";
      if (!strcmp(name, "quote")) {
        result = args->first;
      } else if (!strcmp(name, "if")) {
        value test = eval(args->first, scope);
        args = args->rest;
        e = test != no ? args->first : args->rest == nil ? nil : args->rest->first;
        continue;
      } else if (!strcmp(name, "define")) {
        if (args->first->kind == Pair) {
          value made = make(Closure);
          made->parameters = args->first->rest;
          made->body = args->rest;
          made->scope = scope;
          define(args->first->first, made, scope);
        } else {
          define(args->first, eval(args->rest->first, scope), scope);
        }
        result = nil;
      } else if (!strcmp(name, "set!")) {
        value made = eval(args->rest->first, scope);
        *cell(args->first, scope) = made;
        result = nil;
      } else if (!strcmp(name, "lambda")) {
        result = make(Closure);
        result->parameters = args->first;
        result->body = args->rest;
        result->scope = scope;
      } else {
        value f = eval(head, scope);
        keep(f);
        value given = evalList(args, scope);
        keep(given);
        if (f->kind == Builtin) {
          result = f->call(given);
        } else if (f->kind == Closure) {
          value frame = cons(nil, f->scope);
          keep(frame);
          for (value p = f->parameters; p != nil; p = p->rest, given = given->rest) {
            if (given == nil)
              die("too few arguments");
            define(p->first, given->first, frame);
          }
          value body = f->body;
          keep(body);
          for (; body->rest != nil; body = body->rest)
            eval(body->first, frame);
          e = body->first;
          scope = frame;
          continue;
        } else {
          die("not a procedure");
        }
      }
    }
    rootCount = before;
    return result;
  }
}

#define ARITHMETIC(name, op)                                                                                           \
  static value name(value a) {                                                                                         \
    long n = a->first->number;                                                                                         \
    for (a = a->rest; a != nil; a = a->rest)                                                                           \
      n = n op a->first->number;                                                                                       \
    return number(n);                                                                                                  \
  }
ARITHMETIC(add, +)
ARITHMETIC(subtract, -)
ARITHMETIC(multiply, *)
static value quotient(value a) {
  if (!a->rest->first->number)
    die("division by zero");
  return number(a->first->number / a->rest->first->number);
}
static value less(value a) { return a->first->number < a->rest->first->number ? yes : no; }
static value equal(value a) { return a->first->number == a->rest->first->number ? yes : no; }
static value isNull(value a) { return a->first == nil ? yes : no; }
static value car(value a) { return a->first->kind == Pair ? a->first->first : (die("car of no pair"), nil); }
static value cdr(value a) { return a->first->rest; }
static value consOf(value a) { return cons(a->first, a->rest->first); }
static value display(value a) {
  print(a->first);
  return nil;
}
static value newline(value a) {
  (void)a;
  printf("\n");
  return nil;
}

int main(void) {
  symbols = nil;
  global = cons(nil, nil);
  const struct { const char *name; value (*call)(value); } all[] = {{"+", add}, {"-", subtract}, {"*", multiply}, {"quotient", quotient}, {"<", less}, {"=", equal}, {"null?", isNull}, {"car", car}, {"cdr", cdr}, {"cons", consOf}, {"display", display}, {"newline", newline}};
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i) {
    value f = make(Builtin);
    f->call = all[i].call;
    define(symbol(all[i].name), f, global);
  }
  long saved = limit;
  for (;;) {
    limit = 1L << 40; // what is being read has no root yet
    value e = read();
    limit = saved > live ? saved : live;
    if (!e)
      break;
    value result = eval(e, global);
    if (result != nil) {
      print(result);
      printf("\n");
    }
    saved = limit;
  }
  printf("collected: %s\n", collections > 2 ? "often" : "seldom");
  return 7;
}
