import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerNotFound } from '../refuse.ts'

/** Serves the built web app. Hashed assets are cached for a year; the page is always revalidated. */
export async function addWebFiles(app: FastifyInstance, folder: string) {
  const page = join(folder, 'index.html')
  if (!existsSync(page)) return app.setNotFoundHandler(answerNotFound)
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    // The first two have routes of their own; the compressed files are served instead of their originals.
    globIgnore: ['index.html', 'version.json', '**/*.br', '**/*.gz'],
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/')
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  // Every page URL gets the same HTML; the router in the app decides what to show.
  app.setNotFoundHandler(async (request, reply) => {
    if (!isPageVisit(request)) return answerNotFound(request, reply)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await readFile(page))
  })
}

function isPageVisit(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] ?? ''
  return (
    request.method === 'GET' &&
    !/^\/(api|live|dev|assets)(\/|$)/.test(path) &&
    !path.split('/').at(-1)?.includes('.')
  )
}
