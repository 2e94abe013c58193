"""URLs and addresses that may be called, and those that must not be."""

from __future__ import annotations

import ipaddress

import httpx2
import pytest

from runner.contract import Fault, ProblemError
from runner.endpoint.address_policy import MAX_URL_CHARS, AddressPolicy, check_url, is_public

DEFAULT = AddressPolicy()
EMBEDDED = AddressPolicy(loopback=frozenset({("127.0.0.1", 8001), ("localhost", 8001)}))

HOSTILE_URLS = [
    ("", "url_malformed"),
    ("api.host.com/v1", "url_scheme"),
    ("localhost:8001", "url_scheme"),
    ("//api.host.com/v1", "url_scheme"),
    ("http://api.host.com/v1", "url_scheme"),
    ("ftp://api.host.com/", "url_scheme"),
    ("file:///etc/passwd", "url_scheme"),
    ("gopher://127.0.0.1:6379/_FLUSHALL", "url_scheme"),
    ("unix:///run/docker.sock", "url_scheme"),
    ("javascript:alert(1)", "url_scheme"),
    ("ws://api.host.com/v1", "url_scheme"),
    ("https:api.host.com", "url_malformed"),
    ("https:///v1", "url_malformed"),
    ("https://", "url_malformed"),
    ("https://[::1", "url_malformed"),
    ("https://[v1.host]/v1", "url_malformed"),
    ("https://[127.0.0.1]/v1", "url_malformed"),
    ("https://user@api.host.com/v1", "url_credentials"),
    ("https://user:sk-canary@api.host.com/v1", "url_credentials"),
    ("https://api.host.com@127.0.0.1/v1", "url_credentials"),
    ("https://@api.host.com/v1", "url_credentials"),
    ("https://api.host.com/v1?key=sk-canary", "url_query"),
    ("https://api.host.com/v1?", "url_query"),
    ("https://api.host.com/v1#@127.0.0.1", "url_query"),
    ("https://api.host.com#", "url_query"),
    ("https://127.0.0.1\\@api.host.com/v1", "url_malformed"),
    ("https://api.host.com /v1", "url_malformed"),
    (" https://api.host.com/v1", "url_malformed"),
    ("https://api.host.com/v1\n", "url_malformed"),
    ("https://api.host.com/\r\nHost: 127.0.0.1", "url_malformed"),
    ("https://api.ho\tst.com/v1", "url_malformed"),
    ("https://api.host.com/\x00", "url_malformed"),
    ("https://api.host.com/\x1b[31m", "url_malformed"),
    ("https://bücher.com/v1", "url_malformed"),
    ("https://аpi.host.com/v1", "url_malformed"),  # a Cyrillic а
    ("https://１２７.0.0.1/v1", "url_malformed"),  # full-width digits
    ("https://api。host。com/v1", "url_malformed"),
    ("https://ⓛocalhost/v1", "url_malformed"),
    ("https://api.host.com/\ud800", "url_malformed"),
    ("https://" + "a" * MAX_URL_CHARS + ".com", "url_too_long"),
    ("https://" + "a" * 64 + ".com", "url_host"),
    ("https://api.host.com:0/v1", "url_port"),
    ("https://api.host.com:/v1", "url_port"),
    ("https://api.host.com:22/v1", "url_port"),
    ("https://api.host.com:6379/v1", "url_port"),
    ("https://api.host.com:25/v1", "url_port"),
    ("https://api.host.com:80/v1", "url_port"),
    ("https://api.host.com:99999/v1", "url_malformed"),
    ("https://api.host.com:-443/v1", "url_malformed"),
    ("https://api.host.com:44３/v1", "url_malformed"),
    ("https://api.host.com:8o/v1", "url_malformed"),
    ("https://api.host.com./v1", "url_host"),
    ("https://localhost./v1", "url_host"),
    ("https://api..com/v1", "url_host"),
    ("https://.host.com/v1", "url_host"),
    ("https://-api.host.com/v1", "url_host"),
    ("https://api!host.com/v1", "url_host"),
    ("https://2130706433/v1", "url_host"),
    ("https://0x7f000001/v1", "url_host"),
    ("https://0x7f.0.0.1/v1", "url_host"),
    ("https://0177.0.0.1/v1", "url_host"),
    ("https://017700000001/v1", "url_host"),
    ("https://127.1/v1", "url_host"),
    ("https://127.0.1/v1", "url_host"),
    ("https://127.0.0.1./v1", "url_host"),
    ("https://127.0.0.0x1/v1", "url_host"),
    ("https://0/v1", "url_host"),
    ("https://999.1.1.1/v1", "url_host"),
    ("https://%31%32%37.0.0.1/v1", "url_host"),
    ("https://api.host.com%00.evil.com/v1", "url_host"),
    ("https://[fe80::1%25eth0]/v1", "url_host"),
    ("https://localhost/v1", "address_not_public"),
    ("https://LOCALHOST/v1", "address_not_public"),
    ("https://api.localhost/v1", "address_not_public"),
    ("https://redis/v1", "address_not_public"),
    ("https://metadata.google.internal/v1", "address_not_public"),
    ("https://printer.local/v1", "address_not_public"),
    ("https://1.0.0.127.in-addr.arpa/v1", "address_not_public"),
    ("https://127.0.0.1/v1", "address_not_public"),
    ("https://0.0.0.0/v1", "address_not_public"),
    ("https://169.254.169.254/latest/meta-data", "address_not_public"),
    ("https://[::1]/v1", "address_not_public"),
    ("https://[::ffff:127.0.0.1]/v1", "address_not_public"),
    ("https://[::ffff:7f00:1]/v1", "address_not_public"),
    ("https://[::127.0.0.1]/v1", "address_not_public"),
    ("https://[fd00:ec2::254]/latest", "address_not_public"),
]


def test_refuses_the_url_in_words(subtests: pytest.Subtests) -> None:
    for url, code in HOSTILE_URLS:
        with subtests.test(url=url, code=code):
            with pytest.raises(ProblemError) as caught:
                check_url(url, DEFAULT)
            problem = caught.value.problem
            assert problem.code == code
            assert problem.fault is Fault.SUBMITTER
            assert problem.what.endswith(".")
            assert problem.next_step.endswith(".")
            assert "canary" not in problem.sentence


GOOD_URLS = [
    ("https://api.host.com/v1", "https://api.host.com/v1"),
    ("https://api.host.com/v1/", "https://api.host.com/v1"),
    ("https://api.host.com", "https://api.host.com"),
    ("HTTPS://API.Host.COM/V1", "https://api.host.com/V1"),
    ("https://api.host.com:443/v1", "https://api.host.com/v1"),
    ("https://api.host.com:8443/v1", "https://api.host.com:8443/v1"),
    ("https://xn--bcher-kva.com/v1", "https://xn--bcher-kva.com/v1"),
    ("https://my_model.host.com/a%20b/v1", "https://my_model.host.com/a%20b/v1"),
    ("https://1.1.1.1/v1", "https://1.1.1.1/v1"),
    ("https://[2606:4700:4700::1111]/v1", "https://[2606:4700:4700::1111]/v1"),
    ("https://[2606:4700:4700::1111]:8443/v1", "https://[2606:4700:4700::1111]:8443/v1"),
    ("https://api.host.com/deployments/m-1/openai", "https://api.host.com/deployments/m-1/openai"),
]


def test_returns_the_url_as_it_is_called(subtests: pytest.Subtests) -> None:
    for url, called in GOOD_URLS:
        with subtests.test(url=url, called=called):
            assert check_url(url, DEFAULT) == called
            assert check_url(called, DEFAULT) == called


def test_the_client_reads_the_same_host_and_port(subtests: pytest.Subtests) -> None:
    """Two parsers that disagree are how a checked host and a called host come apart."""
    for url in [called for _, called in GOOD_URLS]:
        with subtests.test(url=url):
            seen = httpx2.URL(url)
            port = f":{seen.port}" if seen.port else ""
            host = seen.raw_host.decode()
            assert url.startswith(f"https://{f'[{host}]' if ':' in host else host}{port}")


@pytest.mark.parametrize("url", ["http://127.0.0.1:8001/v1", "http://localhost:8001/v1"])
def test_calls_the_allow_listed_pair_over_plain_http(url: str) -> None:
    assert check_url(url, EMBEDDED) == url


def test_the_allow_list_opens_nothing_beside_its_pairs(subtests: pytest.Subtests) -> None:
    for url, code in [
        ("http://127.0.0.1:8002/v1", "url_scheme"),
        ("https://127.0.0.1:8443/v1", "address_not_public"),
        ("http://127.0.0.2:8001/v1", "url_scheme"),
        ("http://0.0.0.0:8001/v1", "url_scheme"),
        ("http://[::1]:8001/v1", "url_scheme"),
        ("http://localhost/v1", "url_scheme"),
        ("http://127.1:8001/v1", "url_scheme"),
        ("http://evil.com:8001/v1", "url_scheme"),
        ("ftp://127.0.0.1:8001/v1", "url_scheme"),
        ("http://user:x@127.0.0.1:8001/v1", "url_credentials"),
    ]:
        with subtests.test(url=url, code=code):
            with pytest.raises(ProblemError) as caught:
                check_url(url, EMBEDDED)
            assert caught.value.problem.code == code


ADMITTED = AddressPolicy(
    loopback=frozenset(
        (host, port)
        for host in ("127.0.0.1", "localhost")
        for port in (1234, 8080, *range(9000, 9011))
    ),
    own_ports=frozenset({8001}),
)
CALLED = "the ports of this machine that are called: 1234, 8080, 9000-9010."
ADMIT = "ask the operator to add {} to PYBENCH_LOOPBACK_PORTS (docs/operating.md)."


def test_refusal_says_what_is_called_here(subtests: pytest.Subtests) -> None:
    for url, words in [
        ("http://127.0.0.1:8121/v1", ["Port 8121", CALLED, ADMIT.format(8121)]),
        ("http://localhost:8121/v1", ["Port 8121", CALLED, ADMIT.format(8121)]),
        ("https://localhost:8121/v1", ["Port 8121", CALLED, ADMIT.format(8121)]),
        ("https://localhost/v1", ["Port 443", CALLED]),
        ("http://127.0.0.1/v1", ["Port 80", CALLED]),
        ("http://127.0.0.2:8121/v1", ["Port 8121", CALLED]),
        ("http://[::1]:8080/v1", ["by the name ::1", "http://127.0.0.1:8080."]),
        ("http://[::ffff:127.0.0.1]:8080/v1", ["http://127.0.0.1:8080."]),
        ("http://127.1:8080/v1", ["by the name 127.1", "http://127.0.0.1:8080."]),
        ("http://2130706433:8080/v1", ["http://127.0.0.1:8080."]),
        ("http://LOCALHOST.:8080/v1", ["http://127.0.0.1:8080."]),
        ("http://0.0.0.0:8080/v1", ["by the name 0.0.0.0", "http://127.0.0.1:8080."]),
        ("http://127.0.0.1:8001/v1", ["Port 8001 of this machine is the site's own"]),
        (
            "localhost:8121/v1",
            ["without a scheme", "http://127.0.0.1: and a port that is called (1234, 8080, 9000"],
        ),
        ("127.0.0.1:8121/v1", ["http://127.0.0.1: and a port that is called (1234, 8080, 9000"]),
        ("http://api.host.com/v1", ["https://", "(1234, 8080,", "PYBENCH_ENDPOINT_HTTP"]),
        ("https://api.host.com:22/v1", ["Port 22", "443, 8000,", "PYBENCH_ENDPOINT_PORTS"]),
        (
            "http://192.168.1.20:8080/v1",
            ["private networks", "forward it to a port"],
        ),
        ("http://gpu-box:8000/v1", ["private networks", "No setting admits them"]),
        ("http://gpu.lan:8000/v1", ["private networks", "No setting admits them"]),
        ("http://host.docker.internal:11434/v1", ["private networks", "forward it to a port"]),
        ("https://192.168.1.20/v1", ["not on the public internet", "called (1234, 8080, 9000"]),
        ("https://model.lan/v1", ["not on the public internet", "called (1234, 8080, 9000"]),
    ]:
        with subtests.test(url=url, words=words):
            with pytest.raises(ProblemError) as caught:
                check_url(url, ADMITTED)
            said = caught.value.problem.sentence
            assert [word for word in words if word not in said] == []


def test_refusal_where_no_port_of_this_machine_is_called() -> None:
    with pytest.raises(ProblemError) as caught:
        check_url("http://127.0.0.1:8121/v1", DEFAULT)
    said = caught.value.problem.sentence
    assert "no port of this machine is." in said
    assert "Ask the operator to add 8121 to PYBENCH_LOOPBACK_PORTS" in said


def test_plain_http_is_a_setting() -> None:
    policy = AddressPolicy(is_http_allowed=True)
    assert check_url("http://api.host.com:80/v1", policy) == "http://api.host.com/v1"
    with pytest.raises(ProblemError, match="not on the public internet"):
        check_url("http://10.0.0.1/v1", policy)


PRIVATE = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::808:808",
    "100::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:a9fe:a9fe::1",
    "2002:c0a8:101::",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "2606:4700::5efe:7f00:1",
    "2606:4700::200:5efe:a00:1",
]


def test_is_not_public(subtests: pytest.Subtests) -> None:
    for address in PRIVATE:
        with subtests.test(address=address):
            assert not is_public(ipaddress.ip_address(address))


PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "192.0.1.1",
    "198.17.255.255",
    "198.20.0.1",
    "223.255.255.255",
    "168.63.129.17",
    "2606:4700:4700::1111",
    "2a00:1450:4001:800::200e",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
    "2001:4860:4860::8888",
]


def test_is_public(subtests: pytest.Subtests) -> None:
    for address in PUBLIC:
        with subtests.test(address=address):
            assert is_public(ipaddress.ip_address(address))
