import type { z } from 'zod'
import { type Api, api } from '#contract/api.ts'
import type { Auth, Endpoint, Kind } from '#contract/endpoint.ts'
import { Refusal, RefusalBody } from '#contract/refusal.ts'

type Method<I, O> = {} extends I ? (input?: I) => Promise<O> : (input: I) => Promise<O>

/** Every API call as a method: `call.teams.create({ name })`. Refusals are thrown as `Refusal`. */
export type Client = {
  [T in keyof Api]: {
    [N in keyof Api[T]]: Api[T][N] extends Endpoint<Kind, Auth, infer I, infer O>
      ? Method<z.input<I>, z.output<O>>
      : never
  }
}

/** Stores cookies like a browser, for one origin. */
export class CookieJar {
  readonly #cookies = new Map<string, string>()

  store(response: Response) {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      const isExpired = attributes.some(each =>
        /^\s*(max-age=0|expires=Thu, 01 Jan 1970)/i.test(each),
      )
      if (isExpired) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
  }

  get(name: string): string | undefined {
    return this.#cookies.get(name)
  }

  /** Returns the cookies for `url` in Playwright's format. */
  cookiesFor(url: string): { name: string; value: string; url: string }[] {
    return [...this.#cookies].map(([name, value]) => ({ name, value, url }))
  }

  get header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

/** Creates an API client that sends cookies and the XSRF header as the app does. */
export function createClient(url: string, jar: CookieJar): Client {
  const topics = Object.entries(api).map(([topic, endpoints]) => {
    const calls = Object.entries(endpoints).map(([name, { kind }]) => [
      name,
      (input: object = {}) => callOnce(url, jar, `${topic}.${name}`, kind, input),
    ])
    return [topic, Object.fromEntries(calls)]
  })
  return Object.fromEntries(topics)
}

async function callOnce(
  url: string,
  jar: CookieJar,
  name: string,
  kind: 'read' | 'command',
  input: object,
): Promise<unknown> {
  if (kind === 'command' && !jar.get('XSRF-TOKEN')) {
    jar.store(await fetch(`${url}/api/auth.login`, { headers: { cookie: jar.header } }))
  }
  const query = new URLSearchParams(
    Object.entries(input).map(([key, value]) => [key, String(value)]),
  )
  const response = await fetch(`${url}/api/${name}${kind === 'read' ? `?${query}` : ''}`, {
    method: kind === 'read' ? 'GET' : 'POST',
    headers: {
      cookie: jar.header,
      'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
      ...(kind === 'command' && { 'content-type': 'application/json' }),
    },
    ...(kind === 'command' && { body: JSON.stringify(input) }),
  })
  jar.store(response)
  const body: unknown = await response.json()
  if (response.ok) return body
  const { code, ...more } = RefusalBody.parse(body)
  throw new Refusal(code, JSON.parse(JSON.stringify(more)))
}
