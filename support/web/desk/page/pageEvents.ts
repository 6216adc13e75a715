import type { Replayer } from '@rrweb/replay'

/** One rrweb event: a snapshot of the page, or a change. */
export type PageEvent = Extract<Parameters<Replayer['addEvent']>[0], object>

/**
 * Limit for a chunk of at most 2 MiB after unpacking: a malicious page must not fill the agent's
 * memory.
 */
const maxBytes = 64 * 1024 * 1024

/** rrweb's event type before each full snapshot. */
const meta = 4

/**
 * Parses the events of one chunk: gzipped JSON.
 * @throws if the format is wrong or the chunk too large.
 */
export async function pageEventsOf(chunk: ArrayBuffer): Promise<PageEvent[]> {
  return eventsIn(await unzipped(chunk))
}

/**
 * Parses a saved recording.
 * @throws if it is not one: too large to read, another format, or without a full snapshot at its start.
 */
export async function recordedEvents(file: Blob): Promise<PageEvent[]> {
  const events = eventsIn(await file.text())
  if (events.length < 2 || Number(events[0]?.type) !== meta)
    throw new TypeError('Expected a full snapshot of a page first.')
  return events
}

function eventsIn(json: string): PageEvent[] {
  const events: unknown = JSON.parse(json)
  if (!Array.isArray(events) || !events.every(isPageEvent))
    throw new TypeError('Expected a list of page events.')
  return events
}

/** Builds the file of a recording: a JSON list of rrweb events that starts with a full snapshot. */
export async function recordingFile(chunks: readonly ArrayBuffer[]): Promise<Blob> {
  // Each chunk is moved into a Blob at once: the unpacked text of all chunks would be many times
  // larger.
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
    if (bytes > maxBytes) {
      await reader.cancel()
      throw new RangeError('The unpacked chunk is too large.')
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
