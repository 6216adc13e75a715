import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding } from './compress.ts'

type Encoding = NonNullable<ReturnType<typeof acceptedEncoding>>

/** An HTML page of the build. */
export interface Page {
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

export async function readPage(file: string): Promise<Page> {
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
export async function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page) {
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
