"""The measure of labels itself, on small pictures made by hand."""

from __future__ import annotations

import pytest

from engine.svg import circle, define, element, frame, group, label, path, picture, rect, use
from tests.games.labels import faults
from tests.games.measure.contrast import colour, contrast
from tests.games.measure.drawn import read
from tests.games.measure.glyphs import measured
from tests.games.measure.plane import bounds, inside, outline, transform

WIDE = 0.9892578125
"""The advance of a W in DejaVu Sans."""


def drawing(*children: str) -> str:
    """A picture of 100 by 100."""
    return picture(100, 100, "t", "d", *children)


def box_of(*children: str) -> tuple[int, ...]:
    """The box of the only label of a picture: left, top, right, bottom."""
    (found,) = read(drawing(*children)).labels
    return tuple(map(round, bounds(found.corners)))


def test_a_label_is_as_wide_as_its_glyphs_and_as_high_as_its_capitals() -> None:
    left, top, right, bottom = box_of(label("WW", 10, 50, 10))
    assert (left, right) == (10, 29)  # without the space around the glyphs
    assert (top, bottom) == (43, 50)


def test_letters_below_the_line_make_a_box_deeper() -> None:
    assert box_of(label("p", 10, 50, 20))[3] > box_of(label("o", 10, 50, 20))[3]


@pytest.mark.parametrize(("anchor", "left"), [("start", 50), ("middle", 40), ("end", 31)])
def test_a_label_begins_where_its_anchor_says(anchor: str, left: int) -> None:
    assert box_of(label("WW", 50, 50, 10, text_anchor=anchor))[0] == left


def test_what_a_group_says_of_size_weight_and_anchor_holds_for_its_labels() -> None:
    inherited = box_of(group(element("text", "WW", x=50, y=50), font_size=10, font_weight="bold", text_anchor="end"))
    assert inherited == box_of(label("WW", 50, 50, 10, font_weight="bold", text_anchor="end"))
    assert inherited[0] < box_of(label("WW", 50, 50, 10, text_anchor="end"))[0]


@pytest.mark.parametrize(
    ("how", "box"),
    [
        ("translate(5 7)", (15, 50, 25, 57)),
        ("scale(2)", (21, 85, 39, 100)),
        ("rotate(90)", (-50, 10, -43, 20)),
        ("rotate(90 10 50)", (10, 50, 17, 60)),
        ("matrix(1 0 0 1 -3,4)", (7, 47, 17, 54)),
        ("translate(20) scale(.5)", (25, 21, 30, 25)),
    ],
)
def test_a_label_is_where_its_transforms_put_it(how: str, box: tuple[int, ...]) -> None:
    assert box_of(group(label("W", 10, 50, 10), transform=how)) == box


def test_a_copy_has_its_labels_where_it_is_used() -> None:
    stamp = element("defs", define("stamp", label("W", 0, 0, 10)))
    assert box_of(stamp, use("stamp", 30, 40)) == (30, 33, 40, 40)
    assert box_of(stamp, use("stamp", 30, 40, 2)) == (31, 25, 49, 40)


def test_parts_of_a_text_follow_each_other_or_begin_anew() -> None:
    words = element("text", "WW", element("tspan", "WW"), element("tspan", "W", x=10, y=80), x=10, y=50, font_size=10)
    places = [tuple(map(round, bounds(each.corners)))[:2] for each in read(drawing(words)).labels]
    assert places == [(10, 43), (30, 43), (10, 73)]


def test_arabic_is_measured_as_the_joined_letters_that_are_drawn() -> None:
    joined, apart = measured("\u0645\u062d\u0645\u062f"), measured("\u0645\u200c\u062d\u200c\u0645\u200c\u062f")
    assert joined is not None
    assert apart is not None
    assert joined.advance < apart.advance


def test_labels_that_lie_on_one_another_are_found() -> None:
    (found,) = faults(drawing(label("Ada", 10, 50, 12), label("Bela", 20, 52, 12)))
    assert "'Ada'" in found
    assert "'Bela'" in found
    assert "overlap" in found


def test_labels_that_only_touch_do_not_overlap() -> None:
    assert faults(drawing(label("W", 10, 50, 10), label("W", 10 + 10 * WIDE - 0.3, 50, 10))) == ()
    assert faults(drawing(label("W", 10, 50, 10), label("W", 10, 57, 10))) == ()


def test_the_boxes_of_slanted_labels_are_slanted() -> None:
    """Two parallel labels whose upright boxes would overlap."""
    slanted = (group(label("WWWW", 0, y, 10), transform="translate(50 20) rotate(45)") for y in (0, 12))
    assert faults(drawing(*slanted)) == ()
    assert (
        len(
            faults(
                drawing(
                    group(label("WWWW", 0, 0, 10), transform="translate(40 20) rotate(45)"), label("WW", 45, 35, 10)
                )
            )
        )
        == 1
    )


def test_a_label_outside_of_the_picture_is_found() -> None:
    (found,) = faults(drawing(label("WWW", 80, 50, 10)))
    assert "leaves the picture" in found


def test_a_label_that_leaves_the_frame_of_its_group_is_found() -> None:
    within = group(frame(0, 0, 40, 20, fill="#ffffff"), label("WWW", 2, 15, 10), transform="translate(10 10)")
    beyond = group(frame(0, 0, 20, 20, fill="#ffffff"), label("WWW", 2, 15, 10), transform="translate(10 10)")
    assert faults(drawing(within)) == ()
    (found,) = faults(drawing(beyond))
    assert "leaves its panel, (10 to 30, 10 to 30)" in found


def test_the_innermost_frame_counts() -> None:
    card = group(frame(0, 0, 15, 20, fill="#ffffff"), label("WW", 2, 15, 10))
    panel = group(frame(0, 0, 90, 90, fill="#eeeeee"), card)
    (found,) = faults(drawing(panel))
    assert "(0 to 15, 0 to 20)" in found


def test_a_label_beside_the_group_of_a_frame_is_free() -> None:
    assert faults(drawing(group(frame(0, 0, 9, 9, fill="#ffffff")), label("WWW", 2, 55, 10))) == ()


def test_a_label_cut_by_a_nested_picture_is_found() -> None:
    nested = element("svg", label("WWW", 0, 50, 40), x=10, y=10, width=20, height=20, viewBox="0 0 100 100")
    (found,) = faults(drawing(nested))
    assert "leaves what clips it" in found


def test_black_and_white_have_the_greatest_contrast() -> None:
    assert contrast(colour("#000"), colour("white")) == pytest.approx(21)
    assert contrast(colour("#777777"), colour("#ffffff")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(
    "ground",
    [
        rect(0, 0, 100, 100, fill="#222222"),
        circle(50, 45, 40, fill="#222222"),
        path("M0 0H100V100H0Z", fill="#222222"),
        path("M10 50A40 40 0 1190 50A40 40 0 1110 50", fill="#222222"),
        path("M0 45H100", stroke="#222222", stroke_width=30, fill="none"),
        group(rect(-1, -1, 2, 2, fill="#222222"), transform="translate(50 50) scale(60)"),
    ],
)
def test_a_label_is_compared_with_the_shape_below(ground: str) -> None:
    (found,) = faults(drawing(ground, label("WWW", 35, 50, 10, fill="#000000")))
    assert "contrast of 1." in found
    assert faults(drawing(ground, label("WWW", 35, 50, 10, fill="#ffffff"))) == ()


def test_the_uppermost_shape_counts() -> None:
    light, dark = rect(0, 0, 100, 100, fill="#ffffff"), rect(0, 0, 100, 100, fill="#000000")
    assert faults(drawing(dark, light, label("W", 30, 50, 10))) == ()
    assert len(faults(drawing(light, dark, label("W", 30, 50, 10)))) == 1


def test_translucent_paint_is_mixed_with_what_is_below() -> None:
    dark = rect(0, 0, 100, 100, fill="#000000")
    veil = rect(0, 0, 100, 100, fill="#ffffff", fill_opacity=0.9)
    assert faults(drawing(dark, veil, label("W", 30, 50, 10))) == ()
    assert len(faults(drawing(dark, group(veil, opacity=0.2), label("W", 30, 50, 10)))) == 1


def test_a_faded_label_has_less_contrast() -> None:
    assert len(faults(drawing(group(label("W", 30, 50, 10), opacity=0.4)))) == 1


def test_the_end_of_a_label_is_looked_at_too() -> None:
    half = rect(0, 0, 50, 100, fill="#000000")
    assert len(faults(drawing(half, label("WWWWW", 20, 50, 12, fill="#ffffff")))) == 1


def test_a_line_around_the_letters_below_them_is_their_ground() -> None:
    dark = rect(0, 0, 100, 100, fill="#222222")
    letters = label("W", 30, 50, 10)
    for order, count in (("stroke", 0), (None, 1)):
        lined = group(letters, fill="#000000", stroke="#ffffff", stroke_width=3, paint_order=order)
        assert len(faults(drawing(dark, lined))) == count


def test_thin_lines_and_the_lines_of_a_pattern_are_no_ground() -> None:
    line = path("M0 47H100", stroke="#000000", stroke_width=1.5)
    assert faults(drawing(line, label("WWW", 30, 50, 10))) == ()
    hatch = element("pattern", path("M0 0L6 6", stroke="#000000"), id="hatch", width=6, height=6)
    dots = element("pattern", rect(0, 0, 6, 6, fill="#000000"), id="dots", width=6, height=6)
    for name, count in (("hatch", 0), ("dots", 1)):
        ground = element("defs", hatch, dots) + rect(0, 0, 100, 100, fill=f"url(#{name})")
        assert len(faults(drawing(ground, label("WWW", 30, 50, 10)))) == count


def test_a_label_below_a_shape_is_found() -> None:
    (found,) = faults(drawing(label("W", 30, 50, 10), rect(20, 30, 40, 40, fill="#eeeeee")))
    assert "is covered" in found


def test_contrast_is_only_measured_where_it_is_wanted() -> None:
    assert faults(drawing(label("W", 30, 50, 10, fill="#ffffff")), contrast=False) == ()


@pytest.mark.parametrize(
    "markup",
    [
        element("foreignObject"),
        rect(0, 0, 1, 1, style="fill:red"),
        rect(0, 0, 1, 1, fill="url(#nowhere)"),
        use("nowhere", 0, 0),
        group(frame(0, 0, 1, 1), frame(2, 2, 1, 1)),
        group(circle(0, 0, 1, **{"class": "panel"})),
        element("text", "W", textLength=3),
        element("text", element("a", "W")),
        element("text", "W", x="1 2"),
    ],
)
def test_markup_that_is_not_understood_is_no_success(markup: str) -> None:
    with pytest.raises(ValueError, match=r"[Tt]ext|label|unknown|definition|convert"):
        faults(drawing(markup))


def test_the_outline_of_a_path_follows_all_of_its_commands() -> None:
    rings = outline("M10 10h20v20h-20z m5 5 l5 0 0 5 -5 0zM50 50C50 60 60 60 60 50S70 40 70 50Q75 60 80 50T90 50")
    assert rings[0] == ((10, 10), (30, 10), (30, 30), (10, 30), (10, 10))
    assert rings[1][:2] == ((15, 15), (20, 15))
    assert rings[2][-1] == pytest.approx((90, 50))
    assert inside(rings[:1], (20, 20))
    assert not inside(rings[:1], (40, 20))
    assert not inside(rings[:2], (17, 17), evenodd=True)


def test_an_arc_goes_round_on_the_side_of_its_flags() -> None:
    for flags, y in (("0 1", -5), ("0 0", 5)):
        (ring,) = outline(f"M0 0A5 5 0 {flags} 10 0")
        assert ring[len(ring) // 2] == pytest.approx((5, y), abs=0.01)
    (small,), (large,) = outline("M0 0a10 10 0 0110 10"), outline("M0 0a10 10 0 1110 10")
    assert bounds(small) == pytest.approx((0, 0, 10, 10), abs=0.1)
    assert bounds(large)[2] > 15


def test_an_unknown_transform_is_no_success() -> None:
    with pytest.raises(ValueError, match="perspective"):
        transform("perspective(3)")
