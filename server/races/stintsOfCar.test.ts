import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { StintEdit } from '#contract/stints.ts'
import { stintIdOfRun } from '#racing/race/stintSequence.ts'
import { type PhoneSwapScene, phoneSwapScene } from '#testing/live/phoneSwapScene.ts'
import { driverChange } from '#testing/people/roster.ts'

let scene: PhoneSwapScene
beforeAll(async () => {
  scene = await phoneSwapScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Marta drives with the phone of Leo for an hour, then Théo with that of Ana. */
async function swapped() {
  const race = await scene.startSwappedRace()
  await race.visit(60, 63)
  await race.moved(race.next.id, [{ from: 62, leftPits: true }], 119)
  const edit = async (sessionId: SessionId, ...edits: StintEdit[]) =>
    (await scene.ana.call.stints.edit({ sessionId, edits })).stints
  return { ...race, edit }
}

test('a stint is over in time after a change that was entered twice is undone', async () => {
  const { session, moved, theo, waitUntil } = await scene.startRace()
  await moved(session.id, [{ from: 0 }], 30)
  waitUntil(30)
  const [stintId, again] = [randomUUID(), randomUUID()]
  for (const id of [stintId, again]) {
    await scene.ana.call.stints.add({ sessionId: session.id, stintId: id, driverId: theo.id })
    scene.clock.pass(20_000)
  }
  await scene.ana.call.stints.remove({ sessionId: session.id, stintId })
  waitUntil(71)
  await moved(session.id, [{ from: 0 }], 71)
  expect(await scene.overIn(session.id)).toHaveLength(1)
})

test('a driver who stays is entered for the team, begins no stint, and can be undone', async () => {
  const { session, marta, theo, at, waitUntil, moved, visit } = await scene.startRace()
  const sessionId = session.id
  await moved(sessionId, [{ from: 0 }], 69)
  await visit(60, 63)
  waitUntil(70)
  const { stints, carRaces } = scene.ana.call
  const stintId = randomUUID()
  const keep = () => stints.keepDriver({ sessionId, stintId, at: at(61) })
  const kept = await keep()
  expect(kept.stints).toMatchObject([{ driverId: marta.id, to: null }])
  expect(kept.sameDriverAt).toEqual([at(61)])
  expect(await keep()).toEqual(kept)
  expect(await scene.leo.call.carRaces.ofSession({ sessionId })).toEqual(kept)
  await stints.remove({ sessionId, stintId })
  expect(await carRaces.ofSession({ sessionId })).not.toHaveProperty('sameDriverAt')
  // It undoes no change of the stop.
  const change = { sessionId, stintId: randomUUID(), driverId: theo.id, from: at(61) }
  expect((await stints.add(change)).stints).toHaveLength(2)
  const early = { sessionId, stintId: randomUUID(), at: at(-60) }
  await expect(stints.keepDriver(early)).rejects.toMatchObject({ code: 'invalid-input' })
})

test('a spare phone changes no driver when it takes over', async () => {
  const { session, car, marta, theo, waitUntil, visit, moved, at } = await scene.startRace()
  waitUntil(20)
  const of = { teamId: session.teamId, carId: car.id, name: 'Spare phone', keepsDriver: true }
  const spare = await scene.ana.call.sessions.start(of)
  waitUntil(30)
  await scene.ana.call.stints.add({
    sessionId: session.id,
    stintId: randomUUID(),
    driverId: theo.id,
  })
  waitUntil(120)
  await visit(60, 63)
  await moved(session.id, [{ from: 0, to: 60 }], 119)
  await moved(spare.id, [{ from: 62, leftPits: true }], 119)
  const { runs, stints } = await scene.ana.call.carRaces.ofSession({ sessionId: spare.id })
  expect(runs.map(({ sessionId }) => sessionId)).toEqual([session.id, spare.id])
  expect(stints).toMatchObject([
    { driverId: marta.id, from: at(0), to: at(30) },
    { driverId: theo.id, from: at(30), to: null },
  ])
})

test('a spare phone that is first on the track has the driver of the other one', async () => {
  const { session, car, marta, theo, waitUntil, moved, at } = await scene.startRace()
  const { call } = scene.ana
  waitUntil(0.5)
  const of = { teamId: session.teamId, carId: car.id, name: 'Spare phone', keepsDriver: true }
  const { id } = await call.sessions.start(of)
  waitUntil(60)
  await moved(session.id, [{ from: 1.02, leftPits: true }], 59)
  await moved(id, [{ from: 1, leftPits: true }], 59)
  const { stints } = await call.carRaces.ofSession({ sessionId: id })
  expect(stints).toMatchObject([{ id, driverId: marta.id, from: at(1), to: null }])
  const edit = async (step: StintEdit) =>
    (await call.stints.edit({ sessionId: id, edits: [step] })).stints
  const removed = { kind: 'remove', stintId: id } as const
  await expect(edit(removed)).rejects.toMatchObject({ fields: { stintId: 'stint-first' } })
  const corrected = { kind: 'change', stintId: id, driverId: theo.id, from: at(1) } as const
  expect(await edit(corrected)).toMatchObject([{ id, driverId: theo.id, from: at(1) }])
})

test('each correction of the driver of a spare phone counts, and its removal', async () => {
  const { session, car, marta, theo, waitUntil, visit, moved, at } = await scene.startRace()
  const { call } = scene.ana
  waitUntil(20)
  const of = { teamId: session.teamId, carId: car.id, name: 'Spare phone', keepsDriver: true }
  const spare = await call.sessions.start(of)
  waitUntil(60)
  await visit(59, null)
  await moved(session.id, [{ from: 0, to: 59.5 }], 59.5)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  waitUntil(120)
  await moved(spare.id, [{ from: 66, leftPits: true }], 119)
  const edit = async (step: StintEdit) =>
    (await call.stints.edit({ sessionId: spare.id, edits: [step] })).stints
  const change = { kind: 'change', stintId: spare.id, from: at(66) } as const
  for (const driverId of [theo.id, marta.id])
    expect((await edit({ ...change, driverId })).at(-1)).toMatchObject({ driverId, from: at(66) })
  expect(await edit({ kind: 'remove', stintId: spare.id })).toHaveLength(1)
})

test('the stint of the next phone follows its run, until a person corrects its start', async () => {
  const { session, next, marta, theo, at, moved, edit } = await swapped()
  const { ofSession } = scene.ana.call.carRaces
  const stints = async () => (await ofSession({ sessionId: session.id })).stints
  expect(await stints()).toMatchObject([
    { id: session.id, sessionId: session.id, driverId: marta.id, from: at(0) },
    { id: next.id, sessionId: next.id, driverId: theo.id, from: at(62), to: null },
  ])
  await moved(next.id, [{ from: 63, leftPits: true }], 119)
  expect((await stints())[1]?.from).toBe(at(63))
  // Only the driver is corrected: the stint still follows.
  const change = { kind: 'change', stintId: next.id, driverId: null } as const
  await edit(session.id, { ...change, from: at(63) })
  await moved(next.id, [{ from: 64, leftPits: true }], 119)
  await edit(session.id, { ...change, driverId: theo.id, from: at(61) })
  await moved(next.id, [{ from: 65, leftPits: true }], 119)
  expect(await stints()).toMatchObject([
    { driverId: marta.id, to: at(61) },
    { id: next.id, driverId: theo.id, from: at(61) },
  ])
})

test('a driver who turns out to have driven on has one stint, also by a repetition', async () => {
  const { session, next, marta, at, edit } = await swapped()
  const change = { kind: 'change', stintId: next.id, driverId: marta.id, from: at(62) } as const
  const once = await edit(session.id, change)
  expect(once).toMatchObject([{ driverId: marta.id, from: at(0), to: null }])
  expect(await edit(session.id, change)).toEqual(once)
})

test('a stint that began with a phone is removed and comes back by hand, not the first', async () => {
  const { session, next, marta, theo, at, edit } = await swapped()
  const removed = { kind: 'remove', stintId: next.id } as const
  const wrong = { ...removed, was: { driverId: marta.id, from: at(62) } }
  await expect(edit(session.id, wrong)).rejects.toMatchObject({ detail: 'entry-changed' })
  const once = await edit(session.id, removed)
  expect(once).toMatchObject([{ driverId: marta.id, from: at(0), to: null }])
  expect(await edit(next.id, removed)).toEqual(once)
  const first = { kind: 'remove', stintId: session.id } as const
  await expect(edit(next.id, first)).rejects.toMatchObject({ fields: { stintId: 'stint-first' } })
  const added = { kind: 'add', stintId: randomUUID(), driverId: theo.id, from: at(62) } as const
  expect(await edit(session.id, added)).toMatchObject([{ to: at(62) }, { id: added.stintId }])
})

test('the same change on the wall and by the next phone is one, and so is its undo', async () => {
  const { session, marta, theo, at } = await swapped()
  const { stints } = scene.ana.call
  // The phone of Leo had no network.
  const change = driverChange(scene.leo, session.id, theo.id, { from: at(61) })
  const merged = await change.send()
  expect(merged.stints).toMatchObject([
    { driverId: marta.id, to: at(61) },
    { id: change.stintId, driverId: theo.id, from: at(61), to: null },
  ])
  expect(await change.send()).toEqual(merged)
  const undone = await stints.remove({ sessionId: session.id, stintId: change.stintId })
  expect(undone.stints).toMatchObject([{ driverId: marta.id, from: at(0), to: null }])
  expect(await change.send()).toEqual(undone)
})

/** Théo is entered in two stops within ten minutes, before the positions of either stop arrive. */
async function twoStops() {
  const race = await scene.startRace()
  const { session, theo, at, waitUntil, moved, visit } = race
  const sessionId = session.id
  waitUntil(61)
  const first = driverChange(scene.ana, sessionId, theo.id)
  await first.send()
  waitUntil(67)
  const second = driverChange(scene.ana, sessionId, theo.id)
  expect((await second.send()).stints).toHaveLength(2)
  const stints = async () => (await scene.ana.call.carRaces.ofSession({ sessionId })).stints
  const positionsArrive = async () => {
    waitUntil(70)
    await visit(60, 62)
    await visit(66, 68)
    await moved(sessionId, [{ from: 0 }], 69)
  }
  const remove = ({ stintId }: typeof first) => scene.ana.call.stints.remove({ sessionId, stintId })
  const edit = async (change: StintEdit) =>
    (await scene.ana.call.stints.edit({ sessionId, edits: [change] })).stints
  const one = { id: first.stintId, driverId: theo.id, from: at(61) }
  const two = { id: second.stintId, driverId: theo.id, from: at(67), to: null }
  return { ...race, first, second, one, two, stints, positionsArrive, remove, edit }
}

test('the same driver in two stops has two stints, also if the positions arrive later', async () => {
  const { first, second, one, two, stints, positionsArrive } = await twoStops()
  await positionsArrive()
  expect(await stints()).toMatchObject([{}, { ...one, to: two.from }, two])
  expect((await first.send()).stints).toHaveLength(3)
  expect((await second.send()).stints).toHaveLength(3)
})

test('each of these two stints is removed by itself', async () => {
  for (const isFirst of [true, false]) {
    const { first, second, one, two, stints, positionsArrive, remove } = await twoStops()
    await positionsArrive()
    await remove(isFirst ? first : second)
    expect(await stints()).toMatchObject([{}, isFirst ? two : { ...one, to: null }])
    await remove(isFirst ? second : first)
    expect(await stints()).toHaveLength(1)
  }
})

test('a change that was undone before the positions arrive takes no other stop along', async () => {
  const { first, second, one, stints, positionsArrive, remove } = await twoStops()
  await remove(second)
  expect(await stints()).toHaveLength(1)
  await positionsArrive()
  expect(await stints()).toMatchObject([{}, { ...one, to: null }])
  await second.send()
  expect(await stints()).toHaveLength(2)
  await remove(first)
  expect(await stints()).toHaveLength(1)
})

test('a correction of the later one of these two stints stays, whatever arrives', async () => {
  const { two, marta, at, stints, positionsArrive, edit } = await twoStops()
  await positionsArrive()
  const { driverId, from } = two
  const change = { kind: 'change', stintId: two.id, was: { driverId, from } } as const
  // This is outside both visits, and would be the stop before without the person's word.
  const corrected = { driverId: marta.id, from: at(64) }
  await edit({ ...change, ...corrected })
  expect(await stints()).toMatchObject([{}, {}, { id: two.id, ...corrected }])
})

test('a phone that drives again begins a stint of who drove last with it', async () => {
  const { session, next, marta, theo, at, waitUntil, moved, visit, edit } = await swapped()
  waitUntil(180)
  await visit(119, 122, next.id)
  await moved(next.id, [{ from: 62, to: 119, leftPits: true }], 180)
  await moved(
    session.id,
    [
      { from: 0, to: 60 },
      { from: 121, leftPits: true },
    ],
    180,
  )
  const id = stintIdOfRun(session.id, 1)
  const { stints } = await scene.ana.call.carRaces.ofSession({ sessionId: session.id })
  expect(stints.slice(1)).toMatchObject([
    { driverId: theo.id, from: at(62), to: at(121) },
    { id, sessionId: session.id, driverId: marta.id, from: at(121), to: null },
  ])
  const corrected = { kind: 'change', stintId: id, driverId: theo.id, from: at(121) } as const
  expect((await edit(next.id, corrected)).at(-1)).toMatchObject({ driverId: theo.id })
})

test('entries may be of the whole race of the car, whatever session they are made in', async () => {
  const { session, next, marta, theo, at, raceId, waitUntil } = await swapped()
  const { fills, sessions, races } = scene.ana.call
  const change = (minute: number, driverId = marta.id) =>
    driverChange(scene.ana, next.id, driverId, { from: at(minute) }).send()
  const fill = (minute: number) =>
    fills.add({
      sessionId: next.id,
      fillId: randomUUID(),
      litres: 30,
      kind: 'part',
      at: at(minute),
    })
  expect((await change(30, theo.id)).stints[1]).toMatchObject({ from: at(30), sessionId: next.id })
  expect(await fill(20)).toMatchObject([{ at: at(20) }])
  const early = { fields: { from: 'stint-time' } }
  await expect(change(-1)).rejects.toMatchObject(early)
  await expect(fill(-1)).rejects.toMatchObject({ fields: { at: 'fill-time' } })
  for (const { id } of [session, next]) await sessions.end({ sessionId: id })
  // The next phone may follow.
  waitUntil(130)
  expect(await fill(125)).toHaveLength(2)
  await races.end({ raceId })
  await expect(change(128)).rejects.toMatchObject(early)
  await expect(fill(128)).rejects.toMatchObject({ fields: { at: 'fill-time' } })
  expect(await fill(110)).toHaveLength(3)
})

test('the fuel at the start is one of the car, also if two sessions had one', async () => {
  const { session, next, at } = await swapped()
  const { fills, stints } = scene.ana.call
  await stints.setCar({ sessionId: next.id, carId: null })
  await fills.setStart({ sessionId: next.id, litres: 40 })
  await fills.setStart({ sessionId: session.id, litres: 90 })
  await stints.setCar({ sessionId: next.id, carId: session.car!.id })
  const { ofSession } = scene.ana.call.carRaces
  expect((await ofSession({ sessionId: next.id })).fills).toMatchObject([
    { litres: 90, at: at(0) },
    { litres: 40, at: at(50) },
  ])
  expect(await fills.setStart({ sessionId: next.id, litres: 80, was: 90 })).toMatchObject([
    { id: session.id, litres: 80, kind: 'start', at: at(0) },
  ])
  expect(await fills.setStart({ sessionId: next.id, litres: null })).toEqual([])
  await expect(
    fills.add({ sessionId: next.id, fillId: session.id, litres: 5, kind: 'part' }),
  ).rejects.toMatchObject({ fields: { fillId: 'not-valid' } })
})

test('a correction of a stint with an entry needs room for one more, others for two', async () => {
  const { session, next, marta, theo, at, edit } = await swapped()
  const { db } = scene.app.database
  const now = new Date(at(100))
  const stored = async () =>
    (
      await db
        .selectFrom('stints')
        .select('id')
        .where('session_id', 'in', [session.id, next.id])
        .execute()
    ).length
  const free = storedBounds.stints.max - (await stored())
  await sql`
    insert into stints (session_id, id, from_at, removed_at)
    select ${session.id}::uuid, gen_random_uuid(), ${now}::timestamptz, ${now}::timestamptz
    from generate_series(1, ${free - 1}::int)`.execute(db)
  const corrected = { kind: 'change', stintId: next.id, driverId: marta.id, from: at(62) } as const
  expect((await edit(next.id, corrected)).at(-1)?.driverId).toBe(marta.id)
  expect(await stored()).toBe(storedBounds.stints.max)
  // A stint that follows from a run alone has no row: its correction is a second one.
  await db.deleteFrom('stints').where('id', '=', next.id).execute()
  await expect(
    edit(next.id, { ...corrected, driverId: theo.id, from: at(63) }),
  ).rejects.toMatchObject({
    detail: 'stints-too-many',
  })
  expect(await stored()).toBe(storedBounds.stints.max - 1)
})

test('one entry of a car too many is refused, also on the page of another session', async () => {
  const { session, next, marta, theo, at, edit } = await swapped()
  const { db } = scene.app.database
  const now = new Date(at(100))
  await sql`
    insert into stints (session_id, id, from_at, removed_at)
    select ${session.id}::uuid, gen_random_uuid(), ${now}::timestamptz, ${now}::timestamptz
    from generate_series(1, ${storedBounds.stints.max}::int)`.execute(db)
  await sql`
    insert into fills (session_id, id, at, litres, kind, removed_at)
    select ${session.id}::uuid, gen_random_uuid(), ${now}::timestamptz, 1, 'part', ${now}::timestamptz
    from generate_series(1, ${storedBounds.fills.max}::int)`.execute(db)
  const change = driverChange(scene.ana, next.id, theo.id)
  const tooMany = { detail: 'stints-too-many' }
  await expect(change.send()).rejects.toMatchObject(tooMany)
  const corrected = { kind: 'change', stintId: next.id, driverId: marta.id, from: at(62) } as const
  await expect(edit(session.id, corrected)).rejects.toMatchObject(tooMany)
  // A stint that follows from a run alone has no row.
  await db.deleteFrom('stints').where('id', '=', next.id).execute()
  const removed = { kind: 'remove', stintId: next.id } as const
  await expect(edit(session.id, removed)).rejects.toMatchObject(tooMany)
  await expect(
    scene.ana.call.fills.add({
      sessionId: next.id,
      fillId: randomUUID(),
      litres: 5,
      kind: 'part',
    }),
  ).rejects.toMatchObject({ detail: 'fills-too-many' })
})
