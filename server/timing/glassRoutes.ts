import type { glass } from '#contract/glass.ts'
import { glassParts } from '#contract/shared/glassParts.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { publishRace } from '../live/publish/publishRace.ts'
import { requireSessionReader } from '../rights/requireSession.ts'
import { changeSettings, requireActive } from '../sessions/sharedSettings.ts'
import { glassLog } from './glassLog.ts'
import { storeGlass } from './storeGlass.ts'

export function glassCalls(context: AppContext): HandlersOf<typeof glass, Caller> {
  const { db, clock, live } = context
  return {
    async set({ input: { sessionId, parts: chosen }, caller: { userId } }) {
      const parts = glassParts.filter(part => chosen.includes(part))
      const sessions = await changeSettings(db, userId, sessionId, async (trx, ids) => {
        await requireActive(trx, sessionId)
        await storeGlass(trx, userId, { sessions: ids, parts, now: clock.now() })
      })
      const { teamId } = await requireSessionReader(db, sessionId, userId)
      publishRace(live, teamId, sessions)
      return { parts }
    },

    async log({ input: { sessionId }, caller }) {
      await requireSessionReader(db, sessionId, caller.userId)
      return glassLog(db, sessionId)
    },
  }
}
