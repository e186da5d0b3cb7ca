// A program with a regular expression and streams, whose main runs on a device.
#include <iostream>
#include <regex>
#include <string>

int main() {
  const std::regex word("([a-z]+)([0-9]*)(-[A-Z]{2,3})?");
  std::string line;
  while (std::getline(std::cin, line)) {
    std::smatch found;
    if (std::regex_search(line, found, word))
      std::cout << found[1] << ' ' << found[2].length() << '\n';
  }
}
