import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Html, html } from '../mail/html.ts'
import type { Outbox, StoredMail } from '../mail/outbox.ts'
import { addDevRoutes, sendDevPage } from './devPages.ts'

const Filter = z.object({ to: z.string().max(254).optional() })

/**
 * Serves the mails kept on this machine at `/dev/mailbox`, or as JSON at `/dev/mailbox.json`. Register it
 * only without a mail server: the mails contain sign-in codes.
 */
export function registerMailbox(app: FastifyInstance, outbox: Outbox, token: string) {
  const schema = { hide: true, querystring: Filter }
  addDevRoutes(app, token, scope => {
    scope.get('/dev/mailbox', { schema }, (request, reply) => {
      const { to } = request.query as z.infer<typeof Filter>
      return sendDevPage(reply, mailboxPage(outbox.list({ to }), to))
    })

    scope.get('/dev/mailbox.json', { schema }, (request, reply) => {
      const { to } = request.query as z.infer<typeof Filter>
      return reply.header('cache-control', 'no-store').send(outbox.list({ to }))
    })
  })
}

/** Renders the mails, newest first. The page reloads itself; neither it nor the mails run scripts. */
function mailboxPage(mails: StoredMail[], to: string | undefined): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="5">
<title>Mailbox (${String(mails.length)})</title>
<style>${new Html(styles)}</style>
</head>
<body>
<header>
<h1>Mailbox</h1>
<p>No mail server is configured, so mails are kept here: the newest 200, until the server stops. This page is only available on this machine and reloads itself.</p>
<form method="get"><label for="to">Mails to</label> <input id="to" name="to" type="email" value="${to ?? ''}" placeholder="everyone"> <button>Show</button></form>
</header>
<main>
${mails.length === 0 ? html`<p class="none">No mail yet.</p>` : mails.map(mailArticle)}
</main>
</body>
</html>
`.text
}

function mailArticle(mail: StoredMail): Html {
  const at = new Date(mail.at).toISOString()
  return html`<article>
<h2>${mail.subject}</h2>
<p class="quiet">To ${mail.to}, <time datetime="${at}">${at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time></p>
<div class="parts">
<pre>${mail.text.split(/(https?:\/\/[^\s<>"']+)/).map(linkOrText)}</pre>
<iframe title="${mail.subject}" srcdoc="${mail.html}" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"></iframe>
</div>
</article>
`
}

/** Splitting by a capture group puts the matches at odd indexes. */
function linkOrText(part: string, index: number): Html {
  return index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`
}

const styles = `
:root { color-scheme: light dark; font: 17px/1.45 system-ui, sans-serif; --line: #cfd4cc; --quiet: #565e58; --paper: #eceeea; --card: #fff; }
@media (prefers-color-scheme: dark) { :root { --line: #2c322e; --quiet: #98a19a; --paper: #0a0c0b; --card: #141715; } }
body { margin: 0 auto; padding: 24px 16px; max-width: 1100px; background: var(--paper); }
h1 { margin: 0; font-size: 26px; }
h2 { margin: 0; font-size: 20px; overflow-wrap: anywhere; }
input, button { min-height: 48px; padding: 0 12px; font: inherit; }
article { margin: 16px 0; padding: 16px; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.quiet { margin: 4px 0 12px; color: var(--quiet); font-size: 15px; overflow-wrap: anywhere; }
.parts { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr)); }
pre { margin: 0; padding: 12px; border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { width: 100%; height: 460px; border: 1px solid var(--line); border-radius: 8px; background: #fff; }
`
