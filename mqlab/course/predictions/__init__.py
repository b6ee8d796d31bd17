"""Predictions in notebooks: `%%predict` asks, runs the experiment, and shows the result after the learner's answer.

- `pages`: the text of a cell as a question, its explanation, and a page that needs neither a script nor a kernel
- `magic`: the cell magic and its widget
"""
