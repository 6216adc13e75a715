import type { Clock } from '#contract/clock.ts'
import { CloseCode } from '#contract/liveRules.ts'
import type { Hub } from './hub.ts'

/** Ten thousand lines that return in one moment would each ask the database for who they are, and for snapshots. */
const linesAtOnce = 200
const everyMs = 100

/** Makes every line of this node come back, some at a time: each is looked at again and takes snapshots. */
export function sendAllBack(hub: Hub, clock: Clock) {
  const lines = hub.lines()
  function next() {
    for (const line of lines.splice(0, linesAtOnce)) line.close(CloseCode.goingAway)
    if (lines.length > 0) clock.after(everyMs, next)
  }
  next()
}
