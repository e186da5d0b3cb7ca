# Where NVIDIA's disassembler is
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import os
import shutil
import site
import subprocess


def find():
    """The path of $NVDISASM, or of nvdisasm in PATH, in a CUDA toolkit or in the Python
    package nvidia-cuda-nvdisasm; None where there is none."""
    places = [os.path.join(home, "bin") for home in
              (os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda") if home]
    # Of this Python, and of the one that the user's pip installs for.
    packages = [*site.getsitepackages(), site.getusersitepackages()]
    if shutil.which("python3"):
        packages += subprocess.run(
            ["python3", "-c", "import site; print(*site.getsitepackages(), sep='\\n')"],
            capture_output=True, text=True).stdout.split("\n")
    for folder in packages:
        places += glob.glob(os.path.join(folder, "nvidia", "*", "bin"))
    return os.environ.get("NVDISASM") or shutil.which(
        "nvdisasm", path=os.pathsep.join([os.environ.get("PATH", ""), *places]))
