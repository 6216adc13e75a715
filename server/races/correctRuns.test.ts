import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunDecision } from '#contract/carRaces.ts'
import type { SessionId } from '#contract/ids.ts'
import type { RefusalDetail } from '#contract/shared/refusalDetails.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { type PhoneSwapScene, phoneSwapScene } from '#testing/live/phoneSwapScene.ts'
import { addMember } from '#testing/people/addMember.ts'

let scene: PhoneSwapScene
beforeAll(async () => {
  scene = await phoneSwapScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** The phone of Leo drives for an hour, then that of Ana. */
async function swapped() {
  const race = await scene.startSwappedRace()
  await race.moved(race.next.id, [{ from: 62, leftPits: true }], 119)
  return race
}

const correction = (sessionId: SessionId, ...decisions: RunDecision[]) => ({
  sessionId,
  correctionId: randomUUID(),
  decisions,
})

const refusedWith = (detail: RefusalDetail) => ({ code: 'invalid-input', detail })

test('a person moves the boundary of two runs, and evidence does not move it back', async () => {
  const { session, next, at, moved } = await swapped()
  const { carRaces } = scene.ana.call
  const moves = correction(next.id, { phone: next.id, from: at(58), until: at(64) })
  const race = await carRaces.correctRuns(moves)
  const { correctionId } = moves
  expect(race.runs).toEqual([
    { sessionId: session.id, from: at(0), until: at(58), decidedBy: 'moved' },
    {
      sessionId: next.id,
      from: at(58),
      until: null,
      decidedBy: 'person',
      correctionId,
      by: 'Ana Tester',
    },
  ])
  await moved(session.id, [{ from: 0, to: 61 }], 119)
  await moved(next.id, [{ from: 63, leftPits: true }], 119)
  const { ofSession } = carRaces
  expect((await ofSession({ sessionId: session.id })).runs).toEqual(race.runs)

  const undone = await carRaces.undoCorrection({ sessionId: session.id, correctionId })
  expect(undone.runs).toMatchObject([{ until: at(63) }, { from: at(63), decidedBy: 'moved' }])
  expect(await carRaces.undoCorrection({ sessionId: session.id, correctionId })).toEqual(undone)
  // A late repetition.
  expect(await carRaces.correctRuns(moves)).toEqual(undone)
})

test('a person removes a run, and decides which phone is in the car from now on', async () => {
  const { session, next, at, waitUntil, moved } = await swapped()
  const { carRaces } = scene.leo.call
  const none = await carRaces.correctRuns(
    correction(session.id, { phone: null, from: at(10), until: at(20) }),
  )
  expect(none.runs).toMatchObject([
    { sessionId: session.id, until: at(10) },
    { sessionId: null, from: at(10), until: at(20), by: 'Leo Tester' },
    { sessionId: session.id, from: at(20), until: at(62) },
    { sessionId: next.id, from: at(62), until: null },
  ])
  // A time in the future is now.
  const now = correction(session.id, { phone: session.id, from: at(500), until: null })
  expect((await carRaces.correctRuns(now)).runs.slice(3)).toMatchObject([
    { sessionId: next.id, until: at(120) },
    { sessionId: session.id, from: at(120), until: null, decidedBy: 'person' },
  ])
  // Later the phones decide again.
  waitUntil(150)
  await moved(session.id, [{ from: 0, to: 60 }], 150)
  await moved(
    next.id,
    [
      { from: 62, to: 119, leftPits: true },
      { from: 140, leftPits: true },
    ],
    150,
  )
  expect((await carRaces.ofSession({ sessionId: session.id })).runs.at(-1)).toMatchObject({
    sessionId: next.id,
    from: at(140),
  })
})

test('the newest correction wins, and what it replaced counts again once it is undone', async () => {
  const { session, next, at } = await swapped()
  const { carRaces } = scene.ana.call
  const first = correction(session.id, { phone: next.id, from: at(55), until: at(70) })
  const second = correction(session.id, { phone: session.id, from: at(52), until: at(66) })
  const once = await carRaces.correctRuns(first)
  const twice = await carRaces.correctRuns(second)
  expect(twice.runs).toMatchObject([{ until: at(66) }, { sessionId: next.id, from: at(66) }])
  const { correctionId } = second
  const undone = await carRaces.undoCorrection({ sessionId: session.id, correctionId })
  expect(undone.runs).toEqual(once.runs)
})

test('a correction that cannot be is refused with the reason, as a whole', async () => {
  const { session, next, raceId, at } = await swapped()
  const { carRaces, sessions, races } = scene.ana.call
  const before = await carRaces.ofSession({ sessionId: session.id })
  const refused = (detail: RefusalDetail, ...decisions: RunDecision[]) =>
    expect(carRaces.correctRuns(correction(session.id, ...decisions))).rejects.toMatchObject(
      refusedWith(detail),
    )
  const own = { phone: session.id, from: at(10), until: at(20) }
  await refused('run-times', { ...own, until: at(10) })
  await refused('run-times', { ...own, from: at(500), until: at(501) })
  await refused('runs-overlap', own, { phone: next.id, from: at(19), until: at(30) })
  await refused('runs-overlap', { ...own, until: null }, { ...own, from: at(60), until: at(70) })
  await refused('runs-overlap', { ...own, from: at(30), until: at(40) }, own)
  await refused('run-outside-race', { ...own, from: at(0) - 1 })
  await refused('run-outside-race', { ...own, phone: null, from: at(0) - 1 })
  await refused('run-outside-session', own, { phone: next.id, from: at(49), until: at(60) })
  await sessions.end({ sessionId: next.id })
  await refused('run-outside-session', { phone: next.id, from: at(120), until: null })
  await races.end({ raceId, at: at(100) })
  await refused('run-outside-race', { ...own, from: at(100), until: at(110) })
  const { runs } = await carRaces.ofSession({ sessionId: session.id })
  expect(runs.map(({ from }) => from)).toEqual(before.runs.map(({ from }) => from))
})

test('a person decides after the race which phone is in the car from now on', async () => {
  const { session, next, raceId, at } = await swapped()
  const { carRaces, races } = scene.ana.call
  await races.end({ raceId, at: at(110) })
  const now = correction(session.id, { phone: session.id, from: at(120), until: null })
  expect((await carRaces.correctRuns(now)).runs).toMatchObject([
    { sessionId: session.id },
    { sessionId: next.id, until: at(120) },
    { sessionId: session.id, from: at(120), until: null, decidedBy: 'person' },
  ])
})

test('a correction that goes beyond the end of the race ends with it', async () => {
  const { session, next, raceId, at } = await swapped()
  const { carRaces, races } = scene.ana.call
  await races.end({ raceId, at: at(100) })
  const beyond = correction(session.id, { phone: session.id, from: at(90), until: at(110) })
  expect((await carRaces.correctRuns(beyond)).runs).toMatchObject([
    { sessionId: session.id },
    { sessionId: next.id, until: at(90) },
    { sessionId: session.id, from: at(90), until: at(100), decidedBy: 'person' },
    { sessionId: next.id, from: at(100), until: null },
  ])
})

test('a correction from an old view does not replace a newer one', async () => {
  const { session, next, at } = await swapped()
  const { carRaces } = scene.ana.call
  const was = (await carRaces.ofSession({ sessionId: session.id })).corrections
  const first = correction(session.id, { phone: next.id, from: at(55), until: at(70) })
  const decided = await carRaces.correctRuns({ ...first, was })
  const old = correction(session.id, { phone: session.id, from: at(52), until: at(66) })
  await expect(scene.leo.call.carRaces.correctRuns({ ...old, was })).rejects.toMatchObject(
    refusedWith('run-corrected'),
  )
  expect(await carRaces.ofSession({ sessionId: session.id })).toEqual(decided)
  // A repetition of what was stored is none.
  expect(await carRaces.correctRuns({ ...first, was })).toEqual(decided)
  const { correctionId } = first
  await carRaces.undoCorrection({ sessionId: session.id, correctionId })
  await expect(carRaces.correctRuns({ ...old, was: decided.corrections })).rejects.toMatchObject(
    refusedWith('run-corrected'),
  )
  const { corrections } = await carRaces.ofSession({ sessionId: session.id })
  await carRaces.correctRuns({ ...old, was: corrections })
})

test('a phone without a session of the car is not found', async () => {
  const { session, car44, at } = await swapped()
  const other = await swapped()
  const mia = await scene.app.person('Mia')
  const open = correction(session.id, { phone: session.id, from: at(70), until: null })
  await expect(mia.call.carRaces.correctRuns(open)).rejects.toMatchObject({ code: 'not-a-member' })
  const { teamId } = session
  await addMember(scene.ana, teamId, mia)
  const foreign = await mia.call.sessions.start({ teamId, name: 'Car 44', carId: car44.id })
  for (const phone of [foreign.id, other.session.id, randomUUID()])
    await expect(
      scene.ana.call.carRaces.correctRuns(
        correction(session.id, { phone, from: at(70), until: null }),
      ),
    ).rejects.toMatchObject({ code: 'not-found' })
})

test('a session that drives no race or no car has no runs to correct', async () => {
  const { session } = await scene.newSession()
  const { carRaces } = scene.ana.call
  const decision = { phone: session.id, from: session.startedAt, until: null }
  await expect(carRaces.correctRuns(correction(session.id, decision))).rejects.toMatchObject(
    refusedWith('run-without-race'),
  )
})

test('one correction too many is refused', async () => {
  const { session, car, raceId, at } = await swapped()
  await sql`
    insert into run_corrections (race_id, car_id, id, decisions, decided_at, removed_at)
    select ${raceId}::uuid, ${car.id}::uuid, gen_random_uuid(), '[]', now(), now()
    from generate_series(1, ${storedBounds.runCorrections.max}::int)`.execute(scene.app.database.db)
  await expect(
    scene.ana.call.carRaces.correctRuns(
      correction(session.id, { phone: session.id, from: at(10), until: at(20) }),
    ),
  ).rejects.toMatchObject(refusedWith('run-corrections-too-many'))
})

test('a correction about a session counts only in the car that the session drives', async () => {
  const { session, next, car44, at } = await swapped()
  const { carRaces, stints } = scene.ana.call
  const decided = await carRaces.correctRuns(
    correction(session.id, { phone: next.id, from: at(55), until: at(70) }),
  )
  const moved = await stints.setCar({ sessionId: next.id, carId: car44.id })
  expect(moved.runs).toMatchObject([{ from: at(62), decidedBy: 'moved' }])
  expect((await carRaces.ofSession({ sessionId: session.id })).runs).toMatchObject([
    { sessionId: session.id, from: at(0), until: null },
  ])
  await stints.setCar({ sessionId: next.id, carId: session.car!.id })
  expect((await carRaces.ofSession({ sessionId: session.id })).runs).toEqual(decided.runs)
})
