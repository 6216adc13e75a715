import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest time for which timing positions blocks the process. */
const turnMs = 5

/** Returns a function that lets the process do other work if it has not done so for some milliseconds. */
export function turns(): () => Promise<void> {
  let sinceMs = performance.now()
  return async () => {
    if (performance.now() - sinceMs < turnMs) return
    await nextTurn()
    sinceMs = performance.now()
  }
}
