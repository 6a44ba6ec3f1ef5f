"""Runs the cases of the Autobahn test suite against an echo server: `autobahn.py PORT LEFT_OUT SECTION...`,
where LEFT_OUT is a pattern of cases.

The suite's own client needs Python 2. Its cases are read here as they are, and this is the peer that
they act on: it sends what they say, and tells them what comes back. Bytes are strings of Latin-1 to
them, as they were in Python 2. Prints a line for each case, and fails if one did.
"""

import asyncio
import base64
import codecs
import importlib.abc
import importlib.util
import os
import re
import struct
import sys
import sysconfig
import types

FOLDER = os.path.join(sysconfig.get_paths()["purelib"], "autobahntestsuite", "case")
AT_ONCE = 60
# The server has this long to end a connection after both have said goodbye.
DROPS_WITHIN = 5


class Cases(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the suite's files, which were written for Python 2."""

    def find_spec(self, name, path, target=None):
        if name == "case" or re.fullmatch(r"case\d\w*", name):
            return importlib.util.spec_from_loader(name, self)

    def exec_module(self, module):
        with open(os.path.join(FOLDER, module.__name__ + ".py"), encoding="latin-1") as file:
            source = file.read()
        source = re.sub(r"^(\s*)print .*$", r"\1pass", source, flags=re.MULTILINE)
        source = source.replace("(object, Case, )", "(Case, )").replace("binascii.b2a_hex(", "hexadecimal(")
        module.hexadecimal = lambda data: text(data).encode("latin-1").hex()
        module.xrange = range
        exec(compile(source, module.__name__, "exec"), module.__dict__)


def text(data):
    return data.decode("latin-1") if isinstance(data, bytes) else data


class Utf8Validator:
    """What the cases know of whether bytes are UTF-8: whether they begin so, and whether they end so."""

    def reset(self):
        pass

    def validate(self, data):
        data = text(data).encode("latin-1")
        try:
            return True, codecs.utf_8_decode(data, "strict", False)[1] == len(data)
        except UnicodeDecodeError:
            return False, False


def prepare():
    """What the files import from elsewhere."""
    for name, kind in (("protocol", "WebSocketProtocol"), ("utf8validator", "Utf8Validator")):
        module = types.ModuleType(name)
        setattr(module, kind, Peer if kind == "WebSocketProtocol" else Utf8Validator)
        sys.modules["autobahn.websocket." + name] = module
    sys.meta_path.insert(0, Cases())


def number(name):
    return [int(part) for part in name[len("Case") :].split("_")]


def cases(sections):
    """The classes of some sections, in order."""
    found = {}
    for file in os.listdir(FOLDER):
        if re.fullmatch(r"case[%s]_\w+\.py" % "".join(sections), file):
            module = importlib.import_module(file[:-3])
            for value in list(vars(module).values()):
                for one in value if isinstance(value, list) else [value]:
                    if isinstance(one, type) and re.fullmatch(r"Case[%s](_\d+)+" % "".join(sections), one.__name__):
                        found[one.__name__] = one
    return [found[name] for name in sorted(found, key=number)]


class Peer:
    """The client's end of one connection, with the names that cases use."""

    STATE_CLOSED, STATE_CONNECTING, STATE_CLOSING, STATE_OPEN = range(4)
    CLOSE_STATUS_CODE_NORMAL, CLOSE_STATUS_CODE_PROTOCOL_ERROR = 1000, 1002
    CLOSE_STATUS_CODE_INVALID_PAYLOAD = 1007
    factory = types.SimpleNamespace(isServer=False)
    createWirelog = True

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.state = self.STATE_OPEN
        self.connectionWasOpen = True
        self.closedByMe = self.failedByMe = self.droppedByMe = self.wasClean = False
        self.remoteCloseCode = self.localCloseReason = None

    # What cases do.

    def sendFrame(self, opcode, payload="", fin=True, rsv=0, mask=None, payload_len=None, chopsize=None, sync=False):
        data = text(payload).encode("latin-1")
        if payload_len is not None:
            data = (data * (payload_len // max(len(data), 1) + 1))[:payload_len]
        frame = self.head(opcode, len(data), fin, rsv) + data
        step = chopsize or max(len(frame), 1)
        for at in range(0, len(frame), step):
            self.writer.write(frame[at : at + step])

    def head(self, opcode, length, fin=True, rsv=0):
        # A mask of zeros leaves the data as it is.
        first = (fin << 7) | (rsv << 4) | opcode
        if length < 126:
            return struct.pack("!BB4x", first, 0x80 | length)
        if length < 1 << 16:
            return struct.pack("!BBH4x", first, 0x80 | 126, length)
        return struct.pack("!BBQ4x", first, 0x80 | 127, length)

    def sendMessage(self, payload, isBinary=False, fragmentSize=None):
        step = fragmentSize or max(len(payload), 1)
        pieces = [payload[at : at + step] for at in range(0, len(payload), step)] or [""]
        for n, piece in enumerate(pieces):
            opcode = 0 if n else 2 if isBinary else 1
            self.sendFrame(opcode, piece, fin=n == len(pieces) - 1)

    def beginMessage(self):
        pass

    def beginMessageFrame(self, length):
        self.writer.write(self.head(1, length, fin=False))

    def sendMessageFrameData(self, payload):
        self.writer.write(text(payload).encode("latin-1"))

    def endMessage(self):
        self.sendFrame(0)

    def sendClose(self, code=None, reason=None):
        self.sendCloseFrame(code, reason)

    def sendCloseFrame(self, code=None, reasonUtf8=None, isReply=False):
        if self.state == self.STATE_OPEN:
            payload = text(struct.pack("!H", code)) if code is not None else ""
            self.sendFrame(8, payload + text(reasonUtf8 or ""))
            self.state = self.STATE_CLOSING
            self.closedByMe = not isReply
            self.localCloseReason = reasonUtf8

    def continueLater(self, delay, work, tag=None):
        self.later(delay, work)

    def closeAfter(self, delay):
        self.later(delay, self.sendClose)

    def killAfter(self, delay):
        self.later(delay, self.fail)

    def enableWirelog(self, enable):
        pass

    def later(self, delay, work):
        run = lambda: self.state != self.STATE_CLOSED and work()
        asyncio.get_running_loop().call_later(delay, run)

    def fail(self):
        self.failedByMe = True
        if self.state == self.STATE_OPEN:
            self.sendClose(1001)
        else:
            self.drop()

    def drop(self):
        self.droppedByMe = True
        self.writer.transport.abort()

    # What comes back.

    async def frame(self):
        first, second = await self.reader.readexactly(2)
        assert not first & 0x70 and not second & 0x80, "a reserved bit, or a mask"
        length, control = second & 0x7F, first & 8
        assert not control or (length < 126 and first & 0x80), "a control frame that is too long, or in pieces"
        if length >= 126:
            size = "!H" if length == 126 else "!Q"
            (length,) = struct.unpack(size, await self.reader.readexactly(struct.calcsize(size)))
        return first & 15, bool(first & 0x80), await self.reader.readexactly(length)

    async def run(self, case):
        case.onOpen()
        kind, whole = None, b""
        try:
            while True:
                opcode, fin, data = await self.frame()
                if opcode == 8:
                    self.goodbye(data)
                elif opcode in (9, 10):
                    (case.onPing if opcode == 9 else case.onPong)(text(data))
                else:
                    assert (opcode == 0) == (kind is not None), "a piece in the wrong place"
                    kind, whole = kind or opcode, whole + data
                    if fin:
                        if kind == 1:
                            whole.decode("utf-8")
                        case.onMessage(text(whole), kind == 2)
                        kind, whole = None, b""
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        self.state = self.STATE_CLOSED
        case.onConnectionLost(self.failedByMe)

    def goodbye(self, data):
        if data:
            (self.remoteCloseCode,) = struct.unpack("!H", data[:2])
            data[2:].decode("utf-8")
        self.wasClean = True
        self.sendCloseFrame(self.remoteCloseCode, isReply=True)
        self.later(DROPS_WITHIN, self.drop)


async def play(port, kind, places):
    async with places:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(f"GET / HTTP/1.1\r\nHost: x\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 "), head
        case = kind(Peer(reader, writer))
        as_text = lambda events: [tuple(map(text, event)) for event in events]
        case.compare = lambda one, other: as_text(one) == as_text(other)
        await case.p.run(case)
        writer.transport.abort()
        return case


def is_good(case):
    return case.behavior != case.FAILED and case.behaviorClose in (case.OK, case.INFORMATIONAL)


async def main(port, sections, left_out):
    prepare()
    chosen = [kind for kind in cases(sections) if not re.fullmatch(left_out, ".".join(map(str, number(kind.__name__))))]
    places = asyncio.Semaphore(AT_ONCE)
    played = await asyncio.gather(*(play(port, kind, places) for kind in chosen))
    counts = {}
    for case in played:
        name = ".".join(map(str, number(type(case).__name__)))
        counts[case.behavior] = counts.get(case.behavior, 0) + 1
        print(name, case.behavior, "/", case.behaviorClose)
        if not is_good(case):
            print("   ", case.EXPECTATION, case.result, case.resultClose, case.received, case.expected)
    print(len(played), "cases:", ", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return all(map(is_good, played))


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(main(int(sys.argv[1]), sys.argv[3:], sys.argv[2])) else 1)
