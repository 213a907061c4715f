#!/usr/bin/env python3
"""The HTML report in a headless Chromium, opened from disk with the network off.

usage: page_test.py PROGRAM [--pictures DIR]
Without chromium and chromedriver the test is skipped (exit code 77); --pictures writes what it looks like.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import browser

PROGRAM, PICTURES = "", None
ARROW_DOWN, ENTER = "\ue015", "\ue007"


def output(name, **more):
    return {"name": name, "data_set": 0, "dtype": "float32", "shape": [4], "tolerance": {"kind": "official", "rtol": 1e-3, "atol": 1e-7},
            "max_abs": 0.0, "max_rel": 0.0, "max_ulp": 0, "bound_ratio": None, "expected_ratio": None, "mismatched": 0, "unspecified": 0,
            "unproved": 0, "loose": 0, "elements": 4, **more}


WRONG = output("y", mismatched=2, max_abs="inf", max_rel=0.5, max_ulp=4194304, magnitude=3.0, ulp_counts=[1, 1] + [0] * 20 + [2],
               ulp_by_exponent=[[-1, 1], [1, 4194304]],
               first_mismatch={"index": [2], "expected": "1.5 (0x3fc00000)", "actual": "3.0 (0x40400000)"})


def result(test, backend, status, ops, **more):
    return {"test": test, "path": "tests/" + test, "backend": backend, "status": status, "seconds": 0.01, "message": "", "ops": ops,
            "op_versions": [13] * len(ops), "outputs": [output("y")] if status == "pass" else [], "warnings": [], "erratum": "",
            "generated_inputs": [], "extracted": "", "unstable": [], "nodes": [], **more}


def results():
    node = {"domain": "ai.onnx", "path": "", "since_version": 11, "message": ""}
    inputs = [{"name": "w", "type": "float32", "shape": [4], "constant": True, "elements": 4, "minimum": "-2.0 (0xc0000000)",
               "maximum": "0.5 (0x3f000000)", "smallest_magnitude": "0.5 (0x3f000000)", "nan": 1, "infinite": 0, "zero": 1, "subnormal": 0}]
    nodes = [{**node, "node": "first", "op": "Relu", "index": 0, "status": "pass", "outputs": [output("a")], "in_model": [output("a")]},
             {**node, "node": "second", "op": "Conv", "index": 1, "status": "fail", "outputs": [WRONG], "in_model": [WRONG], "inputs": inputs,
              "extracted": "broken/second"},
             {**node, "node": "third", "op": "Relu", "index": 2, "status": "pass", "outputs": [output("c")], "in_model": [WRONG]}]
    place = {"node": "second", "op": "Conv", "domain": "ai.onnx", "since_version": 11, "index": 1, "output": "y", "path": ""}
    rows = [result(f"test_{op.lower()}_{i}", backend, "pass", [op]) for op in ("Abs", "Relu", "Softmax") for i in range(30)
            for backend in ("alpha", "beta")]
    rows += [result("test_abs_wrong", "alpha", "fail", ["Abs"], outputs=[WRONG], message='<b>& "y"[2]</b>: expected 1.5'),
             result("test_abs_old", "beta", "unsupported", ["Abs"], message="not there"),
             result("test_known", "beta", "fail", ["Relu"], outputs=[WRONG], known={"reason": "a bug of theirs", "link": "https://example.org/1"}),
             result("model", "alpha", "fail", ["Relu", "Conv"], outputs=[WRONG], nodes=nodes, first_divergence=place, first_in_model=place)]
    backends = [{"spelling": name, "name": name, "version": "1.0", "options": {"level": "2"}, "device": "cpu"} for name in ("alpha", "beta")]
    return {"tool": "onnx-verify", "format": 1, "version": "0", "backends": backends, "summary": {}, "results": rows}


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        at = pathlib.Path(cls.folder.name)
        (at / "r.json").write_text(json.dumps(results()))
        subprocess.run([PROGRAM, "report", str(at / "r.json"), "--html", str(at / "page.html"), "--quiet"], check=True)
        cls.page = at / "page.html"
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.open(self.page)

    def tearDown(self):
        self.assertEqual(self.browser.console(), [])

    def text(self, selector):
        return self.browser.run("return document.querySelector(arguments[0]).innerText", selector)

    def count(self, selector):
        return self.browser.run("return document.querySelectorAll(arguments[0]).length", selector)

    def open_test(self, name):
        self.browser.run("[...document.querySelectorAll('.opener')].find(b => b.innerText === arguments[0]).click()", name)

    def test_nothing_is_loaded_from_elsewhere(self):
        text = self.page.read_text()
        self.assertEqual(re.findall(r"""(?:src|href)=["'](?!#|data:)[^"']*""", text), [])
        self.assertEqual(re.findall(r"@import|url\(|fetch\(|XMLHttpRequest", text), [])
        self.assertEqual(self.browser.run("return performance.getEntriesByType('resource').length"), 0)

    def test_the_summary_counts_and_filters(self):
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('#summary tbody tr')].map(r => r.innerText.split(/\\s+/)[0])"),
                         ["alpha", "beta"])
        self.browser.click("#summary button.fail")
        self.assertEqual(self.text("#shown"), "2 of 184")

    def test_a_click_on_a_failure_shows_its_values(self):
        self.open_test("test_abs_wrong")
        shown = self.text(".detail")
        for words in ("1.5", "0x3fc00000", "3.0", "0x40400000", "first at [2]", "2 of 4", "4194304", "inf", '<b>& "y"[2]</b>'):
            self.assertIn(words, shown)
        self.assertEqual(self.count(".detail svg"), 2)
        self.assertEqual(self.text(".detail .command"), "onnx-verify suite tests/test_abs_wrong --backend=alpha")
        self.assertEqual(self.count(".detail b"), 0)
        self.open_test("test_abs_wrong")
        self.assertEqual(self.count(".detail"), 0)

    def test_a_filter_narrows_the_table(self):
        everything = self.count("#list tr.row")
        self.assertGreater(everything, 50)
        self.browser.press("/")
        self.browser.type("#filters input", "softmax_1")
        self.assertEqual(self.count("#list tr.row"), 22)  # 1 and 10 to 19, on two backends
        self.assertEqual(self.text("#shown"), "22 of 184")
        self.browser.run("const f = document.forms[0]; f.backend.value = 'beta'; f.dispatchEvent(new Event('input'))")
        self.assertEqual(self.count("#list tr.row"), 11)
        self.browser.click("#filters button")
        self.browser.run("const f = document.forms[0]; f.status.value = 'bad'; f.dispatchEvent(new Event('input'))")
        self.assertEqual(self.count("#list tr.row"), 2)

    def test_more_rows_on_demand(self):
        self.browser.click(".more")
        self.assertEqual(self.count("#list tr.row"), 184)

    def pick_matrix(self, backend):
        self.browser.run("const s = document.querySelector('.picker select'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", backend)

    def test_the_matrix_sets_backends_side_by_side(self):
        self.assertEqual(self.browser.run("return [...document.querySelectorAll('#matrix thead th')].map(t => t.innerText)"),
                         ["operator", "alpha", "beta"])
        self.assertIn("◐ 30/31", self.text("#matrix"))  # Abs on alpha
        self.assertIn("✗ 0/1", self.text("#matrix"))    # Conv, the node, on alpha alone
        self.browser.run("[...document.querySelectorAll('.cell')].find(c => c.title.startsWith('Abs on beta')).click()")
        self.assertEqual(self.text("#shown"), "31 of 184")

    def test_the_matrix_leads_to_the_tests(self):
        self.pick_matrix("alpha")
        self.assertIn("✗ 0/1", self.text("#matrix"))   # Conv-11, the node
        self.browser.run("[...document.querySelectorAll('.cell')].find(c => c.title.startsWith('Abs-13')).click()")
        self.assertEqual(self.text("#shown"), "31 of 184, Abs-13")

    def test_nodes_and_their_links(self):
        self.open_test("model")
        shown = self.text(".detail")
        for words in ("First divergence: second (Conv-11)", "2 of 3 nodes agree", "broken/second", "-2.0 0xc0000000", "1 zero, 1 nan"):
            self.assertIn(words, shown)
        self.browser.run("document.querySelector('.detail a[href$=n1]').click()")
        self.assertIn("second", self.browser.run("return document.activeElement.innerText"))
        self.browser.run("[...document.querySelectorAll('.detail button')].find(b => b.innerText === 'Show all nodes').click()")
        self.assertIn("third", self.text(".detail"))

    def test_a_known_failure_has_its_reason(self):
        self.open_test("test_known")
        self.assertIn("a bug of theirs https://example.org/1", self.text(".detail"))
        self.assertIn("expected fail", self.text("#summary"))

    def test_the_keyboard_alone(self):
        self.browser.run("document.querySelector('.opener').focus()")
        self.browser.press(ARROW_DOWN)
        name = self.browser.run("return document.activeElement.innerText")
        self.browser.press(ENTER)
        self.assertEqual(self.browser.run("return document.activeElement.innerText"), name)
        self.assertEqual(self.browser.run("return document.activeElement.getAttribute('aria-expanded')"), "true")
        self.assertNotEqual(self.browser.run("return getComputedStyle(document.activeElement).outlineStyle"), "none")

    def test_a_link_opens_its_test(self):
        self.browser.run("location.hash = 'test=test_softmax_29&backend=beta'")
        self.browser.run("return new Promise(done => setTimeout(done, 50))")
        self.assertEqual(self.count(".detail"), 1)
        self.assertIn("test_softmax_29", self.text("#list tr.open"))

    def test_light_dark_and_narrow(self):
        ground = "return getComputedStyle(document.body).backgroundColor"
        light = self.browser.run(ground)
        with browser.Browser(dark=True) as dark, browser.Browser(width=390, height=844) as narrow:
            dark.open(self.page)
            narrow.open(self.page)
            self.assertNotEqual(dark.run(ground), light)
            self.assertLessEqual(narrow.run("return document.documentElement.scrollWidth"), 390)
            if PICTURES:
                for name, one in (("light", self.browser), ("dark", dark), ("narrow", narrow)):
                    one.run("toggle(data.results.find(r => r.test === 'model'))")
                    one.screenshot(f"{PICTURES}/{name}.png", whole=True)


if __name__ == "__main__":
    if not browser.installed():
        print("skipped: no chromium and chromedriver")
        sys.exit(77)
    if "--pictures" in sys.argv:
        at = sys.argv.index("--pictures")
        PICTURES = sys.argv.pop(at + 1)
        sys.argv.pop(at)
    PROGRAM = sys.argv.pop(1)
    unittest.main()
