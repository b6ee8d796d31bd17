"""`mqlab play` and `mqlab present`: scenarios as one page that opens anywhere, with one key for the next step."""

import base64
import re
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from html import escape
from pathlib import Path
from string import Template

from mqlab.cli import command_of, near, stopped
from mqlab.cli.pyodide import elements
from mqlab.engine.words.errors import LabError
from mqlab.formats.whole_file import write_whole
from mqlab.lab.checkout import OUTPUT, NotACheckout, checkout
from mqlab.lab.lab import Lab
from mqlab.lab.scenarios import Scenario, names, scenario, scenarios

TEMPLATES = Path(__file__).with_name("templates")
TITLE = "Scenarios: queue managers you can see inside"
LEAD = "Ready-made demonstrations, in steps that ask before they show. Nothing here needs a network."


def page(chosen: list[Scenario], home: str = "", engine: str = "") -> str:
    """Return one HTML page that plays these scenarios: a gallery, or the player itself if there is only one.

    The page loads nothing, and the same scenarios give the same text. `home` is the address of a page that lists more
    scenarios, if any; Escape and a link lead there. With `engine` (`mqlab.cli.pyodide.elements`), the page can change
    what it plays.
    """
    from mqlab.views.player.player import player_script, player_style
    from mqlab.views.theme import style_sheet

    told = [(each, _told(each)) for each in chosen]
    live = bool(engine)
    return Template(_template("present.html")).substitute(
        title=escape(chosen[0].title if len(chosen) == 1 else TITLE),
        lead=escape(LEAD),
        only=chosen[0].name if len(chosen) == 1 else "",
        home=f'<a class="home" href="{escape(home)}" title="Back to all scenarios (Esc)">All scenarios</a>\n'
        if home
        else "",
        style=style_sheet(".mqlab-gallery")
        + player_style(duel=live)
        + _template("present.css")
        + (_template("live.css") if live else ""),
        scripts="'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:" if live else "'unsafe-inline'",
        engine='<p class="keys" id="engine-line" role="status"></p>\n' if live else "",
        parts=engine,
        cards="\n".join(_card(each, lab) for each, lab in told),
        recordings="\n".join(_recording(each, lab) for each, lab in told),
        script=player_script(duel=live)
        + (_template("live.js") if live else "const begun = () => null;\n")
        + _template("present.js"),
    )


def _template(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _told(each: Scenario) -> Lab:
    """Return a lab in which the scenario was played."""
    lab = Lab()
    lab.scenario(each.name)
    return lab


def _recording(each: Scenario, lab: Lab) -> str:
    """Return the recording of a lab for the player, as an element of the page."""
    from mqlab.views.player.player_steps import PlayerSteps

    packed = base64.b64encode(PlayerSteps(lab).packed()).decode("ascii")
    return f'<script id="recording-{each.name}" type="text/plain" data-title="{escape(each.title)}">{packed}</script>'


def _card(each: Scenario, lab: Lab) -> str:
    """Return a scenario in the gallery: its picture, title, and question."""
    picture, words = _small_picture(lab)
    source = base64.b64encode(picture.encode("utf-8")).decode("ascii")
    return (
        f'<li><a href="#scenario={each.name}&amp;present" data-name="{each.name}">'
        f'<img src="data:image/svg+xml;base64,{source}" alt="{escape(words)}">'
        f"<h2>{escape(each.title)}</h2><p>{escape(each.question)}</p>"
        f'<p class="about">{len(lab.shots)} stops · {len(lab.events)} events</p></a></li>'
    )


def _small_picture(lab: Lab) -> tuple[str, str]:
    """Return the picture of a lab at its fullest moment, without the clock, as SVG, and its alternative text."""
    from mqlab.views.drawing.scene import Scene
    from mqlab.views.drawing.topology import HEAD
    from mqlab.views.frames.moments import fullest

    scene = Scene(lab)
    drawn = scene.draw(scene.frame(fullest(lab.events)))
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn.svg)[0])
    box = f'viewBox="0 {HEAD} {width:g} {height - HEAD:g}" width="{width:g}" height="{height - HEAD:g}"'
    return re.sub(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"', box, drawn.svg, count=1), drawn.words


def listing() -> str:
    """Return the scenarios as lines of text: name, title, and first question."""
    width = max(map(len, names()))
    return "".join(f"{each.name:{width}}  {each.title}\n{'':{width}}  {each.question}\n" for each in scenarios())


def place(name: str) -> Path:
    """Return the file for a page if no path is given: in build/ of the checkout, or here without a checkout."""
    try:
        return checkout() / OUTPUT / f"{name}.html"
    except NotACheckout:
        return Path(f"{name}.html").resolve()


def _parser(command: str) -> ArgumentParser:
    """Return the parser of `mqlab play` or `mqlab present` with the options of both."""
    listed = "".join(f"  {line}\n" for line in listing().splitlines())
    parser = command_of(command, listed=listed)
    parser.add_argument("--output", type=Path, metavar="FILE")
    parser.add_argument("--no-open", action="store_true")
    return parser


def play(argv: list[str] | None = None) -> int:
    """Run `mqlab play`; return 0, 1 with one sentence on stderr about a problem, or 2 for a wrong option."""
    parser = _parser("play")
    parser.add_argument("name", metavar="NAME", nargs="?")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(argv)
    if options.list:
        sys.stdout.write(listing())
        return 0
    if options.name is None:
        parser.error(f"NAME must be one of {', '.join(names())}")
    return _write("play", [options.name], options)


def present(argv: list[str] | None = None) -> int:
    """Run `mqlab present`; return 0, or 1 with one sentence on stderr about a problem."""
    parser = _parser("present")
    parser.add_argument("name", metavar="NAME", nargs="*")
    parser.add_argument("--live", action="store_true")
    options = parser.parse_args(argv)
    return _write("present", options.name or names(), options, options.live)


def _write(command: str, asked: list[str], options: Namespace, live: bool = False) -> int:
    """Write the page for these scenarios, with the engine if it is `live`, print its path, and open it."""
    try:
        chosen = [scenario(name) for name in dict.fromkeys(asked)]
        file = options.output or place(asked[0] if command == "play" else "present")
        if file.suffix.lower() not in (".html", ".htm"):
            raise LabError(f"--output must be a file that ends in .html; got {file}")
        text = page(chosen, engine=elements(place("").parent) if live else "")
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, text)
    except LabError as wrong:
        return stopped(command, wrong)
    except OSError as error:
        return stopped(command, f"cannot write {file}: {error.strerror}")
    print(f"wrote {near(file.resolve())} ({len(text.encode()) / 1e6:.1f} MB, one file: any browser opens it)")
    print("Space or Right: next   Left: back   F: full screen   Esc: back")
    if live:
        print("I: what if. In a browser that does not load the simulator from a file:")
        at = file.resolve()
        serve = f"python -m http.server 8000 --bind 127.0.0.1 --directory {at.parent}"
        print(f"{serve}, then http://127.0.0.1:8000/{at.name}")
    if not options.no_open and not webbrowser.open(file.resolve().as_uri()):
        print(f"No browser was found; open {file.resolve().as_uri()}")
    return 0
