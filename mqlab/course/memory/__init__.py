"""Memory: the rules that a learner has seen, predicted, and mastered, and those that a review asks again today.

- `skills`: the lines of a progress file folded to a state for each rule, with the schedule
- `drills`: questions that ask a rule with other numbers, judged by the engine
- `review`: the questions that are due on a day, and their record
- `classes`: the map, the wrong predictions, and the activities of a class; `invented` makes one
"""
