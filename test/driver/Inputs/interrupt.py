"""interrupt.py XCC SOURCE: signals reach xcc at every stage of a link: as soon as a
temporary file is there, and while the linker runs, which stands still until it is
told to end. Nothing stays, and the status is the signal's."""
import os, signal, shutil, stat, subprocess, sys

xcc, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
# A linker that makes half an output, says that it runs, and waits.
os.makedirs("bin")
with open("bin/ld", "w") as script:
    script.write('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho half > "$2"\n'
                 "echo $$ > ../running.new && mv ../running.new ../running\nexec tail -f /dev/null\n")
os.chmod("bin/ld", stat.S_IRWXU)


def run(args, wait, number):
    for folder in ("temporary", "out"):
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
    if os.path.exists("running"):
        os.remove("running")
    # Whoever runs the tests may ignore some.
    xcc_process = subprocess.Popen([xcc, *args], cwd="out", stderr=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
                                   env=dict(os.environ, TMPDIR=os.path.abspath("temporary")))
    while xcc_process.poll() is None and not wait():
        pass
    xcc_process.send_signal(number)
    xcc_process.communicate()
    left = os.listdir("temporary") + os.listdir("out")
    if xcc_process.returncode == 0 and left == ["p"]:
        return  # it was faster
    if left or xcc_process.returncode != -number:
        sys.exit(f"{args}, signal {number}: status {xcc_process.returncode}, left {left}")
    if os.path.exists("running"):
        pid = int(open("running").read())
        for _ in range(10000):
            if not os.path.exists(f"/proc/{pid}"):
                break
            os.sched_yield()
        else:
            sys.exit("the linker outlives xcc")


temporary = lambda: os.listdir("temporary")
output = lambda: os.listdir("out")
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    run(["-B../bin", source, "-o", "p"], lambda: os.path.exists("running"), number)
    run([source, "-o", "p"], temporary, number)
    run([source, "-c", "-o", "p"], output, number)
    run(["-offload-arch=gfx90a,gfx1100,host", source, "-o", "p"],
        lambda: any("device" in name for name in temporary()), number)
print("nothing left")
