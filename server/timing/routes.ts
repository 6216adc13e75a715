import type { RaceId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { TimingSource, timing } from '#contract/timing.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireEditor, requireStillEditor } from '../rights/requireMember.ts'
import { requireRaceReader, teamOfRace } from '../rights/teamOfRace.ts'
import { publishActiveInRace } from '../sessions/publishSessions.ts'
import { addBatch, storeSource } from './batches.ts'
import type { OfficialTimings } from './officialTiming.ts'

export interface Timing {
  timings: OfficialTimings
  /** Called after the source of a race was set. */
  onSource: () => void
}

export function timingCalls(
  context: AppContext,
  { timings, onSource }: Timing,
): HandlersOf<typeof timing, Caller> {
  const { db, clock } = context
  return {
    async ofRace({ input: { raceId }, caller }) {
      await requireRaceReader(db, raceId, caller.userId)
      return timings.of(db, raceId, clock.now())
    },

    async setSource({ input: { raceId, source }, caller }) {
      await setSource(context, caller, { raceId, source })
      onSource()
      await publishActiveInRace(context, raceId)
      return timings.of(db, raceId, clock.now())
    },

    async push({ input: { raceId, number, lines }, caller }) {
      await requireEditor(db, await teamOfRace(db, raceId, caller.userId), caller.userId)
      const feed = await db
        .selectFrom('race_timings')
        .select(['id', 'source'])
        .where('race_id', '=', raceId)
        .executeTakeFirst()
      if (feed?.source.kind !== 'push')
        throw new Refusal('invalid-input', { detail: 'timing-not-pushed' })
      const newest = await addBatch(db, feed.id, { number, lines, receivedAt: clock.now() })
      if (newest === null) throw new Refusal('not-found')
      return { number: newest }
    },
  }
}

async function setSource(
  { db }: AppContext,
  { userId }: Caller,
  { raceId, source }: { raceId: RaceId; source: TimingSource | null },
) {
  const teamId = await teamOfRace(db, raceId, userId)
  await db.transaction().execute(async trx => {
    await requireStillEditor(trx, teamId, userId)
    await storeSource(trx, raceId, source)
  })
}
