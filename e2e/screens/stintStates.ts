import { expect, type Page } from '@playwright/test'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import {
  exampleCar,
  exampleDrivers,
  exampleId,
  exampleRace,
  exampleStints,
} from '#testing/exampleRace.ts'
import { goOffline } from '../goOffline.ts'
import { refuse, respondWith } from '../mockApi.ts'
import { type RaceOfPhone, raceOf, respondWithRace } from '../raceAnswers.ts'
import { drive, tapUntilLeave } from './driveStates.ts'
import { showGlass } from './glassFrames.ts'
import { keepShown } from './keepShown.ts'
import { becomeViewer } from './network.ts'
import { closeOverlay } from './overlays.ts'
import type { Stage } from './stage.ts'
import { driving, type State, shared, unloaded, watching } from './state.ts'
import { visit } from './visit.ts'

/** The driver change on the phone and the message screen, its proposals, and the page that corrects stints. */
export const stintStates: readonly State[] = [
  driving('drive-driver', (page, stage) => standing(page, stage)),
  driving('drive-driver-choice', { from: 'drive-driver' }, openDriverList),
  driving('drive-driver-unsent', async (page, stage) => {
    await standing(page, stage)
    await openDriverList(page)
    await goOffline(page)
    await page.getByText('Offline').waitFor()
    await page.getByRole('button', { name: /^Noor Haddad/ }).click()
    await page.getByText('Not sent yet', { exact: true }).waitFor()
  }),
  driving('drive-driver-refused', { from: 'drive-driver-choice' }, async page => {
    await refuse(page, 'stints.add', 'view-only')
    await page.getByRole('button', { name: /^Noor Haddad/ }).click()
    await page.getByText('Driver not changed.').waitFor()
  }),
  driving('drive-driver-stop', async (page, stage) => {
    await standing(page, stage, { inPits: true })
    await page.getByRole('region', { name: 'Driver change?' }).waitFor()
  }),
  driving('drive-stop-flag', async (page, stage) => {
    await showGlass(page, { flag: null, tookMs: null })
    await openStop(page, stage, { hasPlan: false, officialTiming: true })
    await page.getByText('Flag not known').waitFor()
  }),
  driving('drive-stop-done', { shows: 'Minimum stop done' }, async (page, stage) => {
    await showGlass(page, { flag: 'Yellow', tookMs: 900 })
    await openStop(page, stage, { officialTiming: true, minimumMs: 30_000 })
  }),
  driving('drive-stop-leave', async (page, stage) => {
    await keepShown(page, 5000)
    const { id: sessionId } = await openStop(page, stage)
    await page.keyboard.down('p')
    await page.getByText('Tap to take it back').waitFor()
    await page.keyboard.up('p')
    const { messages, sessions } = stage.people.marta.call
    await expect(async () => {
      const { problem } = await sessions.get({ sessionId })
      await messages.gotIt({ sessionId, answerId: problem?.id ?? '' })
    }).toPass()
    await page.getByText('Got it by Marta').first().waitFor()
    await tapUntilLeave(page)
  }),
  driving('drive-stop-leave-dismissed', { from: 'drive-stop-leave' }, page =>
    page.getByRole('button', { name: 'No driver change' }).click(),
  ),
  driving('drive-stop-order', async (page, stage) => {
    await openStop(page, stage)
    await stage.send('SC')
    await page.getByRole('alert').getByText('SC', { exact: true }).click()
    await page.getByRole('region', { name: 'Pit stop' }).waitFor()
  }),
  watching('stints', shared, openStints),
  watching('stints-edit', { from: 'stints', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: 'Correct stint 2' }).click()
    await page.getByLabel('From').waitFor()
  }),
  watching('stints-conflict', { from: 'stints', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: 'Correct stint 1' }).click()
    const late = await page.evaluate(
      at => new Date(at).toTimeString().slice(0, 8),
      Date.now() - 5 * minuteMs,
    )
    await page.getByLabel('To', { exact: true }).fill(late)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This overlaps').waitFor()
  }),
  watching('stints-removed', { from: 'stints' }, async (page, stage) => {
    await respondWith(page, 'stints.edit', raceOf(stage.session.id, race()))
    await page.getByRole('button', { name: 'Remove stint 2' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
  }),
  watching('stints-viewer', { shows: 'You watch this team.' }, async (page, stage) => {
    await becomeViewer(page)
    await openStints(page, stage)
  }),
  ...unloaded('stints', {
    ...shared,
    call: 'carRaces.ofSession',
    loading: 'Loading stints',
    open: gotoStints,
  }),
]

/** Opens the drive screen in a standing car, which may be in the pits. */
async function standing(page: Page, stage: Stage, { inPits = false } = {}) {
  await respondWithRace(page, () => race({ inPits }))
  await drive(page, stage, { speedKmh: 0 })
  await page.getByRole('button', { name: /^Driver: Théo Garnier/ }).waitFor()
}

/** Opens the drive screen of a car in its box, whose minimum runs for minutes and whose driver may change. */
async function openStop(
  page: Page,
  stage: Stage,
  { hasPlan = true, officialTiming = false, minimumMs = 3 * minuteMs } = {},
) {
  const inBox = race({ inPits: true })
  const minStop = { ms: minimumMs, counts: 'lane' as const, onlyWithFuel: false }
  const rules = { ...noRules, minStop }
  await respondWithRace(page, () => ({
    ...inBox,
    ...(inBox.race && { race: { ...inBox.race, rules } }),
    ...(!hasPlan && { plan: null }),
    officialTiming,
    glass: officialTiming ? ['flag'] : [],
  }))
  const session = await drive(page, stage, { speedKmh: 0 })
  await page.getByRole('region', { name: 'Driver change?' }).waitFor()
  return session
}

async function openDriverList(page: Page) {
  await page.getByRole('button', { name: /^Driver: Théo Garnier/ }).click()
  await page.getByRole('region', { name: 'Driver change', exact: true }).waitFor()
}

async function gotoStints(page: Page, stage: Stage) {
  const session = await stage.startSession('Zolder 6 hours')
  await visit(page, `/teams/${session.teamId}/${session.id}/laps/stints`)
}

async function openStints(page: Page, stage: Stage) {
  await respondWithRace(page, () => race())
  await gotoStints(page, stage)
  await page.getByText('Stint 3').waitFor()
}

/** The third stint of a race. Marta has driven for too long, and Noor in another car at the same time. */
export function race({ inPits = false } = {}): RaceOfPhone {
  const now = Date.now()
  const startedAt = now - 150 * minuteMs
  const drivers = exampleDrivers(['Marta Lindqvist', 'Théo Garnier', 'Noor Haddad'])
  const [marta, theo, noor] = drivers.map(({ id }) => id)
  const planned = (number: number, driverId: string | undefined) => ({
    number,
    driverId: driverId ?? null,
    lengthMs: 50 * minuteMs,
  })
  return {
    car: exampleCar(),
    drivers,
    stints: exampleStints(startedAt, [marta, 0, 64], [noor, 64, 101], [theo, 101, null]),
    otherCars: [
      {
        driverId: noor ?? '',
        from: startedAt + 90 * minuteMs,
        to: startedAt + 120 * minuteMs,
      },
    ],
    race: exampleRace({
      rules: { ...noRules, maxStintMs: 70 * minuteMs, maxDriverMs: 60 * minuteMs },
      carIds: [exampleId(17)],
      startedAt,
    }),
    plan: {
      driverIds: drivers.map(({ id }) => id),
      stopMs: null,
      lapMs: null,
      stints: [planned(3, theo), planned(4, noor)],
    },
    phone: {
      starterId: theo ?? null,
      visits: inPits
        ? [{ startedAt: now - 48_000, endedAt: null, stoppedAt: now - 30_000, leftAt: null }]
        : [],
    },
  }
}
