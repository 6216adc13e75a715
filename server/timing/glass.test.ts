import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GlassPart } from '#contract/shared/glassParts.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import {
  type LiveScene,
  liveScene,
  subscribedConnection,
  twoPhones,
} from '#testing/live/liveScene.ts'
import { createRace } from '#testing/people/createRace.ts'
import { addEntry } from './entries.ts'
import { storeGlass } from './glassRoutes.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const field = [
  '$B,5,"Race 1"',
  '$C,1,"GT"',
  '$A,"1","17",1,"Marta","Lindqvist","",1',
  '$A,"2","382",2,"Rival","Secret","",1',
  '$G,1,"2",1,"00:02:00.000"',
  '$G,2,"1",1,"00:02:03.250"',
]
const flagLine = (flag: string) => `$F,9999,"01:00:00","14:00:00","00:04:00","${flag}"`

/** A running race with a pushed source, in which Leo drives car 17. */
async function newRace(parts: GlassPart[] = ['flag']) {
  const { team, session, car } = await scene.newSessionWithRoster()
  const { timing, glass } = scene.ana.call
  const raceId = await createRace(scene.ana, team.id, { carIds: [car.id], hours: 1 })
  await timing.setSource({ raceId, source: { kind: 'push' } })
  const sessionId = session.id
  if (parts.length > 0) await glass.set({ sessionId, parts })
  const phone = await scene.drivingConnection(sessionId)
  let number = 0
  return {
    raceId,
    sessionId,
    teamId: team.id,
    car,
    phone,
    push: (...lines: string[]) => timing.push({ raceId, number: ++number, lines }),
    official: () => phone.next('official'),
    log: () => glass.log({ sessionId }),
  }
}

test('the flag reaches the phone with its line, and its receipt the team', async () => {
  const { sessionId, phone, push, official, log } = await newRace()
  const wall = await subscribedConnection(scene.ana, `session:${sessionId}`)
  await push(...field, flagLine('Green '))
  const { feed, flag, place } = await official()
  expect(flag).toMatchObject({ flag: 'Green', change: 1, shownAt: null })
  expect(place).toBeNull()
  // Later lines repeat the flag: it is current, and no change.
  await push(flagLine('Green '))
  const again = await official()
  expect(again).toMatchObject({ number: 2, flag: { change: 1, since: flag?.since } })
  expect(again.flag?.seenAt).toBeGreaterThanOrEqual(flag?.seenAt ?? 0)
  // Lines without a flag do not make it newer.
  await push(...field)
  expect((await official()).flag?.seenAt).toBe(again.flag?.seenAt)

  const at = (flag?.since ?? 0) + 900
  phone.send({ t: 'flag-shown', feed, change: 1, at: at + 60_000 })
  const { shownAt } = await wall.next('flag-shown')
  // The phone's clock is ahead.
  expect(shownAt).toBeLessThanOrEqual(Date.now())
  phone.send({ t: 'flag-shown', feed, change: 1, at })
  expect(await wall.next('flag-shown')).toMatchObject({ change: 1, shownAt })
  await push(flagLine('Yellow'))
  expect((await official()).flag).toMatchObject({ flag: 'Yellow', change: 4, shownAt: null })
  // A late receipt of the flag before.
  phone.send({ t: 'flag-shown', feed, change: 1, at })
  phone.send({ t: 'flag-shown', feed, change: 3, at })
  expect(await phone.next('refused')).toMatchObject({ re: 'flag-shown', code: 'not-found' })
  phone.send({ t: 'flag-shown', feed, change: 4, at: 0 })
  await wall.next('flag-shown', ({ change }) => change === 4)
  const { flags } = await log()
  expect(flags).toEqual([
    { flag: 'Green', at: flag?.since, shownAt },
    { flag: 'Yellow', at: expect.any(Number), shownAt: flags[1]?.at },
  ])
})

test('a flag from before the glass showed flags is late from that moment on', async () => {
  const { sessionId, push, official, log } = await newRace(['place'])
  await push(...field, flagLine('Green '))
  await official()
  const before = Date.now()
  await scene.ana.call.glass.set({ sessionId, parts: ['place', 'flag'] })
  await push(flagLine('Green '))
  const { flag } = await official()
  expect(flag?.since).toBeGreaterThanOrEqual(before)
  expect((await log()).flags).toMatchObject([{ at: flag?.since }])
  // Other parts do not change it.
  await scene.ana.call.glass.set({ sessionId, parts: ['flag'] })
  await push(flagLine('Green '))
  expect((await official()).flag?.since).toBe(flag?.since)
  await push(flagLine('Yellow'))
  expect((await official()).flag?.since).toBeGreaterThan(flag?.since ?? 0)
})

test('only parts that the team shows are sent, and never a name', async () => {
  const { sessionId, phone, push, official, log } = await newRace([])
  await push(...field, flagLine('Green '))
  await phone.roundTrip()
  expect(phone.received('official')).toEqual([])
  await scene.ana.call.glass.set({ sessionId, parts: ['behind', 'place', 'ahead'] })
  await push(flagLine('Yellow'))
  const frame = await official()
  expect(frame).toMatchObject({
    flag: null,
    place: {
      place: { position: 2, className: 'GT', classPosition: 2 },
      ahead: { number: '382', gap: { laps: 0, ms: 3250 } },
      behind: null,
    },
  })
  expect(JSON.stringify(frame)).not.toMatch(/Secret|Lindqvist/)
  await scene.ana.call.sessions.setDataLink({ sessionId, dataLink: false })
  await push(flagLine('Red   '))
  await phone.roundTrip()
  expect(phone.received('official')).toEqual([])
  const { flags, changes } = await log()
  expect(flags).toEqual([])
  expect(changes).toEqual([
    {
      at: expect.any(Number),
      parts: ['place', 'ahead', 'behind'],
      by: expect.stringContaining('Ana'),
    },
  ])
})

test('a blank flag is not stored, and a new source has no flag of the one before', async () => {
  const { raceId, push, official, log, phone } = await newRace()
  await push(flagLine('Green '), flagLine('      '))
  expect((await official()).flag).toMatchObject({ flag: null })
  await scene.ana.call.timing.setSource({ raceId, source: null })
  await scene.ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  await push(...field)
  expect(await official()).toMatchObject({ flag: null })
  await phone.roundTrip()
  expect((await log()).flags).toEqual([])
})

test('a batch that was sent late does not make its flag or place current', async () => {
  const { raceId, official } = await newRace(['flag', 'place'])
  const { timing } = scene.ana.call
  const ageMs = 60_000
  await timing.push({ raceId, number: 1, lines: [...field, flagLine('Green ')], ageMs })
  const { flag, place } = await official()
  for (const seenAt of [flag?.seenAt, flag?.since, place?.seenAt])
    expect(seenAt).toBeLessThanOrEqual(Date.now() - ageMs)
  const { silentForMs, run } = await timing.ofRace({ raceId })
  expect(silentForMs).toBeGreaterThanOrEqual(ageMs)
  expect(run?.flagSilentForMs).toBeGreaterThanOrEqual(ageMs)
})

test('a recorded file never reaches the glass', async () => {
  const { raceId, phone, log } = await newRace(['flag', 'place'])
  const { timing } = scene.ana.call
  const recordedId = randomUUID()
  await timing.setSource({ raceId, source: { kind: 'recorded', id: recordedId, speed: 1 } })
  const lines = [...field, flagLine('Green ')]
  await timing.push({ raceId, number: 1, lines, recordedId })
  // A pushed source that follows does.
  await timing.setSource({ raceId, source: { kind: 'push' } })
  await timing.push({ raceId, number: 2, lines: [...field, flagLine('Red   ')] })
  expect((await phone.next('official')).flag).toMatchObject({ flag: 'Red' })
  expect(phone.received('official')).toEqual([])
  expect((await log()).flags).toMatchObject([{ flag: 'Red' }])
})

test('a flag that was entered by hand reaches the phone, until it is undone', async () => {
  const { raceId, sessionId, phone, push, official, log } = await newRace()
  const wall = await subscribedConnection(scene.ana, `session:${sessionId}`)
  const { timing } = scene.ana.call
  const entryId = randomUUID()
  await timing.enter({ raceId, entryId, entry: { flag: 'Code 60' } })
  const { flag } = await phone.next('official', frame => frame.flag !== null)
  const id = { feed: entryId, change: 1 }
  expect(flag).toMatchObject({ ...id, flag: 'Code 60', byHand: expect.stringContaining('Ana') })
  phone.send({ t: 'flag-shown', ...id, at: (flag?.since ?? 0) + 900 })
  expect(await wall.next('flag-shown')).toMatchObject(id)
  // It is sent again while it counts.
  const again = await phone.next('official', frame => frame.flag?.shownAt !== null)
  expect(again.flag).toMatchObject(id)
  expect((await log()).flags).toMatchObject([{ flag: 'Code 60', byHand: flag?.byHand }])
  await timing.undoEntry({ raceId, entryId })
  // More than once: another node may have sent the flag after its undo.
  for (let sent = 0; sent < 2; sent++) await phone.next('official', frame => frame.flag === null)
  // A source that is current wins.
  await push(...field, flagLine('Green '))
  await phone.next('official', frame => frame.flag?.flag === 'Green')
  await timing.enter({ raceId, entryId: randomUUID(), entry: { flag: 'Red' } })
  await push(flagLine('Green '))
  expect((await official()).flag).not.toHaveProperty('byHand')
})

test('a place by hand reaches the phone with its time, until it is undone', async () => {
  const { raceId, car, phone, push } = await newRace(['place', 'ahead'])
  const { timing } = scene.ana.call
  const entry = { carId: car.id, position: 7, gap: { laps: 0, ms: 12_400 } }
  const entryId = randomUUID()
  await timing.enter({ raceId, entryId, entry })
  const { place } = await phone.next('official', frame => frame.place !== null)
  expect(place).toMatchObject({
    enteredAt: expect.any(Number),
    place: { position: 7, className: null, classPosition: null },
    ahead: { number: null, gap: entry.gap },
  })
  // It is sent again while it counts.
  await phone.next('official', frame => (frame.place?.seenAt ?? 0) > (place?.seenAt ?? 0))
  await timing.undoEntry({ raceId, entryId })
  await phone.next('official', frame => frame.place === null)
  // A source that is current wins.
  await timing.enter({ raceId, entryId: randomUUID(), entry })
  await push(...field)
  const isOfSource = await phone.next('official', frame => frame.place?.place?.position === 2)
  expect(isOfSource.place).not.toHaveProperty('enteredAt')
  await push(...field)
  const second = await phone.next('official', frame => frame.number === 2)
  expect(second.place?.place?.position).toBe(2)
})

test('a green flag by hand is sent for a minute, others for an hour', async () => {
  const { raceId, phone } = await newRace()
  const { db } = scene.app.database
  const { timing } = scene.ana.call
  const enter = async (flag: 'Green' | 'Yellow', agoMs: number) => {
    const now = Date.now() - agoMs
    const of = { teamId: '', userId: scene.ana.id, now }
    const entry = { raceId, entryId: randomUUID(), entry: { flag } }
    await db.deleteFrom('timing_entries').where('race_id', '=', raceId).execute()
    await db.transaction().execute(trx => addEntry(trx, entry, of))
    const undone = { raceId, entryId: randomUUID() }
    await timing.undoEntry(undone)
  }
  /** The node may send another frame of its own before. */
  const sent = (flag: string | null) =>
    phone.next('official', frame => (frame.flag?.flag ?? null) === flag)
  await phone.roundTrip()
  await enter('Green', 50_000)
  expect(await sent('Green')).toMatchObject({ flag: { byHand: expect.anything() } })
  await enter('Green', 61_000)
  // It stands, without its word.
  await phone.next('official', ({ flag }) => flag?.byHand !== undefined && flag.flag === null)
  await enter('Yellow', 61_000)
  expect(await sent('Yellow')).toMatchObject({ flag: { byHand: expect.anything() } })
  await enter('Yellow', 3_601_000)
  await sent(null)
})

test('a flag by hand loses its word on the glass once its race is over', async () => {
  const { raceId, phone } = await newRace()
  const { timing, races } = scene.ana.call
  await timing.enter({ raceId, entryId: randomUUID(), entry: { flag: 'Yellow' } })
  await phone.next('official', ({ flag }) => flag?.flag === 'Yellow')
  await races.end({ raceId })
  const past = await phone.next('official', ({ flag }) => flag?.flag === null)
  expect(past.flag?.byHand).toContain('Ana')
})

test('a glass that shows flags later has the flag by hand at once, with its age', async () => {
  const { raceId, sessionId, phone } = await newRace([])
  const { timing, glass } = scene.ana.call
  await timing.enter({ raceId, entryId: randomUUID(), entry: { flag: 'Yellow' } })
  const enteredBefore = Date.now()
  await glass.set({ sessionId, parts: ['flag'] })
  const { flag } = await phone.next('official', frame => frame.flag !== null)
  expect(flag).toMatchObject({ flag: 'Yellow', byHand: expect.anything() })
  expect(flag?.enteredAt).toBeLessThanOrEqual(enteredBefore)
  expect(flag?.since).toBeGreaterThan(flag?.enteredAt ?? 0)
})

test('the parts of the glass belong to the car, and a new phone inherits them', async () => {
  const { first, second, mia, team, car } = await twoPhones(scene)
  const { glass, carRaces } = scene.ana.call
  await glass.set({ sessionId: first.id, parts: ['flag', 'place'] })
  const shown = async (sessionId: string) => (await carRaces.ofSession({ sessionId })).glass
  for (const { id } of [first, second]) expect(await shown(id)).toEqual(['flag', 'place'])
  await mia.call.sessions.end({ sessionId: second.id })
  const third = await mia.call.sessions.start({ teamId: team.id, name: 'Mia again', carId: car.id })
  expect(await shown(third.id)).toEqual(['flag', 'place'])
  await expect(glass.set({ sessionId: second.id, parts: [] })).rejects.toMatchObject({
    code: 'session-ended',
  })
  await expect(glass.set({ sessionId: first.id, parts: ['flag', 'flag'] })).rejects.toMatchObject({
    code: 'invalid-input',
  })
})

test('only the newest changes of a session are stored', async () => {
  const { session } = await scene.newSession()
  const { db } = scene.app.database
  const { max } = storedBounds.glassChanges
  for (let n = 0; n <= max; n++)
    await storeGlass(db, scene.ana.id, {
      sessions: [session.id],
      parts: n % 2 === 0 ? ['flag'] : [],
      now: n,
    })
  const { changes } = await scene.ana.call.glass.log({ sessionId: session.id })
  expect(changes).toHaveLength(max)
  expect(changes[0]?.at).toBe(1)
})
