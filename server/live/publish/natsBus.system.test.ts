import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Down } from '#contract/live.ts'
import { createLog } from '#server/log.ts'
import { freePort } from '#testing/freePort.ts'
import { hasNats, type Nats, startNats } from '#testing/live/nats.ts'
import { roundRobin } from '#testing/live/roundRobin.ts'
import { patience } from '#testing/patience.ts'
import type { Bus, Notice } from './bus.ts'
import { frameEvent } from './frame.ts'
import { connectNats } from './natsBus.ts'

describe.runIf(hasNats)('two nodes on a NATS server', () => {
  let server: Nats
  let port: number

  beforeAll(async () => {
    port = await freePort()
    server = await startNats(port)
  })
  afterAll(() => server.stop())

  async function node(at = port) {
    const received: [string, Notice][] = []
    let gaps = 0
    const bus = await connectNats({
      url: `nats://127.0.0.1:${at}`,
      log: createLog('silent'),
      onNotice: (room, notice) => received.push([room, notice]),
      onGap: () => {
        gaps += 1
      },
    })
    return { bus, received, gaps: () => gaps }
  }

  test('a node receives only notices of rooms it subscribed to, and never its own', async () => {
    const [here, there] = await Promise.all([node(), node()])
    const room = `team:${randomUUID()}` as const
    const other = `team:${randomUUID()}` as const
    const notice: Notice = { do: 'close', user: randomUUID(), code: 4100 }
    await listen(here.bus, there.bus, room, () => there.received.length > 0)

    here.bus.send(other, notice)
    here.bus.send(room, notice)

    await expect
      .poll(() => there.received.filter(([, each]) => each.do === 'close'))
      .toEqual([[room, notice]])
    expect(here.received).toEqual([])
    there.bus.unsubscribe(room)
    await Promise.all([here.bus.close(), there.bus.close()])
  })

  test('an event arrives as the frame that was sent, with its version or revision', async () => {
    const [here, there] = await Promise.all([node(), node()])
    const [session, team] = [randomUUID(), randomUUID()]
    const room = `session:${session}` as const
    const none = { reachedAt: null, shownAt: null, copiedAt: null, expiresAt: null }
    const sent = { pressedAt: 1, sentAt: 1, sentBy: randomUUID() }
    const events: Down[] = [
      { t: 'fix', s: session, c: 1, at: 1, la: 50, lo: 5, v: 187, ac: 4 },
      { t: 'message', session, message: { version: 7, type: 'Pit', ...sent, ...none } },
      { t: 'session-ended', team, session },
      { t: 'team-removed', team },
    ]
    there.bus.subscribe(room)
    await there.bus.listening()
    const sentFrames = [
      ...events.map(event => frameEvent(event)),
      frameEvent({ t: 'race-changed', team, session }, 12),
    ]
    for (const framed of sentFrames) here.bus.send(room, { do: 'publish', framed })

    const expected = sentFrames.map(framed => [room, { do: 'publish', framed }])
    await expect.poll(() => there.received).toEqual(expected)
    await Promise.all([here.bus.close(), there.bus.close()])
  })

  test('after a NATS outage the node reconnects and reports a gap', async () => {
    const [here, there] = await Promise.all([node(), node()])
    await server.stop()
    server = await startNats(port)

    await expect.poll(there.gaps, { timeout: 15_000 * patience }).toBe(1)
    await expect.poll(here.gaps, { timeout: 15_000 * patience }).toBe(1)
    await listen(here.bus, there.bus, `user:${randomUUID()}`, () => there.received.length > 0)
    await Promise.all([here.bus.close(), there.bus.close()])
  })

  test('notices sent during an outage are delivered afterwards, except old positions', async () => {
    const between = await freePort()
    let way = await roundRobin([port], between)
    const [here, there] = await Promise.all([node(between), node()])
    const session = randomUUID()
    const room = `session:${session}` as const
    there.bus.subscribe(room)
    await there.bus.listening()
    await way[Symbol.asyncDispose]()
    await expect.poll(() => here.bus.connected, { timeout: 15_000 * patience }).toBe(false)

    const fix = { t: 'fix', s: session, c: 1, at: 1, la: 50, lo: 5, v: 187, ac: 4 } as const
    const ended = { t: 'session-ended', team: randomUUID(), session } as const
    for (const event of [fix, ended])
      here.bus.send(room, { do: 'publish', framed: frameEvent(event) })
    way = await roundRobin([port], between)

    await expect
      .poll(() => there.received, { timeout: 15_000 * patience })
      .toEqual([[room, { do: 'publish', framed: frameEvent(ended) }]])
    await Promise.all([here.bus.close(), there.bus.close()])
    await way[Symbol.asyncDispose]()
  })

  test('the credentials in the URL are sent to the server', async () => {
    const guardedPort = await freePort()
    const guarded = await startNats(guardedPort, 'p@ss word')
    const connect = (user: string) =>
      connectNats({
        url: `nats://${user}127.0.0.1:${guardedPort}`,
        log: createLog('silent'),
        onNotice: () => {},
        onGap: () => {},
      })

    await expect(connect('')).rejects.toThrow(/authorization/i)
    await expect(connect('pitboard:wrong@')).rejects.toThrow(/authorization/i)
    const bus = await connect(`pitboard:${encodeURIComponent('p@ss word')}@`)
    expect(bus.connected).toBe(true)
    await bus.close()
    await guarded.stop()
  })

  test('connecting to a server that does not respond fails at once', async () => {
    await expect(
      connectNats({
        url: `nats://127.0.0.1:${await freePort()}`,
        log: createLog('silent'),
        onNotice: () => {},
        onGap: () => {},
      }),
    ).rejects.toThrow(/refused/i)
  })

  /** Subscribes `to`, and publishes from `from` until the subscription is active. */
  async function listen(
    from: Bus,
    to: Bus,
    room: `team:${string}` | `user:${string}`,
    arrived: () => boolean,
  ) {
    to.subscribe(room)
    await expect
      .poll(() => {
        const event = { t: 'team-removed', team: randomUUID() } as const
        from.send(room, { do: 'publish', framed: frameEvent(event) })
        return arrived()
      })
      .toBe(true)
  }
})
