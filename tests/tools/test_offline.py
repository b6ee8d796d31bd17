"""What a page would fetch is found, and what it only mentions is not."""

from helpers import for_each
from tools.offline import external_loads

FAR = "https://cdn.example/x"


@for_each(
    "html",
    f'<script src="{FAR}"></script>',
    f"<link rel=stylesheet href='{FAR}'>",
    f'<img src="{FAR}">',
    f'<img srcset="{FAR}">',
    f'<iframe src="{FAR}"></iframe>',
    f'<object data="{FAR}"></object>',
    f'<svg><image href="{FAR}"/></svg>',
    f'<svg><use xlink:href="{FAR}"/></svg>',
    f"<style>@import '{FAR}';</style>",
    f"<style>b {{ background: url({FAR}) }}</style>",
    f'<p style="background: url({FAR})">x</p>',
    f'<script type="module">import x from "{FAR}"</script>',
    f'<script>fetch("{FAR}")</script>',
    '<script src="//cdn.example/x"></script>',
)
def test_a_load_from_the_network_is_found(html):
    assert len(external_loads(html)) == 1
    assert "cdn.example/x" in external_loads(html)[0]


@for_each(
    "html",
    f'<a href="{FAR}">further reading</a>',
    f"<p>{FAR}</p>",
    f"<pre>import x from '{FAR}'</pre>",
    '<svg xmlns="http://www.w3.org/2000/svg"><use href="#here"/></svg>',
    '<img src="data:image/png;base64,AAAA">',
    '<img src="picture.png">',
    f"<!-- {FAR} -->",
)
def test_what_is_only_mentioned_is_not(html):
    assert external_loads(html) == []
