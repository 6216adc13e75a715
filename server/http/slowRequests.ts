import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { minUploadBytesPerSecond } from '#contract/shared/recordingRules.ts'

/** Time for a whole request to arrive, unless its route allows more. */
export const requestTimeoutMs = 30_000

const minWindowBytes = (minUploadBytesPerSecond * requestTimeoutMs) / 1000

interface Timer {
  clock: Pick<Clock, 'after'>
  /** Bytes of the connection when the request began. */
  bytesBefore: number
  hasResponded(): boolean
  closeConnection(): void
  cancel(): void
}
const timers = new WeakMap<IncomingMessage, Timer>()

/**
 * Closes the connection of a request whose body does not arrive within `requestTimeoutMs`, as Node's request timeout
 * does. Node's timeout is the same for all routes, so it cannot be longer for uploads alone.
 */
export function limitSlowRequests(server: Server, clock: Pick<Clock, 'after'>) {
  // Before the listener of the routes, which may allow more.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (encoding === undefined && !Number(length)) return
    const closeConnection = () => {
      if (request.complete) return
      // The other requests of a connection of HTTP/2 go on.
      if (request.httpVersionMajor === 2) return void request.socket.destroy()
      const error = Object.assign(new Error('Request timeout'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      })
      server.emit('clientError', error, request.socket)
    }
    timers.set(request, {
      clock,
      bytesBefore: request.socket.bytesRead,
      hasResponded: () => response.writableEnded,
      closeConnection,
      cancel: clock.after(requestTimeoutMs, closeConnection),
    })
    // Also emitted once the rest of a body that nobody reads has arrived.
    request.once('close', () => timers.get(request)?.cancel())
  })
}

/**
 * Lets a request take longer while it arrives at `minUploadBytesPerSecond`, measured every `requestTimeoutMs`. Calls
 * `requireRoom` each time, which may throw a refusal. Returns a signal that aborts with this refusal or `too-slow`: the
 * route must then stop reading, and respond. Once the route has responded, the usual time applies.
 */
export function allowSlowRequest(request: IncomingMessage, requireRoom: () => void): AbortSignal {
  const late = new AbortController()
  const timer = timers.get(request)
  // A request without a body.
  if (!timer) return late.signal
  const { socket } = request
  let before = timer.bytesBefore
  const check = () => {
    if (request.complete) return
    // Such as a refusal of the content type. Nobody reads the rest.
    if (timer.hasResponded()) return timer.closeConnection()
    const arrived = socket.bytesRead - before
    before = socket.bytesRead
    try {
      if (arrived < minWindowBytes) throw new Refusal('too-slow')
      requireRoom()
      timer.cancel = timer.clock.after(requestTimeoutMs, check)
    } catch (refusal) {
      late.abort(refusal)
    }
  }
  timer.cancel()
  timer.cancel = timer.clock.after(requestTimeoutMs, check)
  return late.signal
}
