import type { EndpointName, InputOf, OutputOf } from '#contract/api.ts'
import { CallRefused } from './callRefused.ts'
import { refusalOf } from './refusalOf.ts'
import { ownCookie, xsrfCookie, xsrfHeader } from './xsrf.ts'

/** An answer that takes longer is none. */
const answerWithinMs = 15_000

export interface CallOptions {
  /** Gives up early, for instance because nobody waits any more. */
  signal?: AbortSignal | undefined
  /** The page may go away before the answer comes. */
  keepalive?: boolean
}

interface ExchangeOptions extends CallOptions {
  timeoutMs?: number
}

/**
 * Asks the server for something that changes nothing.
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
 * Tells the server to do something.
 * @throws {CallRefused} with the server's code, or 'unreachable': then it may or may not have been done.
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
 * Sends a body that may change something to an address of our own.
 * @throws {CallRefused} as `command` does.
 */
export async function post<Output>(
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body: BodyInit },
  options: ExchangeOptions = {},
): Promise<Output> {
  // An app that starts from its own storage has not asked for a page yet, so it has no token.
  if (ownCookie(xsrfCookie) === null) await read('auth.login', {})
  const init = { method: 'POST', headers: { ...headers, ...xsrfHeader('POST', url) }, body }
  return exchange<Output>(url, init, options)
}

type Listener = () => void
const listeners = new Set<Listener>()

/** Tells when any call is refused because nobody is signed in. Call the result to stop. */
export function onNotSignedIn(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

async function exchange<Output>(
  url: string,
  init: RequestInit,
  { signal, keepalive = false, timeoutMs = answerWithinMs }: ExchangeOptions,
) {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      ...init,
      keepalive,
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    const body: unknown = await response.json()
    if (response.ok) return body as Output
    throw new CallRefused(refusalOf(body))
  } catch (reason) {
    // Whoever gave up knows; it is no refusal.
    if (signal?.aborted) throw reason
    const refused =
      reason instanceof CallRefused ? reason : new CallRefused({ code: 'unreachable' }, reason)
    log(url, refused)
    if (refused.code === 'not-signed-in') for (const listener of listeners) listener()
    throw refused
  }
}

/** For whoever looks into it later. Which call and why, and nothing that a person typed. */
function log(url: string, { code, cause }: CallRefused) {
  const [name] = url.replace('/api/', '').split('?')
  // oxlint-disable-next-line no-console -- specified: failures are logged, in the browser
  console.error(`${name}: ${code}`, ...(cause === undefined ? [] : [cause]))
}
