import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { FileOfTeam, StoredFile } from '#contract/files.ts'
import { Refusal } from '#contract/refusal.ts'
import { refuseIfStoreFails } from '../blobs/storeFailures.ts'
import type { AppContext } from '../context.ts'
import { allowSlowRequest } from '../http/slowRequests.ts'
import { requireLogin } from '../rights/access.ts'
import { requireEditor } from '../rights/requireMember.ts'
import { publishTeamChanged } from '../teams/teamChanged.ts'
import { type FileParts, storeFile } from './files.ts'
import { announcedBytes, readForm } from './form.ts'
import { countUpload } from './uploadLimits.ts'
import { type UploadSlot, UploadSlots } from './uploadSlots.ts'

export type UploadParts = FileParts & Pick<AppContext, 'authenticate' | 'config' | 'rateLimits'>

const UploadForm = FileOfTeam.extend({
  file: z.unknown().meta({ type: 'string', format: 'binary' }),
})
type UploadForm = FileOfTeam & { file: Buffer }

const access = { auth: 'signed-in' } as const

interface Admitted {
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
    config: { limit: 'rare' },
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
    // all. Not in onRequest: the rate limit per IP address would run after it, and never count its refusals.
    preParsing: async (request, reply) => {
      const { userId } = requireLogin(await parts.authenticate(request), access)
      const bytes = announcedBytes(request)
      const slot = slots.take({ userId, ip: request.ip, bytes }, reply.raw)
      countUpload(parts, { userId, ip: request.ip, bytes })
      const late = allowSlowRequest(request.raw, () => slot.becomeSlow())
      admitted.set(request, { slot, late })
    },
    preValidation: async request => {
      const { slot, late } = admittedOf(request)
      const form = await slot.during(() => readForm(request, late))
      request.body = form as unknown as UploadForm
    },
    handler: async (request, reply) => {
      const { slot } = admittedOf(request)
      const { teamId, name, file } = request.body
      reply.header('cache-control', 'no-store')
      return slot.during(async () => {
        // The login may have ended while the file arrived, which can take minutes.
        const { userId } = requireLogin(await parts.authenticate(request), access)
        await requireEditor(parts.db, teamId, userId)
        const stored = await refuseIfStoreFails(parts, () =>
          storeFile(parts, { teamId, name, userId, bytes: file }),
        )
        await publishTeamChanged(parts, teamId)
        return stored
      })
    },
  })
}
