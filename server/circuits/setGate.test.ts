import { afterAll, beforeAll, expect, test } from 'vitest'
import { distanceM } from '#contract/shared/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { drivenFixes, uploadFixes } from '#testing/live/drivenLaps.ts'
import { subscribedConnection } from '#testing/live/liveScene.ts'
import { type TimedScene, timedScene } from '#testing/live/timedScene.ts'

let scene: TimedScene
beforeAll(async () => {
  scene = await timedScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('setting the line at the car times the laps again, and can be undone', async () => {
  const { sessionId, teamId, fixes, circuit } = await scene.learnedSession()
  const before = await scene.laps(sessionId)
  const car = fixes[250]!
  const wall = await subscribedConnection(scene.ana, `team:${teamId}`)

  const at = car.at + 400
  const moved = await scene.ana.call.circuits.setGate({ sessionId, gate: 'line', at })
  expect(moved.movedM).toBeGreaterThan(50)
  expect(moved.circuit).toMatchObject({
    version: circuit.version + 1,
    lineSource: 'tapped',
    canUndo: true,
    lineErrorM: expect.any(Number),
  })
  const here = { latitude: car.latitude!, longitude: car.longitude! }
  expect(distanceM(moved.circuit.line, here)).toBeLessThan(60)
  expect(nearestOnTrack(trackOf(circuit.outline), moved.circuit.line).offM).toBeLessThan(0.1)
  await wall.next('circuits-changed')
  const after = await scene.lapsThat(sessionId, all => all[1]?.startedAt !== before[1]?.startedAt)
  const crossings = after.map(({ startedAt, timeMs }) => startedAt + timeMs)
  expect(Math.min(...crossings.map(ms => Math.abs(ms - at)))).toBeLessThan(1000)

  const undone = await scene.ana.call.circuits.undo({
    teamId,
    circuitId: circuit.id,
    version: moved.circuit.version,
  })
  expect(undone).toMatchObject({ version: circuit.version + 2, line: circuit.line })
  await scene.lapsThat(sessionId, all => all[1]?.startedAt === before[1]?.startedAt)
  expect(await scene.laps(sessionId)).toEqual(before)
  const again = { teamId, circuitId: circuit.id, version: moved.circuit.version }
  await expect(scene.ana.call.circuits.undo(again)).rejects.toMatchObject({
    detail: 'circuit-changed',
  })
})

test('the line is placed on the drawing, and a pit lane is removed and restored', async () => {
  const { sessionId, teamId, fixes, circuit } = await scene.learnedSession()
  const ofCircuit = { teamId, circuitId: circuit.id }
  const place = circuit.outline[40]!
  const beside = { ...place, latitude: place.latitude + 0.01 }
  await expect(
    scene.ana.call.circuits.placeLine({ ...ofCircuit, place: beside }),
  ).rejects.toMatchObject({ detail: 'place-off-circuit' })
  const moved = await scene.ana.call.circuits.placeLine({ ...ofCircuit, place })
  expect(moved).toMatchObject({ lineSource: 'tapped', lineErrorM: null, canUndo: true })
  expect(distanceM(moved.line, place)).toBeLessThan(1)
  expect(await scene.ana.call.circuits.ofSession({ sessionId })).toMatchObject({
    version: moved.version,
  })

  await expect(scene.ana.call.circuits.removePitLane(ofCircuit)).rejects.toMatchObject({
    code: 'not-found',
  })
  for (const [gate, at] of [
    ['pit-in', fixes[200]!.at],
    ['pit-out', fixes[210]!.at],
  ] as const)
    await scene.leo.call.circuits.setGate({ sessionId, gate, at })
  const before = await scene.ana.call.circuits.get(ofCircuit)
  const removed = await scene.ana.call.circuits.removePitLane(ofCircuit)
  const { changes } = await scene.ana.call.teams.changes({ teamId })
  expect(changes.slice(0, 4).map(({ kind, actor }) => [kind, actor])).toEqual([
    ['pit-lane-changed', 'Ana Tester'],
    ['pit-lane-changed', 'Leo Tester'],
    ['pit-lane-changed', 'Leo Tester'],
    ['line-moved', 'Ana Tester'],
  ])
  expect(removed).toMatchObject({ pitIn: null, pitOut: null, pitLane: null, canUndo: true })
  const restored = await scene.ana.call.circuits.undo({
    ...ofCircuit,
    version: removed.version,
  })
  expect(restored.pitLane).toEqual(before.pitLane)
})

test('a driver who became a viewer sets the line and undoes it; other viewers do not', async () => {
  const { sessionId, teamId, fixes, circuit } = await scene.learnedSession()
  const { db } = scene.app.database
  await db
    .updateTable('team_access')
    .set({ role: 'viewer' })
    .where('team_id', '=', teamId)
    .where('user_id', '=', scene.leo.id)
    .execute()
  const at = fixes[250]!.at
  const { circuit: moved } = await scene.leo.call.circuits.setGate({
    sessionId,
    gate: 'line',
    at,
  })
  const { version } = moved
  const ofCircuit = { teamId, circuitId: circuit.id }
  expect(await scene.leo.call.circuits.undo({ ...ofCircuit, version })).toMatchObject({
    line: circuit.line,
  })
  const again = await scene.ana.call.circuits.setGate({ sessionId, gate: 'line', at })
  await scene.leo.call.sessions.end({ sessionId })
  await expect(
    scene.leo.call.circuits.undo({ ...ofCircuit, version: again.circuit.version }),
  ).rejects.toMatchObject({ code: 'view-only' })
})

test('a known circuit driven in reverse is timed, and its line can be set', async () => {
  const { sessionId, teamId, startMs } = await scene.pastSession()
  const forward = drivenFixes(startMs, { laps: 4 })
  const endMs = forward.at(-1)!.at
  const fixes = forward.toReversed().map(fix => ({ ...fix, at: startMs + endMs - fix.at }))
  await uploadFixes(scene.leo, sessionId, fixes)
  const timed = await scene.lapsThat(sessionId, ({ length }) => length >= 3)
  expect(timed.filter(({ kind }) => kind === 'full').length).toBeGreaterThanOrEqual(2)
  for (const { kind, timeMs } of timed.filter(lap => lap.kind === 'full'))
    expect([kind, Math.round(timeMs / 10_000)]).toEqual(['full', 10])
  const circuit = await scene.circuitThat(sessionId)
  expect(circuit.id).toBe('zolder')
  const sources = (await scene.ana.call.circuits.list({ teamId })).map(({ source }) => source)
  expect(sources).not.toContain('learned')

  // Two seconds after the last position: the car has driven on in its own direction.
  const [before, last] = [fixes.at(-2)!, fixes.at(-1)!]
  const { circuit: moved } = await scene.leo.call.circuits.setGate({
    sessionId,
    gate: 'line',
    at: last.at + 2000,
  })
  const place = (fix: typeof last) => ({ latitude: fix.latitude!, longitude: fix.longitude! })
  expect(distanceM(moved.line, place(before))).toBeGreaterThan(
    distanceM(moved.line, place(last)) + 10,
  )
})

test('two taps set the pit lane; a distant or unknown car position is refused', async () => {
  const { sessionId, teamId, fixes, circuit } = await scene.learnedSession()
  const set = (gate: 'pit-in' | 'pit-out' | 'line', at: number) =>
    scene.leo.call.circuits.setGate({ sessionId, gate, at })
  expect(await set('pit-in', fixes[200]!.at)).toMatchObject({
    movedM: null,
    circuit: { pitLane: null, pitOut: null },
  })
  const { circuit: both } = await set('pit-out', fixes[210]!.at)
  expect(both.pitLane).not.toBeNull()
  const undone = await scene.leo.call.circuits.undo({
    teamId,
    circuitId: circuit.id,
    version: both.version,
  })
  expect(undone).toMatchObject({ pitIn: both.pitIn, pitOut: null, pitLane: null })

  await expect(set('line', fixes.at(-1)!.at + 60_000)).rejects.toMatchObject({
    detail: 'car-unknown',
  })
  await uploadFixes(scene.leo, sessionId, [
    { ...fixes[0]!, at: fixes.at(-1)!.at + 120_000, latitude: 49.9, speedKmh: 0 },
  ])
  await expect(set('line', fixes.at(-1)!.at + 120_000)).rejects.toMatchObject({
    detail: 'car-off-circuit',
  })
  await scene.leo.call.sessions.end({ sessionId })
  await expect(set('pit-in', fixes[200]!.at)).rejects.toMatchObject({ code: 'session-ended' })
})

test('the line of an ended session is moved for it alone, and undone', async () => {
  const { sessionId, teamId, startMs } = await scene.pastSession()
  const fixes = drivenFixes(startMs, { laps: 4 })
  const driveAndEnd = async (id: string, driven: typeof fixes) => {
    await uploadFixes(scene.leo, id, driven)
    await scene.lapsThat(id, ({ length }) => length >= 3)
    await scene.leo.call.sessions.end({ sessionId: id })
    await scene.timedLaps(id)
  }
  await driveAndEnd(sessionId, fixes)
  const other = await scene.sessionIn(teamId)
  await driveAndEnd(other.sessionId, drivenFixes(other.startMs, { laps: 4 }))
  const [before, otherLaps] = [await scene.laps(sessionId), await scene.laps(other.sessionId)]
  const move = (at: number) => scene.ana.call.circuits.setGate({ sessionId, gate: 'line', at })
  await expect(scene.ana.call.circuits.setGate({ sessionId, gate: 'line' })).rejects.toMatchObject({
    code: 'session-ended',
  })

  const at = fixes[150]!.at
  const { circuit } = await move(at)
  const after = await scene.lapsThat(sessionId, all => all[1]?.startedAt !== before[1]?.startedAt)
  const crossings = after.map(({ startedAt, timeMs }) => startedAt + timeMs)
  expect(Math.min(...crossings.map(ms => Math.abs(ms - at)))).toBeLessThan(1000)

  const { version } = circuit
  await scene.ana.call.circuits.undo({ teamId, circuitId: circuit.id, version, sessionId })
  await scene.lapsThat(sessionId, all => all[1]?.startedAt === before[1]?.startedAt)
  expect(await scene.laps(sessionId)).toEqual(before)
  expect(await scene.laps(other.sessionId)).toEqual(otherLaps)

  // The oldest positions were dropped: timed again, the session would lose laps.
  const { db } = scene.app.database
  await db
    .deleteFrom('positions')
    .where('session_id', '=', sessionId)
    .where('at', '<', new Date(fixes[20]!.at))
    .execute()
  await expect(move(at)).rejects.toMatchObject({ detail: 'positions-expired' })
  await db
    .updateTable('team_access')
    .set({ role: 'viewer' })
    .where('team_id', '=', teamId)
    .where('user_id', '=', scene.leo.id)
    .execute()
  await expect(
    scene.leo.call.circuits.setGate({ sessionId, gate: 'line', at }),
  ).rejects.toMatchObject({ code: 'view-only' })
})

test('a team changes the line of a shipped circuit for itself only', async () => {
  const { sessionId, teamId, startMs } = await scene.pastSession()
  await uploadFixes(scene.leo, sessionId, drivenFixes(startMs, { laps: 3 }))
  await scene.lapsThat(sessionId, ({ length }) => length === 2)
  expect(await scene.circuitThat(sessionId)).toMatchObject({ id: 'zolder', version: 1 })
  const at = startMs + 150_000
  const moved = await scene.leo.call.circuits.setGate({ sessionId, gate: 'line', at })
  const { line, version } = moved.circuit
  expect(version).toBe(2)
  const mine = await scene.ana.call.circuits.get({ teamId, circuitId: 'zolder' })
  expect(mine).toMatchObject({ line, source: 'shipped', name: 'Circuit Zolder', lengthM: 4011 })
  const other = await scene.ana.call.teams.create({ name: 'Another' })
  const theirs = await scene.ana.call.circuits.get({
    teamId: other.id,
    circuitId: 'zolder',
  })
  expect(distanceM(theirs.line, line)).toBeGreaterThan(100)
})
