# Compares where a cubin's kernels have their parameters (EIATTR_KPARAM_INFO, which
# the driver goes by) with the descriptors of -emit-kernel-info.
import json
import struct
import sys

INFO, BANK, SIZED = 0x17, 0x0a, 4


def sections(image):
    table, = struct.unpack_from("<Q", image, 0x28)
    count, names = struct.unpack_from("<HH", image, 0x3c)
    headers = [struct.unpack_from("<IIQQQQIIQQ", image, table + 64 * i) for i in range(count)]
    for header in headers:
        begin = headers[names][4] + header[0]
        name = image[begin:image.index(b"\0", begin)].decode()
        yield name, image[header[4]:header[4] + header[5]]


def parameters(info):
    """Offsets and sizes by number, and how many bytes there are in the bank."""
    found, size, at = {}, 0, 0
    while at < len(info):
        form, attribute, value = struct.unpack_from("<BBH", info, at)
        at += 4
        if form != SIZED:
            continue
        if attribute == INFO:
            _, number, offset, bits = struct.unpack_from("<IHHI", info, at)
            found[number] = offset, bits >> 18
        elif attribute == BANK:
            _, _, size = struct.unpack_from("<IHH", info, at)
        at += value
    return found, size


kernels = {kernel["symbol"]: kernel for kernel in json.load(open(sys.argv[1]))["kernels"]}
for path in sys.argv[2:]:
    compared = 0
    for name, data in sections(open(path, "rb").read()):
        kernel = kernels.get(name.removeprefix(".nv.info."))
        if not name.startswith(".nv.info.") or not kernel:
            continue
        found, size = parameters(data)
        wanted = [param for param in kernel["params"] if param["size"]]
        assert len(found) == len(wanted), (path, name, found)
        for number, param in enumerate(wanted):
            offset, bytes_ = found[number]
            # Padding in front is the parameter's own.
            assert offset <= param["offset"], (path, name, number, found)
            assert offset + bytes_ == param["offset"] + param["size"], (path, name, number, found)
        assert size == kernel["kernarg_size"], (path, name, size)
        compared += 1
    print(path, "kernels:", compared)
