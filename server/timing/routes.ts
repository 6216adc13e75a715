import type { Transaction } from 'kysely'
import type { RaceId, TeamId } from '#contract/ids.ts'
import type { timing } from '#contract/timing.ts'
import type { AppContext, Caller } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { HandlersOf } from '../http/route.ts'
import { publishActiveInRace } from '../laps/publishInRace.ts'
import { type ChangedYellow, publishYellow } from '../laps/refreshYellow.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { requireEditor, requireStillEditor } from '../rights/requireMember.ts'
import { lockRace, requireRaceReader, teamOfRace } from '../rights/teamOfRace.ts'
import { type AddedBatch, storeSource } from './batches.ts'
import { addEntry, undoEntry } from './entries.ts'
import type { OfficialTimings } from './officialTiming.ts'
import { pushBatch } from './push.ts'
import { type RaceClocks, startFollowing, stopFollowing } from './raceClocks.ts'
import { recordFollowing, recordSource } from './recordTimingChange.ts'

export interface Timing {
  timings: OfficialTimings
  clocks: Pick<RaceClocks, 'follow'>
  /** Called after the source of a race was set. */
  onSource: () => void
  /** Called after lines of a feed were stored. */
  onLines: (feedId: string, added: AddedBatch) => void
  /** Called after an entry by hand was stored or undone. */
  onEntry: (raceId: RaceId) => void
}

export function timingCalls(
  context: AppContext,
  { timings, clocks, onSource, onLines, onEntry }: Timing,
): HandlersOf<typeof timing, Caller> {
  const { db, clock, live } = context
  return {
    presets: async () => context.config.timingPresets,

    async ofRace({ input: { raceId }, caller }) {
      await requireRaceReader(db, raceId, caller.userId)
      return timings.of(db, raceId, clock.now())
    },

    async passings({ input: { raceId, number }, caller }) {
      await requireRaceReader(db, raceId, caller.userId)
      return { passings: await timings.passingsOf(db, raceId, number) }
    },

    async names({ input: { raceId }, caller: { userId } }) {
      await requireEditor(db, await teamOfRace(db, raceId, userId), userId)
      return { names: await timings.namesOf(db, raceId) }
    },

    async setSource({ input, caller }) {
      const { raceId } = input
      await changeOf(context, caller, raceId, async trx => {
        const at = clock.now()
        await recordSource(trx, input, { actorId: caller.userId, at })
        return storeSource(trx, { ...input, now: at })
      })
      onSource()
      return timings.of(db, raceId, clock.now())
    },

    async followClock({ input: { raceId, follow, was }, caller }) {
      const teamId = await changeOf(context, caller, raceId, async trx => {
        const by = { actorId: caller.userId, at: clock.now() }
        await recordFollowing(trx, { raceId, follow }, by)
        if (follow) await startFollowing(trx, raceId, was)
        else await stopFollowing(trx, raceId, { was, now: clock.now() })
        return []
      })
      if (follow) await clocks.follow({ raceId, teamId }, true)
      else if (was) live.publish(`team:${teamId}`, { t: 'race-changed', team: teamId })
      return timings.of(db, raceId, clock.now())
    },

    async enter({ input, caller }) {
      await changeOf(
        context,
        caller,
        input.raceId,
        (trx, teamId) => addEntry(trx, input, { teamId, userId: caller.userId, now: clock.now() }),
        { isUrgent: true },
      )
      onEntry(input.raceId)
      return timings.of(db, input.raceId, clock.now())
    },

    async undoEntry({ input, caller }) {
      await changeOf(
        context,
        caller,
        input.raceId,
        trx => undoEntry(trx, input, { userId: caller.userId, now: clock.now() }),
        { isUrgent: true },
      )
      onEntry(input.raceId)
      return timings.of(db, input.raceId, clock.now())
    },

    push: ({ input, caller }) => pushBatch({ ...context, onLines }, caller, input),
  }
}

/**
 * Changes the timing of a race, and publishes it, with the laps that it changed, to the screens of its cars. An urgent
 * change waits for other changes of the race only, not of its team. Returns the team.
 */
async function changeOf(
  context: AppContext,
  { userId }: Caller,
  raceId: RaceId,
  change: (trx: Transaction<Tables>, teamId: TeamId) => Promise<ChangedYellow[]>,
  { isUrgent = false }: { isUrgent?: boolean } = {},
) {
  const { db } = context
  const teamId = await teamOfRace(db, raceId, userId)
  const changed = await db.transaction().execute(async trx => {
    await (isUrgent ? lockRace(trx, raceId) : lockTeam(trx, teamId))
    await requireStillEditor(trx, teamId, userId)
    return change(trx, teamId)
  })
  publishYellow(context, changed)
  await publishActiveInRace(context, raceId)
  return teamId
}
