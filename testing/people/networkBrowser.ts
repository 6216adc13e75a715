import { expect } from 'vitest'
import type { Clock } from '#contract/shared/clock.ts'
import { type AuthServer, authServer } from './authServer.ts'
import { codeIn } from './person.ts'

/** Starts a public server with sign-in by code, behind a proxy that forwards each browser's address. */
export function proxiedServer(clock: Clock): Promise<AuthServer> {
  return authServer({
    host: '0.0.0.0',
    publicUrl: 'https://pitboard.example',
    trustProxy: ['127.0.0.1'],
    withoutSmtp: true,
    clock,
    dev: false,
  })
}

/** A browser with cookies that can change its network. */
export class NetworkBrowser {
  readonly #server: AuthServer
  readonly #cookies = new Map([['XSRF-TOKEN', 'first']])
  ip: string

  constructor(server: AuthServer, ip: string) {
    this.#server = server
    this.ip = ip
  }

  async #post(path: string, payload: object): Promise<string> {
    const answer = await this.#server.http.inject({
      method: 'POST',
      url: `/api/${path}`,
      headers: { 'x-forwarded-for': this.ip, 'x-xsrf-token': this.#cookies.get('XSRF-TOKEN') },
      cookies: Object.fromEntries(this.#cookies),
      payload,
    })
    for (const { name, value, maxAge } of answer.cookies) {
      if (value === '' || maxAge === 0) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return answer.statusCode === 200 ? 'ok' : answer.json<{ code: string }>().code
  }

  give(name: string, value: string) {
    this.#cookies.set(name, value)
  }

  /** Returns `ok` or the refusal's code. */
  ask(email: string) {
    return this.#post('auth.sendCode', { email })
  }

  enter(email: string, code: string) {
    return this.#post('auth.verifyCode', { email, code })
  }

  /** Requests a code, reads the mail and enters the code. */
  async signIn(email: string) {
    const asked = await this.ask(email)
    return asked === 'ok' ? this.enter(email, newestCode(this.#server, email)) : asked
  }

  signOut() {
    return this.#post('auth.signOut', {})
  }
}

/** Returns the code in the newest mail to this address. */
export function newestCode(server: AuthServer, email: string): string {
  return codeIn(server.context.mailer.outbox?.list({ to: email })[0]?.text ?? '')
}

/** Returns a browser in which the owner of this address has signed in and out. */
export async function knownBrowser(server: AuthServer, email: string, ip = '198.51.100.1') {
  const browser = new NetworkBrowser(server, ip)
  expect(await browser.signIn(email)).toBe('ok')
  expect(await browser.signOut()).toBe('ok')
  return browser
}

/** Acts so often, one after another, and returns the results. */
export async function times<T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> {
  const answers = []
  for (let index = 0; index < count; index += 1) answers.push(await act(index))
  return answers
}
