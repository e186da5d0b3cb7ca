"""full_disk.py XCC SOURCE: compiles where files cannot grow beyond some size. What
does not fit is an error, and leaves nothing."""
import os, resource, shutil, subprocess, sys

xcc, source = sys.argv[1], os.path.abspath(sys.argv[2])
for args in (["-c"], ["-S"], ["-E"], ["-emit-llvm", "-c"], [], ["-fuse-ld=lld"],
             ["-c", "-MD", "-MF", "d"], ["-fsyntax-only", "-emit-kernel-info=k"],
             ["-S", "-foffload-device-only"], ["-save-temps"]):
    for limit in (0, 1500, 20000):
        shutil.rmtree("room", ignore_errors=True)
        os.makedirs("room/temporary")

        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        command = [xcc, source, *args] + ([] if "-fsyntax-only" in args else ["-o", "out"])
        done = subprocess.run(command, cwd="room", preexec_fn=small, stderr=subprocess.PIPE,
                              env=dict(os.environ, TMPDIR=os.path.abspath("room/temporary")))
        said = done.stderr.decode()
        left = [f for f in os.listdir("room") if f != "temporary"] + os.listdir("room/temporary")
        if "-save-temps" in args:
            left = [f for f in left if f == "out"]
        wrong = (done.returncode not in (0, 1) or
                 done.returncode == 1 and (left or "error:" not in said) or "internal" in said)
        if wrong:
            sys.exit(f"{args} with {limit} bytes: {done.returncode}, left {left}\n{said}")
print("all outputs whole or absent")
