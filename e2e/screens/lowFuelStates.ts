import type { Page } from '@playwright/test'
import { minuteMs } from '#contract/shared/durations.ts'
import { exampleCar, exampleId } from '#testing/exampleRace.ts'
import { openBoard, openDrive, race, raceOfLaps } from './fuelStates.ts'
import { openMap, press } from './messageStates.ts'
import { closeOverlay } from './overlays.ts'
import { driving, type State, shared, watching } from './state.ts'
import { openCars } from './wallStates.ts'

const shows = /under \d L/

/** A car whose tank is almost empty: the ± of its level is larger than the level. */
export const lowFuelStates: readonly State[] = [
  watching('message-fuel-low', { ...shared, shows }, (page, stage) =>
    openBoard(page, stage, low()),
  ),
  watching('message-fuel-low-order', { from: 'message-fuel-low', leave: clear }, page =>
    press(page, 'PUSH', 'Shown after'),
  ),
  watching('message-due-order', { shows: 'Stint left' }, async (page, stage) => {
    await openBoard(page, stage, due())
    await press(page, 'PUSH', 'Shown after')
  }),
  watching('map-due-order', { from: 'message-due-order' }, openMap),
  watching('more-fuel-low', { from: 'message-fuel-low', leave: closeOverlay }, page =>
    page.getByRole('button', { name: 'More' }).click(),
  ),
  watching('map-fuel-low', { from: 'message-fuel-low' }, openMap),
  ...[1, 3, 10].map(count =>
    watching(`wall-fuel-low-cars${count}`, { shows }, (page, stage) =>
      openCars(page, stage, count, { driven: low() }),
    ),
  ),
  ...[3, 5].map(count =>
    watching(`television-fuel-low-cars${count}`, { shows }, (page, stage) =>
      openCars(page, stage, count, { driven: low(), query: '?big' }),
    ),
  ),
  driving('drive-fuel-low', { shows: 'this lap, fuel' }, (page, stage) =>
    openDrive(page, stage, low()),
  ),
]

/** Six crossings of the line, at 3.8 L a lap, since the tank of 24 L was full. */
function low() {
  const { entries, table } = race()
  const fullAt = (table.laps.at(-5)?.startedAt ?? 0) - 1000
  const car = exampleCar({ id: exampleId(12), tankL: 24, reserveL: 3, burnL: 3.8 })
  const fills = [{ id: exampleId(20), kind: 'full' as const, at: fullAt, litres: 20 }]
  return { entries: { ...entries, car, fills }, table }
}

/** The same in a stint beyond its limit, with a required stop that is missing. */
function due() {
  const { entries, table } = low()
  const { race, plan } = raceOfLaps(62.5).entries
  const inRace = race && { ...race, rules: { ...race.rules, maxStintMs: 40 * minuteMs } }
  return { entries: { ...entries, race: inRace ?? null, plan: plan ?? null }, table }
}

async function clear(page: Page) {
  await page.getByRole('button', { name: 'CLEAR', exact: true }).click()
  await page.getByText('No message').first().waitFor()
}
