# Compiles every .cpp of a folder for GPUs alone and looks at what comes out.
# usage: compile_all.py XCC LLVM FOLDER ARCH...
import pathlib
import subprocess
import sys

xcc, llvm, folder, *archs = sys.argv[1:]


def run(*command):
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode:
        sys.exit(" ".join(command) + "\n" + done.stdout + done.stderr)
    return done.stdout


programs = [path for path in sorted(pathlib.Path(folder).glob("*.cpp"))
            if "launch(" in path.read_text() or "parallel_for(" in path.read_text()]
# Of one that compiles its kernels as it runs there are none.
programs = [path for path in programs if "compile_source(" not in path.read_text()]
# One that is linked with a file of its own is compiled for the host's link.
programs = [path for path in programs if not (path.parent / "library" / path.name).exists()]
assert len(programs) > 7, programs
for path in programs:
    run(xcc, "-std=c++20", "-O2", "-c", "-foffload-device-only", "-foffload-ptx=none",
        "-offload-arch=" + ",".join(archs), str(path), "-o", path.stem + ".image")
    for arch in archs:
        image, = pathlib.Path().glob(f"{path.stem}-{arch}.*")
        head = image.read_bytes()[:20]
        assert head[:4] == b"\x7fELF", image
        if arch.startswith("sm"):
            assert head[18] == 190, image  # EM_CUDA
        else:
            notes = run(llvm + "/bin/llvm-readelf", "--notes", str(image))
            assert f"amdgcn-amd-amdhsa--{arch}" in notes and ".symbol:" in notes, image
