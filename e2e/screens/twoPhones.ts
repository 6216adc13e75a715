import type { Page } from '@playwright/test'
import type { CarPhone, StoredCarRace } from '#contract/carRaces.ts'
import type { Session } from '#contract/sessions.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { exampleCar, exampleRace } from '#testing/exampleRace.ts'
import { carPhone, storedCarRace } from '#testing/storedCarRace.ts'
import { routeCall } from '../callRoutes.ts'
import type { Stage } from './stage.ts'
import { type State, watching } from './state.ts'

const startedAgoMs = 90 * minuteMs

/** The sessions of two phones of one car, in the order of their start. */
export interface TwoPhones {
  readonly noor: Session
  readonly theo: Session
}

/** Starts a session of Théo's, and shows it and Noor's as those of one car in a race, in which Théo's phone is. */
export async function showTwoPhones(
  page: Page,
  stage: Stage,
  more: (phones: TwoPhones) => Partial<StoredCarRace> = () => ({}),
): Promise<TwoPhones> {
  const theo = await stage.startSession('Zolder 6 hours')
  const active = await stage.people.marta.call.sessions.listActive({ teamId: stage.team.id })
  const noor = active.find(({ id }) => id !== theo.id)
  if (!noor) throw new Error('Noor has no session')
  const phones = { noor, theo }
  await routeCall(page, 'carRaces.ofSession', route =>
    route.fulfill({ json: { ...raceOf(phones), ...more(phones) } }),
  )
  return phones
}

/** Returns a phone of the car that has been on since the start of the race. */
export function phoneOf({ id, name, driver }: Session, more: Partial<CarPhone> = {}): CarPhone {
  const person = `${driver.firstName} ${driver.lastName}`
  return carPhone({
    sessionId: id,
    name,
    person,
    startedAt: Date.now() - startedAgoMs,
    ...more,
  })
}

function raceOf({ noor, theo }: TwoPhones): StoredCarRace {
  const startedAt = Date.now() - startedAgoMs
  const takeoverAt = startedAt + 48 * minuteMs
  const moved = { decidedBy: 'moved' as const }
  const stint = { driverId: null, to: null }
  return storedCarRace({
    car: exampleCar(),
    race: exampleRace({ startedAt }),
    plan: { driverIds: [], stopMs: null, lapMs: 112_400, stints: [] },
    phones: [phoneOf(noor), phoneOf(theo)],
    runs: [
      { ...moved, sessionId: noor.id, from: startedAt, until: takeoverAt },
      { ...moved, sessionId: theo.id, from: takeoverAt, until: null },
    ],
    stints: [
      { ...stint, id: noor.id, number: 1, sessionId: noor.id, from: startedAt, to: takeoverAt },
      { ...stint, id: theo.id, number: 2, sessionId: theo.id, from: takeoverAt },
    ],
  })
}

/** The wall with two phones of one car. */
export const wallPhoneStates: readonly State[] = [
  watching('wall-phones', async (page, stage) => {
    const { theo } = await showTwoPhones(page, stage)
    await stage.phone(theo, 'shows')
    await stage.send('Push')
    await page.goto(`/teams/${stage.team.id}/wall`)
    await page.getByRole('article').getByText('Shown after').waitFor()
  }),
  watching('wall-phones-choose', { from: 'wall-phones' }, async page => {
    // On narrow screens a press on the car opens it instead.
    await page.locator('button', { hasText: /^Phone$/ }).dispatchEvent('click')
    await page.getByRole('dialog').getByText('In the car since').waitFor()
  }),
  watching('wall-phones-all', async (page, stage) => {
    const { theo, noor } = await showTwoPhones(page, stage, () => ({ runs: [] }))
    await stage.phone(theo, 'shows')
    await page.goto(`/teams/${stage.team.id}/wall`)
    const lane = page.getByRole('article')
    await lane.getByText('No phone in the car').waitFor()
    for (const { id: sessionId } of [theo, noor]) await stage.send('Push', { sessionId })
    await lane.getByText(/^Théo Shown after/).waitFor()
    await lane.getByText(/^Noor Sent/).waitFor()
  }),
  watching('wall-phones-unsure', async (page, stage) => {
    await showTwoPhones(page, stage, ({ noor }) => ({ unsure: [noor.id] }))
    await page.goto(`/teams/${stage.team.id}/wall`)
    await page.getByRole('button', { name: "Noor's phone" }).waitFor()
  }),
]
