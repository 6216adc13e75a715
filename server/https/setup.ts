import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseSafely } from '#contract/parse.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { Email, FirstName, LastName } from '#contract/users.ts'
import { setLoginCookie } from '../auth/logins/loginCookie.ts'
import { personName, userById } from '../auth/people.ts'
import { requireAttachAnswer, signIn } from '../auth/signIn.ts'
import { isLoopback } from '../config.ts'
import type { AppContext } from '../context.ts'
import { addDevRoutes, devPage, sendDevPage } from '../dev/devPages.ts'
import { isOurForm } from '../http/xsrf.ts'
import { type Html, html } from '../mail/html.ts'
import { type PlainAnswer, pathOf } from './plainServer.ts'

/** Path of the operator's page, on the port without HTTPS. */
export const setupPath = '/setup'
/** Path of the links that it makes, in the app. The service worker leaves paths under /api to the server. */
const linkPath = '/api/setup/'

/** How long a link can be used. */
const linkMs = 10 * 60_000
const maxFormBytes = 4096

const Person = z.object({ email: Email, firstName: FirstName, lastName: LastName })
type Person = z.infer<typeof Person>

interface Shown {
  publicUrl: string
  /** State of the certificate, in a sentence. */
  certificate: string
}

/**
 * The operator's page of a server without a mail server. It creates single-use sign-in links: for the first account, and for
 * lost logins. It responds only to this machine, and only with the token that is printed at the start.
 */
export class Setup {
  readonly token = randomBytes(16).toString('base64url')
  readonly #clock: Pick<Clock, 'now'>
  readonly #links = new Map<string, Person & { expiresAt: number }>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Answers a request for the page. Returns false for any other path, and for everybody else. */
  answer(...[request, response, shown]: [...Parameters<PlainAnswer>, Shown]): boolean {
    if (pathOf(request) !== setupPath || !isFromThisMachine(request)) return false
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .setHeader('content-security-policy', pagePolicy)
    void this.#page(request, shown).then(
      page => response.end(page),
      () => response.writeHead(400).end(),
    )
    return true
  }

  /** The person of a link that can still be used. */
  find(link: string): Person | undefined {
    const found = this.#links.get(link)
    return found && found.expiresAt > this.#clock.now() ? found : undefined
  }

  /** Like `find`; the link cannot be used again. */
  consume(link: string): Person | undefined {
    const found = this.find(link)
    this.#links.delete(link)
    return found
  }

  async #page(request: IncomingMessage, shown: Shown): Promise<string> {
    if (request.method !== 'POST') {
      const given = new URL(request.url ?? '', 'http://localhost').searchParams.get('token')
      return this.#isToken(given) ? this.#form(shown) : lockedPage()
    }
    if (Number(request.headers['content-length'] ?? Number.NaN) <= maxFormBytes) {
      const form = Object.fromEntries(new URLSearchParams(await text(request)))
      if (!this.#isToken(form.token)) return lockedPage()
      const person = parseSafely(Person, form).data
      return person
        ? linkPage(this.#makeLink(person, shown.publicUrl), person)
        : this.#form(shown, true)
    }
    throw new Error('The form is too large')
  }

  #makeLink(person: Person, publicUrl: string): string {
    const now = this.#clock.now()
    for (const [link, { expiresAt }] of this.#links) if (expiresAt <= now) this.#links.delete(link)
    const link = randomBytes(16).toString('base64url')
    this.#links.set(link, { ...person, expiresAt: now + linkMs })
    return publicUrl + linkPath + link
  }

  #isToken(given: string | null | undefined): boolean {
    const [a, b] = [Buffer.from(given ?? ''), Buffer.from(this.token)]
    return a.length === b.length && timingSafeEqual(a, b)
  }

  #form({ publicUrl, certificate }: Shown, isWrong = false): string {
    return devPage(
      'Set up Pitboard',
      html`<p>${publicUrl}<br>Certificate: ${certificate}</p>
<p>There is no mail server. Sign in without a mail: for the first account, or if a login was lost.</p>
${isWrong ? html`<p role="alert">Enter an e-mail address and both names.</p>` : ''}
<form method="post" action="${setupPath}">
<input type="hidden" name="token" value="${this.token}">
${field('Email', 'email', 'email')}${field('First Name', 'firstName')}${field('Last Name', 'lastName')}
<button>Make a link</button>
</form>`,
    )
  }
}

/** Adds the pages behind the links of `setup`, which sign in with one press. */
export function registerSetup(app: FastifyInstance, context: AppContext, setup: Setup) {
  const path = `${linkPath}:link`
  const schema = { hide: true }
  addDevRoutes(app, null, scope => {
    scope.get<{ Params: { link: string } }>(path, { schema }, async (request, reply) => {
      const person = setup.find(request.params.link)
      if (!person) return sendDevPage(reply, endedPage(), 404)
      return sendDevPage(reply, confirmPage(person, await joinedName(context, request)))
    })

    scope.post<{ Params: { link: string } }>(path, { schema }, async (request, reply) => {
      requireOwnPage(request, context.publicUrl())
      const { attach: answer } = request.query as Record<string, unknown>
      const attach = answer === 'yes' ? true : answer === 'no' ? false : undefined
      const previous = await context.authenticate(request)
      requireAttachAnswer({ previous, attach })
      const person = setup.consume(request.params.link)
      if (!person) return sendDevPage(reply, endedPage(), 404)
      const { login } = await signIn(context, {
        ...person,
        ip: request.ip,
        userAgent: request.headers['user-agent'],
        previous,
        attach,
        now: context.clock.now(),
      })
      setLoginCookie(reply, context.publicUrl(), login)
      return reply.header('cache-control', 'no-store').redirect('/teams', 303)
    })
  })
}

/** The name of a person who joined by a code in this browser, and has no e-mail yet. */
async function joinedName(context: AppContext, request: FastifyRequest) {
  const caller = await context.authenticate(request)
  const user = caller && caller.kind !== 'anonymous' && (await userById(context.db, caller.userId))
  if (!user || !user.is_anonymous) return undefined
  return personName(user)
}

/** Prevents another site from signing this browser in. */
function requireOwnPage({ headers }: FastifyRequest, publicUrl: string) {
  if (!isOurForm(headers, publicUrl)) throw new Refusal('forged-request')
}

/** A Host header of this machine keeps out pages of other sites whose names resolve to it. */
function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:/i, '') ?? ''
  const host = `http://${headers.host ?? ''}`
  return isLoopback(address) && URL.canParse(host) && isLoopback(new URL(host).hostname)
}

/** The page can run no script, and sends its form only to this server. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

function field(label: string, name: string, type = 'text'): Html {
  return html`<label>${label}<input name="${name}" type="${type}" required></label>`
}

function lockedPage(): string {
  return devPage(
    'This page needs its link',
    html`<p>Open the link in the terminal in which the server was started.</p>`,
  )
}

function linkPage(link: string, { firstName }: Person): string {
  return devPage(
    'Sign-in link',
    html`<p>Open it in the browser that ${firstName} uses, within ten minutes. It works once.</p><p><a href="${link}">${link}</a></p>`,
  )
}

function confirmPage({ email, firstName }: Person, joined: string | undefined): string {
  const buttons =
    joined === undefined
      ? html`<button>Continue as ${firstName}</button>`
      : html`<p>You are ${joined} in this browser, without an email.</p>
<button formaction="?attach=yes">Add it to ${joined}</button>
<button formaction="?attach=no">Continue as ${firstName}</button>`
  return devPage(
    'Sign in to Pitboard',
    html`<form method="post"><p>As ${email}</p>${buttons}</form>`,
  )
}

function endedPage(): string {
  return devPage(
    'This link has ended',
    html`<p>It works once, for ten minutes. Make another one on the page on which it was made.</p>`,
  )
}
