import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal } from '#contract/refusal.ts'
import { FileOfTeam, StoredFile } from '#contract/teams/files.ts'
import type { AppContext, Caller } from '../../context.ts'
import { requireLogin } from '../../http/access.ts'
import { requireEditor } from '../../teams/members.ts'
import { publishTeamChanged } from '../../teams/teamChanged.ts'
import { refuseIfStoreFails } from '../blobs/storeFailures.ts'
import { type FileParts, storeFile } from '../files.ts'
import { announcedBytes, readForm } from './form.ts'
import { countUpload } from './uploadLimits.ts'
import { type UploadSlot, UploadSlots } from './uploadSlots.ts'

/**
 * Timeout of an upload: enough for 5 MB at 1.7 Mbit/s, and shorter than the HTTP server's own request
 * timeout.
 */
const uploadTimeoutMs = 25_000

export type UploadParts = FileParts & Pick<AppContext, 'authenticate' | 'clock' | 'config'>

const UploadForm = FileOfTeam.extend({
  file: z.unknown().meta({ type: 'string', format: 'binary' }),
})
type UploadForm = FileOfTeam & { file: Buffer }

interface Admitted {
  caller: Caller
  slot: UploadSlot
  late: AbortSignal
}

/** Adds the call that stores a file. It takes a form, so it is not in the contract's table. */
export function addUpload(app: FastifyInstance, parts: UploadParts) {
  const slots = new UploadSlots()
  const admitted = new WeakMap<FastifyRequest, Admitted>()
  const admittedOf = (request: FastifyRequest) => {
    const found = admitted.get(request)
    if (!found) throw new Refusal('not-signed-in')
    return found
  }
  app.route<{ Body: UploadForm }>({
    method: 'POST',
    url: '/api/files.upload',
    schema: {
      operationId: 'files.upload',
      tags: ['files'],
      summary: 'Stores a file of a team, in the place of one of the same name.',
      description:
        'At most 5 MB. Metadata about place, time and device is removed from pictures (PNG, JPEG, WebP). `logo` is ' +
        "the team's logo; `member-` and one's own id is one's photo. Both must be pictures.",
      security: [{ login: [] }],
      consumes: ['multipart/form-data'],
      body: UploadForm,
      response: { 200: StoredFile },
    },
    // Authentication and rate limits run before the body is read, so that refused files are not received at
    // all. Not in onRequest: the rate limit per address would run after it, and never count its refusals.
    preParsing: async (request, reply) => {
      const caller = requireLogin(await parts.authenticate(request), { auth: 'signed-in' })
      const { userId } = caller
      const bytes = announcedBytes(request)
      const slot = slots.take({ userId, ip: request.ip, bytes }, reply.raw)
      admitted.set(request, { caller, slot, late: uploadTimeout(parts, reply.raw) })
      await countUpload(parts, { userId, ip: request.ip, bytes })
    },
    preValidation: async (request, reply) => {
      const { slot, late } = admittedOf(request)
      const form = await slot
        .during(() => readForm(request, late))
        .catch(error => {
          // Does not wait for the rest of the body.
          if (error instanceof Refusal && error.code === 'too-slow')
            reply.header('connection', 'close')
          throw error
        })
      request.body = form as unknown as UploadForm
    },
    handler: async (request, reply) => {
      const { caller, slot } = admittedOf(request)
      const { teamId, name, file } = request.body
      reply.header('cache-control', 'no-store')
      return slot.during(async () => {
        await requireEditor(parts.db, teamId, caller.userId)
        const stored = await refuseIfStoreFails(parts, () =>
          storeFile(parts, { teamId, name, userId: caller.userId, bytes: file }),
        )
        await publishTeamChanged(parts, teamId)
        return stored
      })
    },
  })
}

/**
 * Returns a signal that aborts when an upload takes too long to arrive. The response's end clears the
 * timer.
 */
function uploadTimeout({ clock }: UploadParts, answer: ServerResponse): AbortSignal {
  const late = new AbortController()
  const stop = clock.after(uploadTimeoutMs, () => late.abort(new Refusal('too-slow')))
  answer.once('close', stop)
  return late.signal
}
