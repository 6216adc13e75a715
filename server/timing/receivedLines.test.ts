import { expect, test } from 'vitest'
import { maxLineLetters } from '#contract/shared/timingRules.ts'
import { maxWaitingBytes, ReceivedLines } from './receivedLines.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('lines end with CR, LF or both, also between two packets and within a letter', () => {
  const lines = new ReceivedLines()
  const data = bytes('$I,1\r\n$I,2\r$I,3\n\n$B,5,"Zürich"\r\n$I,')
  for (const byte of data) lines.add(Uint8Array.of(byte))
  expect(lines.take()).toEqual(['$I,1', '$I,2', '$I,3', '$B,5,"Zürich"'])
  expect(lines.take()).toEqual([])
})

test.each(['\n', '$', '$I\n'])('a source that sends %j for ever waits', text => {
  const lines = new ReceivedLines()
  const packet = bytes(text.repeat(1000))
  let sent = 0
  for (; !lines.isFull; sent += packet.byteLength) lines.add(packet)
  expect(sent).toBeLessThanOrEqual(maxWaitingBytes + packet.byteLength)
  for (let batch = lines.take(); batch.length > 0; batch = lines.take())
    for (const line of batch) expect(line.length).toBeLessThanOrEqual(maxLineLetters)
  expect(lines.isFull).toBe(false)
})
