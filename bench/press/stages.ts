import { readFile } from 'node:fs/promises'
import type { Figures } from '../figures.ts'
import { percentile } from '../statistics.ts'

/** Times of each press, in milliseconds since the epoch, in the order in which they happen. */
interface PressTimes {
  /** The browser's time of the click. */
  clicked: number[]
  /** The team's page started the request. */
  sent: number[]
  /** The server received the request. */
  requested: number[]
  /** The database responded to the commit. */
  stored: number[]
  /** The server wrote the message to the first connection. */
  published: number[]
  /** The driver's page received the message. */
  received: number[]
  /** The word is in the document of the driver's page. */
  rendered: number[]
  /** The frame with the word was submitted. */
  painted: number[]
}

/** The times of one press. */
type Press = Record<keyof PressTimes, number>

/** Most difference between the clocks of the three processes, on one machine. */
const clockToleranceMs = 1

/** The times that `stageTimes.mjs` recorded in the server's process. */
interface ServerTimes extends Pick<PressTimes, 'requested' | 'stored' | 'published'> {
  /** Responses of the database from the request to the publication. */
  databaseCalls: number[]
}

/** The time that ends each stage. A stage starts when the previous one ends. */
const stages = {
  input: 'sent',
  request: 'requested',
  commit: 'stored',
  publish: 'published',
  receive: 'received',
  render: 'rendered',
  paint: 'painted',
} as const satisfies Record<string, keyof PressTimes>

/** Reads the times of a server that has ended. */
export async function readServerTimes(file: string): Promise<ServerTimes> {
  return JSON.parse(await readFile(file, 'utf8')) as ServerTimes
}

/**
 * Groups the times by press: takes the first time of each stage after the previous stage and before the next click.
 * Leaves out presses that lack a stage, and throws if more than a tenth do.
 */
export function pressesOf(times: PressTimes): Press[] {
  const presses = times.clicked.flatMap((clickedAt, n) => {
    const until = times.clicked[n + 1] ?? Number.POSITIVE_INFINITY
    const press: Partial<Press> = { clicked: clickedAt }
    let after = clickedAt
    for (const end of Object.values(stages)) {
      const at = times[end].find(each => each >= after - clockToleranceMs && each < until)
      if (at === undefined) return []
      press[end] = after = at
    }
    return [press as Press]
  })
  if (presses.length < times.clicked.length * 0.9) {
    const seen = Object.entries(times).map(([stage, { length }]) => `${length} ${stage}`)
    throw new Error(`Only ${presses.length} presses were seen in every stage: ${seen.join(', ')}`)
  }
  return presses
}

/** Median and 95th percentile of each stage. Prints them as a table. */
export function stageFigures(presses: Press[]): Figures {
  const rows: Record<string, { medianMs: number; p95Ms: number }> = {}
  let previous: keyof Press = 'clicked'
  for (const [stage, end] of Object.entries(stages)) {
    const start = previous
    const took = presses.map(press => press[end] - press[start])
    rows[stage] = { medianMs: percentile(took, 50), p95Ms: percentile(took, 95) }
    previous = end
  }
  console.table(rows)
  return Object.fromEntries(
    Object.entries(rows).flatMap(([stage, { medianMs, p95Ms }]) => [
      [`${stage}MedianMs`, medianMs],
      [`${stage}P95Ms`, p95Ms],
    ]),
  )
}
