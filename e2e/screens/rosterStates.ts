import type { Page } from '@playwright/test'
import type { StoredCarRace } from '#contract/carRace.ts'
import type { Roster, RosterDriver } from '#contract/roster.ts'
import { exampleCar, exampleDrivers, exampleId } from '#testing/exampleRace.ts'
import { respondWith } from '../mockApi.ts'
import { raceOf } from '../raceAnswers.ts'
import { becomeViewer, blockSnapshots, refuseCall, stallCall } from './network.ts'
import { closeOverlay } from './overlays.ts'
import type { Stage } from './stage.ts'
import { type State, watching } from './state.ts'

const litres = { tankL: 60, reserveL: 3, burnL: 1.87 }
const roster: Roster = {
  cars: [
    exampleCar({ name: 'Silver Cayman', carClass: 'GT4', ...litres }),
    exampleCar({ id: exampleId(44), number: '44', ...litres }),
    exampleCar({ id: exampleId(71), number: '71', carClass: 'Cup', ...litres, archived: true }),
  ],
  drivers: [
    ...exampleDrivers(['Marta Lindqvist', 'Théo Garnier', 'Noor Haddad']),
    { id: exampleId(4), name: 'Kenji Okafor', userId: null, archived: true },
  ],
}

export const rosterStates: readonly State[] = [
  watching('roster', openRace),
  watching('roster-change', { from: 'roster' }, async page => {
    await page.getByRole('button', { name: 'Change driver of Car 17' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  watching('roster-done', { from: 'roster-change' }, async page => {
    const [marta, theo] = roster.drivers
    await respondWith(page, 'stints.add', drivenRace(exampleId(9), [theo, marta, theo]))
    await page.getByRole('button', { name: /Théo Garnier 47 min/ }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }),
  watching('roster-car', async (page, stage) => {
    await respondWith(page, 'roster.get', roster)
    await openRoster(page, stage)
    await page.getByRole('button', { name: 'Actions for Car 17' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Number').waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }),
  watching('roster-driver', { from: 'roster-car' }, async page => {
    await closeOverlay(page)
    await page.getByRole('button', { name: 'Add driver' }).click()
    await page.getByLabel('Member of the team').waitFor()
  }),
  watching('roster-remove-car', async (page, stage) => {
    await respondWith(page, 'roster.get', roster)
    await openRoster(page, stage)
    await askToRemove(page, 'Car 17')
  }),
  watching('roster-remove-driver', { from: 'roster-remove-car' }, async page => {
    await page.getByRole('button', { name: 'Keep' }).click()
    await askToRemove(page, 'Marta Lindqvist')
  }),
  watching('roster-empty', async (page, stage) => {
    await respondWith(page, 'roster.get', { cars: [], drivers: [] })
    await openRoster(page, stage)
    await page.getByText('No cars yet').waitFor()
  }),
  watching('roster-viewer', async (page, stage) => {
    await becomeViewer(page)
    await respondWith(page, 'roster.get', roster)
    await openRoster(page, stage)
    await page.getByText('You watch this team.').waitFor()
  }),
  watching('roster-loading', async (page, stage) => {
    await stallCall(page, 'roster.get')
    await openRoster(page, stage)
    await page.getByLabel('Loading cars and drivers').waitFor()
  }),
  watching('roster-failed', async (page, stage) => {
    await refuseCall(page, 'roster.get', 'server-error')
    await openRoster(page, stage)
    await page.getByRole('alert').waitFor()
  }),
  watching('session-new-car', async (page, stage) => {
    await respondWith(page, 'roster.get', roster)
    await page.goto(`/teams/${stage.team.id}/new`)
    await page.getByLabel('Driver', { exact: true }).waitFor()
  }),
]

async function openRoster(page: Page, stage: Stage) {
  await page.goto(`/teams/${stage.team.id}/cars`)
}

async function askToRemove(page: Page, name: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').waitFor()
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

/** Car 17 in the third stint of a race. */
async function openRace(page: Page, stage: Stage) {
  const session = await stage.startSession('Zolder 6 hours')
  const { cars, drivers } = roster
  const [car] = cars
  const [marta, theo] = drivers
  await blockSnapshots(page)
  await respondWith(page, 'roster.get', roster)
  const driven = {
    ...session,
    car: { id: car?.id, number: car?.number },
    currentDriver: marta && { id: marta.id, name: marta.name, userId: null },
  }
  await respondWith(page, 'sessions.listActive', [driven])
  await respondWith(page, 'carRaces.ofSession', drivenRace(session.id, [theo, marta]))
  await openRoster(page, stage)
  await page.getByRole('button', { name: 'Change driver of Car 17' }).waitFor()
}

/** A race of car 17 in which these drivers drove, 47 minutes each. */
function drivenRace(
  sessionId: string,
  driven: readonly (RosterDriver | undefined)[],
): StoredCarRace {
  const stintMs = 47 * 60_000
  const start = Date.now() - driven.length * stintMs
  return raceOf(sessionId, {
    car: roster.cars[0] ?? null,
    drivers: roster.drivers.slice(0, 3),
    stints: driven.map((driver, index) => ({
      id: index === 0 ? sessionId : exampleId(100 + index),
      number: index + 1,
      sessionId,
      driverId: driver?.id ?? null,
      from: start + index * stintMs,
      to: index + 1 < driven.length ? start + (index + 1) * stintMs : null,
    })),
  })
}
