import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

/** Serves the version of the built web app, so that an open app detects a newer build. */
export function addVersion(app: FastifyInstance, webFolder: string) {
  const version = readVersion(webFolder)
  app.get('/version.json', { schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', 'no-cache').send({ version }),
  )
}

/** Reads the file written by the build; it does not exist when running from source. */
function readVersion(webFolder: string): string {
  try {
    const { version } = JSON.parse(readFileSync(join(webFolder, 'version.json'), 'utf8'))
    return String(version)
  } catch {
    return 'source'
  }
}
