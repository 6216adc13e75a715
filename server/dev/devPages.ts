import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Html, html } from '../mail/html.ts'

/** Cookie of the browsers in which somebody opened a link with the token. */
export const devCookie = 'pitboard_dev'

/**
 * Registers form routes under /dev, for browsers with the token of this server. A proxy on this machine can make requests
 * of strangers look local, so nothing else opens them. The token
 * is null for routes that other programs call: they reveal nothing.
 */
export function addDevRoutes(
  app: FastifyInstance,
  token: string | null,
  add: (scope: FastifyInstance) => void,
) {
  app.register((scope, _options, done) => {
    if (token !== null) requireToken(scope, token)
    scope.addHook('onRoute', route => {
      route.config = { ...route.config, plainForm: true }
    })
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, parsed) =>
        parsed(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    add(scope)
    done()
  })
}

function requireToken(scope: FastifyInstance, token: string) {
  scope.addHook('onRequest', async (request, reply) => {
    const url = new URL(request.url, 'http://localhost')
    if (!isSame(url.searchParams.get('token') ?? undefined, token)) {
      if (isSame(request.cookies[devCookie], token)) return
      return sendDevPage(reply, lockedPage(), 404)
    }
    // The token does not stay in the address bar, and forms do not need it.
    url.searchParams.delete('token')
    reply.setCookie(devCookie, token, { path: '/dev', httpOnly: true, sameSite: 'strict' })
    return reply.redirect(url.pathname + url.search, 303)
  })
}

function isSame(given: string | undefined, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function lockedPage(): string {
  return devPage(
    'This page needs its link',
    html`<p>Open the link in the terminal in which the server was started: it contains a token for this page.</p>`,
  )
}

/** Sends a page that can run no script and submit forms only to this server. */
export function sendDevPage(reply: FastifyReply, page: string, status = 200) {
  return reply
    .code(status)
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page)
}

/** Renders a page that deliberately does not look like the product. */
export function devPage(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(styles)}</style>
</head>
<body><main><h1>${title}</h1>
${body}</main></body>
</html>
`.text
}

const styles = `
:root { color-scheme: light dark; font: 17px/1.45 system-ui, sans-serif; }
body { margin: 0; padding: 32px 16px; }
main { max-width: 420px; margin: 0 auto; padding: 24px; border: 3px dashed #ff8b1f; border-radius: 14px; overflow-wrap: anywhere; }
h1 { margin: 0 0 12px; font-size: 26px; line-height: 1.1; }
form, label { display: grid; gap: 8px; }
form { gap: 16px; }
input, button { box-sizing: border-box; width: 100%; min-height: 56px; padding: 0 12px; font: inherit; }
.tick { grid-template-columns: auto 1fr; align-items: center; }
.tick input { width: 24px; min-height: 48px; }
button { border: 0; border-radius: 8px; background: #ffd814; color: #000; font-weight: 700; cursor: pointer; }
`
