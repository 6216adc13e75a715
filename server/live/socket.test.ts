import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { protocol } from '#contract/shared/liveRules.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import type { LiveContext } from './context.ts'
import { Hub } from './rooms/hub.ts'
import { openLiveChannel } from './socket.ts'

class BrokenHub extends Hub {
  override versionsOf(): never {
    throw new Error('a bug')
  }
}

test('a frame whose handler throws closes only its own connection', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const log = createLog('silent')
  const channel = openLiveChannel({
    upgrades: {
      at: (_path, take) =>
        server.on('upgrade', (...request: Parameters<typeof take>) => void take(...request)),
      close: () => {},
    },
    context: {
      hub: new BrokenHub({ opened: () => {}, closed: () => {} }),
      clock: systemClock,
      log,
    } as unknown as LiveContext,
    connectionsPerUser: 5,
    authenticateHeaders: async () => ({
      userId: randomUUID(),
      loginId: randomUUID(),
      isAnonymous: false,
      expiresAt: Date.now() + 60_000,
    }),
    addressOf: () => undefined,
  })
  const open = async () => {
    const connection = new TestConnection(url, { origin: url })
    await connection.opened()
    return connection
  }
  const [broken, other] = [await open(), await open()]
  broken.send({ t: 'hello', protocol })
  broken.send({ t: 'heartbeat', at: 1 })
  expect(await broken.closed()).toBe(1006)
  expect(other.socket.readyState).toBe(other.socket.OPEN)

  other.close()
  await channel.close()
  server.close()
})
