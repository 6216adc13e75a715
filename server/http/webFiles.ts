import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readPage, sendPage } from './page.ts'
import { readPageLinks } from './pageLinks.ts'
import { answerNotFound } from './refuse.ts'
import { assetRoute } from './xsrf.ts'

/**
 * Serves the built web app. Hashed assets are cached for a year; the page is always revalidated. The build must not
 * change while the server runs.
 */
export async function addWebFiles(app: FastifyInstance, folder: string) {
  const file = join(folder, 'index.html')
  if (!existsSync(file)) return app.setNotFoundHandler(answerNotFound)
  const page = await readPage(file)
  const linksOf = await readPageLinks(folder)
  const assets = await readAssets(folder)
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    // The first three have routes of their own; the compressed files are served instead of their originals.
    globIgnore: ['index.html', 'version.json', 'assets/**', '**/*.br', '**/*.gz'],
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/')
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  // A route for each of these 140 files would take a tenth of the start-up time.
  app.get<{ Params: { name: string } }>(
    assetRoute,
    { schema: { hide: true } },
    (request, reply) => {
      const { name } = request.params
      return assets.has(name) ? reply.sendFile(`assets/${name}`) : reply.callNotFound()
    },
  )
  // Every page URL gets the same HTML; the router in the app decides what to show.
  app.setNotFoundHandler(async (request, reply) => {
    if (!isPageVisit(request)) return answerNotFound(request, reply)
    return sendPage(request, reply.header('link', linksOf(pathOf(request))), page)
  })
}

/** Returns the names of the files in `assets`, without the compressed ones. */
async function readAssets(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(join(folder, 'assets')).catch(() => [])
  return new Set(names.filter(name => !/\.(br|gz)$/.test(name)))
}

function isPageVisit(request: FastifyRequest): boolean {
  const path = pathOf(request)
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !/^\/(api|live|dev|assets)(\/|$)/.test(path) &&
    !path.split('/').at(-1)?.includes('.')
  )
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}
