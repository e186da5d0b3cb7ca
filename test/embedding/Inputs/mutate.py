"""mutate.py XCC RUNS SEED FILE...: links damaged copies of objects and archives.
One invariant: xcc ends with 0 or 1, prints an error with 1, and takes no more
memory than such a link does. Where the damage is in what xcc reads itself, a link
that succeeds made a program that prints what the undamaged one prints."""
import random, resource, struct, subprocess, sys

xcc, runs, seed, files = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
random.seed(seed)


def link(path, output):
    """The status and messages of a link, under a limit of memory."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    command = [xcc, "-offload-arch=host", path, "-o", output]
    if path.endswith(".bc.o"):
        command.append("-flto")
    done = subprocess.run(command, capture_output=True, preexec_fn=limit, timeout=120)
    return done.returncode, done.stderr.decode(errors="replace")


def suffix(file):
    return file[file.index("."):]


def program(path):
    done = subprocess.run([path], capture_output=True, timeout=60)
    return done.returncode, done.stdout


def device_code(data):
    """Ranges of the OffloadBinaries, which nobody but xcc reads."""
    ranges, at = [], data.find(b"\x10\xff\x10\xad")
    while at >= 0:
        size = struct.unpack_from("<Q", data, at + 8)[0]
        ranges.append((at, min(len(data), at + size)))
        at = data.find(b"\x10\xff\x10\xad", at + 4)
    return ranges


def mutate(data, begin, end):
    kind, data = random.randrange(6), bytearray(data)
    at = random.randrange(begin, end)
    if kind <= 1:
        data[at] ^= 1 << random.randrange(8)
    elif kind == 2:
        for _ in range(random.randint(2, 30)):
            data[random.randrange(begin, end)] = random.randrange(256)
    elif kind == 3:  # a size or an offset
        at -= at % 8
        number = random.choice([0, 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1, random.getrandbits(24)])
        data[at:at + 8] = struct.pack("<Q", number)
    elif kind == 4:
        length = random.randint(1, 64)
        data[at:at + length] = bytes(length)
    else:
        del data[at:]
    return bytes(data)


names = {file: open(file, "rb").read() for file in files}
expected = {}
for file in files:
    status, said = link(file, "good")
    assert status == 0, said
    expected[file] = program("./good")
outcomes = [0, 0]
for run in range(runs):
    file = random.choice(files)
    data, ranges = names[file], device_code(names[file])
    ours = ranges and random.random() < 0.7
    begin, end = random.choice(ranges) if ours else (0, len(data))
    if ours and random.random() < 0.5:
        end = min(end, begin + 400)  # headers and strings
    changed = mutate(data, begin, end)
    open("damaged" + suffix(file), "wb").write(changed)
    status, said = link("damaged" + suffix(file), "made")
    wrong = ""
    if status not in (0, 1):
        wrong = f"exit status {status}"
    elif status and "error:" not in said:
        wrong = "a failure without an error"
    elif "xcc: internal error" in said or (
        # A linker's plugin meets what is wrong and yet valid, such as an unknown processor.
        not any(of in said for of in ("' failed with", "cannot run '")) and ("LLVM ERROR" in said or "Stack dump" in said)):
        wrong = "a crash"
    elif not status and ours and len(changed) == len(data) and program("./made") != expected[file]:
        wrong = "another program"
    if wrong:
        open("found" + suffix(file), "wb").write(changed)
        print(wrong + ":", file, "run", run, "seed", seed, "\n" + said[-3000:])
        sys.exit(1)
    outcomes[status] += 1
print("ran", sum(outcomes), file=sys.stdout)
print("linked", outcomes[0], "refused", outcomes[1], file=sys.stderr)
