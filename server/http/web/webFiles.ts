import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerNotFound } from '../refuse.ts'
import { readPage, sendPage } from './page.ts'

/** The same page as `index.html`, which also loads the code of the sign-in screen. */
const signInPage = 'sign-in.html'

/**
 * Serves the built web app. Hashed assets are cached for a year; the page is always revalidated. The build must not
 * change while the server runs.
 */
export async function addWebFiles(app: FastifyInstance, folder: string) {
  const file = join(folder, 'index.html')
  if (!existsSync(file)) return app.setNotFoundHandler(answerNotFound)
  const page = await readPage(file)
  const signIn = existsSync(join(folder, signInPage))
    ? await readPage(join(folder, signInPage))
    : page
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    // The first three have routes of their own; the compressed files are served instead of their originals.
    globIgnore: ['index.html', signInPage, 'version.json', '**/*.br', '**/*.gz'],
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
    return sendPage(request, reply, pathOf(request) === '/auth/sign-in' ? signIn : page)
  })
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}

function isPageVisit(request: FastifyRequest): boolean {
  const path = pathOf(request)
  return (
    request.method === 'GET' &&
    !/^\/(api|live|dev|assets)(\/|$)/.test(path) &&
    !path.split('/').at(-1)?.includes('.')
  )
}
