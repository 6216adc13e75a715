import { Listeners } from '#client/listeners.ts'
import { tabStore } from '#web/device/textStore.ts'

const key = 'pitboard.practice'
const listeners = new Listeners()
let played = tabStore.read(key)

/** Returns the session of the practice car that this tab simulates, also after a reload; null without one. */
export function playedPractice(): string | null {
  return played
}

/** Calls `listener` after each change of `playedPractice`. */
export function onPlayedPractice(listener: () => void): () => void {
  return listeners.add(listener)
}

/** Sets the session of the practice car that this tab simulates. */
export function setPlayedPractice(sessionId: string | null) {
  played = sessionId
  if (sessionId === null) tabStore.remove(key)
  else tabStore.write(key, sessionId)
  listeners.notify()
}
