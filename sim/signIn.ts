import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Me } from '#contract/users.ts'
import { CookieJar } from '#testing/people/client.ts'
import { cookieName, devCookie } from '#testing/people/logins.ts'
import { call } from './api.ts'

export interface SigningIn {
  readonly url: string
  readonly email: string
  /** Only at sign-up. */
  readonly firstName?: string
  readonly lastName?: string
  /** Opens the server's own mailbox: `DEV_TOKEN` of the server. */
  readonly devToken?: string | undefined
  /** Name in the list of devices. Without it the login has all rights of a browser. */
  readonly device?: string
  /** Asks a person for the code if it cannot be read from the server's own mailbox. */
  readonly askForCode?: (email: string) => Promise<string>
}

/** Signs in like any user: requests a code, reads it from the mail, and enters it. */
export async function signIn(signing: SigningIn): Promise<{ token: string; user: Me }> {
  const { url, email, firstName, lastName, device, askForCode = askOnTerminal } = signing
  const mailbox = { url, email, devToken: signing.devToken }
  const names = { ...(firstName && { firstName }), ...(lastName && { lastName }) }
  const before = await mailsIn(mailbox)
  const browser = { url, jar: new CookieJar() }
  await call(browser, 'auth.sendCode', { email, ...names })
  const code = before ? await newestCode(mailbox, before) : await askForCode(email)
  const entered = { email, code, ...(device !== undefined && { device }) }
  const { user, ...answer } = await call(browser, 'auth.verifyCode', entered)
  const token = answer.token ?? browser.jar.get(cookieName)
  if (!token) throw new Error(`${url} signed ${email} in, but returned no token.`)
  return { token, user }
}

/** Whether a URL belongs to this machine. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

/** Asks on the process's terminal. */
export async function askOnTerminal(email: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new Error(`A code was mailed to ${email}, but there is no terminal to enter it on.`)
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(`Code mailed to ${email}: `)
  } finally {
    terminal.close()
  }
}

const Mails = z.array(z.object({ to: z.string(), text: z.string(), at: z.number() }))
type Mails = z.infer<typeof Mails>

const mailTimeoutMs = 10_000

type Mailbox = Pick<SigningIn, 'url' | 'email' | 'devToken'>

/** The mails that a server on this machine keeps instead of sending; null if it really sends them. */
async function mailsIn({ url, email, devToken }: Mailbox): Promise<Mails | null> {
  if (!isLoopback(url) || devToken === undefined) return null
  const address = `${url}/dev/mailbox.json?to=${encodeURIComponent(email)}`
  const headers = { cookie: `${devCookie}=${devToken}` }
  const response = await fetch(address, { headers }).catch((cause: unknown) => {
    throw new Error(`${url} does not respond.`, { cause })
  })
  const isJson = response.headers.get('content-type')?.includes('json')
  return response.ok && isJson ? Mails.parse(await response.json()) : null
}

async function newestCode(mailbox: Mailbox, before: Mails): Promise<string> {
  const until = Date.now() + mailTimeoutMs
  while (Date.now() < until) {
    const mails = (await mailsIn(mailbox)) ?? []
    for (const { text } of newSince(before, mails)) {
      const code = /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0]
      if (code) return code
    }
    await pause(50)
  }
  throw new Error(`No code for ${mailbox.email} arrived at ${mailbox.url}/dev/mailbox within 10 s.`)
}

/** Compares by time and by count: two mails may arrive in the same millisecond. */
function newSince(before: Mails, mails: Mails): Mails {
  const lastAt = before[0]?.at ?? 0
  const more = Math.max(0, mails.length - before.length)
  return mails.filter(({ at }, index) => at > lastAt || index < more)
}
