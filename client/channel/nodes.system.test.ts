import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { MessageType } from '#contract/messages.ts'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { channelScreen, driveOn, messageOf } from '#testing/live/channelScreen.ts'
import { type Cluster, startCluster } from '#testing/live/cluster.ts'
import { patience } from '#testing/patience.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { Channel } from './channel.ts'

const waitOptions = { timeout: 30_000 * patience, interval: 20 }
const cluster = await startCluster()

describe.runIf(cluster)('three nodes behind one address', () => {
  const { nodes, url } = cluster ?? ({} as Cluster)
  afterAll(() => cluster?.[Symbol.asyncDispose]())

  // rules: M1 M2 M3 S4 L8
  test('after a node is killed connections move, and messages keep their order', {
    timeout: 60_000 * patience,
  }, async () => {
    const [ana, leo] = [await cluster!.person('Ana'), await cluster!.person('Leo')]
    const team = await createTeam(ana, [leo], 'Night Owls')
    const { id } = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
    const car = channelScreen(Channel, url, leo)
    // More screens than nodes: every node has at least one.
    const pits = Array.from({ length: 6 }, () => channelScreen(Channel, url, ana))
    const screens = [car, ...pits]
    const seen = screens.map(() => [] as number[])
    const stops = [driveOn(car.channel, id)]
    for (const [index, { channel }] of screens.entries())
      stops.push(channel.follow(id, () => seen[index]?.push(messageOf(channel, id)?.version ?? 0)))

    const acknowledged: { version: number; type: MessageType }[] = []
    for (const [n, type] of messageTypes.entries()) {
      const pressed = press(ana, id, type)
      if (n === 2 || n === 5) await nodes[n === 2 ? 1 : 0].kill()
      for (const each of screens) each.wake()
      acknowledged.push({ version: (await pressed).version, type })
      const last = acknowledged.at(-1)!
      for (const { channel } of screens)
        await vi.waitFor(() => expect(messageOf(channel, id)).toMatchObject(last), waitOptions)
      await vi.waitFor(
        () => expect(messageOf(pits[0]!.channel, id)?.shownAt).not.toBeNull(),
        waitOptions,
      )
    }

    const log = await nodes[2].call(ana).messages.log({ sessionId: id })
    expect(log.map(({ version, type }) => ({ version, type })).toReversed()).toEqual(acknowledged)
    for (const versions of seen) expect(versions).toEqual(versions.toSorted((a, b) => a - b))
    for (const stop of stops) stop()
    for (const { channel } of screens) channel.stop()
  })
})

/** Sends one command, retried until a server acknowledges it. */
async function press(ana: Person, sessionId: string, type: MessageType) {
  const commandId = randomUUID()
  for (;;) {
    try {
      return await ana.call.messages.set({ sessionId, type, commandId })
    } catch {
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}
