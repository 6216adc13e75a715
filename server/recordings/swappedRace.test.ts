import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { Fix } from '#contract/positions.ts'
import { carPlan } from '#racing/race/carPlan.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { stintOfLap } from '#racing/race/stintOfLap.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { swap, swapOfPhones } from '#testing/live/swapOfPhones.ts'

test('all reads of a race with a swap have the same laps, stints and drivers', async () => {
  const clock = heldClock()
  await using scene = await liveScene(clock)
  const { ana, leo } = scene
  const { team, session, next, marta, theo, stored, upload, reported } = await swapOfPhones(scene)
  await upload.first(reported.first)
  await upload.next(reported.next)
  await expect
    .poll(async () => {
      clock.pass(2000)
      return (await stored()).runs.map(({ sessionId }) => sessionId)
    })
    .toEqual([session.id, next.id])
  for (const { id: sessionId } of [session, next])
    await ana.call.messages.set({ sessionId, type: 'Push', commandId: randomUUID() })

  // The wall, and every page of either phone, whoever reads it.
  const race = await stored()
  for (const { call } of [ana, leo])
    for (const { id: sessionId } of [session, next])
      expect(await call.carRaces.ofSession({ sessionId })).toEqual(race)
  const carRace = carRaceOf(race)
  expect(race.stints).toMatchObject([
    { number: 1, driverId: marta.id, sessionId: session.id },
    { number: 2, driverId: theo.id, sessionId: next.id, to: null },
  ])
  expect(race.stints[0]!.to).toBe(race.stints[1]!.from)

  // The laps of each phone are those of its session.
  for (const { sessionId, laps } of race.phones) {
    const list = await ana.call.laps.list({ sessionId })
    expect(list.laps).toMatchObject(laps)
    expect(list.laps).toHaveLength(laps.length)
  }

  // The table of laps, for the page of either phone.
  const read = async (sessionId: SessionId, name: string) => {
    const response = await fetch(`${scene.app.url}/api/v1/sessions/${sessionId}/${name}`, {
      headers: { cookie: ana.jar.header },
    })
    return parse(await response.text(), { columns: true }) as Record<string, string>[]
  }
  const names = new Map([
    [marta.id, marta.name],
    [theo.id, theo.name],
  ])
  const laps = await read(session.id, 'laps.csv')
  expect(await read(next.id, 'laps.csv')).toEqual(laps)
  expect(laps).toMatchObject(
    carRace.laps.map(lap => {
      const stint = stintOfLap(lap, race.stints)!
      return {
        lap: String(lap.number),
        started: new Date(lap.startedAt).toISOString(),
        kind: lap.kind,
        driver: names.get(stint.driverId!),
        stint: String(stint.number),
        session: lap.sessionId === session.id ? session.name : next.name,
      }
    }),
  )
  expect(new Set(laps.map(({ driver }) => driver))).toEqual(new Set(names.values()))

  // A message goes to the phone in the car, and names its driver.
  expect(await read(session.id, 'messages.csv')).toEqual([])
  const sent = await read(next.id, 'messages.csv')
  expect(sent.map(({ driver }) => driver)).toEqual([theo.name, theo.name])

  // The lists of sessions, the plan, and the clock of the stint.
  const active = await ana.call.sessions.listActive({ teamId: team.id })
  const drivers = new Map(active.map(({ id, currentDriver }) => [id, currentDriver?.id]))
  expect([drivers.get(session.id), drivers.get(next.id)]).toEqual([marta.id, theo.id])
  const nowMs = race.stints[1]!.from + 60_000
  // A race in laps needs a lap time.
  const planned = carPlan({ ...carRace, plan: { ...carRace.plan!, lapMs: 95_000 } }, nowMs)!
  expect(planned.request.driven.map(({ driver }) => driver)).toEqual([marta.id, theo.id])
  const inStint = carStrategy(carRace, nowMs).stint!.elapsedMs
  expect(planned.request.nowMs - planned.request.driven[1]!.fromMs).toBe(inStint)
})

test('changed laps of the phone before reach the screens of the phone in the car', async () => {
  const clock = heldClock()
  await using scene = await liveScene(clock)
  const { ana } = scene
  const { session, next, startMs, stored, upload, reported } = await swapOfPhones(scene)
  const isLate = ({ at }: Fix) => Math.abs(at - startMs - swap.lineMs) < 10_000
  await upload.first(reported.first.filter(fix => !isLate(fix)))
  await upload.next(reported.next)
  const timed = () => {
    clock.pass(2000)
    return stored()
  }
  await expect.poll(async () => (await timed()).runs.at(-1)?.sessionId).toBe(next.id)
  await expect.poll(async () => (await timed()).phones[1]?.laps.length).toBe(2)

  const before = (await stored()).phones[0]!.laps
  const screen = await subscribedConnection(ana, `session:${next.id}`)
  const { startedAt } = before[1]!
  await ana.call.laps.mark({ sessionId: session.id, at: startedAt + 20_000, marked: true })
  await screen.next('race-changed')
  expect((await stored()).phones[0]!.laps[1]).toMatchObject({ yellow: true })

  await upload.first(reported.first.filter(isLate))
  await expect.poll(async () => (await timed()).phones[0]?.laps[1]?.startedAt).not.toBe(startedAt)
  await screen.next('race-changed')
})
