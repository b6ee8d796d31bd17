"""The plugin of pytest, `-p mqlab.ibmmq.pytest_plugin`, which `mqlab.cli.pytest_plugin` is."""

pytest_plugins = ["mqlab.cli.pytest_plugin"]
