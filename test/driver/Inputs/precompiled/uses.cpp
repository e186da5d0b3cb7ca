int run(int *p) {
  xcc::launch({{1}, {1}}, lambda, p);
  xcc::synchronize();
  return *p;
}
int main() {
  static int n;
  int a = in_function(&n), b = in_template(&n), c = Holder{}.in_member(&n);
  xcc::launch({{1}, {1}}, kernel, &n);
  xcc::synchronize();
  int d = n;
  std::printf("%d %d %d %d %d %s\n", a, b, c, d, run(&n), info.name);
}
