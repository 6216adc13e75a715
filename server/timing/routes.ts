import type { z } from 'zod'
import type { timing } from '#contract/timing.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { requireRaceReader, teamOfRace } from '../rights/teamOfRace.ts'
import { publishActiveInRace } from '../sessions/publishSessions.ts'
import { storeSource } from './batches.ts'
import type { OfficialTimings } from './officialTiming.ts'
import { pushBatch } from './push.ts'

export interface Timing {
  timings: OfficialTimings
  /** Called after the source of a race was set. */
  onSource: () => void
  /** Called after lines of a feed were stored. */
  onLines: (feedId: string) => void
}

export function timingCalls(
  context: AppContext,
  { timings, onSource, onLines }: Timing,
): HandlersOf<typeof timing, Caller> {
  const { db, clock } = context
  return {
    async ofRace({ input: { raceId }, caller }) {
      await requireRaceReader(db, raceId, caller.userId)
      return timings.of(db, raceId, clock.now())
    },

    async setSource({ input, caller }) {
      const { raceId } = input
      await setSource(context, caller, input)
      onSource()
      await publishActiveInRace(context, raceId)
      return timings.of(db, raceId, clock.now())
    },

    push: ({ input, caller }) => pushBatch({ ...context, onLines }, caller, input),
  }
}

async function setSource(
  { db }: AppContext,
  { userId }: Caller,
  { raceId, source, token }: z.output<(typeof timing.setSource)['input']>,
) {
  const teamId = await teamOfRace(db, raceId, userId)
  await db.transaction().execute(async trx => {
    await requireStillEditor(trx, teamId, userId)
    await storeSource(trx, raceId, source, token)
  })
}
