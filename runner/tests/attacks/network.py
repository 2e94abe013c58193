"""Network: the internet, services of the host, names, the cloud's metadata, raw and odd sockets."""

from __future__ import annotations

from runner.tests.attacks.rows import SHOW_ERROR, Attack

CONNECT = SHOW_ERROR + "import socket\n"

ATTACKS = [
    Attack(
        "connect-outside",
        "reach an address on the internet",
        CONNECT + "attempt(socket.create_connection, ('1.1.1.1', 80), 3)",
        r"OSError 101",
    ),
    Attack(
        "connect-outside-6",
        "reach an address on the internet over IPv6",
        CONNECT + "attempt(socket.create_connection, ('2606:4700:4700::1111', 80), 3)",
        r"OSError (101|99|97)",
    ),
    Attack(
        "metadata",
        "ask the cloud for the host's credentials",
        CONNECT + "import urllib.request\n"
        "for h in ('169.254.169.254', '169.254.170.2', 'metadata.google.internal'):\n"
        "    attempt(urllib.request.urlopen, f'http://{h}/latest/meta-data/', timeout=3)",
        r"^(URLError .*\n){3}$",
    ),
    Attack(
        "connect-host-loopback",
        "reach a service that listens on the host's loopback",
        CONNECT + "attempt(socket.create_connection, ('127.0.0.1', «port»), 3)\n"
        "attempt(socket.create_connection, ('localhost', «port»), 3)",
        r"^(ConnectionRefusedError 111.*\n){2}",
    ),
    Attack(
        "connect-abstract-socket",
        "reach an abstract unix socket of the host",
        CONNECT + "s = socket.socket(socket.AF_UNIX)\nattempt(s.connect, '\\0«abstract»')",
        r"ConnectionRefusedError 111",
    ),
    Attack(
        "connect-unix-socket",
        "reach a unix socket of the host by its path",
        CONNECT + "for p in ('«unix»', '/var/run/docker.sock', '/run/dbus/system_bus_socket'):\n"
        "    attempt(socket.socket(socket.AF_UNIX).connect, p)",
        r"^(FileNotFoundError 2 .*\n){3}$",
    ),
    Attack(
        "connect-sibling",
        "reach services that another attempt on the same worker opened",
        CONNECT + "attempt(socket.create_connection, ('127.0.0.1', 45671), 3)\n"
        "attempt(socket.socket(socket.AF_UNIX).connect, '\\0sibling-7c2e')",
        r"^(ConnectionRefusedError 111.*\n){2}",
    ),
    Attack(
        "resolve-name",
        "ask a name server",
        CONNECT + "attempt(socket.getaddrinfo, 'example.org', 80)",
        r"gaierror",
    ),
    Attack(
        "send-datagrams",
        "send secrets out in datagrams that need no answer",
        CONNECT + "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "attempt(s.sendto, b'x', ('8.8.8.8', 53)); attempt(s.sendto, b'x', ('255.255.255.255', 9))",
        r"^(OSError 101|PermissionError (1|13)).*\n(OSError 101|PermissionError (1|13))",
    ),
    Attack(
        "odd-socket-families",
        "open sockets that no network namespace holds, or raw ones",
        CONNECT + "for f, t in ((40, 1), (17, 3), (38, 5), (16, 3)):\n"
        "    attempt(socket.socket, f, t, 12 if f == 16 else 0)\n"
        "attempt(socket.socket, socket.AF_INET, socket.SOCK_RAW, 1)",
        r"(OSError 97.*\n){4}PermissionError",
    ),
    Attack(
        "interfaces",
        "find an interface besides its own loopback",
        "import socket\nprint([n for _, n in socket.if_nameindex() if n.startswith("
        "('eth', 'en', 'wl', 'docker', 'br', 'veth', 'tap'))])\n"
        "print(len(open('/proc/net/route').readlines()))",
        r"^\[\]\n[01]\n",
    ),
    Attack(
        "configure-network",
        "give itself an address",
        "import socket, struct\ns = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)\n"
        "body = struct.pack('BBBBI', 2, 24, 0, 0, 1)\n"
        "body += struct.pack('HH4s', 8, 2, bytes([10, 9, 8, 7]))\n"
        "s.send(struct.pack('IHHII', 16 + len(body), 20, 0x405, 1, 0) + body)\n"
        "answer = s.recv(4096); print(struct.unpack('i', answer[16:20])[0])",
        r"^-1\n",
    ),
]
