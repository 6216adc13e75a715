import { WebSocket } from 'ws'
import { linesOfRaceMonitor } from '#racing/timing/providerLines.ts'
import type { Log } from '../log.ts'
import {
  newConnection,
  type OpenSource,
  type SourceContext,
  type SourceEvents,
} from './openSource.ts'
import { openPolled } from './polledSource.ts'
import { ProviderFailed, type ProviderRequests } from './providerRequests.ts'

const handshakeTimeoutMs = 10_000

/** Idle timeout of the stream, which is then replaced: it has a line a second. */
const idleTimeoutMs = 30_000

/** Largest message of the stream: it begins with the whole field. */
const maxMessageBytes = 2 ** 20

interface Settings extends SourceContext {
  requests: ProviderRequests
  log: Log
  /** True for a test server without TLS. */
  allowInsecure: boolean
}

/** The connection that `Live/GetStreamingConnection` names. */
interface Stream {
  url: URL
  instance: string
  token: string
}

/**
 * Reads the live timing of a race of Race Monitor: by its stream, which has lines of RMonitor, or by a request every 10 s
 * if the account may not stream.
 */
export function openRaceMonitor(
  settings: Settings,
  { raceId, token }: { raceId: string; token: string },
  events: SourceEvents,
): OpenSource {
  const { requests, log } = settings
  let stream: WebSocket | undefined
  const polled = openPolled(log, events, async (report, signal) => {
    const post = (path: string, more: Record<string, string> = {}) =>
      requests.json(
        token,
        {
          method: 'POST',
          path,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ apiToken: token, raceID: raceId, ...more }).toString(),
        },
        signal,
      )
    const found = await post('/v2/Live/GetStreamingConnection', { useHostNameForSocket: 'true' })
    const named = streamIn(found, settings.allowInsecure)
    if (named) {
      stream = openStream(settings, named)
      return await readStream(stream, named, events, signal)
    }
    for (;;) {
      const answer = await post('/v2/Live/GetSession')
      const lines = linesOfRaceMonitor(answer)
      if (lines.length === 0) throw new ProviderFailed('provider-refused')
      events.connected()
      report(lines)
    }
  })
  return {
    pause: () => stream?.pause(),
    resume: () => stream?.resume(),
    close: () => polled.close(),
  }
}

/** Returns the stream of an answer; null if the account has none. Throws ProviderFailed if the race is not live. */
function streamIn(answer: unknown, allowInsecure: boolean): Stream | null {
  const { Successful, ConnectionInfo: info } = (answer ?? {}) as {
    Successful?: unknown
    ConnectionInfo?: Record<string, unknown> | null
  }
  if (Successful !== true || typeof info !== 'object' || info === null) return null
  if (info.IsLive === false) throw new ProviderFailed('not-live')
  const [url] = [info.WebsocketURL, info.WSS].flatMap(each =>
    typeof each === 'string' && URL.canParse(each) ? [new URL(each)] : [],
  )
  if (!url || !(url.protocol === 'wss:' || (allowInsecure && url.protocol === 'ws:'))) return null
  const text = (value: unknown) => /^[\w-]{1,100}$/.exec(String(value))?.[0] ?? ''
  return { url, instance: text(info.Instance), token: text(info.LiveTimingToken) }
}

function openStream({ lookupOf }: Settings, { url }: Stream): WebSocket {
  const lookup = lookupOf(url.hostname, Number(url.port) || 443)
  if (lookup === null) throw new ProviderFailed('not-allowed')
  return new WebSocket(url, {
    lookup,
    followRedirects: false,
    handshakeTimeout: handshakeTimeoutMs,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  })
}

/** Reads the stream until it closes. Throws ProviderFailed. */
function readStream(
  socket: WebSocket,
  { instance, token }: Stream,
  events: SourceEvents,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let wasOpen = false
    let idle = setTimeout(() => socket.terminate(), idleTimeoutMs)
    const abort = () => socket.terminate()
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    socket.on('open', () => {
      wasOpen = true
      events.connected()
      socket.send(`$JOIN,${instance},${token}`)
    })
    socket.once('message', () => events.data(newConnection))
    socket.on('message', (data: Buffer) => {
      clearTimeout(idle)
      idle = setTimeout(() => socket.terminate(), idleTimeoutMs)
      events.data(data)
      // A message may end without the end of its line.
      events.data(newline)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(idle)
      signal.removeEventListener('abort', abort)
      if (wasOpen) resolve()
      else reject(new ProviderFailed('unreachable'))
    })
  })
}

const newline = Buffer.from('\n')
