import type { EndpointName, InputOf, OutputOf } from '#contract/api.ts'
import { CallRefused } from './callRefused.ts'
import { refusalOf } from './refusalOf.ts'
import { ownCookie, xsrfCookie, xsrfHeaders } from './xsrf.ts'

/** Response timeout, in milliseconds. */
export const responseTimeoutMs = 15_000

export interface CallOptions {
  /** Aborts the request, for instance because its screen was closed. */
  signal?: AbortSignal | undefined
  /** Lets the request outlive the page. */
  keepalive?: boolean
}

/** Sends a request, and returns whether its status is 2xx, and its JSON body. */
export type Send = (url: string, init: RequestInit) => Promise<{ ok: boolean; body: unknown }>

interface ExchangeOptions extends CallOptions {
  timeoutMs?: number
  /** Sends the request instead of `fetch`. */
  send?: Send
}

/**
 * Sends a GET request, which changes nothing on the server.
 * @throws {CallRefused} with the server's code, or 'unreachable'.
 */
export function read<Name extends EndpointName<'read'>>(
  name: Name,
  input: InputOf<Name>,
  { signal }: CallOptions = {},
): Promise<OutputOf<Name>> {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(
    input as Record<string, string | number | null | undefined>,
  )) {
    if (value !== undefined && value !== null) query.set(key, String(value))
  }
  const tail = query.size > 0 ? `?${query}` : ''
  return exchange<OutputOf<Name>>(`/api/${name}${tail}`, { method: 'GET' }, { signal })
}

/**
 * Sends a POST request that changes something on the server.
 * @throws {CallRefused} with the server's code, or 'unreachable': the command may or may not have been
 * executed.
 */
export function command<Name extends EndpointName<'command'>>(
  name: Name,
  input: InputOf<Name>,
  options: CallOptions = {},
): Promise<OutputOf<Name>> {
  return post<OutputOf<Name>>(
    `/api/${name}`,
    { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) },
    options,
  )
}

/**
 * Sends a POST request with any body to a URL of our own server.
 * @throws {CallRefused} like `command`.
 */
export async function post<Output>(
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body: BodyInit },
  options: ExchangeOptions = {},
): Promise<Output> {
  // An app started from the service worker's cache has not requested a page yet, so it has no XSRF
  // cookie.
  if (ownCookie(xsrfCookie) === null) await read('auth.login', {})
  const init = { method: 'POST', headers: { ...headers, ...xsrfHeaders('POST', url) }, body }
  return exchange<Output>(url, init, options)
}

type Listener = () => void
const listeners = new Set<Listener>()

/**
 * Calls the listener whenever a call is refused because nobody is signed in. Returns the unsubscribe
 * function.
 */
export function onNotSignedIn(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

async function exchange<Output>(
  url: string,
  init: RequestInit,
  { signal, keepalive = false, timeoutMs = responseTimeoutMs, send = fetchJson }: ExchangeOptions,
) {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const { ok, body } = await send(url, {
      ...init,
      keepalive,
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    if (ok) return body as Output
    throw new CallRefused(await refusalOf(body))
  } catch (reason) {
    // The caller aborted the request itself: this is neither a refusal nor worth a log line.
    if (signal?.aborted) throw reason
    const refused =
      reason instanceof CallRefused ? reason : new CallRefused({ code: 'unreachable' }, reason)
    log(url, refused)
    if (refused.code === 'not-signed-in') for (const listener of listeners) listener()
    throw refused
  }
}

const fetchJson: Send = async (url, init) => {
  const response = await fetch(url, init)
  return { ok: response.ok, body: await response.json() }
}

/** Logs which call failed and why, without anything a person typed. */
function log(url: string, { code, cause }: CallRefused) {
  const [name] = url.replace('/api/', '').split('?')
  // oxlint-disable-next-line no-console -- specified: failures are logged, in the browser
  console.error(`${name}: ${code}`, ...(cause === undefined ? [] : [cause]))
}
