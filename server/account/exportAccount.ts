import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import { requireLogin } from '../rights/access.ts'
import { type ExportedFile, filesOf } from './exportedFiles.ts'

/** Compression of the JSON files: the fastest level, because the server compresses for everybody. */
const level = 1

/**
 * Serves everything that belongs to the caller as a zip of JSON files and their photos. One export of a user runs
 * at a time. The response is read as fast as the client receives it, with one page of rows in memory.
 */
export function addAccountExport(
  app: FastifyInstance,
  context: Pick<AppContext, 'db' | 'blobs' | 'authenticate'>,
) {
  const running = new Set<UserId>()
  app.route({
    method: 'GET',
    url: '/api/v1/export.zip',
    config: { limit: 'costly' },
    schema: {
      operationId: 'users.export',
      tags: ['users'],
      summary: 'All data of the caller as a zip file, in a browser. One at a time.',
      security: [{ login: [] }],
    },
    handler: async (request, reply) => {
      const caller = requireLogin(await context.authenticate(request), { auth: 'signed-in' })
      const { userId } = caller
      if (running.has(userId)) throw new Refusal('too-many')
      running.add(userId)
      const content = Readable.from(zipOf(filesOf(context, userId)))
      // Also if the client leaves.
      content.once('close', () => running.delete(userId))
      return reply
        .type('application/zip')
        .header('content-disposition', 'attachment; filename="pitboard.zip"')
        .header('cache-control', 'no-store')
        .send(content)
    },
  })
}

/** Yields the bytes of a zip file. */
async function* zipOf(files: AsyncIterable<ExportedFile>): AsyncGenerator<Uint8Array> {
  const produced: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    produced.push(chunk)
  })
  for await (const { name, content, compressed } of files) {
    const file = compressed ? new ZipPassThrough(name) : new ZipDeflate(name, { level })
    zip.add(file)
    for await (const chunk of content) {
      file.push(chunk)
      yield* produced.splice(0)
    }
    file.push(new Uint8Array(), true)
    yield* produced.splice(0)
  }
  zip.end()
  yield* produced.splice(0)
}
