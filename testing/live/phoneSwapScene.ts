import type { Updateable } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import { settledMs } from '#racing/laps/moves.ts'
import type { Tables } from '#server/db/schema/tables.ts'
import { createLog } from '#server/log.ts'
import { type OverStint, watchStints } from '#server/notifications/overStints.ts'
import { TeamEvents } from '#server/notifications/teamEvents.ts'
import { watchOnce } from '#server/notifications/watchCars.ts'
import { recomputeRuns } from '#server/races/runs.ts'
import { RateLimits } from '#server/rateLimit/rateLimits.ts'
import { stoppedClock } from '../clock.ts'
import { lapRow } from '../database/lapRow.ts'
import { exampleLap } from '../exampleRace.ts'
import { createRace } from '../people/createRace.ts'
import { addCar } from '../people/roster.ts'
import { liveScene } from './liveScene.ts'

/** A drive in minutes of the race. */
interface DriveMinutes {
  from: number
  to?: number
  leftPits?: boolean
}

export type PhoneSwapScene = Awaited<ReturnType<typeof phoneSwapScene>>

/** Starts a server with a stopped clock, for races in which phones of one car replace each other. */
export async function phoneSwapScene() {
  const clock = stoppedClock()
  const scene = await liveScene(clock)
  const { ana } = scene
  const { db } = scene.app.database
  /** Computes runs without publishing them. */
  const silent = { db, clock, live: { publish() {} }, recorder: { latest: () => undefined } }

  /** Marta drives car 17, with Leo's phone, in a race of six hours, which starts with her session. */
  async function startRace() {
    const { session, car, marta, theo, team } = await scene.newSessionWithRoster()
    const name = 'Zolder 6 hours'
    const rules: RaceRules = {
      ...noRules,
      maxStintMs: 70 * minuteMs,
      stops: { kind: 'count', count: 7 },
    }
    const car44 = await addCar(ana, team.id, '44')
    const raceId = await createRace(ana, team.id, { hours: 6, rules, name })
    const startMs = session.startedAt
    const at = (minute: number) => startMs + minute * minuteMs
    /** Lets the clock run until this minute of the race. */
    const waitUntil = (minute: number) => clock.pass(at(minute) - clock.now())
    /** Another phone of the same car starts a session. */
    const startNext = (driverId: string, person = ana) =>
      person.call.sessions.start({
        teamId: team.id,
        name: 'Other phone',
        carId: car.id,
        driverId,
      })
    /** Stores that a phone of the car was in the pits in these minutes. */
    const visit = (from: number, to: number | null, sessionId = session.id) =>
      db
        .insertInto('pit_visits')
        .values({
          session_id: sessionId,
          started_at: new Date(at(from)),
          ended_at: to === null ? null : new Date(at(to)),
          stopped_at: null,
          left_at: null,
        })
        .execute()
    /**
     * Stores the drives in which a phone moved as the car does, in minutes of the race, until its newest fix, as lap
     * timing does. A drive without an end continues.
     */
    async function moved(sessionId: SessionId, drives: readonly DriveMinutes[], lastFix: number) {
      const values = {
        drives: JSON.stringify(
          drives.map(({ from, to = null, leftPits = false }) => ({
            from: at(from),
            to: to === null ? null : at(to),
            leftPits,
            provenAt: at(from) + settledMs,
          })),
        ),
        silences: '[]',
        last_fix_at: new Date(at(lastFix)),
      }
      await db
        .insertInto('session_moves')
        .values({ session_id: sessionId, ...values })
        .onConflict(conflict => conflict.column('session_id').doUpdateSet(values))
        .execute()
      // Its positions are not timed.
      await db
        .insertInto('lap_timings')
        .values({
          session_id: sessionId,
          finished: true,
          computed_up_to: null,
          stopped: null,
          stopped_by: null,
        })
        .onConflict(conflict => conflict.doNothing())
        .execute()
      await recomputeRuns(silent, sessionId)
    }
    /** Sets the minute of the last contact of a session's phone. */
    const setContact = (sessionId: SessionId, minute: number) =>
      db
        .updateTable('newest_fixes')
        .set({ last_driver_contact: new Date(at(minute)) })
        .where('session_id', '=', sessionId)
        .returning('session_id')
        .executeTakeFirstOrThrow()
    /** Watches the cars once. Returns the sessions of the team whose stints were recorded as over. */
    async function watch(): Promise<SessionId[]> {
      const log = createLog('silent')
      const events = new TeamEvents({
        db,
        clock,
        rateLimits: new RateLimits(clock),
        log,
        live: { publish() {} },
        sender: null,
        publicUrl: () => 'http://localhost',
      })
      await watchOnce({ db, clock, events })
      await events.close()
      const recorded = await db
        .selectFrom('team_events')
        .select('session_id')
        .where('kind', '=', 'stint-over')
        .where('team_id', '=', session.teamId)
        .orderBy('id')
        .execute()
      return recorded.map(({ session_id }) => session_id)
    }
    const people = { session, car, marta, theo, car44 }
    return { ...people, raceId, startMs, at, waitUntil, startNext, visit, moved, setContact, watch }
  }

  /** Starts a race in which Leo's phone drives for an hour. Ana's phone is about to drive, for Théo. */
  async function startSwappedRace() {
    const race = await startRace()
    const { session, theo, waitUntil, startNext, moved } = race
    waitUntil(50)
    const next = await startNext(theo.id)
    waitUntil(120)
    await moved(session.id, [{ from: 0, to: 60 }], 119)
    return { ...race, next }
  }

  /** Stores laps of 95 s, of which the first one has this number. */
  async function insertLaps(sessionId: SessionId, count: number, fromMs: number, first = 0) {
    const laps = Array.from({ length: count }, (_, index) => {
      const kind = index === 0 ? 'out' : 'full'
      return exampleLap(first + index, { startedAt: fromMs + index * 95_000, timeMs: 95_000, kind })
    })
    await db
      .insertInto('laps')
      .values(laps.map(lap => lapRow(sessionId, lap)))
      .execute()
  }

  /** Changes columns of one stored lap. */
  const changeLap = (sessionId: SessionId, number: number, values: Updateable<Tables['laps']>) =>
    db
      .updateTable('laps')
      .set(values)
      .where('session_id', '=', sessionId)
      .where('number', '=', number)
      .execute()

  /** Returns the stints of a session that have reached their longest time. */
  async function overIn(id: SessionId) {
    const over: OverStint[] = []
    await watchStints(db, { now: clock.now(), restUntil: new Map() }, stint => over.push(stint))
    return over.filter(({ sessionId }) => sessionId === id)
  }

  return { ...scene, clock, silent, startRace, startSwappedRace, insertLaps, changeLap, overIn }
}
