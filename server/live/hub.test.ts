import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Down } from '#contract/live.ts'
import { CloseCode } from '#contract/liveRules.ts'
import { encodeFrame } from './frame.ts'
import { backlogLimitBytes, Hub, type Line } from './hub.ts'

const session = randomUUID()
const room = `session:${session}` as const
const fix: Down = { t: 'fix', s: session, c: 1, at: 1, la: 50, lo: 5, v: 187, ac: 4 }
const ended: Down = { t: 'session-ended', team: randomUUID(), session }

/** A line whose other end reads as slowly as the test says. */
function slowLine(backlogBytes: number) {
  const got: string[] = []
  const line: Line & { got: string[]; closedWith: number | null } = {
    userId: randomUUID(),
    loginId: randomUUID(),
    backlogBytes,
    got,
    closedWith: null,
    send: frame => got.push(frame.subarray(frame.indexOf('{')).toString()),
    close: code => {
      line.closedWith = code
    },
  }
  return line
}

function quietHub() {
  const open: string[] = []
  const hub = new Hub({
    opened: each => open.push(each),
    closed: each => open.splice(open.indexOf(each), 1),
  })
  return { hub, open }
}

test('a slow line misses fixes; anything else cuts it (F3)', () => {
  const { hub } = quietHub()
  const [slow, quick] = [slowLine(backlogLimitBytes), slowLine(backlogLimitBytes - 1)]
  for (const line of [slow, quick]) {
    hub.add(line)
    hub.join(room, line)
  }
  hub.publish(room, fix)
  expect([slow.got.length, quick.got.length]).toEqual([0, 1])
  expect(slow.closedWith).toBeNull()

  hub.publish(room, ended)
  expect(slow.closedWith).toBe(CloseCode.tooSlow)
  expect(quick.got.map(text => JSON.parse(text))).toEqual([fix, ended])
})

test('an event is framed once, whoever hears it', () => {
  const { hub } = quietHub()
  const frames = new Set<Buffer>()
  const lines = [slowLine(0), slowLine(0)].map(line => ({
    ...line,
    send: (frame: Buffer) => void frames.add(frame),
  }))
  for (const line of lines) {
    hub.add(line)
    hub.join(room, line)
  }
  hub.publish(room, fix)
  expect(frames.size).toBe(1)
})

test('a room is open while somebody is in it, and forgotten after', () => {
  const { hub, open } = quietHub()
  const [first, second] = [slowLine(0), slowLine(0)]
  const removeFirst = hub.add(first)
  hub.add(second)
  hub.join(room, first)
  hub.join(room, first)
  hub.join(room, second)
  expect(open).toEqual([room])
  removeFirst()
  expect(open).toEqual([room])
  hub.leave(room, second)
  expect(open).toEqual([])
  expect(hub.lineCount).toBe(1)
})

test('a line that has gone is not put in a room', () => {
  const { hub, open } = quietHub()
  const line = slowLine(0)
  hub.add(line)()
  hub.join(room, line)
  expect(open).toEqual([])
})

test.each([0, 125, 126, 65_535, 65_536])(
  'a payload of %i bytes more is framed as RFC 6455 says',
  n => {
    const noPictures = { logoUpdatedAt: null, photoUpdatedAt: null }
    const team = { id: session, name: 'x'.repeat(n), ...noPictures }
    const event: Down = { t: 'team-added', team }
    const payload = Buffer.from(JSON.stringify(event))
    const frame = encodeFrame(event)
    const length = frame[1]
    expect(frame[0]).toBe(0x81)
    const [said, header] =
      length === 126
        ? [frame.readUInt16BE(2), 4]
        : length === 127
          ? [Number(frame.readBigUInt64BE(2)), 10]
          : [length, 2]
    expect(said).toBe(payload.length)
    expect(frame.subarray(header)).toEqual(payload)
  },
)
