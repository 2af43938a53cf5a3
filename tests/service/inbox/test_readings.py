"""What typed lines ask for."""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace
from typing import Any

import pytest

from engine import registry
from engine.game import AnyGame
from engine.play import begin, legal_actions
from engine.types import Seat, Setup
from service.inbox.mail_programs import PATTERNS
from service.inbox.moves import LONGEST_LINE, Option
from service.inbox.readings import LONG_LINE, MOST_LINES, Ambiguous, Empty, Orders, Play, Unread, Words, read_orders
from service.inbox.words import Word
from tests.engine import sealed, toy
from tests.engine.matches import play
from tests.service.inbox.sent_mails import Sent, turn_mail


def orders(*lines: str, game: str = "oregon", asked: bool = False) -> Orders:
    sent = turn_mail(game)
    return read_orders(sent.game, sent.state, sent.seat, lines, asked)


def action(sent: Sent, number: int) -> object:
    return legal_actions(sent.game, sent.state, sent.seat)[number - 1]


def numbers(found: Orders) -> list[int | None]:
    match found:
        case Ambiguous(options) | Unread(_, _, options):
            return [option.number for option in options]
    return []


@pytest.mark.parametrize(
    "line",
    [
        "4",
        " 4. ",
        "#4",
        "(4)",
        "4)",
        "No. 4",
        "Move 4",
        "play 4",
        "I play 4!",
        "4 please",
        "4, thanks",
        "* 4",
        "- 4",
        "4 \U0001f44d",
        "\u21164",
        "\u2116 4",
        "No4",
        "N\xba 4",
        "option no 4",
        "I play option no. 4",
        "\xab 4 \xbb",
        "n\xb04",
        "Choix n\xb04",
        "Jugada 4",
        "\u0445\u043e\u0434 4",
        "My move: 4",
        "My move is number 4",
        "I'll go with 4",
        "I\u2019ll take 4.",
        "I pick 4",
        "4, good luck!",
        "4, s'il te pla\xeet",
    ],
)
def test_a_number_is_the_move_of_that_number(line: str) -> None:
    found = orders(line)
    assert isinstance(found, Play)
    assert found.actions == (action(turn_mail("oregon"), 4),)


@pytest.mark.parametrize(
    "line",
    [
        "Hi! 4",
        "I will play 4 tomorrow",
        "4 I think",
        "maybe 4",
        "not 4",
        "4?",
        "4 or so",
        "-4",
        "4.0",
        "Is 4 a good move?",
        "I'll play 4 if you wait",
        "I won't play 4",
        "I will not take 4",
        "My move is not 4",
        "My move: 4?",
        "Let's play 4",
        "Turn 4",
        "ok 4",
        "no 4!",
        "No 4",
        "no: 4",
        "please no 4",
        "no no 4",
        "no move 4",
        "no jugada 4",
        "I no play 4",
        "I take no 4",
        "my number is 4",
        "My no.: 4",
    ],
)
def test_a_number_in_a_sentence_is_offered(line: str) -> None:
    found = orders(line)
    assert isinstance(found, Unread)
    assert 4 in numbers(found)


@pytest.mark.parametrize(
    "said",
    ["move no ", "no.", "no ", "number ", "n ", "my move is ", "go with ", "please ", "play: ", "- ", "\u7b2c", "4, "],
)
def test_words_of_moves_again_and_again_are_read_to_the_end(said: str) -> None:
    """Where they could be read in two ways each, a line would take longer than anybody waits."""
    line = (said * LONGEST_LINE)[: LONGEST_LINE - 2] + "z"
    for begun in (line, f"x {line}"[:LONGEST_LINE]):
        assert not isinstance(orders(begun), Play)


@pytest.mark.parametrize(
    "line", ["My move: start I1", "Move: start I1.", "I play start I1", "I'll play start I1!", "play: start I1, thanks"]
)
def test_words_that_say_that_notation_is_played_are_none_of_it(line: str) -> None:
    found, plain = orders(line), orders("start I1")
    assert isinstance(found, Play)
    assert isinstance(plain, Play)
    assert found.actions == plain.actions


@pytest.mark.parametrize("line", ["\u0661\u0662", "\u06f1\u06f2.", "\u0e51\u0e52", "\uff11\uff12"])
def test_digits_of_another_script_are_one_number(line: str) -> None:
    assert orders(line) == orders("12")


NUMBERS = """
4番 4番です ４番でお願いします 4番目 手4 手番4 4手 第4手 番号4 四 四番
4ではなく5 選4 选4 我选择4 走4 第四 第四步 4号 编号4 4吧 不要4
4번 4번요 4번이요 4번으로 사번 넷 الرقم٤ أربعة четыре cztery quatro vier quatrième fourth
""".split()


@pytest.mark.parametrize("game", ["oregon", "montana", "ozeanien"])
@pytest.mark.parametrize(
    "line", [*NUMBERS, "The fourth one!", "der vierte", "la quarta", "I'll take four", "my move is four"]
)
def test_a_number_of_another_script_or_in_words_is_offered(line: str, game: str) -> None:
    found = orders(line, game=game)
    assert isinstance(found, Unread)
    assert numbers(found)[0] == 4
    assert isinstance(orders("5", line, game=game), Ambiguous)


@pytest.mark.parametrize("line", ["4月4日", "4時に", "4时见", "4시에", "4월 4일", "4층", "我4岁"])
def test_a_date_or_a_time_of_another_script_is_chat(line: str) -> None:
    assert isinstance(orders(line), Empty)


@pytest.mark.parametrize(
    "line",
    [
        "Your recruit",
        "his recruit",
        "No, recruit",
        "recruit / pass",
        "recruit -> pass",
        "recruit | pass",
        "Your move: 4",
    ],
)
def test_notation_that_may_be_of_another_or_a_choice_is_offered(line: str) -> None:
    found = orders(line, game="montana")
    assert isinstance(found, Unread)
    assert found.nearest


def test_an_afterthought_is_no_move() -> None:
    assert isinstance(orders("P.S. 4", game="montana"), Unread)


@pytest.mark.parametrize(
    "line", ["I'll play start I1 tomorrow", "My move is not start I1", "I won't play start I1", "I play start I1?"]
)
def test_notation_in_a_sentence_is_not_played(line: str) -> None:
    assert isinstance(orders(line), Unread | Ambiguous)


@pytest.mark.parametrize(
    "line",
    [
        "Nice move!",
        "See you on Sunday at 7pm",
        "See you on 22 November",
        "Tel. +39 02 1234567",
        "12 High Street, London",
        "Via Roma 7, 20121 Milano",
        "https://example.org/4",
        "anna4@example.org",
        "It costs 4 euros",
        "Thanks, Anna",
        "Hello Overland,",
        "lol",
    ],
)
def test_chat_and_signatures_neither_move_nor_stop_a_move(line: str) -> None:
    assert isinstance(orders(line), Empty)
    assert isinstance(orders("4", "", line), Play)


HEARTS = ("<3", "<3<3", "<33", "<3 <3", "<3!", "*<3*", "_<3_", '"<3"', "- <3", "(<3)", "</3", "<3>", "> 3", "<4")
FACES = (*HEARTS, ":3", ":-3", "=3", ";3", "x3", "X3", "^3", "8)", "8-)", "(8", "8))", "8D", "3:)", ">:3", "Bela <3")


@pytest.mark.parametrize("game", ["oregon", "montana", "ozeanien"])
@pytest.mark.parametrize("face", FACES)
def test_a_face_with_a_number_plays_nothing(face: str, game: str) -> None:
    for lines in ((face,), ("Hi Bela!", "", face), ("Hello,", face, "Ada")):
        assert not isinstance(orders(*lines, game=game), Play)


@pytest.mark.parametrize("line", ["4 <3", "4 <3<3", "4 :)", "<church eagle D3>"])
def test_a_heart_beside_a_move_is_one(line: str) -> None:
    assert isinstance(orders(line), Play)
    assert isinstance(orders("4", "", "<3"), Play)


def test_a_line_of_our_list_is_offered_and_not_played() -> None:
    sent = turn_mail("oregon")
    assert numbers(orders(f"4  {sent.legal[3]}")) == [4]
    assert numbers(orders(f"5. {sent.legal[3]}")) == [5, 4]


def test_moves_on_several_lines_are_one_turn() -> None:
    found = orders("4", "draw L", "draw B")
    assert isinstance(found, Play)
    assert len(found.actions) == 3


def test_a_number_after_a_semicolon_is_one_of_the_same_list() -> None:
    found = orders("recruit; 2", game="montana")
    assert isinstance(found, Ambiguous)
    assert numbers(found) == [1, 2]


@pytest.mark.parametrize("line", ["2 1", "2, 1", "2 and 1", "2 + 1"])
def test_several_numbers_without_a_semicolon_are_asked_about(line: str) -> None:
    """They may be how many of something, or a row and a column."""
    found = orders(line)
    assert isinstance(found, Unread)
    assert numbers(found) == [2, 1]


@pytest.mark.parametrize("game", ["oregon", "montana", "ozeanien"])
def test_two_first_moves_are_alternatives(game: str) -> None:
    found = orders("1", "2", game=game)
    assert isinstance(found, Ambiguous)
    assert numbers(found) == [1, 2]


def test_a_move_beside_something_like_a_move_is_offered_with_it() -> None:
    sent = turn_mail("oregon")
    found = orders("4", "or rather 5?")
    assert found == Ambiguous((Option(sent.legal[3], 4), Option(sent.legal[4], 5)))


@pytest.mark.parametrize(
    ("lines", "offered"),
    [(("1", "2", "or 3?"), [1, 2, 3]), (("4", "4", "or 5?"), [4, 5]), (("4", "5", "no wait"), [4, 5])],
)
def test_of_alternatives_beside_something_like_a_move_each_is_offered(
    lines: tuple[str, ...], offered: list[int]
) -> None:
    assert numbers(orders(*lines)) == offered


def test_the_same_move_twice_is_played_once() -> None:
    sent = turn_mail("oregon")
    found = orders("4", sent.legal[3])
    assert isinstance(found, Play)
    assert found.actions == (action(sent, 4),)


def test_a_slip_is_offered_with_what_it_is_nearest_to() -> None:
    found = orders(turn_mail("oregon").legal[3].replace("farmer", "famer"))
    assert isinstance(found, Unread)
    assert numbers(found) == [4]
    assert "famer" in found.why


@pytest.mark.parametrize("digit", ["²", "⓹", "①", "٣", "\uff13", "½", "五"])
@pytest.mark.parametrize("line", ["{}", "4 {}", "{}; 4", "farmer {}", "G {}", "no {}", "4{}"])
def test_a_line_with_digits_of_other_scripts_is_read(line: str, digit: str) -> None:
    """One that Python's ``int`` does not take, such as a circled one, is a word like others."""
    assert isinstance(orders(line.format(digit)), Play | Unread | Ambiguous | Empty | Words)


def test_a_space_alone_is_offered_with_the_moves_there() -> None:
    sent = turn_mail("oregon")
    found = orders(sent.legal[3].split()[-1])
    assert 4 in numbers(found)


def test_a_number_beyond_the_list_is_told_the_range() -> None:
    found = orders("4000")
    assert isinstance(found, Unread)
    assert "numbered from 1 to 77" in found.why
    assert isinstance(orders("0"), Unread)


def test_words_beside_a_turn_are_kept() -> None:
    found = orders("4", "say good luck")
    assert isinstance(found, Play)
    assert found.words == (Word("say", "good luck"),)


@pytest.mark.parametrize("line", ["resign", "no", "yes", "join"])
def test_words_that_contradict_a_turn_stop_it(line: str) -> None:
    assert isinstance(orders("4", line), Ambiguous)


def test_a_chat_goes_on_to_the_next_blank_line() -> None:
    assert orders("say good game", "and good luck", "", "4") == Play(
        (action(turn_mail("oregon"), 4),), (Word("say", "good game and good luck"),)
    )


@pytest.mark.parametrize(
    "end", ["Best regards,", "Cheers", "Viele Gr\u00fc\u00dfe", "Cordialement", "Thanks,", "love, Ada"]
)
@pytest.mark.parametrize("chat", ["good luck", "I do not know whether I should take this one or that one,"])
def test_a_chat_ends_where_the_mail_ends(chat: str, end: str) -> None:
    said = Word("say", f"{chat} and have fun")
    signature = (end, "Ada Miller", "+49 171 1234567", "12 High Street")
    assert orders(f"say {chat}", "and have fun", *signature) == Words((said,))
    assert orders("4", f"say {chat}", "and have fun", *signature) == Play((action(turn_mail("oregon"), 4),), (said,))
    assert orders(f"say {chat}", "see you soon") == Words((Word("say", f"{chat} see you soon"),))


@pytest.mark.parametrize("line", ["famer bison wagon C7", "strat D5", "I will put a farmer on D5 next"])
@pytest.mark.parametrize("chat", ["Well played", "I do not know whether I should take this one or that one,"])
def test_what_may_be_a_move_below_chat_is_asked_about_and_not_told_to_others(chat: str, line: str) -> None:
    found = orders(f"say {chat}", line)
    assert isinstance(found, Unread)
    assert found.line == line


def test_a_number_below_a_long_line_of_chat_is_asked_about() -> None:
    found = orders("say I do not know whether I should take this one or that one,", "4")
    assert isinstance(found, Unread)
    assert numbers(found) == [4]


@pytest.mark.parametrize("line", ["4", "No. 4", "4, 5", "#4"])
@pytest.mark.parametrize("above", ["Busy day, I will answer tomorrow.", "Ann Berg", "Rose Cottage"])
def test_a_number_below_other_text_is_not_played(above: str, line: str) -> None:
    assert not isinstance(orders(above, line), Play)
    assert not isinstance(orders(above, "", line, "High Street"), Play)
    assert isinstance(orders("Hello,", line.replace(", 5", "")), Play)


@pytest.mark.parametrize("line", ["end of mail", "stop"])
def test_nothing_below_end_is_read(line: str) -> None:
    assert isinstance(orders("4", line, "5"), Play)
    assert orders(line, "4") == Empty(is_ended=True)


def test_end_is_a_move_where_it_is_legal() -> None:
    found = orders("harvest mine 1 wheat pumpkin", "end", "5", game="montana")
    assert isinstance(found, Play)
    assert len(found.actions) == 2


@pytest.mark.parametrize("end", ["end", "End.", "END"])
def test_end_below_a_move_is_the_same_turn_as_on_its_line(end: str) -> None:
    """Also below one that draws, such as "recruit"."""
    sent = turn_mail("montana")
    for number, move in enumerate(sent.legal, 1):
        turn = orders(f"{move}; end", game="montana")
        assert isinstance(turn, Play)
        assert orders(move, "", end, "Ada", game="montana") == turn
        assert orders(str(number), end, game="montana") == turn


def test_end_is_no_move_where_it_cannot_follow() -> None:
    assert orders("end", game="montana") == Empty(is_ended=True)
    assert numbers(orders("1", "2", "end", game="montana")) == [1, 2]
    assert orders("recruit", "stop", "end", game="montana") == orders("recruit", game="montana")
    assert orders("4", "End") == orders("4")


@pytest.mark.parametrize("line", ["I'm done", "That's all!", "finished", "Fini"])
def test_who_is_done_below_a_move_does_not_spoil_it(line: str) -> None:
    assert orders("4", "", line) == orders("4")
    assert orders("4", "", line, game="montana") == orders("4", "end", game="montana")


@pytest.mark.parametrize("game", ["oregon", "montana", "ozeanien"])
def test_the_end_of_a_mail_is_no_move(game: str) -> None:
    assert orders("The end.", game=game) == Empty(is_ended=True)


def long_turn(move: str) -> str:
    """A turn of Oregon in many words."""
    _, one, two, space = move.split()
    return f"Place a farmer with {one} and {two} on the space {space}; draw landscape"


def test_a_move_below_a_long_line_of_moves_is_of_the_same_turn() -> None:
    for move in turn_mail("oregon").legal[:5]:
        long = long_turn(move)
        assert len(long) > LONG_LINE
        turn = orders(f"{long}; draw landscape")
        assert isinstance(turn, Play)
        assert len(turn.actions) == 3
        assert orders(long, "draw landscape") == orders(f"{long};", "draw landscape") == turn


@pytest.mark.parametrize(
    "width", [pytest.param(width, marks=[pytest.mark.deep] * (width not in (66, 78))) for width in range(60, 80)]
)
def test_a_line_of_moves_that_a_mail_program_broke_is_the_turn_that_it_was(width: int) -> None:
    for move in turn_mail("oregon").legal[:5]:
        line = f"{long_turn(move)}; draw a landscape; then draw building"
        turn = orders(line)
        assert isinstance(turn, Play)
        assert orders("Hello,", "", *textwrap.wrap(line, width), "", "Cheers,", "Ada") == turn
        assert not isinstance(orders(*textwrap.wrap(f"{line} I think that is best", width)), Play)
        assert not isinstance(orders(*textwrap.wrap(f"If only I had that, I would say {line}", width)), Play)


def test_a_line_that_may_be_the_rest_of_the_move_above_is_asked_about() -> None:
    above = "harvest mine 1 wheat pumpkin; again wheat stone; upgrade copper"
    found = orders(above, "copper copper; end", game="montana")
    assert isinstance(found, Unread)
    one, two = found.nearest
    assert one.line == f"{above} copper copper; end"
    assert two.line == f"{above}; take copper copper; end"


@pytest.mark.parametrize("game", ["oregon", "montana", "ozeanien"])
@pytest.mark.parametrize(
    "line",
    [
        "Fine.",
        "no",
        "Ok fine!",
        "Yes, fine",
        "Thanks, no",
        "No, thank you!",
        "P.S.",
        "N.B.",
        "S. E.",
        "S.E",
        "C. P. S.",
        "p. s.:",
        "1st",
        "The 1st one!",
    ],
)
def test_what_people_say_is_not_taken_for_a_move(line: str, game: str) -> None:
    assert not isinstance(orders(line, game=game), Play)
    assert not isinstance(orders("I am still thinking.", "", line, game=game), Play)


def test_a_place_in_the_list_is_offered_with_what_else_it_may_be() -> None:
    take = "take stone"
    assert orders("1st", game="montana") == Unread(
        "1st", "It can be read in more than one way.", (Option("recruit", 1), Option(take))
    )
    assert numbers(orders("the 4th one")) == [4]


@pytest.mark.parametrize(("line", "number"), [("yes", "1"), ("No.", "2")])
def test_a_move_that_is_asked_back_is_offered_by_what_plays_it(line: str, number: str) -> None:
    """Its line would be asked back each time, until such mails get no answer."""
    called, meant = {"take": "yes", "leave": "no"}, {"yes": "take", "no": "leave"}
    game = replace(
        toy.GAME,
        format=lambda action: called.get(toy.format_action(action), toy.format_action(action)),
        parse=lambda typed: toy.parse(meant.get(typed.lower(), typed)),
    )
    state = replace(toy.start(Setup(2, toy.Options(), toy.BAG)), hands=((2,), ()), offered=2)
    found = read_orders(game, state, 1, (line,), False)
    assert found == Unread(line, "It can be read as a move.", (Option(number),))
    assert isinstance(read_orders(game, state, 1, (found.nearest[0].line,), False), Play)


def test_an_open_question_is_answered_rather_than_played() -> None:
    assert orders("no", game="ozeanien", asked=True) == Words((Word("no"),))


@pytest.mark.parametrize(
    "word", ["no", "No.", "NO:", "non", "Nein", "yes", "oui,", "S\u00ec", "ok", "please no", "no move"]
)
@pytest.mark.parametrize("number", ["1", "#1", "1.", "1!", "1 please", "(1)"])
def test_a_yes_or_no_with_a_number_is_asked_about_while_a_question_is_open(word: str, number: str) -> None:
    sent = turn_mail("oregon")
    found = orders(f"{word} {number}", asked=True)
    answer = "decline" if word.lower().removeprefix("please ").startswith("n") else "accept"
    assert isinstance(found, Unread)
    assert found.nearest == (Option(f"{answer} 1"), Option(sent.legal[0], 1))


@pytest.mark.parametrize("line", ["1", "play no. 1", "n\u00b0 1", "number 1"])
def test_a_number_is_a_move_while_a_question_is_open(line: str) -> None:
    assert isinstance(orders(line, asked=True), Play)


@pytest.mark.parametrize("line", ["5", "church eagle D3"])
def test_a_move_below_the_end_of_a_mail_is_not_played(line: str) -> None:
    assert not isinstance(orders("Cheers,", line), Play)


def test_too_many_lines_are_not_read() -> None:
    found = orders(*["4"] * (MOST_LINES + 1))
    assert isinstance(found, Unread)
    assert str(MOST_LINES) in found.why


def test_nothing_asks_for_nothing() -> None:
    assert orders() == Empty()


def test_pass_is_a_move_where_the_game_has_one() -> None:
    assert isinstance(orders("1", "pass", game="montana"), Play | Ambiguous | Unread)
    assert orders("pass") == Words((Word("pass"),))


def saying(line: str) -> Orders:
    """What the line asks for in a game of secret bids, whose bids are written as "say 3"."""
    game = replace(
        sealed.GAME,
        parse=lambda typed: sealed.parse(re.sub("(?i)say", "bid", typed)),
        format=lambda action: sealed.format_action(action).replace("bid", "say"),
    )
    state, _ = begin(game, Setup(2, game.options(), sealed.SALE), lambda ply, total: 0)
    return read_orders(game, state, 0, [line])


@pytest.mark.parametrize("line", ["say 3", "Say 3.", "SAY 3!", "say 21"])
def test_a_move_that_begins_as_chat_does_is_played(line: str) -> None:
    assert saying(line) == Play((sealed.Bid(int(re.sub(r"\D", "", line))),))


@pytest.mark.parametrize("line", ["say 3 please", "say: 3", "say 300", "say +3", "say 3 and good luck"])
def test_what_is_nearly_a_move_that_begins_as_chat_does_is_told_to_nobody(line: str) -> None:
    assert isinstance(saying(line), Unread)


def test_chat_that_begins_as_a_move_does_is_chat() -> None:
    assert saying("say good luck") == Words((Word("say", "good luck"),))


def where_legal(name: str, move: str) -> tuple[AnyGame, Any, Seat, tuple[str, ...], int]:
    """The first state of a match of bots in which the move is legal: the game, that state, the
    seat, all its moves, and the number of that one.
    """
    game = registry.game(name)
    (action,) = game.parse(move)
    _, states = play(game, Setup(2, game.options(), registry.components(name)), lambda ply, total: 0, "no")
    for state in states:
        for seat in game.to_act(state):
            legal = legal_actions(game, state, seat)
            if action in legal:
                return game, state, seat, tuple(map(game.format, legal)), legal.index(action) + 1
    raise AssertionError(f"{move} is never legal")


def test_no_with_a_number_may_be_the_move_no() -> None:
    game, state, seat, legal, number = where_legal("ozeanien", "no")
    found = read_orders(game, state, seat, ["no 1"])
    assert isinstance(found, Unread)
    assert found.nearest == (Option(legal[number - 1], number), Option(legal[0], 1))


@pytest.mark.parametrize("line", ["pass my turn", "Skip my turn!", "ich passe", "pass?"])
@pytest.mark.parametrize("name", ["montana", "ozeanien"])
def test_a_pass_in_other_words_is_offered_where_it_is_legal(name: str, line: str) -> None:
    game, state, seat, _, number = where_legal(name, "pass")
    assert numbers(read_orders(game, state, seat, [line])) == [number]


COURTESY = {
    "Swedish": ("Hej Anna,", "Tack s\u00e5 mycket!", "Med v\u00e4nliga h\u00e4lsningar"),
    "Norwegian": ("God kveld,", "Tusen takk!", "Vennlig hilsen"),
    "Danish": ("K\u00e6re Anna,", "Mange tak!", "K\u00e6rlig hilsen"),
    "Finnish": ("Hyv\u00e4\u00e4 p\u00e4iv\u00e4\u00e4,", "Paljon kiitoksia", "Yst\u00e4v\u00e4llisin terveisin"),
    "Polish": ("Dzie\u0144 dobry,", "Dzieki!", "Pozdrawiam serdecznie,"),
    "Czech": ("Dobr\u00fd den,", "D\u00edky moc", "S pozdravem"),
    "Slovak": ("Dobr\u00fd de\u0148,", "\u010eakujem", "S pozdravom"),
    "Hungarian": ("J\u00f3 napot!", "K\u00f6sz\u00f6n\u00f6m!", "\u00dcdv\u00f6zlettel"),
    "Romanian": ("Bun\u0103 ziua,", "Mul\u021bumesc mult!", "Cu stim\u0103"),
    "Turkish": ("\u0130yi g\u00fcnler,", "Te\u015fekk\u00fcrler!", "Sayg\u0131lar\u0131mla"),
    "Greek": (
        "\u039a\u03b1\u03bb\u03b7\u03bc\u03ad\u03c1\u03b1,",
        "\u0395\u03c5\u03c7\u03b1\u03c1\u03b9\u03c3\u03c4\u03ce!",
        "\u039c\u03b5 \u03b5\u03ba\u03c4\u03af\u03bc\u03b7\u03c3\u03b7",
    ),
    "Russian": ("Добрый день, Анна!", "Большое спасибо", "До свидания"),
    "Ukrainian": ("Добрий день,", "Дякую!", "Всього найкращого"),
    "Portuguese": ("Boa tarde,", "Muito obrigada!", "Com os melhores cumprimentos"),
    "Dutch": ("Goedemorgen,", "Dank je wel!", "Met vriendelijke groeten"),
    "Italian": ("Ciao Anna,", "Grazie mille", "Ciao"),
    "Japanese": ("こんにちは", "ありがとうございます!", "よろしくお願いします。"),
    "Chinese": ("你好!", "谢谢!", "祝好"),
    "Korean": ("안녕하세요!", "감사합니다.", "안녕히 계세요"),
}


@pytest.mark.parametrize("game", ["oregon", "montana", "ozeanien"])
@pytest.mark.parametrize("language", COURTESY)
def test_courtesy_around_a_number_is_no_reason_to_ask(language: str, game: str) -> None:
    greeting, thanks, end = COURTESY[language]
    assert isinstance(orders(greeting, "", thanks, "1", game=game), Play)
    for last in (end, thanks):
        signature = ("Anna Berg", "Storgatan 3", "+46 70 123 45 67")
        assert isinstance(orders(greeting, "", "1", "", last, *signature, game=game), Play)


DOUBTS = PATTERNS["no name"].replace("\\w*", "").replace("[sz]", "").replace("(?:te)", "").replace("?", "").split("|")


@pytest.mark.parametrize("doubt", DOUBTS)
def test_what_refuses_doubts_or_waits_is_no_name_behind_courtesy(doubt: str) -> None:
    for line in (
        f"Hello {doubt}",
        f"Thanks, {doubt}",
        f"Thanks Anna, {doubt}",
        f"Cheers, {doubt}",
        f"{doubt.title()},",
    ):
        assert not isinstance(orders(line, "", "4"), Play)
    for line in (f"Thanks, {doubt}", f"Thanks Anna, {doubt}!", f"Cheers, {doubt}"):
        assert not isinstance(orders("4", "", line), Play)


@pytest.mark.parametrize(
    "line",
    [
        "Tack, men nej",
        "Спасибо, не надо",
        "Kiitos, ei",
        "谢谢,我再想想",
        "谢谢 不对",
        "ありがとう、やっぱり違う",
        "감사합니다 아니요",
        "Te\u015fekk\u00fcrler, hay\u0131r",
        "不对,",
        "Пока думаю",
    ],
)
def test_courtesy_that_refuses_stops_the_number_below_it(line: str) -> None:
    assert not isinstance(orders(line, "", "4"), Play)


@pytest.mark.parametrize(
    "line",
    [
        "Nej v\u00e4nta, den andra",
        "vent litt",
        "odota",
        "nie, czekaj",
        "po\u010dkej",
        "v\u00e1rj",
        "nu, stai",
        "bekle",
        "нет, подожди",
        "ні, зачекай",
        "n\u00e3o, espera",
        "nee wacht",
        "やっぱり2番",
        "等一下",
        "不对,是2",
        "잠깐만요",
        *"jk disregard Нет いいえ 取り消します 取消 错了 说错了 취소 انتظر לא".split(),
        *"scrap that,hold on,- wait,don't play this,only if Bela agrees,or maybe not,not this one".split(","),
        *"bitte nicht spielen,war ein Scherz,laisse tomber,ne joue pas ça,en fait non,lascia stare".split(","),
        *"non giocare,mejor no,me equivoqué,ainda não,laat maar,toch niet,jednak nie,не надо,я ошибся".split(","),
        *"glöm det,vertippt!,scherzavo,pomyłka".split(","),
    ],
)
def test_a_move_is_taken_back_below_it_in_other_languages_too(line: str) -> None:
    assert not isinstance(orders("4", "", line), Play)


@pytest.mark.parametrize(
    "line",
    """
Not bad! | I can't wait! | Hopefully that was not a mistake | If you win, I owe you a beer | Never play cards with me
I don't play that well in the morning | Nicht schlecht! | Kein Stress | Das ist halt so | Finalement on y arrive
Non male | Qué buena jugada | Desculpa a demora | Leuk spel, nu jij! | Ładny ruch | Хороший ход | Lycka till
まだ寒いですね | 我等你 | 좋은 수네요 | حظا سعيدا
""".strip()
    .replace("\n", " | ")
    .split(" | "),
)
def test_what_people_say_below_a_move_does_not_take_it_back(line: str) -> None:
    for game in ("oregon", "montana", "ozeanien"):
        assert orders("4", "", line, game=game) == orders("4", game=game)


DOUBTFUL = (
    """
? | ?? | ?! | ؟ | maybe | Maybe not | perhaps later | probably | hmm | I guess | I think so
tomorrow | next week | not sure | ok? | right? | is that legal? | can I do that? | should I play it?
oder? | peut-être | vielleicht morgen | später | demain | forse | domani | quizás | mañana | talvez
amanhã | misschien | kanske | imorgon | może być | jutro | belki | yar\u0131n | может быть | завтра | たぶん
明日 | 也许 | 明天 | 아마 | 내일 | If Bela agrees | IF BELA AGREES! | If Bela agrees: | If Bela agrees, play it that way
If Bela agrees, please
But only if he does | Unless Bela objects | Provided Bela agrees | Assuming he agrees
as long as Bela agrees | Once Bela agrees | I play that only if Bela does | Wenn Bela zustimmt
Nur wenn Bela zustimmt | Falls er mag | Si Bela est d'accord | À condition que Bela joue
Se Bela è d'accord | Si Bela está de acuerdo | Se a Bela concordar | Als Bela het goed vindt
Om Bela går med på det | Hvis Bela er enig | Jeśli Bela się zgodzi | Pokud Bela souhlasí
Ha Bela is akarja | Dacă Bela e de acord | Jos Bela suostuu | Eğer Bela isterse
Если Бела согласится | Якщо Бела згоден | もしベラがよければ | ベラがよければ | 如果贝拉同意 | 만약 벨라가 좋다면
벨라가 동의하면
""".strip()
    .replace("\n", " | ")
    .split(" | ")
)


@pytest.mark.parametrize("line", DOUBTFUL)
def test_a_move_beside_a_line_that_doubts_it_or_has_a_condition_is_asked_about(line: str) -> None:
    for move in ("4", "start I1"):
        for lines in ((move, line), (move, "", line), (line, "", move), ("Hello,", move, line, "Cheers, Ada")):
            assert not isinstance(orders(*lines), Play)
            assert not isinstance(orders(*lines), Empty)


@pytest.mark.parametrize(
    "line",
    """
If you are in town, come by
How are you? | See you tomorrow! | Tomorrow we go hiking | Maybe we meet next week | Not bad, eh?
If only I had more wood | Did you see the game last night? | Morgen! | Later, Tom | À demain
A domani! | Bis morgen | Se cuida! | Wenn schon, denn schon | Haha ha | Si va bene
Als je tijd hebt, kom je morgen bij ons eten? | Wie geht's? | Até amanhã | Возможно, приеду летом
明日会いましょう | 明天见 | 내일 봐요
""".strip()
    .replace("\n", " | ")
    .split(" | "),
)
def test_what_is_said_about_other_things_does_not_put_a_move_in_doubt(line: str) -> None:
    for game in ("oregon", "montana", "ozeanien"):
        assert orders("4", "", line, game=game) == orders("4", game=game)


def test_a_question_mark_alone_asks_for_help() -> None:
    assert orders("?") == Words((Word("help"),))


@pytest.mark.parametrize("said", [*DOUBTS, *DOUBTFUL, "-", "?", "(", "hi", "thanks, no", "【"])
def test_doubts_again_and_again_are_read_to_the_end(said: str) -> None:
    """Some of these words are in the lists of several languages: they are read in one way."""
    for begun, length in (("", LONGEST_LINE), ("hi ", 80), ("if ", 120)):
        line = (begun + f"{said} " * LONGEST_LINE)[: length - 2] + "z1"
        assert not isinstance(orders("4", line), Empty)


@pytest.mark.parametrize("box", ["[ ]", "[]", "( )", "\u2610", "\u25a1", "\u25cb", "- [ ]", "* [ ]"])
@pytest.mark.parametrize(("game", "move"), [("montana", "recruit"), ("oregon", "start I1"), ("oregon", "4")])
def test_a_move_beside_an_empty_box_is_offered(box: str, game: str, move: str) -> None:
    for line in (f"{box} {move}", f"{move} {box}"):
        found = orders(line, game=game)
        assert isinstance(found, Unread)
        assert found.nearest


@pytest.mark.parametrize("line", ["4", "12", "start I1"])
@pytest.mark.parametrize("stroke", ["\u0335", "\u0336", "\u0337", "\u0338"])
def test_a_move_whose_letters_are_struck_through_is_offered(line: str, stroke: str) -> None:
    found = orders("".join(letter + stroke for letter in line))
    assert isinstance(found, Unread)
    assert found.nearest


@pytest.mark.parametrize(
    "line",
    ["私の手は4です", "私は4を選びます", "今回は4で。", "我的手是4。", "我要走4号", "저는 4번", "내 수는 4번입니다"],
)
def test_a_number_in_a_sentence_without_blanks_is_offered(line: str) -> None:
    assert numbers(orders(line)) == [4]


@pytest.mark.parametrize(
    "line",
    [
        "私は4人家族です",
        "明日の4時に電話する",
        "我有4个孩子",
        "我们4位朋友",
        "第4回です",
        "4回見ました",
        "저는 4살이에요",
        "개 4마리 있어요",
    ],
)
def test_what_is_counted_in_a_sentence_without_blanks_is_chat(line: str) -> None:
    assert isinstance(orders(line), Empty)
