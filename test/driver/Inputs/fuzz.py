"""fuzz.py XCC SOURCE RUNS: random command lines. One invariant: a failure prints
an error and exits with 1, a success makes its output, and no temporary file
stays."""
import os, random, shutil, subprocess, sys, tempfile

xcc, source, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
options = [
    "-c", "-S", "-E", "-O2", "-g", "-emit-llvm", "-fsyntax-only", "-shared",
    "-fPIC", "-MD", "-MMD", "-M", "-v", "-###", "-save-temps", "-r", "-static",
    "-offload-arch=host", "-offload-arch=x86-64-v2,native", "-offload-arch=no",
    "-foffload-host-only", "-foffload-device-only", "-emit-kernel-info=k.json",
    "-emit-kernel-info=no/k.json", "-shared-libxcc", "-nostdlib", "-fuse-ld=lld",
    "-x", "c++", "c", "-o", "out", "no/out", "-Wl,-z,now", "-lnone", "none.o",
    "-MF", "-D", "-std=c++14", "-std=c++20", "--", "-", "@none", source, source,
]
random.seed(22)
for _ in range(runs):
    args = random.sample(options, random.randint(1, 5)) + [source]
    work = tempfile.mkdtemp(dir=".")
    temporary = os.path.join(work, "temporary")
    os.mkdir(temporary)
    done = subprocess.run([xcc] + args, cwd=work, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120,
                          env=dict(os.environ, TMPDIR=temporary))
    said = done.stderr.decode(errors="replace")
    wrong = ""
    if done.returncode not in (0, 1):
        wrong = f"exit status {done.returncode}"
    elif done.returncode and "error:" not in said:
        wrong = "a failure without an error"
    elif not done.returncode and "error:" in said:
        wrong = "an error without a failure"
    elif os.listdir(temporary):
        wrong = f"temporary files stay: {os.listdir(temporary)}"
    if wrong:
        print(wrong + ":", "xcc", *args, "\n" + said[-2000:])
        sys.exit(1)
    shutil.rmtree(work)
print("ran", runs)
