"""`/datasets/ID/functions`: the table of the language, for those who write programs."""

from __future__ import annotations

from flask.testing import FlaskClient

from compilers.kopl.functions import FUNCTIONS


def test_every_function_is_there_with_its_types(client: FlaskClient) -> None:
    found = {one["name"]: one for one in client.get("/datasets/sample/functions").get_json()}
    assert list(found) == list(FUNCTIONS)
    assert found["Relate"]["inputs"] == [["entities", "facts"]]
    assert found["Relate"]["parameters"][1] == {
        "name": "direction",
        "kind": "direction",
        "choices": ["forward", "backward"],
    }
    assert (found["Count"]["output"], found["FindAll"]["inputs"]) == ("number", [])


def test_it_is_not_sent_again(client: FlaskClient) -> None:
    first = client.get("/datasets/sample/functions")
    again = client.get("/datasets/sample/functions", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
