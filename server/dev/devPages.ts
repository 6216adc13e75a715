import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '#contract/refusal.ts'
import { isLocalRequest } from '../http/localRequest.ts'
import { Html, html } from '../mail/html.ts'

/** Registers form routes under /dev. Requests that are not from this machine get `not-found`. */
export function addDevRoutes(app: FastifyInstance, add: (scope: FastifyInstance) => void) {
  app.register((scope, _options, done) => {
    scope.addHook('onRequest', async request => {
      if (!isLocalRequest(request.raw)) throw new Refusal('not-found')
    })
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
