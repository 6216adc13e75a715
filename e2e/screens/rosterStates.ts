import type { Page } from '@playwright/test'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { Roster, RosterDriver } from '#contract/roster.ts'
import { exampleCar, exampleDrivers, exampleId, exampleStints } from '#testing/exampleRace.ts'
import { changeFrames } from '../liveFrames.ts'
import { respondWith } from '../mockApi.ts'
import { raceOf } from '../raceAnswers.ts'
import { becomeViewer } from './network.ts'
import { closeOverlay } from './overlays.ts'
import type { Stage } from './stage.ts'
import { type State, unloaded, watching } from './state.ts'

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
    await page.getByRole('button', { name: 'Actions for Car 17' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('alertdialog').waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }),
  watching('roster-empty', { shows: 'No cars yet' }, async (page, stage) => {
    await respondWith(page, 'roster.get', { cars: [], drivers: [] })
    await openRoster(page, stage)
  }),
  watching('roster-viewer', { shows: 'You watch this team.' }, async (page, stage) => {
    await becomeViewer(page)
    await respondWith(page, 'roster.get', roster)
    await openRoster(page, stage)
  }),
  ...unloaded('roster', {
    call: 'roster.get',
    loading: 'Loading cars and drivers',
    open: openRoster,
  }),
  watching('session-new-car', async (page, stage) => {
    await respondWith(page, 'roster.get', roster)
    await page.goto(`/teams/${stage.team.id}/new`)
    await page.getByRole('group', { name: 'Car' }).waitFor()
  }),
]

async function openRoster(page: Page, stage: Stage) {
  await page.goto(`/teams/${stage.team.id}/cars`)
}

/** Car 17 in the third stint of a race. */
async function openRace(page: Page, stage: Stage) {
  const session = await stage.startSession('Zolder 6 hours')
  const { cars, drivers } = roster
  const [car] = cars
  const [marta, theo] = drivers
  await respondWith(page, 'roster.get', roster)
  const driven = {
    ...session,
    car: { id: car?.id, number: car?.number },
    currentDriver: marta && { id: marta.id, name: marta.name, userId: null },
  }
  await respondWith(page, 'sessions.listActive', [driven])
  await changeFrames(
    page,
    (text, session) => {
      const frame = JSON.parse(text)
      if (frame.t === 'snapshot' && frame.snapshot.of === 'team')
        frame.snapshot.sessions = [session]
      return JSON.stringify(frame)
    },
    driven,
  )
  await respondWith(page, 'carRaces.ofSession', drivenRace(session.id, [theo, marta]))
  await openRoster(page, stage)
  await page.getByRole('button', { name: 'Change driver of Car 17' }).waitFor()
}

/** A race of car 17 in which these drivers drove, 47 minutes each. */
function drivenRace(
  sessionId: string,
  driven: readonly (RosterDriver | undefined)[],
): StoredCarRace {
  const start = Date.now() - driven.length * 47 * 60_000
  return raceOf(sessionId, {
    car: roster.cars[0] ?? null,
    drivers: roster.drivers.slice(0, 3),
    stints: exampleStints(
      start,
      ...driven.map((driver, index) => {
        const next = index + 1
        return [driver?.id, index * 47, next < driven.length ? next * 47 : null] as const
      }),
    ),
  })
}
