import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fix } from '#contract/positions.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { pitRace, reportedFixes } from '#testing/live/pitRace.ts'
import { swap, swapOfPhones } from '#testing/live/swapOfPhones.ts'
import { patience } from '#testing/patience.ts'

const clock = heldClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Drives of several minutes are timed up to three times. */
const timeout = 40_000 * patience

test('the next phone takes over where it leaves the pits, in any order of its fixes', {
  timeout,
}, async () => {
  const found = []
  for (const order of ['first', 'next', 'mixed']) {
    const { session, next, theo, startMs, stored, upload, reported } = await swapOfPhones(scene)
    const [earlyOfFirst, lateOfFirst] = halves(reported.first)
    const [earlyOfNext, lateOfNext] = halves(reported.next)
    if (order === 'first') await upload.first(reported.first)
    if (order === 'mixed') {
      await upload.next(lateOfNext)
      await upload.first(lateOfFirst)
      await upload.next(earlyOfNext)
      await upload.first(earlyOfFirst)
    } else await upload.next(reported.next)
    if (order === 'next') await upload.first(reported.first)
    await expect
      .poll(async () => {
        clock.pass(2000)
        return (await stored()).runs.map(({ sessionId }) => sessionId)
      })
      .toEqual([session.id, next.id])
    const { runs, stints, ...rest } = await stored()
    expect(Math.abs(runs[1]!.from - startMs - swap.leftPitsMs)).toBeLessThan(30_000)
    expect(stints.map(({ driverId }) => driverId)).toEqual([expect.any(String), theo.id])
    const { laps, visits } = carRaceOf({ runs, stints, ...rest })
    expect(visits).toHaveLength(1)
    // The lap out of the pits began at the line with the phone before.
    expect(laps.map(({ number, sessionId }) => [number, sessionId])).toEqual([
      ...[0, 1].map(number => [number, session.id]),
      ...[2, 3].map(number => [number, next.id]),
    ])
    found.push([runs[0]!.from, runs[1]!.from].map(at => at - startMs))
  }
  expect(found[1]).toEqual(found[0])
  expect(found[2]).toEqual(found[0])
})

function halves(fixes: readonly Fix[]): [Fix[], Fix[]] {
  const middle = fixes.length / 2
  return [fixes.slice(0, middle), fixes.slice(middle)]
}

test('a phone takes over from one of which nothing arrives, and gives back', {
  timeout,
}, async () => {
  const { session, next, startMs, stored, upload } = await swapOfPhones(scene)
  // Both phones are in the car. That of Leo has a dead battery on its second lap, or no network.
  const fixes = reportedFixes(pitRace([{}, {}, {}, {}, {}, {}]), startMs)
  const until = (minute: number) => fixes.filter(({ at }) => at < startMs + minute * 60_000)
  const shown = async () => {
    clock.pass(2000)
    const { runs, unsure } = await stored()
    return { phones: runs.map(({ sessionId }) => sessionId), unsure }
  }
  const silentMs = until(3).at(-1)!.at
  await upload.first(until(3))
  await expect.poll(shown).toEqual({ phones: [session.id], unsure: [] })
  await upload.next(until(7))
  await expect.poll(shown).toEqual({ phones: [session.id], unsure: [next.id] })
  await upload.next(fixes.slice(until(7).length))
  await expect.poll(shown).toEqual({ phones: [session.id, next.id], unsure: [] })
  expect((await stored()).runs).toMatchObject([
    { until: silentMs },
    { from: silentMs, until: null },
  ])
  // It had no network: the car was not driven by another phone.
  await upload.first(fixes.slice(until(3).length))
  await expect.poll(shown).toEqual({ phones: [session.id], unsure: [] })
})

test('an order reaches the phone that moves off in the pits within seconds (M10)', {
  timeout,
}, async () => {
  const { session, next, startMs, stored, upload, reported } = await swapOfPhones(scene)
  const until = (fixes: readonly Fix[], ms: number) => fixes.filter(({ at }) => at < startMs + ms)
  const inCar = async () => {
    clock.pass(2000)
    const { runs, unsure } = await stored()
    return { phones: runs.map(({ sessionId }) => sessionId), unsure }
  }
  const movesOffMs = reported.next.find(({ speedKmh }) => (speedKmh ?? 0) > 0)!.at - startMs
  await upload.first(until(reported.first, movesOffMs + 8000))
  await upload.next(until(reported.next, movesOffMs))
  await expect.poll(inCar).toEqual({ phones: [session.id], unsure: [] })
  await upload.next(until(reported.next, movesOffMs + 8000))
  await expect.poll(inCar).toEqual({ phones: [session.id], unsure: [next.id] })
  expect(movesOffMs + 8000).toBeLessThan(swap.leftPitsMs)
  const order = { sessionId: session.id, type: 'Go', commandId: crypto.randomUUID() } as const
  await scene.ana.call.messages.set(order)
  for (const sessionId of [session.id, next.id])
    expect(await scene.ana.call.sessions.get({ sessionId })).toMatchObject({
      message: { type: 'Go' },
    })
})

test('the last lap of a session that ended is in the race of its car', { timeout }, async () => {
  const { session, startMs, stored, upload, reported } = await swapOfPhones(scene)
  await upload.first(reported.first.filter(({ at }) => at < startMs + swap.atMs))
  const kinds = async () => {
    clock.pass(2000)
    const { phones } = await stored()
    const phone = phones.find(({ sessionId }) => sessionId === session.id)
    return phone?.laps.map(({ kind }) => kind)
  }
  await expect.poll(kinds).toEqual(['out', 'full'])
  await scene.leo.call.sessions.end({ sessionId: session.id })
  await expect.poll(kinds).toEqual(['out', 'full', 'in'])
})
