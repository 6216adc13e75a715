import type { IncomingMessage } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'
import { type EpochMs, RaceId, type TeamId, type UserId } from '#contract/ids.ts'
import { parseJsonSafely, parseSafely } from '#contract/parse.ts'
import { Refusal } from '#contract/refusal.ts'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { isRetryable } from '#contract/shared/refusals.ts'
import { maxBatchBytes } from '#contract/shared/timingRules.ts'
import { TimingBatch, timing } from '#contract/timing.ts'
import type { AppContext, Caller } from '../context.ts'
import { asRefusal } from '../http/refuse.ts'
import { destroyOnError, type Upgrades } from '../http/upgrades.ts'
import { OpenCounts } from '../rateLimit/openCounts.ts'
import { TokenBucket } from '../rateLimit/tokenBucket.ts'
import { requireLogin } from '../rights/access.ts'
import { requireEditor } from '../rights/requireMember.ts'
import { teamOfRace } from '../rights/teamOfRace.ts'
import { type PushContext, pushBatch } from './push.ts'

/** Maximum number of open connections of one team to this node. */
const maxPerTeam = 8

/** Rate limit of the batches of one connection. No more than its capacity wait for the database. */
const batchRate = { capacity: 20, refillPerSecond: 5 }

/** A connection without a batch for this long is closed. */
const idleTimeoutMs = 60_000
const sweepEveryMs = 5000

/** A peer that has not responded to a close after this time is terminated. */
const closeTimeoutMs = 2000

/** Close code for a refusal that a retry does not change (RFC 6455). */
const policyViolation = 1008

type Context = PushContext & Pick<AppContext, 'log'>

interface Settings {
  upgrades: Upgrades
  context: Context
  authenticateHeaders(headers: IncomingMessage['headers']): Promise<Caller | null>
}

/** An open connection. */
interface PushSocket {
  close(code: number, reason: string): void
  /** Closes the connection if it has been idle for too long. */
  check(nowMs: number): void
}

/**
 * Opens the WebSocket `/live/timing?race=ID`, on which a program sends batches of official timing. Each is admitted, stored
 * and answered like a call of `timing.push`. After a refusal that a retry does not change, the connection is closed.
 */
export function openTimingSockets({ upgrades, context, authenticateHeaders }: Settings) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxBatchBytes,
    perMessageDeflate: false,
    clientTracking: false,
  })
  const open = new Set<PushSocket>()
  const counts = new OpenCounts()
  const { clock, db } = context

  const login = async ({ headers }: IncomingMessage) =>
    requireLogin(await authenticateHeaders(headers), { ...timing.push, auth: 'signed-in' })

  function accept(webSocket: WebSocket, request: IncomingMessage, raceId: RaceId, teamId: TeamId) {
    if (!counts.tryAdd([{ key: teamId, limit: maxPerTeam }]))
      return refuse(context, webSocket, new Refusal('too-many'))
    const connection = pushSocket(context, webSocket, async (batch, arrivedAt) =>
      pushBatch(context, await login(request), { ...batch, raceId }, arrivedAt),
    )
    open.add(connection)
    webSocket.once('close', () => {
      open.delete(connection)
      counts.remove([teamId])
    })
  }

  upgrades.handle('/live/timing', async (request, socket, head) => {
    const admitted = await login(request)
      .then(({ userId }) => requestedRace(db, request, userId))
      .catch(asRefusal)
    if (socket.destroyed) return
    sockets.handleUpgrade(request, socket, head, webSocket => {
      socket.off('error', destroyOnError)
      // ws closes the connection by itself after a protocol error, or a message that is too large.
      webSocket.on('error', () => undefined)
      if (admitted instanceof Refusal) refuse(context, webSocket, admitted)
      else accept(webSocket, request, admitted.raceId, admitted.teamId)
    })
  })

  const stopSweep = clock.every(sweepEveryMs, () => {
    for (const each of open) each.check(clock.monotonicMs())
  })

  return {
    /** Closes every connection. */
    close() {
      stopSweep()
      for (const each of open) each.close(CloseCode.goingAway, 'The server is stopping')
    },
  }
}

/** Returns the race of a request and its team, which this user may edit. Refuses otherwise. */
async function requestedRace(db: Context['db'], { url }: IncomingMessage, userId: UserId) {
  const query = new URLSearchParams(url?.split('?')[1])
  const { data: raceId } = parseSafely(RaceId, query.get('race'))
  if (raceId === undefined) throw new Refusal('invalid-input', { fields: { race: 'not-valid' } })
  const teamId = await teamOfRace(db, raceId, userId)
  await requireEditor(db, teamId, userId)
  return { raceId, teamId }
}

/** Stores the batches of a connection one after the other, in the order in which they arrive. */
function pushSocket(
  context: Context,
  webSocket: WebSocket,
  store: (batch: TimingBatch, arrivedAt: EpochMs) => Promise<{ number: number }>,
): PushSocket {
  const { clock } = context
  let receivedAt = clock.monotonicMs()
  const batches = new TokenBucket(batchRate, receivedAt)
  let storing = Promise.resolve()
  let waiting = 0

  async function handle(text: string, arrivedAt: EpochMs) {
    // A refusal of an earlier batch has closed the connection.
    if (webSocket.readyState !== WebSocket.OPEN) return
    try {
      const { data } = parseJsonSafely(TimingBatch, text)
      if (!data) throw new Refusal('invalid-input')
      webSocket.send(JSON.stringify(await store(data, arrivedAt)))
    } catch (error) {
      const refusal = asRefusal(error)
      if (refusal.code === 'server-error')
        context.log.error({ err: error }, 'failed to store pushed timing')
      if (isRetryable(refusal.code)) webSocket.send(JSON.stringify(refusal.body))
      else refuse(context, webSocket, refusal)
    }
  }

  webSocket.on('message', (data: Buffer) => {
    if (webSocket.readyState !== WebSocket.OPEN) return
    receivedAt = clock.monotonicMs()
    if (waiting >= batchRate.capacity || !batches.tryConsume(receivedAt))
      return refuse(context, webSocket, new Refusal('too-many'))
    const arrivedAt = clock.now()
    waiting += 1
    storing = storing
      .then(() => handle(data.toString(), arrivedAt))
      .finally(() => {
        waiting -= 1
      })
  })
  return {
    close: (code, reason) => close(context, webSocket, code, reason),
    check(nowMs) {
      if (nowMs - receivedAt > idleTimeoutMs)
        close(context, webSocket, CloseCode.timedOut, 'No batch for 60 s')
    },
  }
}

/** Sends a refusal as `timing.push` does, then closes the connection with its code as the reason. */
function refuse(context: Context, webSocket: WebSocket, refusal: Refusal) {
  const { code, detail, body } = refusal
  webSocket.send(JSON.stringify(body))
  const isFinal = code === 'not-signed-in' || code === 'insufficient-scope'
  const closeCode =
    code === 'too-many' ? CloseCode.tooMany : isFinal ? CloseCode.signedOut : policyViolation
  close(context, webSocket, closeCode, detail ?? code)
}

function close({ clock }: Context, webSocket: WebSocket, code: number, reason: string) {
  webSocket.close(code, reason)
  const cancel = clock.after(closeTimeoutMs, () => webSocket.terminate())
  webSocket.once('close', cancel)
}
