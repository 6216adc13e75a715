import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '#testing/database/database.ts'
import { steppedClock } from '#testing/live/heldClock.ts'
import { timedRace, timingNode } from '#testing/timingNode.ts'
import { timingProvider } from '#testing/timingProvider.ts'
import { createLog } from '../log.ts'
import { storeSource } from './batches.ts'
import { OfficialTimings } from './officialTiming.ts'

let database: TestDatabase
let provider: Awaited<ReturnType<typeof timingProvider>>

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  provider = await timingProvider()
  return () => provider[Symbol.asyncDispose]()
})

/** A node with the stub as its providers, whose time a test passes. */
function node(timingHosts = [provider.host]) {
  const clock = steppedClock()
  let logged = ''
  const log = createLog(
    'trace',
    new Writable({
      write(chunk, _encoding, done) {
        logged += String(chunk)
        done()
      },
    }),
  )
  const providerUrl = `http://${provider.host}`
  const made = timingNode(database.open, { clock, timingHosts, providerUrl, log })
  return { ...made, clock, logged: () => logged }
}

const timings = (raceId: string) => new OfficialTimings().of(database.open.db, raceId, Date.now())

/** Looks again and stores until the official timing is as expected. */
function until(raceId: string, { look, store }: ReturnType<typeof node>, expected: object) {
  return vi.waitFor(async () => {
    look()
    store()
    expect(await timings(raceId)).toMatchObject(expected)
  })
}

const requestsTo = (path: string) => provider.requests.filter(each => each.path.includes(path))

const token = `secret-${randomUUID()}`
const raceMonitor = () =>
  timedRace(database.open, { kind: 'race-monitor', raceId: '140021' }, token)
const raceHero = () => timedRace(database.open, { kind: 'racehero', eventId: '3134' }, token)

const lines = [
  '$B,5,"Race 1"',
  '$A,"a","17",1,"","","",1',
  '$F,9999,"00:57:00","14:03:00","00:03:00","Yellow"',
  '$G,1,"a",3,"00:06:05.250"',
]

/** The answer of `Live/GetStreamingConnection`. */
const streaming = (more: object = {}) => ({
  Successful: true,
  ConnectionInfo: {
    RaceID: 140_021,
    WebsocketURL: `ws://${provider.host}/instance/209/live-token`,
    LiveTimingToken: 'live-token',
    Instance: 209,
    IsLive: true,
    ...more,
  },
})

const session = {
  Successful: true,
  Session: {
    SessionName: 'Race 1',
    TimeToGo: '00:57:00',
    FlagStatus: 'Yellow',
    Classes: {},
    Competitors: { a: { RacerID: 'a', Number: '17', Position: '1', Laps: '3' } },
  },
}

test('a race of Race Monitor is read from its stream, and again when that is lost', async () => {
  provider.answers(() => ({ json: streaming() }))
  const race = await raceMonitor()
  const made = node()
  made.look()
  await vi.waitFor(() => expect(provider.joined).toHaveLength(1))
  expect(provider.joined).toEqual(['/instance/209/live-token $JOIN,209,live-token'])
  const [asked] = provider.requests
  expect(asked?.path).toBe('/v2/Live/GetStreamingConnection')
  expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
    apiToken: token,
    raceID: '140021',
    useHostNameForSocket: 'true',
  })
  provider.stream(...lines)
  const expected = { failure: null, run: { flag: 'Yellow', standings: [{ number: '17' }] } }
  await until(race.id, made, expected)
  provider.drop()
  await vi.waitFor(async () => expect(await race.stored()).toMatchObject({ failure: 'closed' }))
  made.look()
  made.clock.pass(9000)
  expect(provider.requests).toHaveLength(1)
  await vi.waitFor(() => {
    made.look()
    made.clock.pass(1000)
    expect(provider.joined).toHaveLength(2)
  })
  await until(race.id, made, { failure: null })
  await made.connections.close()
  expect(provider.streams).toBe(0)
})

test('an account without the stream is read six times a minute', async () => {
  provider.answers(({ path }) =>
    path.includes('Streaming')
      ? { json: { Successful: false, Message: 'A payment method is needed.' } }
      : { json: session },
  )
  const race = await raceMonitor()
  const made = node()
  made.look()
  for (let round = 1; round <= 6; round++) {
    await vi.waitFor(() => expect(provider.requests).toHaveLength(round))
    made.clock.pass(9900)
    made.clock.pass(100)
  }
  await until(race.id, made, {
    failure: null,
    run: { name: 'Race 1', flag: 'Yellow', standings: [{ number: '17', laps: 3 }] },
  })
  expect(requestsTo('Streaming')).toHaveLength(1)
})

test.each([
  [{ status: 401 }, 'provider-refused'],
  [{ status: 404 }, 'not-live'],
  [{ status: 429, headers: { 'retry-after': '120' } }, 'rate-limited'],
  [{ status: 500 }, 'unreachable'],
  [{ status: 200, json: 'x' }, 'provider-refused'],
  [{ status: 200 }, 'unreachable'],
  [{ status: 200, json: { Successful: true, ConnectionInfo: { IsLive: false } } }, 'not-live'],
])('an answer of Race Monitor such as %j is reported as %s', async (answer, failure) => {
  provider.answers(({ path }) => (path.includes('GetSession') ? { json: {} } : answer))
  const race = await raceMonitor()
  const made = node()
  await vi.waitFor(async () => {
    made.look()
    made.clock.pass(5000)
    expect(await race.stored()).toMatchObject({ failure })
  })
})

test('no request is sent before the Retry-After of a provider has passed', async () => {
  provider.answers(() => ({ status: 429, headers: { 'retry-after': '120' } }))
  const race = await raceHero()
  const made = node()
  made.look()
  await vi.waitFor(async () =>
    expect(await race.stored()).toMatchObject({ failure: 'rate-limited' }),
  )
  expect(provider.requests).toHaveLength(1)
  for (let waitedMs = 0; waitedMs < 119_000; waitedMs += 1000) {
    made.look()
    made.clock.pass(1000)
  }
  // Another race with the same token waits, too.
  await raceHero()
  made.look()
  await until(race.id, made, { failure: 'rate-limited' })
  expect(provider.requests).toHaveLength(1)
  await vi.waitFor(() => {
    made.look()
    made.clock.pass(1000)
    expect(provider.requests.length).toBeGreaterThan(1)
  })
})

test('another node that takes over obeys the Retry-After, too', async () => {
  provider.answers(() => ({ status: 429, headers: { 'retry-after': '120' } }))
  const race = await raceHero()
  const [first, second] = [node(), node()]
  first.look()
  await vi.waitFor(async () =>
    expect(await race.stored()).toMatchObject({ failure: 'rate-limited' }),
  )
  await first.connections.close()
  const { db } = database.open
  const { retry_at } = await db
    .selectFrom('race_timings')
    .select('retry_at')
    .where('race_id', '=', race.id)
    .executeTakeFirstOrThrow()
  const leftMs = (retry_at?.getTime() ?? 0) - Date.now()
  expect(leftMs).toBeGreaterThan(60_000)
  expect(leftMs).toBeLessThanOrEqual(120_000)
  for (let looks = 0; looks < 3; looks++) await until(race.id, second, { failure: 'rate-limited' })
  expect(provider.requests).toHaveLength(1)
  await db
    .updateTable('race_timings')
    .set({ retry_at: new Date(Date.now() - 1000) })
    .where('race_id', '=', race.id)
    .execute()
  second.look()
  await vi.waitFor(() => expect(provider.requests).toHaveLength(2))
})

test('without its deleted token a source is not connected, until there is a new one', async () => {
  provider.answers(() => ({ json: streaming() }))
  const race = await raceMonitor()
  const made = node()
  made.look()
  await vi.waitFor(() => expect(provider.joined).toHaveLength(1))
  const source = { kind: 'race-monitor', raceId: '140021' } as const
  const set = (next: string | null) =>
    database.open.db
      .transaction()
      .execute(trx => storeSource(trx, { raceId: race.id, source, token: next, now: 0 }))
  await set(null)
  await until(race.id, made, { source, failure: 'no-token' })
  await vi.waitFor(() => expect(provider.streams).toBe(0))
  expect(provider.joined).toHaveLength(1)
  await set('secret-2')
  await until(race.id, made, { failure: null })
  await vi.waitFor(() => expect(provider.joined).toHaveLength(2))
})

test('a redirect is not followed', async () => {
  await using elsewhere = await timingProvider()
  provider.answers(() => ({ status: 302, headers: { location: `http://${elsewhere.host}/` } }))
  const race = await raceHero()
  const made = node([provider.host, elsewhere.host])
  made.look()
  await vi.waitFor(async () =>
    expect(await race.stored()).toMatchObject({ failure: 'unreachable' }),
  )
  expect(elsewhere.requests).toEqual([])
})

test.each([
  ['127.0.0.1'],
  // An address in brackets is not looked up either.
  ['[::1]'],
])('a stream at the private address %s is not opened', async address => {
  await using elsewhere = await timingProvider()
  const host = elsewhere.host.replace('127.0.0.1', address)
  provider.answers(() => ({
    json: streaming({ WebsocketURL: `ws://${host}/instance/209/live-token` }),
  }))
  const race = await raceMonitor()
  const made = node()
  made.look()
  await vi.waitFor(async () =>
    expect(await race.stored()).toMatchObject({ failure: 'not-allowed' }),
  )
  expect(elsewhere.streams).toBe(0)
})

test('an event of RaceHero is read with its key: flag, clock, order and gaps', async () => {
  const passing = (number: string, position: number, total: number) => ({
    racer_id: `r${number}`,
    number,
    class: 'GP',
    current_lap: 1,
    position_in_run: position,
    total_time_in_run: total,
    timestamp: 1000 + total,
  })
  provider.answers(({ path }) => {
    if (path.endsWith('/runs')) return { json: [{ id: '8000', started_at: '2026-06-20 14:00:00' }] }
    if (path.endsWith('/passings'))
      return { json: [passing('17', 2, 123.25), passing('382', 1, 120)] }
    return { json: { name: 'Race 1', current_flag: 'Yellow', time_remaining: '3420', racers: [] } }
  })
  const race = await raceHero()
  const made = node()
  made.look()
  await vi.waitFor(async () => {
    made.clock.pass(1000)
    made.store()
    expect(await timings(race.id)).toMatchObject({
      failure: null,
      run: {
        flag: 'Yellow',
        timeToGoMs: 3_420_000,
        standings: [{ number: '382' }, { number: '17', toAhead: { laps: 0, ms: 3250 } }],
      },
    })
  })
  expect(provider.requests[0]?.headers.authorization).toBe(
    `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
  )
  expect(requestsTo('/events/3134/runs/8000/passings').length).toBeGreaterThan(0)
})

test('the flag of RaceHero does not wait for the passings', async () => {
  provider.answers(({ path }) => {
    if (path.endsWith('/runs')) return { json: [{ id: '8000', started_at: '2026-06-20 14:00:00' }] }
    if (path.endsWith('/passings')) return { status: 500 }
    return { json: { name: 'Race 1', current_flag: 'Yellow', racers: [] } }
  })
  const race = await raceHero()
  const made = node()
  made.look()
  await vi.waitFor(async () => {
    made.clock.pass(1000)
    expect(await race.stored()).toMatchObject({ failure: 'unreachable' })
  })
  expect(await timings(race.id)).toMatchObject({ run: { flag: 'Yellow' } })
})

test('a new run of RaceHero begins with its own passings', async () => {
  let run = 1
  provider.answers(({ path }) => {
    if (path.endsWith('/runs')) return { json: [{ id: run, started_at: '2026-06-20 14:00:00' }] }
    if (path.endsWith('/passings'))
      return { json: [{ number: `${run}7`, current_lap: 1, position_in_run: 1 }] }
    return { json: { name: `Race ${run}`, current_flag: 'Green' } }
  })
  const race = await raceHero()
  const made = node()
  made.look()
  const shows = (name: string, number: string) =>
    vi.waitFor(async () => {
      made.clock.pass(1000)
      made.store()
      expect((await timings(race.id)).run).toMatchObject({ name, standings: [{ number }] })
    })
  await shows('Race 1', '17')
  run = 2
  await shows('Race 2', '27')
  expect((await timings(race.id)).run?.standings).toHaveLength(1)
})

test('the token of a provider is in no log and no state', async () => {
  provider.answers(() => ({ json: streaming() }))
  const race = await raceMonitor()
  const made = node()
  made.look()
  await vi.waitFor(() => expect(provider.joined).toHaveLength(1))
  provider.drop()
  await vi.waitFor(async () => expect(await race.stored()).toMatchObject({ failure: 'closed' }))
  await made.connections.close()
  expect(JSON.stringify(await timings(race.id))).not.toContain(token)
  expect(made.logged()).not.toContain(token)
  expect(made.logged()).not.toContain('live-token')
})

test('one node reads a provider, and another takes over when it stops', async () => {
  provider.answers(() => ({ json: streaming() }))
  await raceMonitor()
  const [first, second] = [node(), node()]
  first.look()
  await vi.waitFor(() => expect(provider.joined).toHaveLength(1))
  second.look()
  await first.connections.close()
  expect(provider.joined).toHaveLength(1)
  second.look()
  await vi.waitFor(() => expect(provider.joined).toHaveLength(2))
})
