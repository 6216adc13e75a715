import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

/** Answers which build of the web app is served, so that an open app notices a newer one. */
export function addVersion(app: FastifyInstance, webFolder: string) {
  const version = readVersion(webFolder)
  app.get('/version.json', { schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', 'no-cache').send({ version }),
  )
}

/** The build writes the file; when the app is run from source there is none. */
function readVersion(webFolder: string): string {
  try {
    const { version } = JSON.parse(readFileSync(join(webFolder, 'version.json'), 'utf8'))
    return String(version)
  } catch {
    return 'source'
  }
}
