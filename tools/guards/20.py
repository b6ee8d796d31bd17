# The class is invented if no folder is named; a teacher's own folder has other numbers.

# %% after cell-04
assert set(learners) == {"anna", "bob", "chen", "dora", "emil", "faye"}
assert len(unread) == 1

# %% after hardest
# says "two of the four learners who began it did not complete it, and the other two used a hint or the solution."
assert predicted == {"20/hardest": "T02"}
row = report.set_index("exercise").loc["T02"]
assert (row["learners"], row["open"], row["helped"], row["alone"]) == (4, 2, 2, 0)
assert set(report["exercise"]) == {"Q01", "E03", "T02", "C02"}

# %% after cell-07
open_rows = report[report["open"] > 0]
assert list(open_rows["exercise"]) == ["C02", "T02"]
assert (open_rows["passed"] < open_rows["of"]).all()

# %% after cell-10
assert set(symptoms["exercise"]) == {"Q01", "E03", "T02", "C02"}
assert symptoms.groupby("exercise").size().max() <= 3

# %% after cell-12
# says "The commonest wrong predictions in notebooks come first"
assert [each.wrong for each in notebooks] == sorted((each.wrong for each in notebooks), reverse=True)
assert {each.key: each.instead for each in notebooks}["03/types"] == "1; 7; 2"

# %% after cell-14
assert tuple(wrong.iloc[0])[:5] == ("Q01", "refused", 5, 3, "5")

# %% after cell-16
shown = classes.class_map(learners)
assert shown.skills["MQI-01"].state == "right"
assert (shown.skills["EXP-10"].state, shown.skills["EXP-10"].wrong) == ("wrong", 2)

# %% after cell-17
# says "a learner must be right on three days, at least 3 and then at least 7 days apart"
assert "right on three days, at least 3 and then at least 7 days apart" in classes.class_map(learners).html()

# %% after cell-19
assert (progress["done"] <= progress["begun"]).all()
assert classes.activities(learners)[0] == ("anna", "4 of 4", "1 of 1", "1 of 1", "1 of 1", "1")
