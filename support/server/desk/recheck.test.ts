import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPeer } from '#support/testing/assistPeer.ts'
import { type SupportScene, supportScene } from '#support/testing/supportScene.ts'
import type { Person } from '#testing/people/person.ts'

/** Open sockets are re-checked: here at a short interval, otherwise every 30 s. */
let scene: SupportScene
beforeAll(async () => {
  scene = await supportScene({ recheckIntervalMs: 20 })
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.app.forgetLimits())
afterEach(() => scene.closeConnections())

/** Connects a new visitor and a new agent, each with both of their sockets. */
async function connected(of = scene) {
  const visitor = of === scene ? await of.app.person('Lea') : of.leo
  const helper = of === scene ? await of.agent('Mia') : of.sam
  const { visitId, tab } = await of.visit(visitor)
  const agent = await of.join(helper, visitId)
  const { room, peerId } = agent.pass
  const tabPeer = await openPeer(of.app.url, visitor, { id: `${room}-tab1` })
  const agentPeer = await openPeer(of.app.url, helper, { id: peerId })
  return {
    visitor,
    helper,
    tab: { connection: tab, peer: tabPeer.socket },
    agent: { connection: agent, peer: agentPeer.socket },
  }
}
type End = Awaited<ReturnType<typeof connected>>['tab']

async function bothClose({ connection, peer }: End) {
  await Promise.all([connection.closed(), once(peer, 'close')])
}

/** Checks after several intervals. */
async function isStillOpen({ connection, peer }: End): Promise<boolean> {
  for (let n = 0; n < 3; n++) await scene.sam.call.support.visitors()
  return connection.socket.connected && peer.readyState === peer.OPEN
}

const signOut = (person: Person) => person.call.auth.signOut({})

test('a dismissed agent loses both sockets, the visitor keeps theirs', async () => {
  const { helper, agent, tab } = await connected()
  expect(await isStillOpen(agent)).toBe(true)
  scene.dismiss(helper)
  await bothClose(agent)
  expect(await isStillOpen(tab)).toBe(true)
})

test('an agent who signs out loses both sockets', async () => {
  const { helper, agent, tab } = await connected()
  await signOut(helper)
  await bothClose(agent)
  expect(await isStillOpen(tab)).toBe(true)
})

test('signing out closes the sockets of an agent at once', async () => {
  // Only the sign-out itself can close them: the next check is an hour away.
  await using other = await supportScene({ recheckIntervalMs: 3_600_000 })
  const { tab, agent } = await connected(other)
  await signOut(other.sam)
  await bothClose(agent)
  expect([tab.connection.socket.connected, tab.peer.readyState]).toEqual([true, tab.peer.OPEN])
})

test('a visitor who signs out loses both sockets', async () => {
  const { visitor, agent, tab } = await connected()
  await signOut(visitor)
  await bothClose(tab)
  expect(await isStillOpen(agent)).toBe(true)
})
