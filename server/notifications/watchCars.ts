import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId, TeamId } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { notificationLifeMs, stoppedBelowKmh, stoppedEventMs } from '#contract/teamEvents.ts'
import { pinnedVersion } from '../circuits/settleCircuit.ts'
import type { AppContext } from '../context.ts'
import { firstId, inPages, rowsPerPage } from '../db/inPages.ts'
import type { Tables } from '../db/schema/tables.ts'
import { tryEach } from '../tryEach.ts'
import { occurrenceOf, watchStints } from './overStints.ts'
import type { TeamEvents } from './teamEvents.ts'

/** How often the newest state of all active sessions is read. */
export const watchIntervalMs = 5000

/** Positions read to find the beginning of a stop; an older stop is not reported. */
const stopWindowMs = stoppedEventMs + notificationLifeMs

/** A car whose phone was silent for longer is silent, not stopped. */
const inContactMs = 10_000

/** The pit lane may begin and end this much earlier and later than the marked places. */
const aroundLaneM = 100

interface Services extends Pick<AppContext, 'db' | 'log' | 'clock'> {
  events: Pick<TeamEvents, 'record'>
}

/**
 * Notices stopped cars and stints that are over, from the state in the database, so that every node notices the same.
 * Call the result to stop.
 */
export function watchCars(services: Services): () => void {
  const restUntil = new Map<SessionId, EpochMs>()
  let running = false
  async function run() {
    if (running) return
    running = true
    try {
      await watchOnce(services, restUntil)
    } catch (error) {
      services.log.warn({ err: error }, 'failed to watch the cars')
    } finally {
      running = false
    }
  }
  return services.clock.every(watchIntervalMs, () => void run())
}

/**
 * Looks at all cars once. What fails for one car does not hold up the others: throws at the end. `restUntil`: see
 * `watchStints`.
 */
export async function watchOnce(
  { db, clock, events }: Omit<Services, 'log'>,
  restUntil: Map<SessionId, EpochMs> = new Map(),
) {
  const now = clock.now()
  async function watchStops() {
    await tryEach(stops(db, now), page =>
      tryEach(page, async stop => {
        if (await isInPitLane(db, stop)) return
        events.record({ sessionId: stop.id, kind: 'stopped', occurrence: stop.sinceMs })
      }),
    )
  }
  const watchLongStints = () =>
    watchStints(db, { now, restUntil }, ({ sessionId, stintId, at }) =>
      events.record({ sessionId, kind: 'stint-over', occurrence: occurrenceOf(stintId), at }),
    )
  await tryEach([watchStops, watchLongStints], watch => watch())
}

/** A car at standstill after at least one lap. */
interface Stop {
  id: SessionId
  team_id: TeamId
  circuit_id: string | null
  circuit_version: number | null
  latitude: number
  longitude: number
  /** Time of the first position at which it stood, by the clock of its fixes. */
  sinceMs: number
}

/** Cars in contact that stand outside a visit to the pits. Times of fixes are compared only with each other. */
function stops(db: Kysely<Tables>, now: EpochMs): AsyncGenerator<Stop[]> {
  return inPages(
    firstId,
    after => stopsAfter(db, after, now),
    ({ id }) => id,
  )
}

async function stopsAfter(db: Kysely<Tables>, after: SessionId, now: EpochMs): Promise<Stop[]> {
  const { rows } = await sql<Stop>`
    select s.id, s.team_id, s.circuit_id, s.circuit_version, f.latitude, f.longitude,
      (extract(epoch from slow.since) * 1000)::float8 as "sinceMs"
    from sessions s
    join newest_fixes f on f.session_id = s.id
    cross join lateral (
      select p.at from positions p where p.session_id = s.id
        and p.at > ${new Date(now - dayMs)}::timestamptz
      order by p.at desc limit 1
    ) newest
    cross join lateral (
      select max(p.at) as at from positions p where p.session_id = s.id
        and p.at > newest.at - ${stopWindowMs}::float8 * interval '1 millisecond'
        and p.speed >= ${stoppedBelowKmh}
    ) fast
    cross join lateral (
      select min(p.at) as since from positions p where p.session_id = s.id
        and p.at > fast.at and p.speed < ${stoppedBelowKmh}
    ) slow
    where s.status = 'Active' and f.speed < ${stoppedBelowKmh} and f.latitude is not null
      and f.last_driver_contact > ${new Date(now - inContactMs)}::timestamptz
      and newest.at - slow.since >= ${stoppedEventMs}::float8 * interval '1 millisecond'
      and exists (select from laps l where l.session_id = s.id)
      and not exists (
        select from pit_visits v where v.session_id = s.id
          and v.started_at <= slow.since and coalesce(v.ended_at, newest.at) >= slow.since
      )
      and s.id > ${after}
    order by s.id limit ${rowsPerPage}`.execute(db)
  return rows
}

/** True if the car is stationary along the marked pit lane of its circuit, where no visit was found yet. */
async function isInPitLane(db: Kysely<Tables>, stop: Stop): Promise<boolean> {
  const circuit = await pinnedVersion(db, stop)
  if (!circuit?.pitIn || !circuit.pitOut) return false
  const track = trackOf(circuit.outline)
  const alongM = (place: { latitude: number; longitude: number }) =>
    nearestOnTrack(track, place).alongM
  const forwardM = (fromM: number, toM: number) =>
    (((toM - fromM) % track.lengthM) + track.lengthM) % track.lengthM
  const inM = alongM(circuit.pitIn) - aroundLaneM
  return forwardM(inM, alongM(stop)) <= forwardM(inM, alongM(circuit.pitOut) + aroundLaneM)
}
