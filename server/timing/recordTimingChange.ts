import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { CarId, EpochMs, RaceId, UserId } from '#contract/ids.ts'
import type { TeamChangeKind } from '#contract/teamChanges.ts'
import { eventName } from '#contract/teamEvents.ts'
import type { TimingSource } from '#contract/timing.ts'
import type { Tables } from '../db/schema/tables.ts'
import { recordOngoingChange, recordTeamChange } from '../teams/teamChanges.ts'

type Made = Pick<TimingChange, 'actorId' | 'at'>

interface TimingChange {
  raceId: RaceId
  /** Null: the change is about the race. Entries of one car that follow each other are one entry. */
  carId?: CarId | null | undefined
  kind: TeamChangeKind
  actorId: UserId
  at: EpochMs
  /** The flag or the kind of source. */
  before?: string | undefined
}

/** Records what a person does with the timing of a race in its team's history. Call it in the transaction that does it. */
export async function recordTimingChange(
  trx: Kysely<Tables>,
  { raceId, carId = null, before, ...made }: TimingChange,
) {
  const { team_id: teamId, name } = await trx
    .selectFrom('races')
    .select(['team_id', 'name'])
    .where('id', '=', raceId)
    .executeTakeFirstOrThrow()
  if (carId === null)
    return recordTeamChange(trx, { ...made, teamId, after: name, ...(before && { before }) })
  const car = await trx
    .selectFrom('cars')
    .select('number')
    .where('id', '=', carId)
    .executeTakeFirst()
  const after = eventName({ name, car: car?.number })
  return recordOngoingChange(trx, { ...made, teamId, before: after, after })
}

/** Records another source of a race's timing, before it is stored. */
export async function recordSource(
  trx: Kysely<Tables>,
  { raceId, source }: { raceId: RaceId; source: TimingSource | null },
  made: Made,
) {
  const stored = await storedTiming(trx, raceId)
  if (isDeepStrictEqual(stored?.source ?? null, source)) return
  await recordTimingChange(
    trx,
    source
      ? { ...made, raceId, kind: 'source-set', before: source.kind }
      : { ...made, raceId, kind: 'source-removed' },
  )
}

/** Records that a race follows race control's clock from now on, or no longer, before that is stored. */
export async function recordFollowing(
  trx: Kysely<Tables>,
  { raceId, follow }: { raceId: RaceId; follow: boolean },
  made: Made,
) {
  const follows = (await storedTiming(trx, raceId))?.followed_run != null
  if (follows === follow) return
  await recordTimingChange(trx, {
    ...made,
    raceId,
    kind: follow ? 'clock-followed' : 'clock-changed',
  })
}

function storedTiming(trx: Kysely<Tables>, raceId: RaceId) {
  return trx
    .selectFrom('race_timings')
    .select(['source', 'followed_run'])
    .where('race_id', '=', raceId)
    .executeTakeFirst()
}
