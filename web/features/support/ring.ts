/** The sound of a call, once. Silent where the browser wants a tap first. */
export function ring() {
  new Audio('/support/ring.wav').play().catch(() => undefined)
}
