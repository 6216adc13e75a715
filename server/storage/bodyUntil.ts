import { PassThrough, type Readable } from 'node:stream'

/** Pipes a body until `late` aborts, then fails with its reason. The connection stays open for the response. */
export function bodyUntil(body: Readable, late: AbortSignal): Readable {
  // A route that has refused the request listens no more: without a listener the error would end the process.
  const passed = new PassThrough().on('error', () => {})
  late.addEventListener('abort', () => passed.destroy(late.reason), { once: true })
  body.once('error', error => passed.destroy(error))
  return body.pipe(passed)
}
