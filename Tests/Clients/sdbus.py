"""D-Bus through libsystemd's sd-bus, sd-bus(3), with ctypes and nothing else."""

import ctypes
import select
import time

LIBRARY = ctypes.CDLL("libsystemd.so.0", use_errno=True)
BASIC = {"s": ctypes.c_char_p, "o": ctypes.c_char_p, "u": ctypes.c_uint32, "i": ctypes.c_int32, "b": ctypes.c_int,
         "d": ctypes.c_double, "t": ctypes.c_uint64}
# D-Bus Specification, "Message Types".
CALL, RETURN, ERROR, SIGNAL = 1, 2, 3, 4


class Late(Exception):
    """A reply or a signal did not come in time."""


class Refused(Exception):
    """The reply is an error: its name is the first argument, its text the second."""


class Variant:
    """A value to be sent as a variant: the signature of a basic type, and the value."""

    def __init__(self, signature, value):
        self.signature = signature
        self.value = value


class _Error(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("message", ctypes.c_char_p), ("need_free", ctypes.c_int)]


for _name in ("sender", "path", "interface", "member"):
    getattr(LIBRARY, f"sd_bus_message_get_{_name}").restype = ctypes.c_char_p
LIBRARY.sd_bus_message_get_error.restype = ctypes.POINTER(_Error)
LIBRARY.sd_bus_message_unref.argtypes = [ctypes.c_void_p]
LIBRARY.sd_bus_close_unref.argtypes = [ctypes.c_void_p]


def _check(result):
    if result < 0:
        raise OSError(-result, f"sd-bus: {-result}")
    return result


class Message:
    """A received message."""

    def __init__(self, pointer):
        kind, cookie = ctypes.c_uint8(), ctypes.c_uint64()
        LIBRARY.sd_bus_message_get_type(pointer, ctypes.byref(kind))
        LIBRARY.sd_bus_message_get_reply_cookie(pointer, ctypes.byref(cookie))
        self.kind, self.cookie, self.arrival = kind.value, cookie.value, time.monotonic()
        self.sender, self.path, self.interface, self.member = (
            (getattr(LIBRARY, f"sd_bus_message_get_{name}")(pointer) or b"").decode()
            for name in ("sender", "path", "interface", "member"))
        self.error = None
        if self.kind == ERROR:
            error = LIBRARY.sd_bus_message_get_error(pointer).contents
            self.error = ((error.name or b"").decode(), (error.message or b"").decode())
        self.arguments = list(_values(pointer))


def _values(pointer):
    """Yields the values up to the end of the message or of its current container."""
    kind, contents = ctypes.c_char(), ctypes.c_char_p()
    while LIBRARY.sd_bus_message_peek_type(pointer, ctypes.byref(kind), ctypes.byref(contents)) > 0:
        letter = kind.value.decode()
        if letter in BASIC:
            value = BASIC[letter]()
            _check(LIBRARY.sd_bus_message_read_basic(pointer, kind, ctypes.byref(value)))
            yield _plain(letter, value.value)
        else:
            _check(LIBRARY.sd_bus_message_enter_container(pointer, kind, contents))
            inside = list(_values(pointer))
            _check(LIBRARY.sd_bus_message_exit_container(pointer))
            is_dictionary = letter == "a" and contents.value.startswith(b"{")
            yield dict(inside) if is_dictionary else inside[0] if letter == "v" else tuple(inside)


def _plain(letter, value):
    return value.decode() if letter in "so" else bool(value) if letter == "b" else value


class Bus:
    """A connection that sends and receives messages in order."""

    def __init__(self, address):
        self.bus = ctypes.c_void_p()
        _check(LIBRARY.sd_bus_new(ctypes.byref(self.bus)))
        _check(LIBRARY.sd_bus_set_address(self.bus, address.encode()))
        _check(LIBRARY.sd_bus_set_bus_client(self.bus, 1))
        _check(LIBRARY.sd_bus_start(self.bus))
        self.replies, self.signals = {}, []

    def fileno(self):
        return LIBRARY.sd_bus_get_fd(self.bus)

    def close(self):
        LIBRARY.sd_bus_close_unref(self.bus)

    def flush(self):
        """Waits until the bus has read what was sent."""
        _check(LIBRARY.sd_bus_flush(self.bus))

    def send(self, destination, path, interface, member, signature="", *arguments):
        """Sends a call. Returns what identifies its reply."""
        message = ctypes.c_void_p()
        _check(LIBRARY.sd_bus_message_new_method_call(
            self.bus, ctypes.byref(message), *(text.encode() for text in (destination, path, interface, member))))
        for letter, argument in zip(signature, arguments):
            self._append(message, letter, argument)
        cookie = ctypes.c_uint64()
        try:
            _check(LIBRARY.sd_bus_send(self.bus, message, ctypes.byref(cookie)))
        finally:
            LIBRARY.sd_bus_message_unref(message)
        return cookie.value

    def _append(self, message, letter, argument):
        if letter == "v":
            kind = ctypes.c_char(b"v")
            _check(LIBRARY.sd_bus_message_open_container(message, kind, argument.signature.encode()))
            self._append(message, argument.signature, argument.value)
            _check(LIBRARY.sd_bus_message_close_container(message))
        else:
            value = argument.encode() if letter in "so" else ctypes.byref(BASIC[letter](argument))
            _check(LIBRARY.sd_bus_message_append_basic(message, ctypes.c_char(letter.encode()), value))

    def receive(self):
        """Receives what has arrived, without waiting."""
        while True:
            message = ctypes.c_void_p()
            if not _check(LIBRARY.sd_bus_process(self.bus, ctypes.byref(message))):
                return
            if message:
                received = Message(message)
                LIBRARY.sd_bus_message_unref(message)
                if received.kind in (RETURN, ERROR):
                    self.replies[received.cookie] = received
                elif received.kind == SIGNAL:
                    self.signals.append(received)

    def wait(self, is_there, timeout_seconds=120):
        """Receives messages until `is_there()` returns something, and returns it. Raises Late."""
        deadline = time.monotonic() + timeout_seconds
        while True:
            self.receive()
            if found := is_there():
                return found
            if time.monotonic() > deadline:
                raise Late(f"nothing within {timeout_seconds} s")
            select.select([self], [], [], 0.5)

    def reply(self, cookie, timeout_seconds=120):
        """Returns the values of a reply. Raises Refused and Late."""
        message = self.wait(lambda: self.replies.pop(cookie, None), timeout_seconds)
        if message.error:
            raise Refused(*message.error)
        return message.arguments

    def call(self, *arguments, timeout_seconds=120):
        """Makes a call, and returns the values of its reply."""
        return self.reply(self.send(*arguments), timeout_seconds)

    def signal(self, member, timeout_seconds=120):
        """Returns the next signal with a name, and drops the ones before it. Raises Late."""
        def find():
            for index, signal in enumerate(self.signals):
                if signal.member == member:
                    del self.signals[:index + 1]
                    return signal
        return self.wait(find, timeout_seconds)
