"""Memory: the rules that a learner has seen, predicted, and mastered, and those that a review asks again today.

- `lines`: the lines of a progress file, their kinds, and what they say of predictions and exercises
- `skills`: these lines folded to a state for each rule, with the schedule
- `drills`: questions that ask a rule with other numbers, judged by the engine
- `review`: the questions that are due on a day, and their record
- `classes`: a class from its files: rules to teach, needs, wrong answers, beliefs; `class_page` writes them as a page
"""
