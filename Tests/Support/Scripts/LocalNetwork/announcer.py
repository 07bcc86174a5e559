"""Announces in the network whatever it is told, over and over, as no honest program would: multicast DNS, RFC 6762.

Run with an address of this machine, and with services on standard input, one as JSON on each line: an array of its
name, its transport, its host, the address of that, and its port. A name is whatever fits in a label of DNS.
"""

import ipaddress
import json
import socket
import struct
import sys
import time

GROUP, PORT = "224.0.0.251", 5353
PTR, A, AAAA, SRV, TTL = 12, 1, 28, 33, 120


def label(text):
    data = text.encode("utf-8", "surrogateescape")[:63]
    return bytes([len(data)]) + data


def name(*labels):
    return b"".join(map(label, labels)) + b"\0"


def record(owner, kind, data):
    # Class IN, without the bit that drops the records of others.
    return owner + struct.pack("!HHIH", kind, 1, TTL, len(data)) + data


def records(service):
    instance, transport, host, address, port = service
    kind = ("_nmea-0183", f"_{transport}", "local")
    target = name(*host.split("."))
    address = ipaddress.ip_address(address)
    yield record(name(*kind), PTR, name(instance, *kind))
    yield record(name(instance, *kind), SRV, struct.pack("!HHH", 0, 0, port) + target)
    yield record(target, A if address.version == 4 else AAAA, address.packed)


def main():
    own = sys.argv[1]
    services = [json.loads(line) for line in sys.stdin]
    everything = [record for service in services for record in records(service)]
    # Of a size that is sent whole over Ethernet.
    messages = [everything[first:first + 6] for first in range(0, len(everything), 6)]
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
    sender.bind(("", PORT))
    while True:
        for message in messages:
            # An answer, with authority.
            sender.sendto(struct.pack("!6H", 0, 0x8400, 0, len(message), 0, 0) + b"".join(message), (GROUP, PORT))
            # Slow enough for a receiver to get all of them.
            time.sleep(0.002)
        print("announced", flush=True)
        time.sleep(0.3)


main()
