import type { ServerResponse } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { TeamId, type UserId } from '#contract/ids.ts'
import { ImportedRecording } from '#contract/positions.ts'
import { Refusal } from '#contract/refusal.ts'
import { SessionName } from '#contract/sessions.ts'
import { maxRecordingUploadBytes } from '#contract/shared/recordingRules.ts'
import type { AppContext } from '../context.ts'
import { allowSlowRequest } from '../http/slowRequests.ts'
import { allowSlowResponse } from '../http/slowResponse.ts'
import { requireLogin } from '../rights/access.ts'
import { requireEditor } from '../rights/requireMember.ts'
import { OneAtATime } from '../storage/oneAtATime.ts'
import { type UploadSlot, UploadSlots } from '../storage/uploadSlots.ts'
import { importRecording, requireReadingTime } from './importRecording.ts'

/** Longest wait in the import queue. Then the import is refused with `uploads-busy`. */
const longestWaitMs = 60_000

/** Reading takes at most a minute, and storing 250,000 positions less than another one. */
const longestImportMs = 120_000

/** A server that stops needs the rest of its time to store the newest positions. */
const longestStopMs = 3000

const Params = z.object({ teamId: TeamId })

const Query = z.object({
  name: SessionName,
  /** The day (UTC) of a recording whose file has no date or an ambiguous one. */
  day: z.iso.date().optional(),
  /** Whether laps are timed: by default they are, or as in an earlier import of the same recording. */
  lapTiming: z.enum(['true', 'false']).optional(),
})

const schema = {
  operationId: 'recordings.import',
  tags: ['positions'],
  summary:
    'Stores a recording as an ended session of the caller: VBO, GPX, TCX, KML, NMEA, RaceChrono CSV or the CSV of another logger.',
  description:
    'The body is the file, as it is or compressed with gzip: at most 24 MB, and 256 MB unpacked. Idempotent.',
  security: [{ login: [] }],
  consumes: ['application/octet-stream'],
  params: Params,
  querystring: Query,
  response: { 200: ImportedRecording },
}

interface Route {
  Params: { teamId: string }
  Querystring: z.output<typeof Query>
  Body: Buffer
}

/** Adds the call that imports a recording. Its body is the file, so it is not in the contract's table. */
export async function addImportRoute(app: FastifyInstance, context: AppContext) {
  const slots = new UploadSlots()
  const admitted = new WeakMap<FastifyRequest, UploadSlot>()
  // Reading takes several times the size of a file in memory.
  const queue = new OneAtATime()
  const closing = new AbortController()
  await app.register((scope, _options, done) => {
    // Waits for running imports before the database is closed, but not for one that the database holds up.
    scope.addHook('preClose', async () => {
      closing.abort(busy())
      const tooLong = new Promise<void>(resolve => context.clock.after(longestStopMs, resolve))
      await Promise.race([queue.idle(), tooLong])
    })
    scope.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: maxRecordingUploadBytes },
      (_request, body, parsed) => parsed(null, body),
    )
    scope.route<Route>({
      method: 'POST',
      url: '/api/v1/teams/:teamId/recordings',
      config: { limit: 'costly' },
      bodyLimit: maxRecordingUploadBytes,
      schema,
      // Before the body is read, so that refused recordings are not received at all.
      preParsing: async (request, reply) => {
        const { userId } = await requireCaller(context, request)
        requireReadingTime(context, userId)
        await requireTeam(context, request.params, userId)
        const announced = Number(request.headers['content-length'] ?? maxRecordingUploadBytes)
        if (announced > maxRecordingUploadBytes)
          throw new Refusal('too-large', { detail: 'recording-too-large' })
        const slot = slots.take({ userId, ip: request.ip, bytes: announced }, reply.raw)
        admitted.set(request, slot)
        const late = allowSlowRequest(request.raw, () => slot.becomeSlow())
        return bodyUntil(request.raw, late)
      },
      handler: async (request, reply) => {
        const slot = admitted.get(request)
        if (!slot) throw new Refusal('not-signed-in')
        reply.header('cache-control', 'no-store')
        allowSlowResponse(reply, longestWaitMs + longestImportMs)
        const waiting = waitingSignal(context, reply.raw)
        return slot.during(() => {
          const reading = AbortSignal.any([waiting.signal, closing.signal])
          const one = () => {
            waiting.end()
            return importOne(context, request, { reading, storing: closing.signal })
          }
          return queue.run(one, reading)
        })
      },
    })
    done()
  })
}

async function requireCaller({ authenticate }: AppContext, request: FastifyRequest) {
  return requireLogin(await authenticate(request), { auth: 'signed-in' })
}

/** Refuses outsiders and viewers, before the file is received and once more afterwards. */
async function requireTeam({ db }: AppContext, params: unknown, userId: UserId) {
  // The parameters are not validated before the body is read.
  const { success, data } = Params.safeParse(params)
  if (!success) throw new Refusal('invalid-input')
  await requireEditor(db, data.teamId, userId)
}

interface Importing {
  reading: AbortSignal
  storing: AbortSignal
}

async function importOne(
  context: AppContext,
  request: FastifyRequest<Route>,
  { reading, storing }: Importing,
) {
  const { params, query, body } = request
  const { teamId } = params
  // The login may have ended while the file arrived, which can take minutes.
  const { userId } = await requireCaller(context, request)
  await requireTeam(context, params, userId)
  // Another file of this person may have been read since the request arrived.
  requireReadingTime(context, userId)
  if (!Buffer.isBuffer(body) || body.length === 0)
    throw new Refusal('invalid-input', { detail: 'file-empty' })
  const { name, day, lapTiming } = query
  return importRecording(context, {
    teamId,
    userId,
    name,
    dayStartMs: day === undefined ? null : Date.parse(day),
    lapTiming: lapTiming === undefined ? null : lapTiming === 'true',
    bytes: body,
    reading,
    storing,
  })
}

function busy(): Refusal {
  return new Refusal('too-many', { detail: 'uploads-busy', retryAfterSeconds: 10 })
}

/**
 * Returns a signal that aborts when the sender disconnects, or after `longestWaitMs` in the queue. `end` stops only this
 * timeout: a disconnect still aborts.
 */
function waitingSignal({ clock }: AppContext, response: ServerResponse) {
  const controller = new AbortController()
  const end = clock.after(longestWaitMs, () => controller.abort(busy()))
  const onClose = () => {
    end()
    controller.abort(new Refusal('invalid-input'))
  }
  if (response.closed) onClose()
  else response.once('close', onClose)
  return { signal: controller.signal, end }
}

/** Pipes a body until `late` aborts, then fails with its reason. The connection stays open for the response. */
function bodyUntil(body: Readable, late: AbortSignal): Readable {
  // A route that has refused the request listens no more: without a listener the error would end the process.
  const passed = new PassThrough().on('error', () => {})
  late.addEventListener('abort', () => passed.destroy(late.reason), { once: true })
  body.once('error', error => passed.destroy(error))
  return body.pipe(passed)
}
