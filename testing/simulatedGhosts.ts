import { type GhostStop, ghostStops } from '#racing/timing/ghostStop.ts'
import { standingsOf } from '#racing/timing/standings.ts'
import { stopLossesOf } from '#racing/timing/stopLosses.ts'
import { TimingFeed } from '#racing/timing/timingFeed.ts'
import { simulatedRace } from './simulatedRace.ts'

/** How the ghosts of simulated races compare with the places that followed. */
export interface GhostFigures {
  /** Stops under this flag after which the car completed its out lap. */
  stops: number
  /** Stops before which three comparable stops were seen. */
  possible: number
  /** Stops of which the ghost was known. */
  known: number
  /** Known ghosts that were at most one place wrong. */
  withinOne: number
  /** Known ghosts whose range had the place. */
  inRange: number
  /** Ghosts that were known with fewer than three comparable stops. */
  tooEarly: number
}

/** Replays races with the seeds from 1 on. Before each stop the ghost of its car is computed from the lines until then. */
export function simulatedGhosts(races: number) {
  const figures = { green: newFigures(), yellow: newFigures() }
  for (let seed = 1; seed <= races; seed++) {
    const { lines, stops } = simulatedRace(seed)
    const feed = new TimingFeed(null, 0)
    let read = 0
    for (const { number, flag, fromLine, position } of stops) {
      for (; read < fromLine; read++) feed.addLine(lines[read] ?? '')
      if (flag !== null && position !== null) count(figures[flag], { feed, number, flag, position })
    }
  }
  return figures
}

function newFigures(): GhostFigures {
  return { stops: 0, possible: 0, known: 0, withinOne: 0, inRange: 0, tooEarly: 0 }
}

function count(
  figures: GhostFigures,
  stop: { feed: TimingFeed; number: string; flag: 'green' | 'yellow'; position: number },
) {
  const { ghost, comparable } = ghostAt(stop)
  figures.stops += 1
  if (comparable >= 3) figures.possible += 1
  if (!ghost) return
  const { best, worst, position } = ghost
  figures.known += 1
  if (comparable < 3) figures.tooEarly += 1
  if (Math.abs(position - stop.position) <= 1) figures.withinOne += 1
  if (best <= stop.position && stop.position <= worst) figures.inRange += 1
}

function ghostAt({ feed, number, flag }: Parameters<typeof count>[1]): {
  ghost: GhostStop | null
  comparable: number
} {
  const run = feed.current()
  if (!run) throw new Error('The feed shows no run.')
  const comparable = run.cars.flatMap(({ stops }) => stops.filter(stop => stop.flag === flag))
  const ghosts = ghostStops(
    {
      flag: run.flag?.flag ?? null,
      slowFromMs: run.slowFromMs,
      stopLosses: stopLossesOf(run.cars),
      standings: standingsOf(run.cars),
    },
    number,
    null,
  )
  return { ghost: ghosts[flag], comparable: comparable.length }
}
