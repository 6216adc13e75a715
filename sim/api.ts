import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { api, type EndpointName, type InputOf, type OutputOf } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { Refusal, RefusalBody } from '#contract/refusal.ts'
import type { CookieJar } from '#testing/people/client.ts'

const requestTimeoutMs = 15_000

/** A server, as a client without a browser connects to it. */
export interface Server {
  /** Base URL without a trailing slash: `http://localhost:3000`. */
  readonly url: string
  /** Bearer token of a login; absent for calls that need none. */
  readonly token?: string
}

/** A server with the cookies of its responses, which sign-in by code needs. */
type ServerWithCookies = Server & { readonly jar?: CookieJar }

/**
 * Calls one endpoint of the contract. Throws a `Refusal` with the server's own code if the server refuses,
 * and an Error with the address if it is unreachable or sends an unexpected response.
 */
export async function call<Name extends EndpointName>(
  server: ServerWithCookies,
  name: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  const endpoint = endpointAt(name)
  const address = `${server.url}/api/${name}`
  const headers = server.token
    ? { authorization: `Bearer ${server.token}` }
    : ownXsrfPair(server.jar?.header)
  const answer =
    endpoint.kind === 'read'
      ? await request(server, `${address}?${queryOf(input)}`, { headers })
      : await request(server, address, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(input),
        })
  return endpoint.output.parse(answer) as OutputOf<Name>
}

/**
 * Commands without a token must repeat a cookie in a header, which no foreign page can make a browser do. A
 * device has no cookies that others could use, so it generates both.
 */
function ownXsrfPair(cookies: string | undefined): Record<string, string> {
  const value = randomUUID()
  const cookie = [cookies, `XSRF-TOKEN=${value}`].filter(Boolean).join('; ')
  return { cookie, 'x-xsrf-token': value }
}

function endpointAt(name: EndpointName): Endpoint {
  const [topic = '', call = ''] = name.split('.')
  const topics: Record<string, Record<string, Endpoint>> = api
  const endpoint = topics[topic]?.[call]
  if (!endpoint) throw new Error(`The contract has no call ${name}.`)
  return endpoint
}

async function request(
  { jar }: ServerWithCookies,
  address: string,
  init: RequestInit,
): Promise<unknown> {
  const signal = AbortSignal.timeout(requestTimeoutMs)
  const response = await fetch(address, { ...init, signal }).catch((cause: unknown) => {
    throw new Error(`${new URL(address).origin} does not respond.`, { cause })
  })
  jar?.store(response)
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok) return body
  const refused = RefusalBody.safeParse(body)
  if (!refused.success) throw new Error(`${address} responded with ${response.status}.`)
  const { code, detail, fields, retryAfterSeconds } = refused.data
  throw new Refusal(code, {
    ...(detail && { detail }),
    ...(fields && { fields }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

function queryOf(input: unknown): URLSearchParams {
  const fields = z.record(z.string(), z.union([z.string(), z.number()])).parse(input)
  return new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}
