/** Time and timers. They are passed in, so that a simulation can run hours within seconds. */
export interface Clock {
  /** Milliseconds since the epoch. Jumps when the device's time is set. */
  now(): number
  /** Milliseconds since an arbitrary start. Never jumps; may pause while the device sleeps. */
  monotonicMs(): number
  /** Calls `act` once after `delayMs`. Call the result to cancel. */
  after(delayMs: number, act: () => void): () => void
  /** Calls `act` every `intervalMs`. Call the result to stop. */
  every(intervalMs: number, act: () => void): () => void
}
