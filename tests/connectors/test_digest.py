"""Digest authentication (RFC 7616) against a server that checks it."""

from __future__ import annotations

import hashlib
import re
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest
from faulty_server import FaultyServer, answer

from connectors import DigestAuth, EndpointError, EndpointUnauthorized, HttpEndpoint

Serve = Callable[..., FaultyServer]
Connect = Callable[..., HttpEndpoint]
TRUE = b'{"head":{},"boolean":true}'
HASHES = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256}


@dataclass
class Checking:
    """Answers whoever knows the password; a nonce is good for `uses` requests, each with its own count."""

    algorithm: str = "MD5"
    uses: int = 1_000
    challenges: str = 'Digest realm="SPARQL", nonce="{nonce}", qop="auth", algorithm={algorithm}, opaque="o"'
    nonces: int = 0
    counts: list[int] = field(default_factory=list)
    refused: int = 0

    def __call__(self, connection: socket.socket, request: bytes) -> None:
        head = request.partition(b"\r\n\r\n")[0].decode()
        found = re.search(r"^authorization: Digest (.*)$", head, re.M | re.I)
        if found and self._is_right(head.split()[1], found[1]):
            connection.sendall(answer(TRUE))
            return
        self.refused += 1
        self.nonces += 1
        self.counts.clear()
        challenge = self.challenges.format(nonce=f"n{self.nonces}", algorithm=self.algorithm)
        refusal = answer(b"", status="401 Unauthorized", headers=f"WWW-Authenticate: {challenge}\r\n")
        connection.sendall(refusal)

    def _is_right(self, target: str, given: str) -> bool:
        values = {
            name: quoted or bare for name, quoted, bare in re.findall(r'(\w+)=(?:"([^"]*)"|([^,]*))', given)
        }
        count = int(values["nc"], 16)
        if values["nonce"] != f"n{self.nonces}" or count in self.counts or len(self.counts) >= self.uses:
            return False
        self.counts.append(count)

        def digest(text: str) -> str:
            return HASHES[self.algorithm](text.encode()).hexdigest()

        secret, asked = digest("dba:SPARQL:s3cr3t"), digest(f"POST:{target}")
        wanted = ":".join((secret, values["nonce"], values["nc"], values["cnonce"], values["qop"], asked))
        return values["uri"] == target and values["response"] == digest(wanted)


@pytest.mark.parametrize("algorithm", HASHES)
@pytest.mark.parametrize("parameters", ["", "?default=a%2Fb&x=%C3%A9"])
def test_one_challenge_serves_many_requests(
    serve: Serve, connect: Connect, algorithm: str, parameters: str
) -> None:
    store = Checking(algorithm)
    server = serve(store)
    endpoint = connect(server.url + parameters, auth=DigestAuth("dba", "s3cr3t"))
    assert [endpoint.query("ASK {}").boolean for _ in range(5)] == [True] * 5
    assert (len(server.requests), store.refused, store.counts) == (6, 1, [1, 2, 3, 4, 5])
    assert not any(b"s3cr3t" in request for request in server.requests)
    assert "s3cr3t" not in f"{endpoint!r} {DigestAuth('dba', 's3cr3t')!r}"


def test_a_nonce_that_is_used_up_is_replaced(serve: Serve, connect: Connect) -> None:
    store = Checking(uses=2)
    endpoint = connect(serve(store).url, auth=DigestAuth("dba", "s3cr3t"))
    assert [endpoint.query("ASK {}").boolean for _ in range(6)] == [True] * 6
    assert store.refused == 3


def test_threads_never_use_a_count_twice(serve: Serve, connect: Connect) -> None:
    store = Checking()
    endpoint = connect(serve(store).url, auth=DigestAuth("dba", "s3cr3t"))
    endpoint.query("ASK {}")
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: endpoint.query("ASK {}").boolean, range(40)))
    assert answers == [True] * 40
    assert (store.refused, sorted(store.counts)) == (1, list(range(1, 42)))


def test_a_wrong_password_is_refused_after_two_requests(serve: Serve, connect: Connect) -> None:
    server = serve(Checking())
    endpoint = connect(server.url, auth=DigestAuth("dba", "wr0ng"))
    for asked in (1, 2):
        with pytest.raises(EndpointUnauthorized) as caught:
            endpoint.query("ASK {}")
        assert not caught.value.retryable
        assert len(server.requests) == 2 * asked


def test_digest_is_found_among_other_challenges(serve: Serve, connect: Connect) -> None:
    both = 'Basic realm="x"\r\nWWW-Authenticate: ' + Checking.challenges
    endpoint = connect(serve(Checking(challenges=both)).url, auth=DigestAuth("dba", "s3cr3t"))
    assert endpoint.query("ASK {}").boolean is True


@pytest.mark.parametrize(
    "challenge",
    [
        'Basic realm="x"',
        "Negotiate",
        'Digest realm="x", nonce="n", qop="auth-int"',
        'Digest realm="x", nonce="n", algorithm=SHA3-256, qop="auth"',
        'Digest realm="x"',
        "Digest nonsense",
    ],
)
def test_another_challenge_is_no_way_in(serve: Serve, connect: Connect, challenge: str) -> None:
    server = serve(Checking(challenges=challenge))
    with pytest.raises(EndpointError) as caught:
        connect(server.url, auth=DigestAuth("dba", "s3cr3t")).query("ASK {}")
    assert type(caught.value) is EndpointUnauthorized
    assert caught.value.endpoint == server.url
    assert len(server.requests) == 1


@pytest.mark.parametrize("user", ["", 'a"b', "a\\b", "a\r\nX: 1"])
def test_a_user_that_cannot_be_quoted_is_refused(user: str) -> None:
    with pytest.raises(ValueError, match="user name"):
        DigestAuth(user, "s3cr3t")
