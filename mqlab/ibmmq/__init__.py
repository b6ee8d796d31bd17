"""IBM's Python library on a lab: the functions below the unmodified ibmmq and pymqi, answered by the lab's engine."""
