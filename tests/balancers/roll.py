"""Rolls three replicas behind a load balancer while clients play, with the configurations of deploy/.

    roll.py BINARY DEPLOY-FOLDER haproxy|nginx|age

haproxy, nginx: each replica is restarted in turn, and no call fails at all; then one is killed, and no call fails for a
client with the retry policy of deploy/retry.json. age: behind a balancer of connections a new replica is asked
too when the connections of clients are old, and no call fails.
"""

import contextlib
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import grpc
from draughts.v1 import game_pb2, rules_service_pb2, variant_pb2
from draughts.v1.rules_service_pb2_grpc import RulesServiceStub

BINARY, DEPLOY, SCENE = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
# The processes that were started, all ended at the end.
ENDINGS = contextlib.ExitStack()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(what, ready, seconds=15):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ready():
            return
        time.sleep(0.05)
    sys.exit(f"{SCENE}: waited {seconds} s in vain: {what}")


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def start(*command):
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    ENDINGS.callback(end, process)
    return process


def end(process):
    """By SIGTERM at first: nginx, when it is killed, leaves its workers behind."""
    process.terminate()
    try:
        process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Replica:
    def __init__(self, *options):
        self.port, self.operators, self.options = free_port(), free_port(), options

    def start(self):
        self.process = start(
            BINARY, "--listen", f"127.0.0.1:{self.port}", "--admin-listen", f"127.0.0.1:{self.operators}",
            "--drain-wait-seconds", "4", "--log", "error", *self.options)  # fmt: skip
        wait_for("a replica starts", lambda: is_open(self.port))
        return self

    def restart(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=20)
        assert code == 0, f"a replica left with exit code {code}"
        self.start()

    def answered(self):
        """How many calls it has answered since it began."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.operators}/metrics", timeout=10) as answer:
            text = answer.read().decode()
        done = re.findall(r'^grpc_server_handled_total\{.*draughts\.v1.*grpc_code="OK".*\} (\d+)', text, re.MULTILINE)
        return sum(map(int, done))


class Clients:
    """Play random games, and keep every failure."""

    def __init__(self, port, count=8, retry=None):
        self.calls, self.failures, self.over, self.count = 0, [], threading.Event(), count
        self.answered = set()  # the clients that have been
        self.address, self.retry = f"127.0.0.1:{port}", retry
        self.threads = [threading.Thread(target=self.play, daemon=True) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def play(self):
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", int(self.retry is not None))]
        if self.retry:
            options.append(("grpc.service_config", self.retry))
        with grpc.insecure_channel(self.address, options) as channel:
            rules, game = RulesServiceStub(channel), game_pb2.Game(variant=variant_pb2.VARIANT_RUSSIAN)
            move = game_pb2.MoveInput(text="c3-d4")
            request = rules_service_pb2.ApplyMoveRequest(game=game, move=move, with_next_moves=True)
            while not self.over.is_set():
                try:
                    answer = rules.ApplyMove(request, timeout=10)
                except grpc.RpcError as error:
                    self.failures.append(f"{error.code().name}: {error.details()}")
                    continue
                if len(answer.next_moves) != 7:
                    self.failures.append(f"a wrong answer: {answer}")
                self.calls += 1
                self.answered.add(threading.get_ident())

    def stop(self):
        self.over.set()
        for thread in self.threads:
            thread.join()
        assert len(self.answered) == self.count, "some clients were never answered"
        assert not self.failures, f"{len(self.failures)} of {self.calls} calls failed, such as {self.failures[:3]}"


def ask(port):
    """Whether a call is answered at all."""
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        with contextlib.suppress(grpc.RpcError):
            return RulesServiceStub(channel).GetServerInfo(rules_service_pb2.GetServerInfoRequest(), timeout=5)


class Load:
    """As many calls as the machine can make, by h2load, one burst after the other."""

    def __init__(self, port, folder):
        game = game_pb2.Game(variant=variant_pb2.VARIANT_INTERNATIONAL)
        message = rules_service_pb2.GenerateLegalMovesRequest(game=game).SerializeToString()
        body = pathlib.Path(folder, "request")
        body.write_bytes(b"\0" + len(message).to_bytes(4, "big") + message)
        self.command = [
            "h2load", "-n4000", "-c4", "-m8", f"--data={body}", "-Hcontent-type: application/grpc", "-Hte: trailers",
            f"http://127.0.0.1:{port}/draughts.v1.RulesService/GenerateLegalMoves"]  # fmt: skip
        self.bursts, self.failure, self.over = 0, None, threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not (self.over.is_set() or self.failure):
            try:
                told = subprocess.run(self.command, capture_output=True, text=True, timeout=60).stdout
            except (OSError, subprocess.SubprocessError) as error:
                told = str(error)
            self.bursts += 1
            if "status codes: 4000 2xx" not in told or "4000 succeeded, 0 failed" not in told:
                self.failure = told

    def stop(self):
        self.over.set()
        self.thread.join()
        assert self.bursts and not self.failure, self.failure or "h2load never ran"
        return 4000 * self.bursts


def balancer(replicas, folder):
    """Starts the balancer with its file of deploy/, in which only addresses are other ones."""
    name = {"haproxy": "haproxy.cfg", "nginx": "nginx.conf"}[SCENE]
    text, port = (DEPLOY / name).read_text(), free_port()
    for number, replica in enumerate(replicas, 1):
        assert f"replica-{number}:50051" in text
        text = text.replace(f"replica-{number}:50051 port 9090", f"127.0.0.1:{replica.port} port {replica.operators}")
        text = text.replace(f"replica-{number}:50051", f"127.0.0.1:{replica.port}")
    assert "127.0.0.1:50050" in text
    text = text.replace("127.0.0.1:50050", f"127.0.0.1:{port}")
    file = pathlib.Path(folder, name)
    if SCENE == "nginx":
        text += f"pid {folder}/nginx.pid;\nerror_log {folder}/nginx.log crit;\ndaemon off;\n"
        file.write_text(text)
        start("nginx", "-p", folder, "-e", f"{folder}/nginx.log", "-c", str(file))
    else:
        file.write_text(text)
        start("haproxy", "-db", "-q", "-f", str(file))
    wait_for("the balancer starts", lambda: is_open(port))
    return port


def roll(folder):
    replicas = [Replica().start() for _ in range(3)]
    port = balancer(replicas, folder)
    wait_for("all are asked", lambda: ask(port) and all(replica.answered() for replica in replicas))
    clients, load = Clients(port), Load(port, folder)
    for replica in replicas:
        replica.restart()
        wait_for("the new replica is asked", lambda replica=replica: replica.answered() > 100)
    clients.stop()
    calls = clients.calls + load.stop()
    print(f"{SCENE}: {calls} calls while three replicas were restarted in turn, none failed")

    clients = Clients(port, retry=(DEPLOY / "retry.json").read_text())
    victim, other = replicas[:2]
    before = victim.answered()
    wait_for("it is asked", lambda: victim.answered() > before + 100)
    victim.process.kill()
    before = other.answered()
    wait_for("the others go on", lambda: other.answered() > before + 1000)
    clients.stop()
    print(f"{SCENE}: {clients.calls} calls while a replica was killed, none failed with the retry policy")


def age(folder):
    """Behind a balancer that knows connections alone, as a Kubernetes service with an address of its own is."""
    replicas = [Replica("--max-age-seconds", "2") for _ in range(3)]
    servers = "\n".join(f"server replica-{r.port} 127.0.0.1:{r.port} check inter 200ms" for r in replicas)
    port, file = free_port(), pathlib.Path(folder, "haproxy.cfg")
    file.write_text(f"""
        listen connections
            mode tcp
            bind 127.0.0.1:{port}
            timeout connect 1s
            timeout client 60s
            timeout server 60s
            timeout check 5s
            balance leastconn
            option redispatch 1
            {servers}\n""")
    *known, late = replicas
    for replica in known:
        replica.start()
    start("haproxy", "-db", "-q", "-f", str(file))
    wait_for("the balancer starts", lambda: is_open(port))
    clients = Clients(port)
    wait_for("every client has its connection", lambda: len(clients.answered) == clients.count)
    late.start()
    begin = time.monotonic()
    wait_for("the new one is asked too", lambda: late.answered() > 100)
    took = time.monotonic() - begin
    clients.stop()
    print(f"age: {clients.calls} calls while connections grew old and went to a new replica, after {took:.1f} s; none failed")


# What was started is ended even if there is no time left.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(f"{SCENE}: no time left"))
with tempfile.TemporaryDirectory() as folder, ENDINGS:
    if SCENE == "age":
        age(folder)
    else:
        roll(folder)
