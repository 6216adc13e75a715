import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readPage, sendPage } from './page.ts'
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

/** A file of the build as Vite's manifest describes it. */
interface BuiltFile {
  file: string
  name?: string
  imports?: string[]
}

/**
 * Reads which code of a build each page needs before its screen is shown. The browser would find most of it only once it
 * has run the first file. Returns the Link header for the path of a page.
 */
async function readPageLinks(folder: string): Promise<(path: string) => string> {
  const manifest: Record<string, BuiltFile> = JSON.parse(
    await readFile(join(folder, '.vite/manifest.json'), 'utf8'),
  )
  const [signIn, drive, team] = ['sign-in', 'drive', 'shared'].map(name => linksOf(manifest, name))
  return path => {
    if (!path.startsWith('/teams')) return signIn ?? ''
    return (path.endsWith('/drive') ? drive : team) ?? ''
  }
}

/** The first file, then the one of this name with all that it imports. */
function linksOf(manifest: Record<string, BuiltFile>, name: string): string {
  const keys = new Set(['index.html'])
  for (const [key, built] of Object.entries(manifest)) if (built.name === name) keys.add(key)
  for (const key of keys) for (const imported of manifest[key]?.imports ?? []) keys.add(imported)
  return [...keys]
    .flatMap(key => manifest[key] ?? [])
    .map(({ file }) => `</${file}>; rel=modulepreload`)
    .join(', ')
}
