"""A headless Chromium, driven over WebDriver: no more than the report's test needs."""
import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def installed():
    return shutil.which("chromedriver") and shutil.which("chromium")


class Browser:
    def __init__(self, width=1280, height=900, dark=False):
        # A busy machine may be slow to start it: that says nothing of the page.
        for attempt in range(3):
            try:
                self.start(width, height)
                break
            except (OSError, RuntimeError):
                self.stop()
                if attempt == 2:
                    raise
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.devtools("Network.enable")
        self.devtools("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)

    def start(self, width, height):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = None
        while port is None:
            line = self.driver.stdout.readline()
            if not line:
                raise RuntimeError("chromedriver ended")
            if found := re.search(r"started successfully on port (\d+)", line):
                port = found[1]
        self.base = f"http://127.0.0.1:{port}/session"
        arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", f"--window-size={width},{height}",
                     f"--user-data-dir={self.profile.name}", "--force-device-scale-factor=1", "--hide-scrollbars"]
        answer = self.call("", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": arguments}}}})
        self.base += "/" + answer["sessionId"]

    def stop(self):
        self.driver.kill()
        self.driver.wait()
        self.driver.stdout.close()
        self.profile.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("", method="DELETE")
        except OSError:
            pass  # it goes with its driver
        finally:
            self.stop()

    def call(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"},
                                         method=method or ("GET" if body is None else "POST"))
        with urllib.request.urlopen(request, timeout=120) as reply:
            return json.load(reply)["value"]

    def devtools(self, command, **parameters):
        return self.call("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, path):
        self.call("/url", {"url": "file://" + str(path)})

    def run(self, script, *arguments):
        return self.call("/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self.call("/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.call(f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        self.call(f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, key):
        keys = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self.call("/actions", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})

    def console(self):
        return [entry["message"] for entry in self.call("/se/log", {"type": "browser"})]

    def screenshot(self, path, whole=False):
        picture = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
