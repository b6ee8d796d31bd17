"""Predictions in notebooks: `%%predict` asks, runs the experiment, and shows the result after the learner's answer.

- `question`: the text of a cell as a question, its parts, and the blocks of its experiment
- `explanations`: the texts of answers/NN.md, which no notebook contains
- `pages`: a question as HTML that needs neither a script nor a kernel
- `magic`: the cell magic and its widget
"""
