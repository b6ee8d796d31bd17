"""Memory: which rules a learner has met, predicted, and mastered, and which of them a review asks again today.

- `skills`: the lines of a progress file folded to a state for each rule, with the schedule
- `skill_map`: the states of all rules as a picture, a table, and text
"""
