import { minutesAndSeconds } from '#web/ui/ages.ts'

/** Formats a time that runs down: rounded up before its end; beyond it, the time since, rounded down. */
export function timeLeft(leftMs: number): string {
  return minutesAndSeconds(leftMs < 0 ? Math.floor(-leftMs / 1000) : Math.ceil(leftMs / 1000))
}

/** The same with a minus beyond the end. */
export function signedTimeLeft(leftMs: number): string {
  return leftMs < 0 ? `\u2212${timeLeft(leftMs)}` : timeLeft(leftMs)
}
