import type { Page } from '@playwright/test'
import type { PitVisit } from '#contract/pitVisits.ts'
import type { Race } from '#contract/races.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { type RaceOfPhone, respondWithRace } from '../raceAnswers.ts'
import { drive } from './driveStates.ts'
import { keepShown } from './keepShown.ts'
import { reportPhoneState, watch } from './messageStates.ts'
import type { Stage } from './stage.ts'
import { driving, type State, shared, watching } from './state.ts'
import { ownWords, sendWord } from './wordStates.ts'

/** The pit stop on the driver's screen, and the race clock on the message screen. */
export const pitStates: readonly State[] = [
  inPits('drive-pit-run', { sinceS: 138 }),
  inPits('drive-pit-done', { sinceS: 184, until: 'Done' }),
  driving('drive-pit-plate', { shows: 'Minimum 3:00' }, async (page, stage) => {
    let visits: PitVisit[] = []
    await respondWithRace(page, () => raceOf(visits))
    const session = await drive(page, stage, { speedKmh: 40 })
    await sendWord(stage, ownWords[2]!)
    await page.getByRole('alert').getByText('RAIN TYRES').waitFor()
    visits = [{ startedAt: Date.now(), endedAt: null, stoppedAt: null, leftAt: null }]
    const { sessions } = stage.people.theo.call
    await sessions.setLapTiming({ sessionId: session.id, lapTiming: true })
  }),
  driving('drive-pit-problem', { from: 'drive-pit-run', leave: takeBack }, async page => {
    await page.keyboard.down('p')
    await page.getByText('Tap to take it back').waitFor()
    await page.keyboard.up('p')
  }),
  driving('drive-pit-order', { from: 'drive-pit-run', shows: 'Code 60' }, async (page, stage) => {
    await stage.send('Code 60')
    await page.getByRole('alert').getByText('Code 60').click()
    await page.getByRole('region', { name: 'Pit stop' }).waitFor()
  }),
  driving('drive-pit-early', { shows: '0:12 early' }, async (page, stage) => {
    await keepShown(page, 5000)
    const startedAt = Date.now() - 168_000
    let visit: PitVisit = { startedAt, endedAt: null, stoppedAt: null, leftAt: null }
    await respondWithRace(page, () => raceOf([visit]))
    const session = await drive(page, stage, { speedKmh: 40 })
    await page.getByRole('region', { name: 'Pit stop' }).waitFor()
    const endedAt = startedAt + 168_000
    visit = { startedAt, endedAt, stoppedAt: startedAt + 20_000, leftAt: startedAt + 140_000 }
    // Any change of the race makes the screen request it again.
    const { sessions } = stage.people.theo.call
    await sessions.setLapTiming({ sessionId: session.id, lapTiming: true })
  }),
  ...(['message', 'wall'] as const).map(screen =>
    watching(`${screen}-pit`, (page, stage) => watchStop(page, stage, screen)),
  ),
  watching('message-pit-message', { from: 'message-pit' }, async page => {
    await page.getByRole('button', { name: 'GO', exact: true }).click()
    await page
      .getByText(/^Shown after/)
      .first()
      .waitFor()
  }),
  watching('message-race-running', shared, openRace),
  watching('message-race-over', { shows: 'Orders still reach the driver' }, async (page, stage) => {
    await openRace(page, stage, { endedAt: Date.now() })
    await reportPhoneState(stage, stage.session, {})
  }),
  watching('race-clock-start', shared, async (page, stage) => {
    await openRace(page, stage, { startedAt: null })
    await openClock(page, 'Race started')
  }),
  watching('race-clock-running', { from: 'message-race-running' }, page =>
    openClock(page, 'Pause race clock'),
  ),
]

/** A stop an hour before, after which the way to the exit took 0:17. */
export function stopBefore(atMs: number): PitVisit {
  const startedAt = atMs - 3_600_000
  const leftAt = startedAt + 170_000
  return { startedAt, stoppedAt: startedAt + 30_000, leftAt, endedAt: leftAt + 17_000 }
}

/** A car that came into the pits this many seconds ago, once a text is shown. */
function inPits(name: string, { sinceS, until = 'Pit stop' }: { sinceS: number; until?: string }) {
  return driving(name, async (page, stage) => {
    const startedAt = Date.now() - sinceS * 1000
    const visit = { startedAt, endedAt: null, stoppedAt: startedAt + 30_000, leftAt: null }
    await respondWithRace(page, () => raceOf([stopBefore(startedAt), visit]))
    await drive(page, stage, { speedKmh: 40 })
    const region = page.getByRole('region', { name: 'Pit stop' })
    await region.getByText(until).first().waitFor()
  })
}

async function openRace(page: Page, stage: Stage, values: Partial<Race> = {}) {
  await respondWithRace(page, () => raceOf([], values))
  await watch(page, stage, 'shows')
  await page.getByRole('button', { name: /^Race clock/ }).waitFor()
}

/** A car in the pits, as the team sees it. */
async function watchStop(page: Page, stage: Stage, screen: 'message' | 'wall') {
  const startedAt = Date.now() - 95_000
  const visit = { startedAt, endedAt: null, stoppedAt: startedAt + 15_000, leftAt: null }
  await respondWithRace(page, () => raceOf([visit]))
  const session = await stage.startSession('Zolder 6 hours')
  await stage.phone(session, 'shows')
  const { id, teamId } = session
  await page.goto(screen === 'wall' ? `/teams/${teamId}/wall` : `/teams/${teamId}/${id}/message`)
  await page.getByRole('region', { name: 'Pit stop' }).first().waitFor()
}

async function openClock(page: Page, button: string) {
  await page.getByRole('button', { name: /^Race clock/ }).click()
  await page.getByRole('button', { name: button }).waitFor()
}

function raceOf(visits: PitVisit[], values: Partial<Race> = {}): RaceOfPhone {
  const startedAt = Date.now() - 3 * 3_600_000
  const minStop = { ms: 180_000, counts: 'lane' as const, onlyWithFuel: false }
  const race = exampleRace({ rules: { ...noRules, minStop }, startedAt, ...values })
  return { phone: { startedAt, visits }, race }
}

/** Takes the problem back, and waits until nothing of it is shown. */
export async function takeBack(page: Page) {
  await page.getByText('Tap to take it back').click()
  await page.getByText('PROBLEM').waitFor({ state: 'detached' })
}
