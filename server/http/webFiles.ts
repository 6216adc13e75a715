import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Page, readPage, sendPage } from './page.ts'
import { answerNotFound } from './refuse.ts'
import { assetRoute } from './xsrf.ts'

interface WebSettings {
  /** Folder of the build. */
  folder: string
  /** True if the request carries a login, which may be invalid. */
  hasLogin: (request: FastifyRequest) => boolean
  /** Returns which sign-in methods the server offers in addition to a code. Called only once it listens. */
  signInOffers: () => { google: boolean; passkeys: boolean }
}

/**
 * Serves the built web app. Hashed assets are cached for a year; the page is always revalidated. The build must not
 * change while the server runs.
 */
export async function addWebFiles(
  app: FastifyInstance,
  { folder, hasLogin, signInOffers }: WebSettings,
) {
  const file = join(folder, 'index.html')
  if (!existsSync(file)) return app.setNotFoundHandler(answerNotFound)
  const page = await readPage(file)
  const signInPages = await readSignInPages(folder)
  const assets = await readAssets(folder)
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    // The first four have routes of their own; the compressed files are served instead of their originals.
    globIgnore: ['index.html', 'sign-in*.html', 'version.json', 'assets/**', '**/*.br', '**/*.gz'],
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
    return sendPage(request, reply, pageFor(request))
  })

  function pageFor(request: FastifyRequest): Page {
    const path = pathOf(request)
    // Only visitors who will see the prerendered screen receive it: it has no email address and no page to return to.
    // The service worker does not ask for HTML: it caches the page of all other screens.
    const isPrerendered =
      ['/', '/auth/sign-in'].includes(path) &&
      path === request.url &&
      request.headers.accept?.includes('text/html') &&
      !hasLogin(request)
    if (isPrerendered) {
      const { google, passkeys } = signInOffers()
      const name = `sign-in-form${google ? '-google' : ''}${passkeys ? '-passkeys' : ''}.html`
      return signInPages.get(name) ?? page
    }
    return (path === '/auth/sign-in' && signInPages.get('sign-in.html')) || page
  }
}

/** Returns the names of the files in `assets`, without the compressed ones. */
async function readAssets(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(join(folder, 'assets')).catch(() => [])
  return new Set(names.filter(name => !/\.(br|gz)$/.test(name)))
}

/**
 * Reads the sign-in pages, by file name. `sign-in.html` is `index.html` that also loads the code of the screen;
 * the others contain the screen as HTML.
 */
async function readSignInPages(folder: string): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map<string, Page>()
  for (const name of await readdir(folder)) {
    if (/^sign-in.*\.html$/.test(name)) pages.set(name, await readPage(join(folder, name)))
  }
  return pages
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}

function isPageVisit(request: FastifyRequest): boolean {
  const path = pathOf(request)
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !/^\/(api|live|dev|assets)(\/|$)/.test(path) &&
    !path.split('/').at(-1)?.includes('.')
  )
}
