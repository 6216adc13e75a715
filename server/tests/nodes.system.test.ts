import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { RoomName } from '#contract/live.ts'
import { maxFixesPerCall } from '#contract/shared/bounds.ts'
import { hourMs } from '#contract/shared/durations.ts'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { type Cluster, type Node, startCluster } from '#testing/live/cluster.ts'
import { drivenFixes } from '#testing/live/drivenLaps.ts'
import { fix } from '#testing/live/liveScene.ts'
import type { TestConnection } from '#testing/live/testConnection.ts'
import { patience } from '#testing/patience.ts'
import { addMember } from '#testing/people/addMember.ts'
import { createRace } from '#testing/people/createRace.ts'
import type { Person } from '#testing/people/person.ts'
import type { Notice } from '../live/publish/bus.ts'
import { connectNats } from '../live/publish/natsBus.ts'
import { createLog } from '../log.ts'

const waitOptions = { timeout: 15_000 * patience, interval: 50 }
const cluster = await startCluster()

describe.runIf(cluster)('three nodes', () => {
  const { nodes, databaseUrl, natsUrl } = cluster ?? ({} as Cluster)
  const [first, second, third] = nodes ?? []
  let ana: Person
  let leo: Person
  let sessionId: SessionId

  beforeAll(async () => {
    ;[ana, leo] = [await cluster!.person('Ana'), await cluster!.person('Leo')]
    const team = await first!.call(ana).teams.create({ name: 'Night Owls' })
    await addMember({ call: second!.call(ana) }, team.id, leo)
    const session = await third!.call(leo).sessions.start({ teamId: team.id, name: 'Stint 1' })
    sessionId = session.id
  })
  afterAll(() => cluster?.[Symbol.asyncDispose]())

  test('fixes, messages and receipts pass between nodes', async () => {
    const car = await drivingConnection(first!)
    const pits = await Promise.all([subscribedConnection(second!), subscribedConnection(third!)])
    const sent = fix()
    car.send(sent)
    for (const pit of pits) expect(await pit.next('fix')).toMatchObject({ at: sent.at, v: sent.v })

    const message = await set(third!)
    for (const connection of [car, ...pits])
      expect(message).toMatchObject((await connection.next('message')).message)
    car.send({ t: 'receipt', version: message.version, stage: 'shown', at: Date.now() })
    for (const pit of pits) expect((await pit.next('receipt')).version).toBe(message.version)
    // A node that joins a room late receives its events from the snapshot on.
    const late = await subscribedConnection(second!)
    const next = await set(first!)
    expect((await late.next('message')).message).toEqual(next)
    await leave(car, late, ...pits)
  })

  test('a problem that a member gets on one node is got on all others (A7)', async () => {
    const car = await drivingConnection(first!)
    const pits = await Promise.all([subscribedConnection(second!), subscribedConnection(third!)])
    const id = randomUUID()
    car.send({ t: 'answer', id, kind: 'Problem', version: 0, at: Date.now() })
    const { answer: problem } = await car.next('answer')
    const got = await second!.call(ana).messages.gotIt({ sessionId, answerId: id })
    expect(got).toMatchObject({ ...problem, gotIt: { by: 'Ana' } })
    for (const connection of [car, ...pits])
      expect(
        await connection.next('answer', ({ answer }) => answer.gotIt !== undefined),
      ).toMatchObject({
        answer: got,
      })
    // A second press on another node is answered with the first.
    expect(await third!.call(leo).messages.gotIt({ sessionId, answerId: id })).toEqual(got)
    const late = await third!.connect(ana)
    late.send({ t: 'subscribe', room: `session:${sessionId}` })
    expect((await late.next('snapshot')).snapshot).toMatchObject({ session: { problem: got } })
    await leave(car, late, ...pits)
  })

  test('a problem that is got during a bus outage reaches the phone on another node (R8)', async () => {
    const [car, pit] = [await drivingConnection(first!), await subscribedConnection(second!)]
    const id = randomUUID()
    car.send({ t: 'answer', id, kind: 'Problem', version: 0, at: Date.now() })
    await pit.next('answer', ({ answer }) => answer.id === id)
    await cluster!.haltBus()
    for (const node of [first!, second!])
      await expect
        .poll(() => ready(node), waitOptions)
        .toEqual([503, { database: true, bus: false }])
    const got = await second!.call(ana).messages.gotIt({ sessionId, answerId: id })
    // A number above the newest one that it knows lets the phone request a snapshot (A5).
    const number = async () => {
      car.send({ t: 'heartbeat', at: 0 })
      return (await car.next('heartbeat')).answers?.[sessionId]
    }
    await expect.poll(number, waitOptions).toBe(got.gotIt?.number)
    car.send({ t: 'subscribe', room: `session:${sessionId}` })
    const { snapshot } = await car.next('snapshot')
    expect(snapshot).toMatchObject({ session: { problem: got } })
    await cluster!.resumeBus()
    for (const node of nodes)
      await expect
        .poll(() => ready(node), waitOptions)
        .toEqual([200, { database: true, bus: true }])
  })

  test('an official flag on one node reaches glass, wall and laps on the others', async () => {
    const team = await first!.call(ana).teams.create({ name: 'Timed' })
    await addMember({ call: second!.call(ana) }, team.id, leo)
    const { id } = await third!.call(leo).sessions.start({ teamId: team.id, name: 'Friday' })
    const raceId = await createRace({ call: first!.call(ana) }, team.id, { hours: 6 })
    const { timing, glass, laps } = third!.call(ana)
    await timing.setSource({ raceId, source: { kind: 'push' } })
    await glass.set({ sessionId: id, parts: ['flag'] })
    const phone = await (await first!.connect(leo)).drive(id)
    const wall = await second!.connect(ana)
    wall.send({ t: 'subscribe', room: `session:${id}` })
    await wall.next('snapshot')
    const push = (number: number, flag: string, ageMs = 0) =>
      timing.push({ raceId, number, update: { run: 'Race 1', race: { flag } }, ageMs })
    await push(1, 'Yellow')
    const { feed, flag } = await phone.next('official')
    expect(flag).toMatchObject({ flag: 'Yellow', change: 1, shownAt: null })
    phone.send({ t: 'flag-shown', feed, change: 1, at: Date.now() })
    expect(await wall.next('flag-shown')).toMatchObject({ session: id, feed, change: 1 })

    // Laps that one node has timed follow a batch that another one receives late.
    const startMs = Date.now() - hourMs
    await query('update sessions set date_started = $1 where id = $2', [new Date(startMs), id])
    await first!.call(leo).sessions.storeFixes({
      sessionId: id,
      fixes: drivenFixes(startMs + 1000, { laps: 3 }).slice(0, maxFixesPerCall),
    })
    await expect
      .poll(async () => (await laps.list({ sessionId: id })).laps.length, waitOptions)
      .toBe(2)
    await wall.next('laps-changed', ({ change }) => change?.laps.length === 2)
    await push(2, 'FCY', Date.now() - startMs - 60_000)
    const { change } = await wall.next('laps-changed')
    expect(change?.laps).toMatchObject([{ number: 0, yellow: true, yellowFlag: 'FCY' }])
    await leave(phone, wall)
  })

  test('a line moved on one node times the laps of the others again', async () => {
    const team = await first!.call(ana).teams.create({ name: 'Moved line' })
    const { id } = await third!.call(ana).sessions.start({ teamId: team.id, name: 'Friday' })
    const wall = await third!.connect(ana)
    wall.send({ t: 'subscribe', room: `session:${id}` })
    await wall.next('snapshot')
    const startMs = Date.now() - hourMs
    await query('update sessions set date_started = $1 where id = $2', [new Date(startMs), id])
    const fixes = drivenFixes(startMs + 1000)
    await first!.call(ana).sessions.storeFixes({
      sessionId: id,
      fixes: fixes.slice(0, maxFixesPerCall),
    })
    const timed = async (node: Node) => (await node.call(ana).laps.list({ sessionId: id })).laps
    await expect.poll(async () => (await timed(first!)).length, waitOptions).toBeGreaterThan(1)
    const [, before] = await timed(first!)
    const circuit = await first!.call(ana).circuits.ofSession({ sessionId: id })
    const place = circuit!.outline[circuit!.outline.length >> 1]!

    // Each node times with the version that the other one has stored.
    const { version } = await second!
      .call(ana)
      .circuits.placeLine({ teamId: team.id, circuitId: circuit!.id, place })
    await wall.next('circuits-changed')
    for (const node of nodes) {
      await expect
        .poll(async () => (await node.call(ana).circuits.ofSession({ sessionId: id }))?.version)
        .toBe(version)
      await expect
        .poll(async () => (await timed(node))[1]?.startedAt, waitOptions)
        .not.toBe(before!.startedAt)
    }
    const counted = (await timed(first!)).length
    await first!
      .call(ana)
      .sessions.storeFixes({ sessionId: id, fixes: fixes.slice(maxFixesPerCall) })
    await expect.poll(async () => (await timed(second!)).length, waitOptions).not.toBe(counted)
    await leave(wall)
  })

  test('a stranger who repeats subscribe on another node receives only refusals (R2)', async () => {
    const stranger = await cluster!.person('Mia')
    const connections = await Promise.all(nodes.map(node => node.connect(stranger)))
    const car = await drivingConnection(first!)
    const pit = await subscribedConnection(second!)
    for (let n = 0; n < 5; n++) {
      for (const connection of connections)
        connection.send({ t: 'subscribe', room: `session:${sessionId}` })
      for (const connection of connections)
        connection.send({ t: 'subscribe', room: `user:${leo.id}` })
      car.send(fix())
      const { version } = await set(third!)
      await pit.next('message', ({ message }) => message.version === version)
      for (const connection of connections) {
        expect((await connection.next('refused')).code).toBe('not-a-member')
        expect((await connection.next('refused')).code).toBe('not-a-member')
      }
    }
    for (const connection of connections) {
      await connection.roundTrip()
      expect(connection.all()).toEqual([])
    }
    await leave(car, pit, ...connections)
  })

  test('sign-in codes and their rate limits are shared by all nodes', async () => {
    const email = `${randomUUID()}@example.com`
    const stranger = { jar: ana.jar }
    const calls = nodes.map(node => node.call(stranger))
    const enter = (n: number) => calls[n % 3]!.auth.verifyCode({ email, code: 'no code' })
    await calls[0]!.auth.sendCode({ email })
    const answers = []
    for (let n = 0; n < 6; n++) answers.push(await enter(n).catch(({ code }) => code))
    expect(answers).toEqual([...Array(5).fill('code-wrong'), 'code-dead'])

    for (let n = 1; n < 5; n++) await calls[n % 3]!.auth.sendCode({ email })
    await expect(calls[2]!.auth.sendCode({ email })).rejects.toMatchObject({ code: 'too-many' })
  })

  test('a member removed on one node leaves the rooms of the others (R4)', async () => {
    const kim = await cluster!.person('Kim')
    const team = await first!.call(ana).teams.create({ name: 'Early Birds' })
    await addMember({ call: first!.call(ana) }, team.id, kim)
    const connection = await second!.connect(kim)
    connection.send({ t: 'subscribe', room: `team:${team.id}` })
    await connection.next('snapshot')
    await third!.call(ana).teams.removeMember({ teamId: team.id, userId: kim.id })
    expect(await connection.next('team-removed')).toMatchObject({ team: team.id })
    await leave(connection)
  })

  test('users who watch on other nodes are listed until they leave (R10)', async () => {
    const [room, pia] = [`session:${sessionId}` as const, await cluster!.person('Pia')]
    const { teamId } = await first!.call(ana).sessions.get({ sessionId })
    await addMember({ call: first!.call(ana) }, teamId, pia)
    const pit = await subscribedConnection(second!)
    const there = await third!.connect(pia)
    there.send({ t: 'subscribe', room })
    const both = ({ users }: { users: string[] }) =>
      users.includes(ana.id) && users.includes(pia.id)
    await Promise.all([pit.next('watching', both), there.next('watching', both)])
    await pit.roundTrip()
    there.close()
    expect(await pit.next('watching', each => !both(each))).toMatchObject({ users: [ana.id] })
    await leave(pit)
  })

  test('a silent phone is published on another node, until its next fix (F5)', async () => {
    const { teamId } = await first!.call(ana).sessions.get({ sessionId })
    const [car, page] = [await drivingConnection(first!), await third!.connect(ana)]
    await page.subscribe(`team:${teamId}`)
    const silences = async () => {
      // Heartbeats keep both connections open.
      await Promise.all([car.roundTrip(), page.roundTrip()])
      return page.received('silent').map(({ session, since }) => [session, since !== null])
    }
    car.send(fix())
    await expect.poll(silences, waitOptions).toEqual([[sessionId, true]])
    car.send(fix())
    await expect.poll(silences, waitOptions).toEqual([
      [sessionId, true],
      [sessionId, false],
    ])
    await leave(car, page)
  })

  test('signing out on one node closes the connections on the others (L7)', async () => {
    const noor = await cluster!.person('Noor')
    const connections = await Promise.all(nodes.map(node => node.connect(noor)))
    await using bus = await subscribedBus(`user:${noor.id}`)
    await first!.call(noor).auth.signOut()
    for (const connection of connections)
      expect(await connection.closed()).toBe(CloseCode.signedOut)
    expect(await bus.received()).toMatchObject([{ do: 'close', code: CloseCode.signedOut }])
  })

  test('ending a login on one node closes its connections on the others', async () => {
    const kai = await cluster!.person('Kai')
    // The same email address: another browser of the same person.
    const other = await cluster!.person('Kai')
    const [remaining, ended] = [await first!.connect(kai), await second!.connect(other)]
    const logins = await third!.call(kai).auth.logins()
    const loginId = logins.find(({ isThis }) => !isThis)?.id ?? ''

    await using bus = await subscribedBus(`user:${kai.id}`)
    await third!.call(kai).auth.endLogin({ loginId })
    expect(await ended.closed()).toBe(CloseCode.signedOut)
    // Without the notice, the periodic recheck would close the connection.
    expect(await bus.received()).toMatchObject([{ do: 'close', login: loginId }])
    await remaining.roundTrip()

    const again = await cluster!.person('Kai')
    const connection = await second!.connect(again)
    await first!.call(kai).auth.signOutEverywhere({})
    expect(await connection.closed()).toBe(CloseCode.signedOut)
    await remaining.roundTrip()
    await leave(remaining)
  })

  test('receipts of a phone on another node arrive during a bus outage (R8)', async () => {
    const [car, pit] = [await drivingConnection(first!), await subscribedConnection(second!)]
    const { version } = await set(second!)
    await car.next('message', ({ message }) => message.version === version)
    await cluster!.haltBus()
    for (const node of [first!, second!])
      await expect
        .poll(() => ready(node), waitOptions)
        .toEqual([503, { database: true, bus: false }])

    for (const stage of ['shown', 'copied'] as const) {
      car.send({ t: 'receipt', version, stage, at: Date.now() })
      const stored = await car.next('receipt')
      const received = async () => {
        // Heartbeats keep both connections open.
        await Promise.all([car.roundTrip(), pit.roundTrip()])
        return pit.received('receipt')
      }
      await expect.poll(received, waitOptions).toEqual([stored])
      await pit.next('receipt')
    }

    await cluster!.resumeBus()
    expect([await car.closed(), await pit.closed()]).toEqual([
      CloseCode.goingAway,
      CloseCode.goingAway,
    ])
    for (const node of nodes)
      await expect
        .poll(() => ready(node), waitOptions)
        .toEqual([200, { database: true, bus: true }])
  })

  test('after a bus outage clients reconnect and have the missed events', async () => {
    const pit = await subscribedConnection(second!)
    await cluster!.haltBus()
    await expect
      .poll(() => ready(second!), waitOptions)
      .toEqual([503, { database: true, bus: false }])
    const message = await set(first!)

    await cluster!.resumeBus()
    expect(await pit.closed()).toBe(CloseCode.goingAway)
    await expect
      .poll(() => ready(second!), waitOptions)
      .toEqual([200, { database: true, bus: true }])
    await expect
      .poll(() => ready(first!), waitOptions)
      .toEqual([200, { database: true, bus: true }])
    const back = await second!.connect(ana)
    back.send({ t: 'subscribe', room: `session:${sessionId}` })
    expect((await back.next('snapshot')).snapshot).toMatchObject({ session: { message } })
    const next = await set(first!)
    expect((await back.next('message')).message).toEqual(next)
    await leave(back)
  })

  test('without a database calls are refused, connections stay, fixes are queued', async () => {
    const [car, pit] = [await drivingConnection(first!), await subscribedConnection(second!)]
    await cluster!.haltDatabase()
    const refused = await set(third!).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'not-ready', status: 503, retryAfterSeconds: 2 })
    await expect
      .poll(() => ready(third!), waitOptions)
      .toEqual([503, { database: false, bus: true }])
    const driven = [Date.now() - 2, Date.now() - 1]
    for (const at of driven) {
      car.send(fix({ at }))
      expect((await pit.next('fix')).at).toBe(at)
    }
    pit.send({ t: 'subscribe', room: `session:${sessionId}` })
    expect(await pit.next('refused')).toMatchObject({ re: 'subscribe', code: 'not-ready' })
    // Asked twice, because the first response cannot include the new fixes yet.
    expect([await wrote(car), await wrote(car)]).toEqual([undefined, undefined])

    await cluster!.resumeDatabase()
    await expect
      .poll(() => ready(third!), waitOptions)
      .toEqual([200, { database: true, bus: true }])
    await expect.poll(() => stored(driven), waitOptions).toBe(2)
    await expect.poll(() => wrote(car), waitOptions).toBe(driven[1])
    const message = await set(third!)
    expect(message).toMatchObject((await car.next('message')).message)
    await leave(car, pit)
  })

  async function subscribedConnection(node: Node) {
    const connection = await node.connect(ana)
    connection.send({ t: 'subscribe', room: `session:${sessionId}` })
    await connection.next('snapshot')
    return connection
  }

  async function drivingConnection(node: Node) {
    const connection = await (await node.connect(leo)).drive(sessionId)
    return connection
  }

  /** Subscribes to the notices about a room, as another node would. */
  async function subscribedBus(room: RoomName) {
    const notices: Notice[] = []
    const bus = await connectNats({
      url: natsUrl,
      log: createLog('silent'),
      onNotice: (_room, notice) => notices.push(notice),
      onGap: () => {},
    })
    bus.subscribe(room)
    await bus.listening()
    return {
      /** The notices that the nodes sent before this call. */
      async received() {
        await bus.listening()
        return notices
      },
      [Symbol.asyncDispose]: () => bus.close(),
    }
  }

  /** Returns the acknowledgement of stored fixes in the heartbeat of this connection. */
  async function wrote(connection: TestConnection) {
    connection.send({ t: 'heartbeat', at: 1 })
    return (await connection.next('heartbeat')).wrote
  }

  async function set(node: Node) {
    const send = { sessionId, type: 'Pit', commandId: randomUUID() } as const
    const { sessionId: _of, ...message } = await node.call(ana).messages.set(send)
    return message
  }

  async function leave(...connections: Awaited<ReturnType<typeof subscribedConnection>>[]) {
    for (const connection of connections) {
      connection.close()
      await connection.closed()
    }
  }

  async function query(text: string, values: unknown[]) {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }

  async function stored(times: number[]): Promise<number> {
    const rows = await query('select at from positions where session_id = $1 and at = any($2)', [
      sessionId,
      times.map(at => new Date(at)),
    ])
    return rows.length
  }
})

async function ready({ url }: Node) {
  const answer = await fetch(`${url}/readyz`)
  return [answer.status, await answer.json()]
}
