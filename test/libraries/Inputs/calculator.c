// An interpreter of formulas as libraries in C have them: a table of functions as
// addresses without types, numbers and calls in a tree. It knows nothing of xcc.

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
  const char *name;
  const void *address;
  int arity;
} entry;
typedef double (*f0)(void);
typedef double (*f1)(double);
typedef double (*f2)(double, double);
static double pi(void) { return 3.14159265358979323846; }
static double add(double a, double b) { return a + b; }
static double sub(double a, double b) { return a - b; }
static double mul(double a, double b) { return a * b; }
static const entry table[] = {
    {"abs", fabs, 1}, {"atan2", atan2, 2}, {"ceil", ceil, 1}, {"cos", cos, 1},
    {"exp", exp, 1},  {"floor", floor, 1}, {"ln", log, 1},    {"pi", pi, 0},
    {"pow", pow, 2},  {"sqrt", sqrt, 1},   {0, 0, 0}};
typedef struct node {
  int arity;
  union {
    double value;
    const void *fn;
  };
  struct node *p[2];
} node;
typedef struct {
  const char *at;
} state;
static node *make(int arity) {
  node *n = calloc(1, sizeof *n);
  n->arity = arity;
  return n;
}
static node *sum(state *s);
static node *base(state *s) {
  while (isspace((unsigned char)*s->at))
    s->at++;
  if (isdigit((unsigned char)*s->at)) {
    node *n = make(-1);
    n->value = strtod(s->at, (char **)&s->at);
    return n;
  }
  if (*s->at == '(') {
    s->at++;
    node *n = sum(s);
    s->at++;
    return n;
  }
  const char *b = s->at;
  while (isalnum((unsigned char)*s->at))
    s->at++;
  for (const entry *e = table; e->name; ++e)
    if (!strncmp(e->name, b, s->at - b) && !e->name[s->at - b]) {
      node *n = make(e->arity);
      n->fn = e->address;
      if (*s->at == '(') {
        for (int i = 0; i < e->arity; ++i) {
          s->at++;
          n->p[i] = sum(s);
        }
        s->at++;
      }
      return n;
    }
  node *n = make(-1);
  n->value = NAN;
  return n;
}
static node *product(state *s) {
  node *n = base(s);
  while (*s->at == '*') {
    s->at++;
    node *m = make(2);
    f2 t = mul;
    m->fn = (const void *)t;
    m->p[0] = n;
    m->p[1] = base(s);
    n = m;
  }
  return n;
}
static node *sum(state *s) {
  node *n = product(s);
  while (*s->at == '+' || *s->at == '-') {
    const void *f = *s->at++ == '+' ? (const void *)add : (const void *)sub;
    node *m = make(2);
    m->fn = f;
    m->p[0] = n;
    m->p[1] = product(s);
    n = m;
  }
  return n;
}
static double eval(const node *n) {
  switch (n->arity) {
  case -1:
    return n->value;
  case 0:
    return ((f0)n->fn)();
  case 1:
    return ((f1)n->fn)(eval(n->p[0]));
  default:
    return ((f2)n->fn)(eval(n->p[0]), eval(n->p[1]));
  }
}
static void drop(node *n) {
  if (!n)
    return;
  drop(n->p[0]);
  drop(n->p[1]);
  free(n);
}
double calculate(const char *text) {
  state s = {text};
  node *n = sum(&s);
  double v = eval(n);
  drop(n);
  return v;
}
