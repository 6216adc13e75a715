import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { CarPhone, StoredCarRace } from '#contract/carRaces.ts'
import type { Lap, LapTable } from '#contract/laps.ts'
import type { LapKind } from '#contract/shared/lapKinds.ts'
import { swapScene } from '#testing/people/raceScene.ts'
import { routeCall } from '../callRoutes.ts'
import { test } from '../fixtures.ts'
import { changeResponse } from '../mockApi.ts'

const secondMs = 1000

test('all pages show the same laps, stints, stops and fuel of a race with a swap', async ({
  open,
  person,
}) => {
  const { ana, teamId, raceId, first, second } = await swapScene(person)
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await showSwap(page, { first: first.id, second: second.id })
  const at = (session: { id: string }, screen: string) => `/teams/${teamId}/${session.id}/${screen}`

  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article')
  await expect(lane).toHaveCount(1)
  await expect(lane).toContainText('Lap14')
  const fuel = await lane.locator('[data-cell="fuel"] b').textContent()
  expect(fuel).toMatch(/^\d+ L ±\d$/)
  const litres = Number.parseInt(fuel ?? '', 10)
  const pitIn = await lane.locator('[data-cell="pitIn"]').textContent()
  expect(pitIn).toMatch(/^Pit in: \w+?\d+ laps$/)

  let stintTime = ''
  // The page of either phone is that of the car.
  for (const session of [first, second]) {
    await page.goto(at(session, 'message'))
    const board = page.getByRole('region', { name: 'Current message' })
    await expect(board).toContainText('Lap14')
    // It falls within the lap.
    await expect(board).toContainText(new RegExp(`(${litres}|${litres - 1}) L ?±\\d`))
    await expect(board).toContainText(pitIn?.replace(/\d/, ' $&') ?? '')

    await page.goto(at(session, 'laps'))
    const stints = page.getByRole('button', { name: /^Stint \d/ })
    await expect(stints).toHaveCount(2)
    await expect(stints.first()).toContainText('Stint 2')
    await expect(stints.first()).toContainText('Mia Lang · Laps 9 to 13')
    await expect(stints.last()).toContainText('Leo Sommer · Laps 1 to 9')
    stintTime = /Stint 1 · ([\d:]+)/.exec((await stints.last().textContent()) ?? '')?.[1] ?? ''
    await expect(page.getByRole('figure')).toContainText('Lap times of 13 laps.')
    await expect(page.getByText("Mia's phone")).toHaveCount(1)

    await page.getByRole('link', { name: 'Correct driver changes' }).click()
    const entered = page.getByRole('list', { name: 'Stints of the car' }).getByRole('listitem')
    await expect(entered).toHaveCount(2)
    await expect(entered.first()).toContainText('Mia Lang')
    await expect(entered.first()).toContainText('Stint 2')
  }

  await page.goto(`/teams/${teamId}/races/${raceId}`)
  // Two of six: one without and one with a driver change.
  await expect(page.getByText('Stops left').locator('..')).toHaveText('Stops left4')
  const stint = (number: number) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: `${number}`, exact: true }) })
  await expect(stint(1)).toContainText('Leo Sommer')
  expect(stintTime).toBe('17:20')
  await expect(stint(1)).toContainText('17 min')
  await expect(stint(2)).toContainText('Mia Lang')
  await expect(stint(6)).toBeVisible()
})

interface Phones {
  first: string
  second: string
}

/** Shows a race in which the first phone stops once, and the second one takes over at the next stop. */
async function showSwap(page: Page, { first, second }: Phones) {
  const startedAt = Date.now() - 1730 * secondMs
  const before = lapsFrom(
    startedAt,
    ['out', 20],
    ...times(4, 'full'),
    ['pit', 250],
    ...times(3, 'full'),
    ['in', 80],
  )
  const inAt = endOf(before.at(-1))
  const outAt = inAt + 180 * secondMs
  const after = lapsFrom(outAt, ['out', 60], ...times(4, 'full'))
  const laps = new Map([
    [first, before],
    [second, after],
  ])
  const stopAt = before[5]?.startedAt ?? 0
  const firstStop = visitOf(stopAt + 60 * secondMs, stopAt + 220 * secondMs)
  const secondStop = visitOf(inAt - 10 * secondMs, outAt)
  const seen: Partial<CarPhone>[] = [
    { laps: before, visits: [firstStop, { ...secondStop, endedAt: null, leftAt: null }] },
    { laps: after, leftPitsAt: [outAt] },
  ]
  const drivers = ['Leo Sommer', 'Mia Lang'].map(name => ({
    id: randomUUID(),
    name,
    userId: null,
    archived: false,
  }))
  const [leo, mia] = drivers.map(({ id }) => id)
  // The tank lasts for more than an hour.
  const fill = { litres: 8 }
  await routeCall(page, 'laps.list', route => {
    const own = laps.get(route.url.searchParams.get('sessionId') ?? '') ?? []
    const table: LapTable = {
      lapTiming: true,
      circuit: null,
      gpsPoor: false,
      laps: own,
      pending: false,
    }
    return route.fulfill({ json: table })
  })
  const swapped = (stored: StoredCarRace) => ({
    ...stored,
    drivers,
    race: stored.race && {
      ...stored.race,
      length: { in: 'time', ms: 4 * 3600 * secondMs },
      startedAt,
      rules: { ...stored.race.rules, stops: { kind: 'count', count: 6 } },
    },
    phones: stored.phones.map((phone, index) => ({ ...phone, startedAt, ...seen[index] })),
    runs: [
      { sessionId: first, from: startedAt, until: outAt, decidedBy: 'moved' },
      { sessionId: second, from: outAt, until: null, decidedBy: 'moved' },
    ],
    stints: [
      { id: first, number: 1, sessionId: first, driverId: leo ?? null, from: startedAt, to: outAt },
      { id: second, number: 2, sessionId: second, driverId: mia ?? null, from: outAt, to: null },
    ],
    fills: [
      { ...fill, id: randomUUID(), kind: 'start', litres: 90, at: startedAt },
      { ...fill, id: randomUUID(), kind: 'full', at: firstStop.leftAt },
      { ...fill, id: randomUUID(), kind: 'full', at: secondStop.leftAt },
    ],
  })
  for (const call of ['carRaces.ofSession', 'carRaces.ofRace'] as const)
    await changeResponse<StoredCarRace>(page, call, swapped)
}

function times(count: number, kind: LapKind): [LapKind, number][] {
  return Array.from({ length: count }, () => [kind, 100])
}

/** Laps in order of time, with their lengths in seconds. */
function lapsFrom(startMs: number, ...parts: readonly [LapKind, number][]): Lap[] {
  let startedAt = startMs
  return parts.map(([kind, seconds], number) => {
    const timeMs = seconds * secondMs
    const marks = { yellow: false, yellowMessage: null, marked: false }
    const lap: Lap = { number, startedAt, timeMs, plusMinusMs: 200, kind, isSeen: true, ...marks }
    startedAt += timeMs
    return lap
  })
}

function endOf(lap: Lap | undefined): number {
  return lap ? lap.startedAt + lap.timeMs : 0
}

function visitOf(startedAt: number, endedAt: number) {
  const margin = 15 * secondMs
  return { startedAt, endedAt, stoppedAt: startedAt + margin, leftAt: endedAt - margin }
}
