# Checks test/changed.py's map: that each line names tests, and that no folder of the
# compiler or the runtime falls to the line for everything.
import pathlib
import re
import subprocess
import sys

root, build, lit = sys.argv[1:]
root = pathlib.Path(root).resolve()
sys.path.insert(0, str(root / "test"))
import changed

listed = subprocess.run([lit, "--show-tests", build + "/test"], capture_output=True, text=True,
                        check=True).stdout
names = [line.strip().removeprefix("xcc :: ") for line in listed.splitlines() if " :: " in line]
wrong = [f"'{pattern}' for {folder or 'the rest'} is the name of no test"
         for folder, patterns in changed.MAP.items() for pattern in patterns
         if not any(re.match(pattern, name) for name in names)]
wrong += [f"there is no {folder}" for folder in changed.MAP
          if not list(root.glob(folder + "*"))]
for file in changed.git(root, "ls-files"):
    key = max((key for key in changed.MAP if file.startswith(key)), key=len)
    if not key and "/" in file and not file.startswith("."):
        wrong.append(f"{file}: no line says which tests look at it")
print("\n".join(wrong))
sys.exit(bool(wrong))
