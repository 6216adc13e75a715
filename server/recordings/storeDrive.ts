import type { Kysely } from 'kysely'
import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Position } from '#contract/shared/geo.ts'
import { maxTeamRecordedFixes } from '#contract/shared/recordingRules.ts'
import { pair } from '../circuits/circuitVersion.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { RecordedFixes } from '../reading/readMessages.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { type LapTimingContext, setLapTiming } from '../sessions/lapTiming.ts'
import { requireRoomForSession } from '../sessions/requireRoom.ts'
import { storeRecording } from '../telemetry/storeRecording.ts'

/** The choices of the person who imports a recording. */
export interface ImportChoices {
  teamId: TeamId
  userId: UserId
  name: string
  /** False where insurers or organisers forbid it: no laps are computed. Null without a choice. */
  lapTiming: boolean | null
}

interface Drive extends ImportChoices {
  fixes: RecordedFixes
  /** The start/finish line of the recording; null without one. */
  line: Position | null
  /** Positions before this time are not counted: they are deleted. */
  oldest: Date
}

export interface StoredDrive {
  readonly id: SessionId
  readonly isNew: boolean
  readonly added: number
  readonly lapTimingChanged: boolean
}

/**
 * Stores one drive as a session, and starts to time its laps. Idempotent: the session of a stored drive gets the positions
 * that it lacks. Refuses with `not-a-member`, `view-only`, or `invalid-input`.
 */
export async function storeDrive(
  context: LapTimingContext,
  drive: Drive & { storing?: AbortSignal | undefined },
): Promise<StoredDrive> {
  const { db, laps } = context
  const { fixes, userId, storing } = drive
  const session = await createSession(db, drive)
  const { id } = session
  const lapTiming = drive.lapTiming ?? session.lapTiming
  const lapTimingChanged = lapTiming !== session.lapTiming
  if (lapTimingChanged) await setLapTiming(context, userId, { sessionId: id, lapTiming })
  // Somebody else's import is theirs to complete.
  const isOwn = session.userId === userId
  const added = isOwn ? await storeRecording(db, id, fixes, storing) : null
  if (added !== null) laps.update(id, fixes.at[0] ?? 0)
  return { id, isNew: session.isNew, added: added ?? 0, lapTimingChanged }
}

async function createSession(
  db: Kysely<Tables>,
  { teamId, userId, name, lapTiming, fixes, line, oldest }: Drive,
): Promise<{ id: SessionId; userId: UserId; lapTiming: boolean; isNew: boolean }> {
  const hash = Buffer.from(fixes.hash)
  return db.transaction().execute(async trx => {
    // Other nodes may import at the same time.
    await trx.selectFrom('teams').select('id').where('id', '=', teamId).forNoKeyUpdate().execute()
    await requireStillEditor(trx, teamId, userId)
    const known = await trx
      .selectFrom('sessions')
      .select(['id', 'user_id', 'lap_timing'])
      .where('team_id', '=', teamId)
      .where('recording_hash', '=', hash)
      .executeTakeFirst()
    if (known) {
      const { id, user_id, lap_timing } = known
      return { id, userId: user_id, lapTiming: lap_timing, isNew: false }
    }
    await requireRoomForSession(trx, teamId)
    await requireRoom(trx, { teamId, oldest, more: fixes.at.length })
    const inserted = await trx
      .insertInto('sessions')
      .values({
        team_id: teamId,
        user_id: userId,
        name,
        status: 'Complete',
        lap_timing: lapTiming ?? true,
        date_started: new Date(fixes.at[0] ?? 0),
        date_ended: new Date(fixes.at.at(-1) ?? 0),
        recording_hash: hash,
        recorded_positions: fixes.at.length,
        recorded_line: line && JSON.stringify(pair(line)),
      })
      .returning(['id', 'lap_timing'])
      .executeTakeFirstOrThrow()
    return { id: inserted.id, userId, lapTiming: inserted.lap_timing, isNew: true }
  })
}

async function requireRoom(
  trx: Kysely<Tables>,
  { teamId, oldest, more }: { teamId: TeamId; oldest: Date; more: number },
) {
  const row = await trx
    .selectFrom('sessions')
    .select(({ fn }) => fn.sum<string | number | null>('recorded_positions').as('stored'))
    .where('team_id', '=', teamId)
    .where('date_started', '>', oldest)
    .executeTakeFirst()
  if (Number(row?.stored ?? 0) + more > maxTeamRecordedFixes)
    throw new Refusal('invalid-input', { detail: 'recordings-too-many' })
}
