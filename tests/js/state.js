/** A page at its first step, with nothing chosen. */
export const calm = {
  lesson: "small",
  seed: null,
  step: 0,
  node: null,
  cell: null,
  of: null,
  tensor: null,
  path: null,
  trail: [],
  exact: false,
  predict: false,
  view: null,
  playing: false,
  speed: 2,
  projector: false,
  theme: /** @type {const} */ ("light"),
};
