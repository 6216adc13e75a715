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

/** Largest difference between the clocks of the three processes, on one machine. */
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

type Stage = keyof typeof stages

const stageNames = Object.keys(stages) as Stage[]

/** Time from the click to the painted word, in milliseconds. */
export function tookMs({ clicked, painted }: Press): number {
  return painted - clicked
}

/** Duration of each stage of a press, in milliseconds. */
function stagesOf(press: Press): Record<Stage, number> {
  let start = press.clicked
  return mapStages(stage => {
    const end = press[stages[stage]]
    const took = end - start
    start = end
    return took
  })
}

function rounded(took: Record<Stage, number>): Record<Stage, number> {
  return mapStages(stage => Math.round(took[stage]))
}

function mapStages(valueOf: (stage: Stage) => number): Record<Stage, number> {
  return Object.fromEntries(stageNames.map(stage => [stage, valueOf(stage)])) as Record<
    Stage,
    number
  >
}

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

/** Number of presses that are printed on their own, to see which stage makes a press slow. */
const slowest = 5

/** Median and 95th percentile of each stage. Prints them as a table, and the stages of the slowest presses. */
export function stageFigures(presses: Press[]): Figures {
  const rows: Record<string, { medianMs: number; p95Ms: number }> = {}
  for (const stage of stageNames) {
    const took = presses.map(press => stagesOf(press)[stage])
    rows[stage] = { medianMs: percentile(took, 50), p95Ms: percentile(took, 95) }
  }
  console.table(rows)
  const slow = presses.toSorted((a, b) => tookMs(b) - tookMs(a)).slice(0, slowest)
  console.log('Slowest presses:')
  console.table(
    slow.map(press => ({ ...rounded(stagesOf(press)), all: Math.round(tookMs(press)) })),
  )
  return Object.fromEntries(
    Object.entries(rows).flatMap(([stage, { medianMs, p95Ms }]) => [
      [`${stage}MedianMs`, medianMs],
      [`${stage}P95Ms`, p95Ms],
    ]),
  )
}
