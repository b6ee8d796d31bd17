"""The player: the steps of a lab's log, their pictures, and the page that plays them."""
