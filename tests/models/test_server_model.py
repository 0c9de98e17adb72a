"""A model behind a server that behaves."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count

import pytest
from protocol_server import Asked, ProtocolServer, Trouble, log_probability, refusal, tokens

from nlq_gateway.models import GREEDY, Deadline, ModelRequest, Prompt, Sampling, Tool, Turn, Usage, choose
from nlq_gateway.models.errors import ModelMissing, ModelUnreachable
from nlq_gateway.models.server import ServerModel
from tests.clock import PROMPT_S

Start = Callable[..., tuple[ProtocolServer, ServerModel]]
CHAT = "/chat/completions"
PROMPT = Prompt("Answer.\n", "Who?")
TEXT = " Ann and Bob\nWho else?"
WARM = Sampling(temperature=0.3, top_k=30, seed=5)


def soon() -> Deadline:
    return Deadline.after(5)


def test_nothing_is_asked_before_the_first_use(start: Start) -> None:
    server, model = start(name="tiny")
    assert model.name == f"tiny at {server.url}"
    assert model.count_tokens("a b") >= 2
    assert server.requests == []


def test_a_text_with_what_is_known_of_it(start: Start) -> None:
    _, model = start(write=lambda _: TEXT)
    reply = model.generate(ModelRequest(PROMPT), soon())
    (generation,) = reply.generations
    assert generation.text == TEXT
    assert generation.log_probability == pytest.approx(sum(map(log_probability, tokens(TEXT))))
    assert generation.tokens == len(tokens(TEXT))
    assert generation.finished
    assert reply.usage == Usage(30, 20)
    assert reply.request_id == "request-7"


def test_completions_get_the_prompt_as_it_is(start: Start) -> None:
    server, model = start(paths=["/completions"])
    model.generate(ModelRequest(PROMPT, WARM), soon())
    body = server.asked("/completions")[-1].body
    assert body["prompt"] == "Answer.\nWho?"
    assert (body["temperature"], body["top_k"], body["seed"], body["max_tokens"]) == (0.3, 30, 5, 400)
    assert (body["top_p"], body["repetition_penalty"]) == (1, 1)
    model.generate(ModelRequest(PROMPT, GREEDY), soon())
    assert "top_k" not in server.asked("/completions")[-1].body


@pytest.mark.parametrize(
    ("prompt", "messages"),
    [
        (PROMPT, [("system", "Answer.\n"), ("user", "Who?")]),
        (Prompt("", "Who?"), [("user", "Who?")]),
    ],
)
def test_a_chat_gets_the_prefix_as_system_message(
    start: Start, prompt: Prompt, messages: list[tuple[str, str]]
) -> None:
    server, model = start(paths=["/chat/completions"])
    (generation,) = model.generate(ModelRequest(prompt), soon()).generations
    sent = server.asked("/chat/completions")[-1].body["messages"]
    assert [(one["role"], one["content"]) for one in sent] == messages
    assert generation.text == " well said"
    assert generation.log_probability == pytest.approx(-0.8)


LOOKS = 'Look: find "a </s>"\nLook: run\nStep 1: x\nStep 2: y'
TURNS = (Turn(LOOKS, ("thing a", "2")), Turn("Step 1: z", ("nothing",)))


def calling(asked: Asked) -> list[tuple[str, dict[str, str]]]:
    return [("note", {"word": asked.prompt.split()[3]})]


def test_turns_are_messages(start: Start) -> None:
    server, model = start()
    model.generate(ModelRequest(replace(PROMPT, turns=TURNS)), soon())
    body = server.asked(CHAT)[-1].body
    assert "tools" not in body
    assert body["messages"][2:] == [
        {"role": "assistant", "content": LOOKS.replace("</s>", "< /s>")},
        {"role": "user", "content": "Result:\nthing a\n\nResult:\n2"},
        {"role": "assistant", "content": "Step 1: z"},
        {"role": "user", "content": "Result:\nnothing"},
    ]


def test_calls_of_tools_are_messages_where_tools_are_offered(start: Start) -> None:
    server, model = start(calls=calling)
    assert model.capabilities.tools
    find, run = (Tool(name, "Does it.", "text", "of it") for name in ("find", "run"))
    server.behave(calls=lambda _: [("find", {"text": "b"}), ("run", {"text": "Step 1: x\nStep 2: y"})])
    reply = model.generate(ModelRequest(replace(PROMPT, turns=TURNS, tools=(find, run))), soon())
    assert reply.generations[0].text == '\nLook: find "b"\nLook: run\nStep 1: x\nStep 2: y'
    body = server.asked(CHAT)[-1].body
    assert [tool["function"]["name"] for tool in body["tools"]] == ["find", "run"]
    asked, *results = body["messages"][2:5]
    functions = [call["function"] for call in asked["tool_calls"]]
    assert [call["id"] for call in asked["tool_calls"]] == ["look_0_0", "look_0_1"]
    assert [(one["name"], json.loads(one["arguments"])) for one in functions] == [
        ("find", {"text": "a < /s>"}),
        ("run", {"text": "Step 1: x\nStep 2: y"}),
    ]
    assert [(one["role"], one["tool_call_id"], one["content"]) for one in results] == [
        ("tool", "look_0_0", "thing a"),
        ("tool", "look_0_1", "2"),
    ]
    assert body["messages"][5:] == [
        {"role": "assistant", "content": "Step 1: z"},
        {"role": "user", "content": "Result:\nnothing"},
    ]


@pytest.mark.parametrize(
    ("calls", "finds"),
    [
        (lambda _: (), False),
        (lambda _: [("other", {"word": "x"})], False),
        (lambda asked: calling(asked) * 2, False),
        (calling, True),
    ],
    ids=["no call", "another", "twice", "the call"],
)
def test_tools_are_offered_to_a_model_that_calls_one(
    start: Start, calls: Callable[[Asked], object], finds: bool
) -> None:
    _, model = start(calls=calls)
    assert model.capabilities.tools == finds


@pytest.mark.parametrize("path", ["/completions", CHAT])
def test_what_is_spelled_like_a_special_token_is_text(start: Start, path: str) -> None:
    server, model = start(paths=[path])
    model.generate(ModelRequest(Prompt("Names: <|im_start|>x</s>\n", "a < b <|eot_id|>")), soon())
    sent = json.dumps(server.asked(path)[-1].body)
    assert not any(special in sent for special in ("<|", "</s>"))
    assert all(text in sent for text in ("< |im_start|>x< /s>", "a < b < |eot_id|>"))


@pytest.mark.parametrize("stops", [True, False], ids=["the server minds stops", "it does not"])
def test_a_text_ends_before_the_first_stop(start: Start, stops: bool) -> None:
    _, model = start(write=lambda _: TEXT, stops=stops)
    sampling = Sampling(stop=("?", "\n"))
    (generation,) = model.generate(ModelRequest(PROMPT, sampling), soon()).generations
    assert generation.text == " Ann and Bob"
    assert generation.log_probability == pytest.approx(sum(map(log_probability, tokens(" Ann and Bob"))))
    assert generation.finished


def test_reading_ends_with_the_stop_where_the_server_goes_on(start: Start) -> None:
    server, model = start(write=lambda _: "a\n" * 100_000, stops=False)
    (generation,) = model.generate(ModelRequest(PROMPT, Sampling(stop=("\n",))), soon()).generations
    assert generation.text == "a"
    assert server.left.wait(PROMPT_S)


def test_what_was_cut_is_not_finished(start: Start) -> None:
    _, model = start(write=lambda _: TEXT)
    (generation,) = model.generate(ModelRequest(PROMPT, Sampling(max_tokens=2)), soon()).generations
    assert (generation.text, generation.finished) == (" Ann and", False)


def test_log_probability_and_usage_are_not_made_up(start: Start) -> None:
    _, model = start(log_probabilities=False, usage=False, request_ids=False, write=lambda _: TEXT)
    reply = model.generate(ModelRequest(PROMPT), soon())
    assert reply.generations[0].log_probability is None
    assert reply.usage.prompt_tokens == model.count_tokens(PROMPT.text)
    assert reply.usage.completion_tokens == model.count_tokens(TEXT) == reply.generations[0].tokens
    assert reply.request_id == "completion-1"


@pytest.mark.parametrize("several", [True, False], ids=["in one request", "one by one"])
def test_so_many_samples(start: Start, several: bool) -> None:
    numbers = count()
    server, model = start(several=several, write=lambda _: f" {next(numbers)}")
    model.findings()
    server.requests.clear()
    reply = model.generate(ModelRequest(PROMPT, WARM, samples=3), soon())
    assert len({one.text for one in reply.generations}) == 3
    assert [asked.body["seed"] for asked in server.requests] == ([5] if several else [5, 6, 7])


def test_greedy_samples_are_asked_for_once(start: Start) -> None:
    server, model = start()
    model.findings()
    server.requests.clear()
    assert len(model.generate(ModelRequest(PROMPT, GREEDY, samples=3), soon()).generations) == 3
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "parameter",
    "temperature top_p top_k repetition_penalty seed n stop logprobs stream_options".split(),
)
@pytest.mark.parametrize("path", ["/completions", "/chat/completions"])
def test_a_parameter_that_the_server_refuses_is_left_out_from_then_on(
    start: Start, caplog: pytest.LogCaptureFixture, parameter: str, path: str
) -> None:
    caplog.set_level("INFO", "nlq_gateway")
    server, model = start(refuses=[parameter], paths=[path])
    sampling = Sampling(temperature=0.3, top_k=30, stop=("\n",))
    for _ in range(2):
        reply = model.generate(ModelRequest(PROMPT, sampling, samples=2), soon())
        assert [one.text for one in reply.generations] == [" well said"] * 2
    named = [parameter in asked.body for asked in server.asked(path)]
    assert sum(named) == 1
    said = [record.getMessage() for record in caplog.records if record.name.startswith("nlq_gateway")]
    assert len(said) == 1
    assert said[0].endswith(f": {parameter}")


def test_a_refused_parameter_disturbs_nobody(start: Start) -> None:
    _, model = start(refuses=["top_k"])
    model.findings()
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: model.generate(ModelRequest(PROMPT, WARM), soon()), range(16)))
    assert {reply.generations[0].text for reply in replies} == {" well said"}


def test_max_tokens_by_the_name_that_newer_models_have(start: Start) -> None:
    server, model = start(write=lambda _: TEXT, paths=["/chat/completions"])
    model.findings()
    said = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    server.troubles = [refusal(400, said)]
    model.generate(ModelRequest(PROMPT, Sampling(max_tokens=9)), soon())
    assert server.requests[-1].body["max_completion_tokens"] == 9
    assert "max_tokens" not in server.requests[-1].body


@pytest.mark.parametrize("way", ["structured_outputs", "grammar"])
def test_a_grammar_is_sent_as_the_server_knows_it(start: Start, way: str) -> None:
    server, model = start(grammar=way)
    assert model.capabilities.grammar
    reply = model.generate(ModelRequest(PROMPT, grammar='root ::= "yes" | "no"'), soon())
    assert reply.generations[0].text == "yes"
    assert way in server.requests[-1].body


def test_without_a_known_grammar_it_writes_freely(start: Start) -> None:
    server, model = start()
    assert not model.capabilities.grammar
    reply = model.generate(ModelRequest(PROMPT, grammar='root ::= "yes"'), soon())
    assert reply.generations[0].text == " well said"
    assert not {"grammar", "structured_outputs"} & server.requests[-1].body.keys()


@pytest.mark.parametrize("way", ["echo", "prompt_logprobs"])
def test_scores_are_those_of_the_continuation_alone(start: Start, way: str) -> None:
    _, model = start(scores=way)
    assert model.capabilities.scores
    found = model.score(PROMPT, [" a", " elephant house", ""], soon())
    expected = [sum(map(log_probability, tokens(text))) for text in (" a", " elephant house", "")]
    assert found.log_probabilities == pytest.approx(expected)
    assert found.tokens == (1, 4, 0)
    assert found.usage.prompt_tokens == 99


def test_a_token_across_the_end_of_the_prompt_counts_for_what_it_adds(start: Start) -> None:
    _, model = start(scores="echo")
    # "Who" is a token, "Whos" another, which stands for it.
    found = model.score(Prompt("Say: ", "Who"), ["s", "se"], soon())
    assert found.log_probabilities == pytest.approx((-0.1, -0.2))
    assert found.tokens == (1, 2)


def test_options_are_chosen_by_score(start: Start) -> None:
    server, model = start(scores="echo")
    found = choose(model, PROMPT, ["abcd", "a", "abc"], soon())
    assert found is not None
    assert sum(found.probabilities) == pytest.approx(1)
    listed, *scored = server.asked("/completions")[-1].prompt
    assert [text.removeprefix(listed) for text in scored] == ["1", "2", "3"]
    assert "1. abcd\n2. a\n3. abc\n" in listed


def test_one_connection_of_many_threads(start: Start) -> None:
    server, model = start(write=lambda asked: asked.prompt[-3:])
    with ThreadPoolExecutor(8) as pool:
        bodies = [f"{number:03}" for number in range(40)]
        replies = pool.map(lambda body: model.generate(ModelRequest(Prompt("p", body)), soon()), bodies)
        assert [reply.generations[0].text for reply in replies] == bodies
    assert len(server.asked("/models")) == 1


def test_closed_in_the_middle_of_a_text(start: Start) -> None:
    server, model = start()
    model.findings()
    server.troubles = [Trouble(after=1)]
    threading.Timer(0.3, model.close).start()
    with pytest.raises(ModelUnreachable):
        model.generate(ModelRequest(PROMPT), soon())
    with pytest.raises(ModelUnreachable, match="closed"):
        model.generate(ModelRequest(PROMPT), soon())


@pytest.mark.parametrize(
    "url",
    [
        "gpu:8000/v1",
        "ftp://hidden@host/v1",
        "http:///v1",
        "http://[hidden/v1",
        "http://host:hidden/v1",
        "http://me:hidden@host",
        "http://h/?hidden",
    ],
)
def test_a_url_that_is_none_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="model's URL") as found:
        ServerModel(url)
    assert "hidden" not in f"{found.value}"


@pytest.mark.parametrize("key", ["hidden\n", " hidden", "hidden\u2026"])
def test_a_key_that_cannot_be_sent_is_refused_at_once(key: str) -> None:
    with pytest.raises(ValueError, match="model's key") as found:
        ServerModel("http://host/v1", key=key)
    assert "hidden" not in f"{found.value}"


def test_the_client_is_not_imported_before_it_is_used() -> None:
    use = "import sys; from nlq_gateway.models.server import ServerModel; ServerModel('http://h/v1')"
    code = f"{use}; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_first_listed_model_is_meant_without_a_name(start: Start) -> None:
    server, model = start(models=["first", "second"])
    assert model.name == f"first at {server.url}"
    model.generate(ModelRequest(PROMPT), soon())
    assert server.requests[-1].body["model"] == "first"


@pytest.mark.parametrize(
    ("name", "manners", "hint"),
    [
        ("other", {"models": ["first", "second"]}, "it has: first, second"),
        (None, {"models": []}, "name one: model.name"),
        (None, {"lists_models": False}, "check model.name and model.url"),
        ("other", {"lists_models": False}, "check model.name and model.url"),
    ],
)
def test_a_model_that_the_server_does_not_have(
    start: Start, name: str | None, manners: dict[str, object], hint: str
) -> None:
    _, model = start(name=name, **manners)
    with pytest.raises(ModelMissing) as found:
        model.generate(ModelRequest(PROMPT), soon())
    assert found.value.hint == hint
    assert not found.value.retryable


def test_a_server_that_lists_nothing_is_asked_all_the_same(start: Start) -> None:
    _, model = start(name="tiny", lists_models=False)
    assert model.generate(ModelRequest(PROMPT), soon()).generations[0].text == " well said"


def test_the_probe_is_made_once(start: Start) -> None:
    server, model = start()
    findings = model.findings()
    asked = len(server.requests)
    assert model.findings() == findings
    assert model.capabilities == model.capabilities
    assert len(server.requests) == asked


def echoing(asked: Asked) -> str:
    return asked.prompt


@pytest.mark.parametrize(
    ("manners", "expected"),
    [
        ({}, (CHAT, True, None, None)),
        ({"log_probabilities": False}, (CHAT, False, None, None)),
        ({"paths": [CHAT]}, (CHAT, True, None, None)),
        ({"grammar": "grammar"}, (CHAT, True, "grammar", None)),
        ({"grammar": "structured_outputs"}, (CHAT, True, "structured_outputs", None)),
        ({"paths": ["/completions"], "grammar": "grammar"}, ("/completions", True, "grammar", None)),
        ({"grammar": "ebnf"}, (CHAT, True, "ebnf", None)),
        ({"grammar": "guided_grammar"}, (CHAT, True, "guided_grammar", None)),
        ({"grammar": "grammar", "refuses": ["structured_outputs"]}, (CHAT, True, "grammar", None)),
        ({"scores": "echo"}, (CHAT, True, None, "echo")),
        ({"scores": "echo", "paths": [CHAT]}, (CHAT, True, None, None)),
        ({"paths": ["/completions"]}, ("/completions", True, None, None)),
        ({"scores": "prompt_logprobs"}, (CHAT, True, None, "prompt_logprobs")),
        ({"scores": "echo", "log_probabilities": False}, (CHAT, False, None, None)),
        ({"scores": "echo", "refuses": ["echo"]}, (CHAT, True, None, None)),
        ({"write": echoing}, (CHAT, True, None, None)),
        ({"write": lambda _: "", "scores": "echo"}, (CHAT, True, None, None)),
    ],
)
def test_what_is_found_out(start: Start, manners: dict[str, object], expected: tuple[object, ...]) -> None:
    _, model = start(**manners)
    found = model.findings()
    assert (found.path, found.log_probabilities, found.grammar, found.scoring) == expected
