"""The words of a sample."""

from backend.engine.ops.sample import Sample, is_tensor, read, shape_of


def test_shapes_and_numbers_are_inputs_and_the_rest_goes_by_names() -> None:
    assert read("(2,3)+ number  (3,)01 -2 dim=(0, 1) index=ints(4)<3 zero") == Sample(
        inputs=["(2,3)+", "number", "(3,)01", "-2"], named={"dim": "(0, 1)", "index": "ints(4)<3"}, zero=True
    )


def test_a_shape_ends_where_its_bracket_does() -> None:
    assert [shape_of(word) for word in ("(2,3)>1", "(3,)01", "()", "4,5")] == [(2, 3), (3,), (), (4, 5)]
    assert [is_tensor(word) for word in ("(2,3)>1", "number", "-2")] == [True, False, False]
