import { createHash } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import type { Clock } from '#contract/shared/clock.ts'
import type { TimingFailure } from '#contract/shared/timingRules.ts'
import type { SourceContext } from './openSource.ts'

/** Largest answer: the passings of a day's race. */
const maxAnswerBytes = 16 * 2 ** 20

/** Timeouts of a request: while nothing arrives, and of the whole. */
const idleTimeoutMs = 10_000
const requestTimeoutMs = 30_000

/** Pause after `429 Too Many Requests` without a valid Retry-After, and the longest one that is obeyed. */
const defaultPauseS = 60
const maxPauseS = 3600

/** Pause after any other failure, which an immediate retry would not change. */
const failurePauseMs = 15_000

/** Maximum number of tokens whose next time is stored; those that may request again are removed first. */
const maxTokens = 1000

/** A request that failed, with the reason that the team reads, and the time for which the provider wants no other one. */
export class ProviderFailed extends Error {
  readonly failure: TimingFailure
  readonly pauseMs: number

  constructor(failure: TimingFailure, pauseMs = 0) {
    super(`The provider of timing failed: ${failure}`)
    this.failure = failure
    this.pauseMs = pauseMs
  }
}

interface Request {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

interface Settings extends SourceContext {
  /** URL of the API, without a slash at its end. */
  url: string
  /** Shortest time between two requests with one token. */
  intervalMs: number
}

/**
 * Sends requests to the API of a provider of timing, within its rate limit. They only go to its own host: redirects are
 * not followed, and its name has to resolve to public addresses.
 */
export class ProviderRequests {
  readonly #settings: Settings
  /** Monotonic time from which a token may be used again, by the hash of the token. */
  readonly #nextAt = new Map<string, number>()

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** Sends a request once the rate limit of the token allows it. Throws ProviderFailed. */
  async json(token: string, request: Request, signal: AbortSignal): Promise<unknown> {
    const { clock, intervalMs } = this.#settings
    const key = createHash('sha256').update(token).digest('base64')
    for (;;) {
      const waitMs = (this.#nextAt.get(key) ?? 0) - clock.monotonicMs()
      if (waitMs <= 0) break
      await delay(clock, waitMs, signal)
    }
    this.#pause(key, intervalMs)
    const { status, retryAfter, text } = await this.#send(request, signal)
    if (status !== 200) {
      const pauseMs = status === 429 ? pauseMsOf(retryAfter) : 0
      this.#pause(key, Math.max(pauseMs, failurePauseMs))
      throw new ProviderFailed(failureOf(status), pauseMs)
    }
    try {
      return JSON.parse(text)
    } catch {
      throw new ProviderFailed('unreachable')
    }
  }

  #pause(key: string, ms: number) {
    const now = this.#settings.clock.monotonicMs()
    if (this.#nextAt.size >= maxTokens)
      for (const [token, at] of this.#nextAt) if (at <= now) this.#nextAt.delete(token)
    this.#nextAt.set(key, Math.max(this.#nextAt.get(key) ?? 0, now + ms))
  }

  #send({ method, path, headers, body }: Request, signal: AbortSignal) {
    const { url, lookupOf } = this.#settings
    const { protocol, hostname, port } = new URL(url)
    const lookup = lookupOf(hostname, Number(port) || 443)
    if (lookup === null) throw new ProviderFailed('not-allowed')
    const { request } = protocol === 'http:' ? http : https
    return new Promise<{ status: number; retryAfter: string | undefined; text: string }>(
      (resolve, reject) => {
        const fail = () => reject(new ProviderFailed('unreachable'))
        const sent = request(`${url}${path}`, {
          method,
          headers: { accept: 'application/json', ...headers },
          lookup,
          signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
          timeout: idleTimeoutMs,
        })
        sent.on('error', fail)
        sent.on('timeout', () => sent.destroy(new Error('timeout')))
        sent.on('response', response => {
          const chunks: Buffer[] = []
          let bytes = 0
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.byteLength
            if (bytes <= maxAnswerBytes) return void chunks.push(chunk)
            reject(new ProviderFailed('too-large'))
            sent.destroy()
          })
          response.on('error', fail)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              retryAfter: response.headers['retry-after'],
              text: Buffer.concat(chunks).toString(),
            }),
          )
        })
        sent.end(body)
      },
    )
  }
}

/** Reads `Retry-After: 30`, in milliseconds. */
function pauseMsOf(retryAfter: string | undefined): number {
  const seconds = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) : defaultPauseS
  return Math.min(Math.max(seconds, 1), maxPauseS) * 1000
}

function failureOf(status: number): TimingFailure {
  if (status === 429) return 'rate-limited'
  if (status === 404) return 'not-live'
  return status === 400 || status === 401 || status === 403 ? 'provider-refused' : 'unreachable'
}

/** Resolves after a time. Rejects with ProviderFailed if the signal aborts first. */
export function delay(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      cancel()
      reject(new ProviderFailed('closed'))
    }
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', aborted)
      resolve()
    })
    if (signal.aborted) aborted()
    else signal.addEventListener('abort', aborted, { once: true })
  })
}
