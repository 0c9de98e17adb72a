from __future__ import annotations

import pytest

from connectors import Auth, BasicAuth, BearerAuth, HeaderAuth, NoAuth

SECRET = "s3cr3t-päss"


@pytest.mark.parametrize(
    ("auth", "fields"),
    [
        (NoAuth(), {}),
        (BasicAuth("Aladdin", "open sesame"), {"Authorization": "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="}),
        (BasicAuth("u", "pä:ss"), {"Authorization": "Basic dTpww6Q6c3M="}),
        (BearerAuth("t0ken"), {"Authorization": "Bearer t0ken"}),
        (HeaderAuth("X-API-Key", "key"), {"X-API-Key": "key"}),
    ],
)
def test_header_fields(auth: Auth, fields: dict[str, str]) -> None:
    assert auth.headers("http://store.example/sparql") == fields


@pytest.mark.parametrize("auth", [BasicAuth("u", SECRET), BearerAuth("s3cr3t"), HeaderAuth("X", "s3cr3t")])
def test_no_secret_in_any_text(auth: Auth) -> None:
    for text in (repr(auth), str(auth), f"{auth}"):
        assert "s3cr3t" not in text


@pytest.mark.parametrize("bad", ["", "a\r\nX-Other: 1", "a\nb", "tökén", "a\0"])
@pytest.mark.parametrize("kind", [BearerAuth, lambda value: HeaderAuth("X", value)])
def test_a_secret_that_would_end_the_field_is_refused_and_not_repeated(
    kind: type[BearerAuth], bad: str
) -> None:
    with pytest.raises(ValueError, match="secret") as caught:
        kind(bad)
    assert not bad or bad not in str(caught.value)


def test_a_colon_in_the_user_is_refused() -> None:
    with pytest.raises(ValueError, match="colon"):
        BasicAuth("a:b", "c")
