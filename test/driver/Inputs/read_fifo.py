"""read_fifo.py FIFO COMMAND...: prints what the command writes to the FIFO."""
import subprocess, sys

command = subprocess.Popen(sys.argv[2:])
with open(sys.argv[1]) as fifo:
    sys.stdout.write(fifo.read())
sys.exit(command.wait())
