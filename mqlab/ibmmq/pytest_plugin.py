"""The plugin of pytest, `-p mqlab.ibmmq.pytest_plugin`, which `mqlab.tools.pytest_plugin` is."""

pytest_plugins = ["mqlab.tools.pytest_plugin"]
