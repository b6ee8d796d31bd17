"""A reader of HTML for tests."""

from html.parser import HTMLParser

VOID = {"br", "img", "rect", "path", "circle", "line", "input", "meta", "wbr"}


class Tree(HTMLParser):
    """The elements of a piece of HTML, each as (tag, attributes, words within, tags around it); every element that is
    opened is closed."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.open, self.words = [], [], []
        self.feed(html)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(self.elements[-1])

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), [], [tag for tag, *_ in self.open]))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if not self.open or self.open[-1][0] != "style":
            self.words.append(data)
            for element in self.open:
                element[2].append(data)

    def of(self, tag):
        """The attributes and the text of each element with a tag."""
        return [(attributes, "".join(words)) for name, attributes, words, _ in self.elements if name == tag]

    @property
    def tags(self):
        return [tag for tag, *_ in self.elements]

    @property
    def attributes(self):
        return [(name, value) for _, attributes, *_ in self.elements for name, value in attributes.items()]

    @property
    def text(self):
        return "".join(self.words)
