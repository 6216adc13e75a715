import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { FileOfTeam, type files, type StoredFile } from '#contract/files.ts'
import { EpochMs } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { fileTypes, uploadCacheSeconds } from '#contract/shared/fileRules.ts'
import { StoreFailed } from '../blobs/blobStore.ts'
import { refuseIfStoreFails } from '../blobs/storeFailures.ts'
import type { Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireLogin } from '../rights/access.ts'
import { requireEditor, requireMember } from '../rights/requireMember.ts'
import { publishTeamChanged } from '../teams/teamChanged.ts'
import { deleteFile, type FileParts, findFile, listFiles } from './files.ts'
import { removeLeftovers } from './leftovers.ts'
import { addUpload, type UploadParts } from './upload.ts'

const GetFile = FileOfTeam.extend({
  updatedAt: EpochMs.or(z.string())
    .optional()
    .describe('Ignored by the server: a new value bypasses the browser cache.'),
})

export function fileCalls(parts: FileParts): HandlersOf<typeof files, Caller> {
  return {
    async list({ input, caller }) {
      await requireMember(parts.db, input.teamId, caller.userId)
      return listFiles(parts.db, input)
    },
    async delete({ input, caller }) {
      await requireEditor(parts.db, input.teamId, caller.userId)
      await deleteFile(parts, { ...input, userId: caller.userId })
      await publishTeamChanged(parts, input.teamId)
      return {}
    },
  }
}

/**
 * Adds the two calls that carry a file: their content is not JSON, so they are not in the contract's table.
 */
export async function addFileRoutes(app: FastifyInstance, parts: UploadParts) {
  await app.register(async scope => {
    // Registered only here, so that every other route refuses a form.
    await scope.register(multipart)
    addUpload(scope, parts)
    addGet(scope, parts)
  })
  app.addHook('onListen', () => removeLeftovers(parts))
}

function addGet(app: FastifyInstance, parts: UploadParts) {
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
      const { userId } = requireLogin(await parts.authenticate(request), {
        auth: 'any-login',
        scopes: ['read'],
      })
      const { teamId, name } = request.query
      await requireMember(parts.db, teamId, userId)
      return refuseIfStoreFails(parts, () => sendFile(parts, { teamId, name }, { request, reply }))
    },
  })
}

async function sendFile(
  { db, blobs }: FileParts,
  which: FileOfTeam,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
) {
  // If the file is replaced between the two queries, its bytes have another key: then retry once.
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
  throw new StoreFailed('The content of a file is missing in the store.')
}

/** These headers keep a browser from treating the bytes as a page or a program. */
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
