import type { Clock } from '#contract/shared/clock.ts'
import {
  linesOfLeaderboard,
  linesOfPassings,
  liveRunOf,
  type NewestLaps,
} from '#racing/timing/providerLines.ts'
import type { Log } from '../log.ts'
import type { OpenSource, SourceEvents } from './openSource.ts'
import { openPolled } from './polledSource.ts'
import { delay, type ProviderRequests } from './providerRequests.ts'

/** A flag is current for 5 s, and on the glass for 4 s at least: the leaderboard is requested and stored before. */
const leaderboardEveryMs = 3000
/**
 * The passings of the run are requested with every second leaderboard, and less often in a long race: each answer has all
 * of them.
 */
const leastRounds = 2
const passingsOfRound = 1000

interface Settings {
  requests: ProviderRequests
  clock: Clock
  log: Log
}

/** Reads the live timing of an event of RaceHero by requests: flag and clock, and the passings of the run on the track. */
export function openRaceHero(
  { requests, clock, log }: Settings,
  { eventId, token }: { eventId: string; token: string },
  events: SourceEvents,
): OpenSource {
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  const event = `/events/${encodeURIComponent(eventId)}`
  return openPolled(log, events, async (report, signal) => {
    const get = (path: string) =>
      requests.json(token, { method: 'GET', path, headers: { authorization } }, signal)
    let runName: unknown
    let runId: string | null = null
    let known: NewestLaps = new Map()
    let nextPassings = 0
    for (let round = 0; ; round++) {
      const askedAt = clock.monotonicMs()
      const board = await get(`${event}/live/leaderboard`)
      events.connected()
      // At once: later its flag may be another one, and more answers take time.
      report(linesOfLeaderboard(board))
      const name = (board as { name?: unknown } | null)?.name
      if (round === 0 || name !== runName) {
        runName = name
        runId = liveRunOf(await get(`${event}/runs`))
        known = new Map()
        nextPassings = round
      }
      if (runId !== null && round >= nextPassings) {
        const passings = linesOfPassings(await get(`${event}/runs/${runId}/passings`), known)
        known = passings.newest
        nextPassings = round + Math.max(leastRounds, Math.ceil(passings.count / passingsOfRound))
        events.data(Buffer.from(passings.lines.map(line => `${line}\n`).join('')))
      }
      await delay(clock, Math.max(0, askedAt + leaderboardEveryMs - clock.monotonicMs()), signal)
    }
  })
}
