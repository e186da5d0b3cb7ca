import m;
int main() {
  static int n;
  run(&n);
#ifdef INLINE
  in_header(&n);
#endif
  return n != 1;
}
