"""Takes pictures of a report: python evals/screenshots.py REPORT.html OUTDIR.

Opens the report in Chromium as on a phone (390x844) and on a desktop (1280x900), in light and dark:
the first screen, the whole page, and a question opened. Says if anything reaches beyond the screen,
or if a script failed. Talks to Chromium through a pipe, as a window can't be narrower than 500.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

CHROMIUMS = "chromium chromium-browser google-chrome google-chrome-stable microsoft-edge".split()
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}
SCHEMES = ("light", "dark")
TALLEST = 6000  # pixels of a page, as a picture of more is of no use
_TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"
_OPEN = """
(() => {
  const question = document.querySelector(".question");
  if (question) { question.open = true; question.scrollIntoView(); }
})()
"""


class Browser:
    """A headless Chromium with one page.

    Args:
        reading, writing: the ends of the pipes that it was started with.
    """

    def __init__(self, reading: IO[bytes], writing: IO[bytes]) -> None:
        self._reading, self._writing = reading, writing
        self._last, self._session = 0, ""
        self.faults: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:  # noqa: ANN401
        """Calls a method of the DevTools protocol and waits for its result.

        Raises:
            RuntimeError: Chromium refuses.
            EOFError: Chromium ended.
        """
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._writing.write(json.dumps(message).encode() + b"\0")
        self._writing.flush()
        while (heard := self._read()).get("id") != self._last:
            self._note(heard)
        if "error" in heard:
            raise RuntimeError(f"{method}: {heard['error']['message']}")
        result: dict[str, Any] = heard["result"]
        return result

    def value(self, expression: str) -> Any:  # noqa: ANN401
        """What an expression is on the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return result["result"].get("value")

    def open(self, page: Path, size: tuple[int, int], scheme: str) -> None:
        """Opens a file on a screen of this size, and waits until it has loaded."""
        self.resize(*size)
        preference = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[preference])
        self.call("Page.navigate", url=page.resolve().as_uri())
        while self.value("document.readyState + location.protocol") != "completefile:":
            pass

    def resize(self, width: int, height: int) -> None:
        """Makes the screen this large; a narrow one is a phone's."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.call("Emulation.setDeviceMetricsOverride", **screen)

    def picture(self, path: Path) -> None:
        """Writes what is seen."""
        shot = self.call("Page.captureScreenshot")
        path.write_bytes(base64.b64decode(shot["data"]))

    def _read(self) -> dict[str, Any]:
        message = bytearray()
        while (byte := self._reading.read(1)) != b"\0":
            if not byte:
                raise EOFError("Chromium ended")
            message += byte
        heard: dict[str, Any] = json.loads(message)
        return heard

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Runtime.exceptionThrown":
            self.faults.append(event["params"]["exceptionDetails"]["text"])
        elif event.get("method") == "Log.entryAdded":
            self.faults.append(event["params"]["entry"]["text"])


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """Chromium, which reads from its file 3 and writes to its file 4, and ends with the block."""
    names = (found for name in CHROMIUMS if (found := shutil.which(name)))
    binary = next(names, None)
    if binary is None:
        raise SystemExit("No Chromium is installed. Next: apt-get install chromium")
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        options += ["--remote-debugging-pipe", f"--user-data-dir={profile}"]
        shell = f'exec "$0" "$@" 3<&{to_read} 4>&{from_write}'
        with subprocess.Popen(
            ["/bin/bash", "-c", shell, binary, *options],
            pass_fds=(to_read, from_write),
            stderr=subprocess.DEVNULL,
        ) as process:
            os.close(to_read)
            os.close(from_write)
            with open(from_read, "rb") as reading, open(to_write, "wb") as writing:  # noqa: PTH123
                try:
                    yield Browser(reading, writing)
                finally:
                    process.terminate()


def take(report: Path, folder: Path) -> list[str]:
    """Writes the pictures into a folder; gives what is wrong, as sentences."""
    wrong: list[str] = []
    with browser() as chromium:
        for name, size in SIZES.items():
            for scheme in SCHEMES:
                chromium.open(report, size, scheme)
                wrong += _pictures(chromium, folder, f"{name}-{scheme}", size)
        return [*dict.fromkeys(wrong), *chromium.faults]


def _pictures(chromium: Browser, folder: Path, name: str, size: tuple[int, int]) -> list[str]:
    chromium.picture(folder / f"{name}.png")
    height = min(TALLEST, chromium.value("document.documentElement.scrollHeight"))
    chromium.resize(size[0], height)
    chromium.picture(folder / f"{name}-whole.png")
    chromium.resize(*size)
    chromium.value(_OPEN)
    chromium.picture(folder / f"{name}-question.png")
    beyond = chromium.value(_TOO_WIDE)
    return [f"{name}: the page is {beyond} pixels too wide"] if beyond > 0 else []


def main() -> None:
    """Takes the pictures, names them, and fails if something is wrong."""
    if len(sys.argv) != 3 or not Path(sys.argv[1]).is_file():
        raise SystemExit("Next: python evals/screenshots.py REPORT.html OUTDIR")
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    wrong = take(Path(sys.argv[1]), folder)
    for picture in sorted(folder.glob("*.png")):
        print(picture)
    if wrong:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
