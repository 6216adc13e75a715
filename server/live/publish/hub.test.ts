import { randomUUID } from 'node:crypto'
import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Down, DownOf } from '#contract/live.ts'
import { CloseCode } from '#contract/shared/liveRules.ts'
import type { Connection } from './connection.ts'
import { encodeFrame, frameEvent, frameOf, jsonIn, jsonsIn } from './frame.ts'
import { Hub } from './hub.ts'
import { backlogLimitBytes } from './room.ts'

const session = randomUUID()
const room = `session:${session}` as const
const fix: DownOf<'fix'> = { t: 'fix', s: session, c: 1, at: 1, la: 50, lo: 5, v: 187, ac: 4 }
const ended: DownOf<'session-ended'> = { t: 'session-ended', team: randomUUID(), session }

function messageOf(version: number): Down {
  const none = { reachedAt: null, shownAt: null, copiedAt: null, expiresAt: null }
  const by = { pressedAt: 1, sentAt: 1, sentBy: randomUUID() }
  return { t: 'message', session, message: { version, type: 'Pit', ...by, ...none } }
}

/** A connection with a fixed backlog of unsent bytes. */
function connectionWithBacklog(backlogBytes: number) {
  const connection: Connection & { writes: Buffer[]; held: number; closedWith: number | null } = {
    id: randomUUID(),
    userId: randomUUID(),
    loginId: randomUUID(),
    backlogBytes,
    writes: [],
    held: 0,
    closedWith: null,
    get isOpen() {
      return connection.closedWith === null
    },
    send: frame => void connection.writes.push(frame),
    hold: () => void (connection.held += 1),
    release: () => void (connection.held -= 1),
    close: code => {
      connection.closedWith = code
    },
  }
  return connection
}

/** The events a connection received in each write, in order. */
function receivedBy({ writes }: { writes: Buffer[] }) {
  return writes.map(write => jsonsIn(write).map((json): Down => JSON.parse(json.toString())))
}

function inRoom(hub: Hub, ...connections: Connection[]) {
  for (const connection of connections) {
    hub.add(connection)
    hub.join(room, connection)
  }
}

function quietHub() {
  const open: string[] = []
  const hub = new Hub({
    opened: each => open.push(each),
    closed: each => open.splice(open.indexOf(each), 1),
  })
  return { hub, open }
}

test('a slow connection skips fixes and is closed at any other event (F3)', async () => {
  const { hub } = quietHub()
  const [slow, fast] = [
    connectionWithBacklog(backlogLimitBytes),
    connectionWithBacklog(backlogLimitBytes - 1),
  ]
  inRoom(hub, slow, fast)
  hub.publish(room, frameEvent(fix))
  await nextTick()
  expect([slow.writes.length, fast.writes.length]).toEqual([0, 1])
  expect(slow.closedWith).toBeNull()

  // Also together with a fix: the event that may not be lost decides.
  hub.publish(room, frameEvent(fix))
  hub.publish(room, frameEvent(ended))
  await nextTick()
  expect(slow.closedWith).toBe(CloseCode.tooSlow)
  expect(receivedBy(fast)).toEqual([[fix], [fix, ended]])
  expect(hub.counts).toEqual({ deliveries: 3, skippedFixes: 1, closedConnections: 1 })
})

test('the phone does not receive its own fixes, but other events in between (F2)', async () => {
  const { hub } = quietHub()
  const [phone, pit] = [connectionWithBacklog(0), connectionWithBacklog(0)]
  inRoom(hub, phone, pit)
  hub.publish(room, frameEvent(fix), phone)
  await nextTick()
  hub.publish(room, frameEvent(fix), phone)
  hub.publish(room, frameEvent(ended))
  await nextTick()
  expect(receivedBy(phone)).toEqual([[ended]])
  expect(receivedBy(pit)).toEqual([[fix], [fix, ended]])
})

test('an answer and a last frame follow the events published before', async () => {
  const { hub } = quietHub()
  const [connection, other] = [connectionWithBacklog(0), connectionWithBacklog(0)]
  inRoom(hub, connection, other)
  const heartbeat: Down = { t: 'heartbeat', at: 1, now: 1, versions: {} }
  hub.publish(room, frameEvent(fix))
  hub.send(connection, encodeFrame(heartbeat))
  hub.publish(room, frameEvent(ended))
  hub.evict(room, connection.userId, heartbeat)
  hub.publish(room, frameEvent(fix))
  await nextTick()
  expect(receivedBy(connection)).toEqual([[fix], [heartbeat], [ended], [heartbeat]])
  expect(receivedBy(other)).toEqual([[fix], [ended], [fix]])
})

test('a message is sent at once, after the events queued before it (R7)', async () => {
  const { hub } = quietHub()
  const connection = connectionWithBacklog(0)
  inRoom(hub, connection)
  const message = messageOf(1)
  hub.publish(room, frameEvent(fix))
  hub.publish(room, frameEvent(message))
  expect(receivedBy(connection)).toEqual([[fix, message]])
  hub.publish(room, frameEvent(ended))
  await nextTick()
  expect(receivedBy(connection).slice(1)).toEqual([[ended]])
})

test('an older message that arrives after a newer one is not forwarded (M2)', () => {
  const { hub } = quietHub()
  const connection = connectionWithBacklog(0)
  inRoom(hub, connection)
  const [older, newer] = [messageOf(5), messageOf(6)]
  for (const each of [newer, older, newer]) hub.publish(room, frameEvent(each))
  expect(receivedBy(connection)).toEqual([[newer], [newer]])
})

test('the number of a change is not the version of a message (R8)', () => {
  const { hub } = quietHub()
  const connection = connectionWithBacklog(0)
  inRoom(hub, connection)
  hub.setRevision(room, 6)
  const changed: Down = { t: 'race-changed', team: randomUUID(), session }
  const message = messageOf(2)
  hub.publish(room, frameEvent(changed, 7))
  hub.publish(room, frameEvent(message))
  expect(receivedBy(connection)).toEqual([[changed, message]])
  expect(hub.revisionIn(room)).toBe(7)
  expect(hub.newsOf(connection).versions).toEqual({ [session]: 2 })
})

test('a room is open while it has subscribers, and removed afterwards', () => {
  const { hub, open } = quietHub()
  const [first, second] = [connectionWithBacklog(0), connectionWithBacklog(0)]
  hub.add(first)
  hub.add(second)
  hub.join(room, first)
  hub.join(room, first)
  hub.join(room, second)
  expect(open).toEqual([room])
  hub.remove(first)
  expect(open).toEqual([room])
  hub.leave(room, second)
  expect(open).toEqual([])
  expect(hub.connectionCount).toBe(1)
})

test('a closed connection cannot join a room', () => {
  const { hub, open } = quietHub()
  const connection = connectionWithBacklog(0)
  hub.add(connection)
  hub.remove(connection)
  hub.join(room, connection)
  expect(open).toEqual([])
})

test.each([0, 125, 126, 65_535, 65_536])(
  'a payload of %i bytes is framed according to RFC 6455',
  n => {
    const noPictures = {
      logoUpdatedAt: null,
      photoUpdatedAt: null,
      ownerId: null,
      role: 'member' as const,
    }
    const team = { id: session, name: 'x'.repeat(n), ...noPictures }
    const event: Down = { t: 'team-added', team }
    const payload = Buffer.from(JSON.stringify(event))
    const frame = encodeFrame(event)
    const length = frame[1]
    expect(frame[0]).toBe(0x81)
    const [lengthInHeader, headerBytes] =
      length === 126
        ? [frame.readUInt16BE(2), 4]
        : length === 127
          ? [Number(frame.readBigUInt64BE(2)), 10]
          : [length, 2]
    expect(lengthInHeader).toBe(payload.length)
    const same = [frame.subarray(headerBytes), jsonIn(frame)].map(each => each.equals(payload))
    expect([...same, frameOf(payload).equals(frame)]).toEqual([true, true, true])
  },
)

test('a heartbeat response has the versions and answers of the joined rooms (L5, R4)', () => {
  const { hub } = quietHub()
  const watcher = connectionWithBacklog(0)
  inRoom(hub, watcher)
  const news = () => hub.newsOf(watcher)
  const session = room.slice('session:'.length)
  expect(news()).toEqual({ versions: { [session]: 0 } })

  hub.publish(room, frameEvent(messageOf(2)))
  hub.mergeAnswer(room, 1)
  expect(news()).toEqual({ versions: { [session]: 2 }, answers: { [session]: 1 } })

  const other = randomUUID()
  hub.join(`session:${other}`, watcher)
  expect(news().versions).toEqual({ [session]: 2, [other]: 0 })

  hub.leave(room, watcher)
  expect(news()).toEqual({ versions: { [other]: 0 } })
})
