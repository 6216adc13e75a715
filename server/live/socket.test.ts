import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { Up } from '#contract/live.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { CloseCode, protocol } from '#contract/shared/liveRules.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import type { LiveContext } from './context.ts'
import { UserFrameLimits } from './frameLimits.ts'
import type { Connection } from './publish/connection.ts'
import { type Frame, jsonIn } from './publish/frame.ts'
import { Hub } from './publish/hub.ts'
import { openLiveChannel } from './socket.ts'

const ignored = { opened: () => {}, closed: () => {} }

class BrokenHub extends Hub {
  override newsOf(): never {
    throw new Error('a bug')
  }

  override send(connection: Connection, frame: Frame) {
    if (jsonIn(frame).includes('refused')) throw new Error('a bug')
    super.send(connection, frame)
  }
}

/** Opens a live channel on a server of its own. */
async function startChannel(hub: Hub, clock: Clock) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const log = createLog('silent')
  const channel = openLiveChannel({
    upgrades: {
      handle: (_path, take) =>
        server.on('upgrade', (...request: Parameters<typeof take>) => void take(...request)),
      close: () => {},
    },
    context: {
      hub,
      clock,
      log,
      userFrames: new UserFrameLimits(),
    } as unknown as LiveContext,
    connectionsPerUser: 5,
    authenticateHeaders: async () => ({
      userId: randomUUID(),
      loginId: randomUUID(),
      kind: 'account',
      isAnonymous: false,
      scopes: null,
      withPasskey: false,
      expiresAt: Date.now() + 60_000,
    }),
    addressOf: () => undefined,
  })
  return {
    async open() {
      const connection = new TestConnection(url, { origin: url })
      await connection.opened()
      return connection
    },
    async close() {
      await channel.close()
      server.close()
    },
  }
}

test.each<[string, Up]>([
  ['at once', { t: 'heartbeat', at: 1 }],
  ['after queueing', { t: 'test' }],
])('a handler that throws %s closes only its own connection, with 1011', async (_when, up) => {
  const { open, close } = await startChannel(new BrokenHub(ignored), systemClock)
  const [broken, other] = [await open(), await open()]
  broken.send({ t: 'hello', protocol })
  broken.send(up)
  expect(await broken.closed()).toBe(CloseCode.internalError)
  expect(other.socket.readyState).toBe(other.socket.OPEN)

  other.close()
  await close()
})

/** A channel whose clock and timeout checks the test controls. */
async function heldChannel() {
  let nowMs = 0
  let sweep = () => {}
  const clock: Clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    every(_intervalMs, act) {
      sweep = act
      return () => {}
    },
  }
  return {
    ...(await startChannel(new Hub(ignored), clock)),
    /** Runs the next check after this time. */
    checkAfter(ms: number) {
      nowMs += ms
      sweep()
    },
  }
}

test('after a server stall each connection has its full timeout again (L5)', async () => {
  const { open, close, checkAfter } = await heldChannel()
  const connection = await (await open()).greet()
  checkAfter(20_000)
  for (let second = 0; second < 5; second++) checkAfter(1000)
  await connection.roundTrip()

  for (let second = 0; second < 6; second++) checkAfter(1000)
  expect(await connection.closed()).toBe(CloseCode.timedOut)
  await close()
})

test('a server that stalls again and again closes a silent connection (L5)', async () => {
  const { open, close, checkAfter } = await heldChannel()
  const connection = await (await open()).greet()
  for (let check = 0; check < 15; check++) checkAfter(3000)
  await connection.roundTrip()

  for (let check = 0; check < 16; check++) checkAfter(3000)
  expect(await connection.closed()).toBe(CloseCode.timedOut)
  await close()
})
