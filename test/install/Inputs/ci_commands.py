# usage: ci_commands.py RECIPE: the commands that build and test, of a workflow, a pipeline or a Dockerfile, for a shell
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import pathlib
import sys

recipe = pathlib.Path(sys.argv[1])
lines = recipe.read_text().splitlines()
print("set -ex")
if recipe.name == "Dockerfile":
    known = ("FROM", "ARG", "RUN", "COPY", "ENV", "CMD")
    for line in lines:
        assert not line or line.startswith("#") or line.split()[0] in known, line
    (command,) = [line[4:] for line in lines if line.startswith("CMD ")]
    shell, option, text = json.loads(command)
    assert (shell, option) == ("sh", "-c")
    print(text)
else:
    import yaml

    workflow = yaml.safe_load(recipe.read_text())
    if recipe.name == "gitlab-ci.yml":
        print(*workflow["test"]["script"], sep="\n")
        sys.exit()
    assert True in workflow or "on" in workflow  # YAML reads `on` as true
    (job,) = workflow["jobs"].values()
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step), step
    steps = {step["name"]: step for step in job["steps"] if "run" in step}
    for name in ("Build", "Test"):
        for variable, value in steps[name].get("env", {}).items():
            print(f"export {variable}={value}")
        print(steps[name]["run"])
