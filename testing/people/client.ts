import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
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
    this.storeLines(response.headers.getSetCookie())
  }

  /** Stores the values of the header `set-cookie`. */
  storeLines(lines: readonly string[]) {
    for (const line of lines) {
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
  if (kind === 'command' && !jar.get('XSRF-TOKEN')) await send(`${url}/api/auth.login`, jar)
  const query = new URLSearchParams(
    Object.entries(input).map(([key, value]) => [key, String(value)]),
  )
  const { isOk, body } =
    kind === 'read'
      ? await send(`${url}/api/${name}?${query}`, jar)
      : await send(`${url}/api/${name}`, jar, JSON.stringify(input))
  if (isOk) return body
  const { code, ...more } = RefusalBody.parse(body)
  throw new Refusal(code, JSON.parse(JSON.stringify(more)))
}

const agent = new Agent({ keepAlive: true })

/** Sends a request, with a third of the processor time of `fetch`, and stores the cookies of the response. */
function send(
  url: string,
  jar: CookieJar,
  json?: string,
): Promise<{ isOk: boolean; body: unknown }> {
  const headers = {
    cookie: jar.header,
    'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
    ...(json !== undefined && { 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: json === undefined ? 'GET' : 'POST', headers })
    sent.on('error', reject).on('response', response => {
      jar.storeLines(response.headers['set-cookie'] ?? [])
      const { statusCode = 500 } = response
      text(response)
        .then(body => resolve({ isOk: statusCode < 300, body: JSON.parse(body) as unknown }))
        .catch(reject)
    })
    sent.end(json)
  })
}
