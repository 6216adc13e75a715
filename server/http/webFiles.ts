import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding } from './compress.ts'
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
  css?: string[]
}

/**
 * Reads which files of a build each page needs before its screen is shown. The browser would find most of them only
 * once it has run the first one. Returns the Link header for the path of a page.
 */
async function readPageLinks(folder: string): Promise<(path: string) => string> {
  const manifest: Record<string, BuiltFile> = JSON.parse(
    await readFile(join(folder, '.vite/manifest.json'), 'utf8'),
  )
  const links = new Map(
    Object.entries(manifest).flatMap(([key, { name }]) =>
      name === undefined ? [] : [[name, linksOf(manifest, key)]],
    ),
  )
  return path => links.get(screenOf(path)) ?? links.get('shared') ?? ''
}

/** Returns the name that the code of a page's screen has by convention, such as `WallScreen` of `/teams/ID/wall`. */
function screenOf(path: string): string {
  const [, first, team, ...rest] = path.split('/')
  if (first !== 'teams') return 'sign-in'
  if (team && rest.length === 0) return 'TeamHomeScreen'
  const last = rest.at(-1) ?? ''
  return last === 'drive' ? last : `${last.slice(0, 1).toUpperCase()}${last.slice(1)}Screen`
}

/** Returns the preload links of a screen: the login call, entry and screen with their imports, and style sheets. */
function linksOf(manifest: Record<string, BuiltFile>, screen: string): string {
  const keys = new Set(['index.html', screen])
  for (const key of keys) for (const imported of manifest[key]?.imports ?? []) keys.add(imported)
  const files = [...keys].flatMap(key => manifest[key] ?? [])
  return [
    '</api/auth.login>; rel=preload; as=fetch; crossorigin',
    ...files.map(({ file }) => `</${file}>; rel=modulepreload`),
    ...files
      .flatMap(({ css = [] }) => css)
      .map(sheet => `</${sheet}>; rel=preload; as=style; crossorigin`),
  ].join(', ')
}

type Encoding = NonNullable<ReturnType<typeof acceptedEncoding>>

/** An HTML page of the build. */
interface Page {
  /** The sources that the content security policy must allow for the page's own styles. */
  readonly styleHashes: readonly string[]
  /** Weak, because it names all encodings of the page. */
  readonly etag: string
  readonly identity: Buffer
  /** Compresses the page when it is first sent in this encoding. */
  compressed(encoding: Encoding): Promise<Buffer>
}

const compressWith = {
  br: (page: Buffer) => promisify(brotliCompress)(page),
  gzip: (page: Buffer) => promisify(gzip)(page, { level: 9 }),
}

async function readPage(file: string): Promise<Page> {
  const identity = await readFile(file)
  const known: Partial<Record<Encoding, Promise<Buffer>>> = {}
  return {
    styleHashes: [...String(identity).matchAll(/<style>(.*?)<\/style>/gs)].map(
      ([, style = '']) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ),
    etag: `W/"${createHash('sha256').update(identity).digest('base64url')}"`,
    identity,
    compressed: encoding => (known[encoding] ??= compressWith[encoding](identity)),
  }
}

/** Sends a page in the best encoding that the browser accepts, or 304 if the browser has this page already. */
async function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page) {
  reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-encoding')
    .header('etag', page.etag)
  allowStyles(reply, page)
  if (known(request).includes(page.etag)) return reply.code(304).send()
  const encoding = acceptedEncoding(request)
  if (!encoding) return reply.send(page.identity)
  return reply.header('content-encoding', encoding).send(await page.compressed(encoding))
}

function allowStyles(reply: FastifyReply, { styleHashes }: Page) {
  const policy = reply.getHeader('content-security-policy')
  if (typeof policy !== 'string' || styleHashes.length === 0) return
  const allowed = ["style-src 'self'", ...styleHashes].join(' ')
  reply.header('content-security-policy', policy.replace("style-src 'self'", allowed))
}

function known({ headers }: FastifyRequest): string[] {
  return (headers['if-none-match'] ?? '').split(',').map(each => each.trim())
}
