"""odd_names.py XCC SOURCE: sources with strange names, through an object."""
import json, shutil, subprocess, sys

xcc, source = sys.argv[1], sys.argv[2]
for name in (b"a\tb", b"a\nb", b'a"b', b"a'b", b"a b", b"a\\b", b"a\xffb", b"-x", b"a$b", b"a%sb"):
    path = b"./" + name + b".cpp"
    shutil.copyfile(source, path)
    subprocess.run([xcc, "-g", "-offload-arch=host,sm_90", "-foffload-no-cubin", "-c", path,
                    "-o", b"./" + name + b".o"], check=True)
    subprocess.run([xcc, b"./" + name + b".o", "-o", b"./" + name, "-emit-kernel-info=k.json"], check=True)
    kernels = json.loads(open("k.json", encoding="utf-8", errors="replace").read())["kernels"]
    assert [k["name"] for k in kernels] == ["twice"], kernels
    assert kernels[0]["file"].encode() == path or b"\xff" in path, kernels
    done = subprocess.run([b"./" + name], stdout=subprocess.PIPE, check=True)
    assert b"result: 2 4 6 8" in done.stdout, done
    subprocess.run([xcc, "-save-temps", path, "-o", "p"], check=True)
print("all names linked")
