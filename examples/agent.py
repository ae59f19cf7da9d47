#!/usr/bin/env python3
"""A complete agent on Holdpoint's command line, in plain Python: it wants to write a note, which a person must allow
first. It may be killed at any point and started again: everything it must not forget is in its state file before it
is used.

    python3 examples/agent.py "Buy milk"

AGENT_STATE     its state file (default agent-state.json)    AGENT_NOTES  where notes go (default notes)
HOLDPOINT_DATA  the data folder of Holdpoint                 HOLDPOINT    the command (default: node dist/cli.js)
"""
import json
import os
import secrets
import shlex
import subprocess
import sys
import time
from datetime import datetime, timezone

HERE = os.path.dirname(os.path.abspath(__file__))
STATE = os.environ.get("AGENT_STATE", "agent-state.json")
NOTES = os.environ.get("AGENT_NOTES", "notes")
COMMAND = shlex.split(os.environ.get("HOLDPOINT", "")) or ["node", os.path.join(HERE, "..", "dist", "cli.js")]


class Refused(Exception):
    """Holdpoint said no; `code` and `facts` say why."""

    def __init__(self, refusal):
        super().__init__(refusal["text"])
        self.code = refusal["code"]
        self.facts = refusal["facts"]


def holdpoint(*arguments, stdin=None):
    """Runs one command and returns its JSON. Exit code 0 is an answer; 1 to 5 come with a refusal."""
    ran = subprocess.run(
        [*COMMAND, *arguments, "--json"], input=(stdin or "").encode(), stdout=subprocess.PIPE, check=False
    )
    answer = json.loads(ran.stdout)
    if ran.returncode != 0:
        raise Refused(answer["refusal"])
    return answer


def run_agent(state):
    token = state["token"]
    # Put in twice, the same bytes are one run.
    run = holdpoint("suspend", "-", "--source", "notes", "--reason", "It writes a file.", stdin=state["record"])["run"]
    print(f"Waiting for a person: {run}", flush=True)

    # The same token gets the same answer again, however often this is asked.
    answer = holdpoint("await", run, f"--token={token}")
    outcomes = [settle(state, run, call) for call in answer["calls"]]

    # A real agent would ask its model now, with each outcome as the answer to its call id.
    holdpoint("complete", run, f"--token={token}", "--answer-file", "-", stdin="\n".join(outcomes))
    os.remove(STATE)
    print("\n".join(outcomes))


def settle(state, run, call):
    """Runs one call as it was decided, at most once over all restarts; returns what the model is told."""
    if call["verdict"] == "reject":
        return call["answer"]
    which = ["--call", str(call["index"]), f"--token={state['token']}"]
    try:
        holdpoint("start", run, *which)
    except Refused as refused:
        before = refused.facts.get("state")
        if before in ("done", "failed"):  # Finished in an earlier life: the outcome is in the journal.
            calls = holdpoint("show", run)["journal"]["calls"]
            return next(entry["result"] for entry in calls if entry["index"] == call["index"])
        # Begun in an earlier life: only go on because this tool can tell whether it ran. Another one would stop
        # here, and leave it to a person to say what happened.
        if before != "started":
            raise
    result = write_note(state["run_id"], call)
    holdpoint("report", run, *which, "--result", "-", stdin=result)
    return result


def write_note(run_id, call):
    """The tool: one note under a name that belongs to this one call, so that a second run finds the first."""
    text = json.loads(call["arguments"])["text"]
    os.makedirs(NOTES, exist_ok=True)
    path = os.path.join(NOTES, f"{run_id}-{call['index']}.txt")
    if os.path.exists(path):
        return f"The note was written before: {path}"
    save(path, text + "\n")
    return f"The note was written: {path}"


def save(path, text):
    """Writes a file whole or not at all."""
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".tmp", path)


def load_state():
    try:
        with open(STATE, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def first_state(text):
    """A new run: its record, and a token that nobody can guess; on the disk before anything else happens."""
    run_id = new_ulid()
    call = {"id": "call_1", "name": "write_note", "args": {"text": text}}
    record = {
        "run_id": run_id,
        "step_index": 1,
        "thread_id": "notes",
        "messages": [message("user", f"Write down: {text}", []), message("assistant", "", [call])],
        "pending_tool_calls": [call],
        "resume_attempted": False,
        "created_at": datetime.now(timezone.utc).isoformat(),
    }
    state = {"run_id": run_id, "token": secrets.token_urlsafe(24), "record": json.dumps(record)}
    save(STATE, json.dumps(state))
    return state


def message(role, content, calls):
    return {"role": role, "content": content, "tool_calls": calls, "tool_call_id": None}


def new_ulid():
    """48 bits of milliseconds and 80 of chance, in Crockford's base 32."""
    rest = (int(time.time() * 1000) << 80) | secrets.randbits(80)
    digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    return "".join(digits[(rest >> shift) & 31] for shift in range(125, -5, -5))


if __name__ == "__main__":
    try:
        run_agent(load_state() or first_state(sys.argv[1] if len(sys.argv) > 1 else "Buy milk"))
    except Refused:
        sys.exit(1)  # The command has said why, on stderr.
