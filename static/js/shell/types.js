/**
 * A view draws what it is given, and leaves without a trace: no listener, timer or element of its own stays.
 * @template Frame @typedef {{update: (frame: Frame) => void, unmount: () => void}} View
 */
/** @typedef {{unmount: () => void}} Mounted what every `mount…` returns, a view or what connects views */
/** @typedef {{label: string, act: () => void}} Action a button: what it says, what it does */

export {};
