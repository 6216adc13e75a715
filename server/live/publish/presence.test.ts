import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { DownOf, RoomName } from '#contract/live.ts'
import { maxWatching } from '#contract/shared/liveRules.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import type { Connection } from './connection.ts'
import { Hub } from './hub.ts'
import { Presence } from './presence.ts'

const team = randomUUID()
const teamRoom: RoomName = `team:${team}`
const sessionRoom: RoomName = `session:${randomUUID()}`
const [ana, leo, mia] = ['ana', 'leo', 'mia']

/** The time until a change is published. */
const soonMs = 250

test('a user with several tabs is listed once, until 3 s after the last closes (R10)', () => {
  const node = presentNode()
  const tabs = Array.from({ length: 50 }, () => node.open(ana, teamRoom))
  node.clock.pass(soonMs)
  expect(node.takeEvents()).toEqual([[teamRoom, [ana]]])

  for (const close of tabs.slice(1)) close()
  node.clock.pass(60_000)
  tabs[0]?.()
  for (let n = 0; n < 11; n++) node.clock.pass(soonMs)
  expect(node.takeEvents()).toEqual([])
  for (let n = 0; n < 2; n++) node.clock.pass(soonMs)
  expect(node.takeEvents()).toEqual([[teamRoom, []]])
})

test('a reload publishes nothing (R10)', () => {
  const node = presentNode()
  node.open(leo, sessionRoom)
  let close = node.open(ana, sessionRoom)
  node.clock.pass(soonMs)
  node.takeEvents()
  for (let reload = 0; reload < 3; reload++) {
    close()
    for (let n = 0; n < 11; n++) node.clock.pass(soonMs)
    close = node.open(ana, sessionRoom)
    for (let n = 0; n < 20; n++) node.clock.pass(soonMs)
  }
  expect(node.takeEvents()).toEqual([])
})

test('watchers of a session also watch its team, the phone in the car does not (R10)', () => {
  const node = presentNode()
  node.open(ana, sessionRoom)
  const phone = node.connect(leo, sessionRoom)
  node.hub.drive(sessionRoom, phone)
  node.clock.pass(soonMs)
  expect(node.takeEvents()).toEqual([
    [sessionRoom, [ana]],
    [teamRoom, [ana]],
  ])

  // The driver's own laptop is a watcher, also after the phone has left.
  node.open(leo, sessionRoom)
  node.hub.leave(sessionRoom, phone)
  node.clock.pass(10_000)
  expect(node.presence.watching(sessionRoom)).toEqual([ana, leo])
})

test('a former member disappears at once, also from a room just left (R4, R10)', () => {
  const node = presentNode()
  const close = node.open(leo, sessionRoom)
  node.open(leo, teamRoom)
  node.open(ana, teamRoom)
  node.clock.pass(soonMs)
  node.takeEvents()
  close()
  node.hub.evictMember(team, leo)
  expect(node.takeEvents()).toEqual([
    [sessionRoom, []],
    [teamRoom, [ana]],
  ])
})

test('users of other nodes are listed until they leave or their node is silent (R10)', () => {
  const clock = heldClock()
  const [here, there, third] = [presentNode(clock), presentNode(clock), presentNode(clock)]
  const nodes = [here, there, third]
  const alive = new Set(nodes)
  for (const node of nodes)
    node.announce = (room, users) => {
      for (const other of nodes)
        if (other !== node && alive.has(node))
          other.presence.received(room, { node: node.id, users })
    }
  here.open(ana, teamRoom)
  there.open(ana, teamRoom)
  const close = there.open(leo, teamRoom)
  third.open(mia, sessionRoom)
  clock.pass(soonMs)
  clock.pass(soonMs)
  expect(here.presence.watching(teamRoom)).toEqual([ana, leo, mia])
  expect(here.presence.watching(sessionRoom)).toEqual([mia])

  close()
  clock.pass(3000)
  clock.pass(soonMs)
  clock.pass(soonMs)
  expect(here.presence.watching(teamRoom)).toEqual([ana, mia])

  alive.delete(third)
  for (let n = 0; n < 3; n++) {
    expect(here.presence.watching(teamRoom)).toEqual([ana, mia])
    for (const node of nodes) node.pass(2000)
  }
  clock.pass(soonMs)
  expect(here.presence.watching(teamRoom)).toEqual([ana])
  expect(here.presence.watching(sessionRoom)).toEqual([])
})

test('a node that opens a room learns the users of other nodes within 2 s (R10)', () => {
  const clock = heldClock()
  const [here, there] = [presentNode(clock), presentNode(clock)]
  there.open(leo, teamRoom)
  clock.pass(soonMs)
  there.announce = (room, users) => here.presence.received(room, { node: there.id, users })
  here.open(ana, teamRoom)
  there.pass(2000)
  clock.pass(soonMs)
  expect(here.takeEvents().at(-1)).toEqual([teamRoom, [ana, leo]])

  // The next announcement changes nothing.
  there.pass(2000)
  clock.pass(soonMs)
  expect(here.takeEvents()).toEqual([])

  // The room has closed: nothing is received about it any more.
  here.hub.leave(teamRoom, here.connections[0]!)
  clock.pass(3000)
  clock.pass(soonMs)
  expect(here.presence.watching(teamRoom)).toEqual([])
})

test('a node that opens a room learns the users of other nodes at once (R10)', () => {
  const clock = heldClock()
  const [first, second, third] = [presentNode(clock), presentNode(clock), presentNode(clock)]
  const nodes = [first, second, third]
  let announcements = 0
  for (const node of nodes)
    node.announce = (room, users) => {
      announcements += 1
      for (const other of nodes)
        if (other !== node) other.presence.received(room, { node: node.id, users })
    }
  first.open(ana, teamRoom)
  second.open(leo, teamRoom)
  clock.pass(soonMs)
  clock.pass(soonMs)
  third.presence.unsubscribed(teamRoom)
  announcements = 0
  third.open(mia, teamRoom)
  clock.pass(soonMs)
  clock.pass(soonMs)
  expect(third.takeEvents().at(-1)).toEqual([teamRoom, [mia, ana, leo]])
  // Its own, one response of each other node, and its responses to those.
  expect(announcements).toBeLessThanOrEqual(5)
})

test('at most 100 users are listed, those who came first (R10)', () => {
  const node = presentNode()
  const users = Array.from({ length: maxWatching + 1 }, (_, index) => `user ${index}`)
  const closes = users.map(user => node.open(user, teamRoom))
  node.clock.pass(soonMs)
  expect(node.takeEvents()).toEqual([[teamRoom, users.slice(0, maxWatching)]])
  closes[0]?.()
  node.clock.pass(3000)
  node.clock.pass(soonMs)
  expect(node.takeEvents()).toEqual([[teamRoom, users.slice(1)]])
})

/** A node's hub and presence, with the events published to its subscribers. */
function presentNode(clock = heldClock()) {
  let events: [RoomName, readonly string[]][] = []
  let tick = () => {}
  let nowMs = 0
  const connections: Connection[] = []
  const presence = new Presence({
    clock: {
      ...clock,
      monotonicMs: () => nowMs,
      every(_, act) {
        tick = act
        return () => undefined
      },
    },
    publish: (room, event) => events.push([room, (event as DownOf<'watching'>).users]),
    announce: (room, users) => node.announce(room, users),
  })
  const hub: Hub = new Hub({ opened: () => {}, closed: () => {} }, presence)
  const node = {
    id: randomUUID(),
    hub,
    presence,
    clock,
    connections,
    announce(_room: RoomName, _users: readonly string[]) {},
    /** Passes the interval of announcements. */
    pass(ms: number) {
      nowMs += ms
      tick()
    },
    takeEvents: () => {
      const taken = events
      events = []
      return taken
    },
    /** Opens a connection of this user in a room, which knows its team from the snapshot on. */
    connect(userId: string, room: RoomName) {
      const connection = idleConnection(userId)
      connections.push(connection)
      hub.add(connection)
      const admission = hub.beginAdmission(room, connection)
      hub.mergeSession(room, {
        teamId: team,
        status: 'Active',
        dataLink: true,
        message: { version: 0 },
      })
      hub.join(room, connection)
      hub.cancelAdmission(admission)
      return connection
    },
    /** Opens a tab of this user with a room. Call the result to close it. */
    open(userId: string, room: RoomName) {
      const connection = node.connect(userId, room)
      return () => hub.leave(room, connection)
    },
  }
  return node
}

function idleConnection(userId: string): Connection {
  return {
    userId,
    id: randomUUID(),
    loginId: randomUUID(),
    isOpen: true,
    backlogBytes: 0,
    send: () => {},
    hold: () => {},
    release: () => {},
    close: () => {},
  }
}
