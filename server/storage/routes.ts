import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { fileTypes, maxUploadsPerHour, uploadCacheSeconds } from '#contract/fileRules.ts'
import { FileOfTeam, type files, StoredFile } from '#contract/files.ts'
import { EpochMs } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { HandlersOf } from '../http/route.ts'
import { stayWithin } from '../limits.ts'
import type { Caller, Parts } from '../parts.ts'
import { requireMember } from '../teams/members.ts'
import { StoreFailed } from './blobStore.ts'
import { deleteFile, type FileParts, findFile, listFiles, storeFile } from './files.ts'
import { readForm, refuseLarge } from './form.ts'
import { removeLeftovers } from './leftovers.ts'

type NeededParts = FileParts & Pick<Parts, 'authenticate'>

const uploadLimit = { limit: maxUploadsPerHour, windowMs: 3_600_000 }

const UploadForm = FileOfTeam.extend({
  file: z.unknown().meta({ type: 'string', format: 'binary' }),
})
type UploadForm = FileOfTeam & { file: Buffer }

const GetFile = FileOfTeam.extend({
  updatedAt: EpochMs.or(z.string())
    .optional()
    .describe('Not looked at: another one passes by what the browser keeps.'),
})

export function fileCalls(parts: FileParts): HandlersOf<typeof files, Caller> {
  return {
    async list({ input, caller }) {
      await requireMember(parts.db, input.teamId, caller.userId)
      return listFiles(parts.db, input)
    },
    async delete({ input, caller }) {
      await requireMember(parts.db, input.teamId, caller.userId)
      await deleteFile(parts, { ...input, userId: caller.userId })
      return {}
    },
  }
}

/** The two calls that carry a file: not JSON both ways, so they stand beside the contract's table. */
export async function addFileRoutes(app: FastifyInstance, parts: NeededParts) {
  await app.register(async scope => {
    // Only here: everywhere else a form is refused.
    await scope.register(multipart)
    addUpload(scope, parts)
    addGet(scope, parts)
  })
  app.addHook('onListen', () => removeLeftovers(parts))
}

function addUpload(app: FastifyInstance, parts: NeededParts) {
  const callers = new WeakMap<FastifyRequest, Caller>()
  app.route<{ Body: UploadForm }>({
    method: 'POST',
    url: '/api/files.upload',
    schema: {
      operationId: 'files.upload',
      tags: ['files'],
      summary: 'Stores a file of a team, in the place of one of the same name.',
      description:
        'At most 5 MB. Pictures (PNG, JPEG, WebP) lose what they tell of place, time and device. `logo` is ' +
        "the team's logo; `member-` and one's own id is one's photo. Both must be pictures.",
      security: [{ login: [] }, { device: [] }],
      consumes: ['multipart/form-data'],
      body: UploadForm,
      response: { 200: StoredFile },
    },
    // Before the body is read: strangers' files, and one's thousandth of the hour, are not even taken in.
    // Not in onRequest: there the limit per address would come after it, and never count what it refuses.
    preParsing: async request => {
      const caller = await requireCaller(parts, request)
      await stayWithin(parts.db, { what: 'upload', of: caller.userId, ...uploadLimit })
      refuseLarge(request)
      callers.set(request, caller)
    },
    preValidation: async request => {
      request.body = (await readForm(request)) as unknown as UploadForm
    },
    handler: async (request, reply) => {
      const caller = callers.get(request)
      if (!caller) throw new Refusal('not-signed-in')
      const { teamId, name, file } = request.body
      await requireMember(parts.db, teamId, caller.userId)
      reply.header('cache-control', 'no-store')
      return whenStoreAnswers(parts, () =>
        storeFile(parts, { teamId, name, userId: caller.userId, bytes: file }),
      )
    },
  })
}

function addGet(app: FastifyInstance, parts: NeededParts) {
  app.route<{ Querystring: FileOfTeam }>({
    method: 'GET',
    url: '/api/files.get',
    schema: {
      operationId: 'files.get',
      tags: ['files'],
      summary: "One of a team's files. Pictures are shown, everything else is downloaded.",
      security: [{ login: [] }, { device: [] }],
      produces: [...fileTypes],
      querystring: GetFile,
    },
    handler: async (request, reply) => {
      const { userId } = await requireCaller(parts, request)
      const { teamId, name } = request.query
      await requireMember(parts.db, teamId, userId)
      return whenStoreAnswers(parts, () => sendFile(parts, { teamId, name }, { request, reply }))
    },
  })
}

async function sendFile(
  { db, blobs }: FileParts,
  which: FileOfTeam,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
) {
  // Replaced between the two looks, its bytes lie elsewhere: then it is looked for once more.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const file = await findFile(db, which)
    if (!file) {
      throw new Refusal('not-found')
    }
    const etag = `"${file.blobKey.split('/').at(-1)}"`
    if (request.headers['if-none-match'] === etag) {
      return reply
        .headers({ ...headersOf(file), etag })
        .code(304)
        .send()
    }
    const blob = await blobs.read(file.blobKey)
    if (!blob) continue
    if (blob.sizeBytes !== file.sizeBytes) {
      blob.stream.destroy()
      throw new StoreFailed(`${file.blobKey} has ${blob.sizeBytes} bytes, not ${file.sizeBytes}.`)
    }
    return reply
      .headers({ ...headersOf(file), etag, 'content-length': file.sizeBytes })
      .send(blob.stream)
  }
  throw new StoreFailed('The bytes of a file are not in the store.')
}

/** Whatever the bytes are, no browser takes them for a page or a program. */
function headersOf({ name, contentType }: StoredFile) {
  const isPicture = contentType !== 'application/octet-stream'
  const plainName = name.replace(/[^\x20-\x7e]/g, '_')
  const wholeName = encodeURIComponent(name)
  return {
    'content-type': contentType,
    'content-disposition': `${isPicture ? 'inline' : 'attachment'}; filename="${plainName}"; filename*=UTF-8''${wholeName}`,
    'cache-control': `private, max-age=${uploadCacheSeconds}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  }
}

async function requireCaller({ authenticate }: NeededParts, request: FastifyRequest) {
  const caller = await authenticate(request)
  if (!caller) throw new Refusal('not-signed-in')
  return caller
}

async function whenStoreAnswers<T>({ log }: FileParts, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error
    log.error({ err: error }, 'the file store failed')
    throw new Refusal('not-ready', { detail: 'files-unreachable' })
  }
}
