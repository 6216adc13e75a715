import type { Replayer } from '@rrweb/replay'

/** One thing that was on the page, or changed on it, as rrweb has it. */
export type PageEvent = Extract<Parameters<Replayer['addEvent']>[0], object>

/** Most that a chunk of at most 2 MiB may become: a page that lies must not fill the agent's memory. */
const mostBytes = 64 * 1024 * 1024

/** rrweb's name for the event before each whole page. */
const meta = 4

/**
 * The events of one chunk: gzipped JSON.
 * @throws when it is not what it should be, or too large.
 */
export async function pageEventsOf(chunk: ArrayBuffer): Promise<PageEvent[]> {
  const events: unknown = JSON.parse(await unzipped(chunk))
  if (!Array.isArray(events) || !events.every(isPageEvent)) throw new TypeError('No page events.')
  return events
}

/** What was recorded as one file: a JSON list of rrweb's events that begins with the whole page. */
export async function recordingFile(chunks: readonly ArrayBuffer[]): Promise<Blob> {
  // Each chunk's text is handed to the browser at once: all of it together is many times what came packed.
  const parts: Blob[] = []
  for (const chunk of chunks) {
    const events = await pageEventsOf(chunk)
    const from = parts.length > 0 ? 0 : events.findIndex(({ type }) => Number(type) === meta)
    const texts = from < 0 ? [] : events.slice(from).map(event => JSON.stringify(event))
    if (texts.length > 0) parts.push(new Blob([parts.length > 0 ? ',' : '[', texts.join(',')]))
  }
  return new Blob([...(parts.length > 0 ? parts : ['[']), ']'], { type: 'application/json' })
}

async function unzipped(chunk: ArrayBuffer): Promise<string> {
  const reader = new Blob([chunk]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > mostBytes) {
      await reader.cancel()
      throw new RangeError('Too much of a page.')
    }
    text += decoder.decode(value, { stream: true })
  }
}

function isPageEvent(event: unknown): event is PageEvent {
  return (
    typeof event === 'object' &&
    event !== null &&
    'type' in event &&
    typeof event.type === 'number' &&
    'timestamp' in event &&
    typeof event.timestamp === 'number'
  )
}
