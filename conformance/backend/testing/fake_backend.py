"""A worker that answers each request with a copy of its first input, or misbehaves as its argument says."""

import json
import os
import shutil
import signal
import sys
import time

MODE = sys.argv[1]
STATE = sys.argv[2] if len(sys.argv) > 2 else ""
HELLO = {"protocol": 1, "name": "fake", "version": "7", "max_opset": 20, "intermediates": False}


def say(text, stream):
    stream.write(text + "\n")
    stream.flush()


def first_time():
    """True once per STATE file: a worker that misbehaves once, then recovers."""
    if not STATE or os.path.exists(STATE):
        return False
    open(STATE, "w").close()
    return True


def copied(request):
    name = "output_0.pb"
    shutil.copy(request["inputs"][0], os.path.join(request["output_dir"], name))
    return name


def misbehave(request, stream):
    """Returns the answer, or None when there is none to give."""
    answer = {"id": request["id"], "status": "ok"}
    if MODE == "crash" and first_time():
        os.kill(os.getpid(), signal.SIGSEGV)
    if MODE == "exit" and first_time():
        print("the last words", file=sys.stderr)
        sys.exit(3)
    if MODE == "hang" and first_time():
        time.sleep(1000)
    if MODE == "rubbish" and first_time():
        say("Segmentation fault? No, just chatting.", stream)
    if MODE == "flood":
        while True:
            stream.write("x" * 65536)
    if MODE == "stderr":
        sys.stderr.write("e" * 1_000_000)
    if MODE == "wrong-id":
        answer["id"] = 1234
    if MODE == "no-status":
        del answer["status"]
    if MODE == "unsupported":
        return {"id": request["id"], "status": "unsupported", "message": "not that\noperator"}
    if MODE == "error":
        return {"id": request["id"], "status": "error", "message": "it went wrong"}
    if MODE == "count":
        answer["outputs"] = []
        return answer
    if MODE == "outside":
        answer["outputs"] = ["../../../etc/passwd"]
        return answer
    if MODE == "missing":
        answer["outputs"] = ["nothing.pb"]
        return answer
    if MODE == "values":
        answer["outputs"] = []
        for i in range(len(request["want"])):
            answer["outputs"].append(f"output_{i}.pb")
            shutil.copy(request["inputs"][0], os.path.join(request["output_dir"], f"output_{i}.pb"))
        return answer
    if MODE == "empty":
        answer["outputs"] = [""]
        return answer
    name = copied(request)
    if MODE == "truncated":
        with open(os.path.join(request["output_dir"], name), "r+b") as file:
            file.truncate(os.path.getsize(file.name) - 2)
    answer["outputs"] = [name]
    return answer


def main():
    stream = sys.stdout
    if MODE == "channel":
        stream = os.fdopen(int(os.environ["ONNXV_FD"]), "w")
        say("a greeting on stdout", sys.stdout)
    if MODE == "never":
        time.sleep(1000)
    if MODE == "dies":
        print("no such device", file=sys.stderr)
        sys.exit(1)
    if MODE == "protocol":
        HELLO["protocol"] = 2
    if MODE == "values":
        HELLO["intermediates"] = True
    if MODE == "slow":
        time.sleep(0.5)
    if MODE == "endless":
        while True:
            sys.stdout.write("x" * 65536)
    say(json.dumps(HELLO), stream)
    for line in sys.stdin:
        answer = misbehave(json.loads(line), stream)
        if MODE == "channel":
            say("chatter that nobody reads", sys.stdout)
        say(json.dumps(answer), stream)


main()
