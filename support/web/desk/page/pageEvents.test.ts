import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pageEventsOf, recordedEvents, recordingFile } from './pageEvents.ts'

const event = (type: number, timestamp: number) => ({ type, timestamp, data: {} })
const packed = (content: unknown) => bufferOf(gzipSync(JSON.stringify(content)))

function bufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

test('a chunk is a list of events', async () => {
  const events = [event(4, 1), event(2, 2)]
  expect(await pageEventsOf(packed(events))).toEqual(events)
})

test.each([
  ['an object', packed({ type: 4 }), 'Expected a list'],
  ['a list with null', packed([event(4, 1), null]), 'Expected a list'],
  ['an event without a timestamp', packed([{ type: 3 }]), 'Expected a list'],
  ['no JSON', bufferOf(gzipSync('page')), 'JSON'],
  ['not packed', bufferOf(Buffer.from('[]')), 'header'],
])('%s is refused', async (_what, chunk, why) => {
  await expect(pageEventsOf(chunk)).rejects.toThrow(why)
})

test('a chunk that unpacks to more than 64 MiB is refused', async () => {
  const chunk = bufferOf(gzipSync(Buffer.alloc(65 * 1024 * 1024, ' ')))
  expect(chunk.byteLength).toBeLessThan(100_000)
  await expect(pageEventsOf(chunk)).rejects.toThrow('too large')
})

test('a recording starts with a full snapshot and keeps the order', async () => {
  const chunks = [
    packed([event(3, 1)]),
    packed([event(3, 2), event(4, 3), event(2, 4)]),
    packed([event(3, 5), event(4, 6)]),
  ]
  const file = await recordingFile(chunks)
  expect(JSON.parse(await file.text())).toEqual([
    event(4, 3),
    event(2, 4),
    event(3, 5),
    event(4, 6),
  ])
})

test('a recording without events is an empty list', async () => {
  expect(await (await recordingFile([])).text()).toBe('[]')
})

test('a recording is built from chunks and never held as one string', async () => {
  const texts: number[] = []
  class Watched extends Blob {
    constructor(parts: BlobPart[] = [], options?: BlobPropertyBag) {
      super(parts, options)
      const lengths = parts.map(part => (typeof part === 'string' ? part.length : 0))
      texts.push(lengths.reduce((sum, length) => sum + length, 0))
    }
  }
  const long = { ...event(4, 1), data: { text: 'x'.repeat(10_000) } }
  const chunks = Array.from({ length: 20 }, () => packed([long]))
  vi.stubGlobal('Blob', Watched)
  onTestFinished(() => void vi.unstubAllGlobals())

  const file = await recordingFile(chunks)
  expect(JSON.parse(await file.text())).toHaveLength(20)
  expect(Math.max(...texts)).toBeLessThan(11_000)
})

test('a saved recording can be read again', async () => {
  const events = [event(4, 1), event(2, 2), event(3, 3)]
  expect(await recordedEvents(await recordingFile([packed(events)]))).toEqual(events)
})

test.each([
  ['an empty recording', '[]', 'full snapshot'],
  ['a recording without a start', JSON.stringify([event(3, 1), event(2, 2)]), 'full snapshot'],
  ['another list', '[1,2]', 'Expected a list'],
  ['another file', 'PNG', 'JSON'],
])('%s cannot be played', async (_what, text, why) => {
  await expect(recordedEvents(new Blob([text]))).rejects.toThrow(why)
})
