import type { SessionId } from '#contract/ids.ts'
import { isObeyable } from '#contract/shared/messageTypes.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { pinnedVersion } from '../circuits/settleCircuit.ts'
import type { AppContext } from '../context.ts'
import { publishMessage } from '../messages/messages.ts'
import { storeObeyed } from '../messages/storeObeyed.ts'
import { drivenSessions, storedCarRace } from './storedCarRace.ts'

type Context = Pick<AppContext, 'db' | 'commandDb' | 'readDb' | 'clock' | 'live' | 'log'>

/**
 * Clears a PIT or FUEL that the driver of a car has obeyed, once the car has left a known pit lane, so that nobody drives
 * on under a flashing PIT. Call it after laps or visits changed. Failures are logged: the next lap tries again.
 */
export async function clearObeyed(context: Context, sessionId: SessionId) {
  const { commandDb, clock, live, log } = context
  try {
    const stop = await lastStop(context, sessionId)
    if (!stop) return
    for (const phone of stop.phones) {
      const message = await storeObeyed(commandDb, phone, stop.stoppedAt, clock)
      if (!message) continue
      publishMessage(live, phone, message)
      log.info({ sessionId: phone, version: message.version, obeyed: true }, 'message stored')
    }
  } catch (err) {
    log.warn({ err, sessionId }, 'failed to clear an obeyed order, will retry')
  }
}

/** The last visit to the pits of a car that has left them, with the phones in it; null if nothing can be cleared. */
async function lastStop({ db, readDb, clock }: Context, sessionId: SessionId) {
  const shown = await db
    .selectFrom('sessions')
    .select(['message_type', 'team_id', 'circuit_id', 'circuit_version'])
    .where('id', '=', sessionId)
    .where('status', '=', 'Active')
    .executeTakeFirst()
  if (!shown || !isObeyable(shown.message_type)) return null
  const circuit = await pinnedVersion(db, shown)
  if (!circuit?.pitIn || !circuit.pitOut) return null
  const session = await drivenSessions(readDb)
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst()
  if (!session) return null
  const stored = await storedCarRace(readDb, session, clock.now())
  const visit = carRaceOf(stored).visits.at(-1)
  if (!visit || visit.endedAt === null) return null
  const run = stored.runs.at(-1)
  const inCar = run?.until === null && run.sessionId ? [run.sessionId, ...stored.unsure] : []
  return {
    stoppedAt: visit.stoppedAt ?? visit.startedAt,
    phones: [...new Set([sessionId, ...inCar])],
  }
}
