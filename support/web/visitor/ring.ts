/** Plays the ring tone of a call once. Silent if the browser requires a user gesture first. */
export function ring() {
  new Audio('/support/ring.wav').play().catch(() => undefined)
}
