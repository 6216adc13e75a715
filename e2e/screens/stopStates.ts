import type { Page } from '@playwright/test'
import type { LapTable } from '#contract/laps.ts'
import type { MessageType } from '#contract/messages.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import type { Race } from '#contract/races.ts'
import { hourMs, minuteMs } from '#contract/shared/durations.ts'
import { exampleLap, exampleLaps } from '#testing/exampleRace.ts'
import { respondWith } from '../mockApi.ts'
import { type RaceOfPhone, raceOf, respondWithRace } from '../raceAnswers.ts'
import { answer } from './answerStates.ts'
import { keepShown } from './keepShown.ts'
import { openMap, press, reportPhoneState } from './messageStates.ts'
import { closeOverlay } from './overlays.ts'
import { stopBefore } from './pitStates.ts'
import type { Stage } from './stage.ts'
import { type State, shared, watching } from './state.ts'
import { race } from './stintStates.ts'
import { visit } from './visit.ts'
import { openCars } from './wallStates.ts'
import { ownWords, sendWord } from './wordStates.ts'

const lapMs = 112_400

type Moment = 'in' | 'order' | 'confirmed' | 'left' | 'asked' | 'passed'

/** A whole pit stop, as the team sees it: in the lane, with the next driver and the litres, and after it. */
export const stopStates: readonly State[] = [
  watching(
    'message-stop-asked',
    { ...shared, atOnce: '[data-stage] > [data-proposal] button' },
    (page, stage) => openMessage(page, stage, 'asked'),
  ),
  ...(['in', 'order', 'confirmed', 'left'] as const).map(moment =>
    watching(`message-stop-${moment}`, shared, (page, stage) => openMessage(page, stage, moment)),
  ),
  ...(['in', 'order', 'confirmed', 'left', 'asked'] as const).flatMap(moment => [
    watching(`wall-stop-${moment}`, (page, stage) => openWall(page, stage, moment)),
    watching(`television-stop-${moment}`, (page, stage) => openWall(page, stage, moment, '?big')),
  ]),
  watching('message-stop-passed', shared, (page, stage) => openMessage(page, stage, 'passed')),
  watching(
    'message-stop-passed-word',
    { from: 'message-stop-passed', shows: 'No stop seen, 2:50 in the pits' },
    page => press(page, 'PUSH', 'Shown after'),
  ),
  watching('wall-stop-passed', (page, stage) => openWall(page, stage, 'passed')),
  watching(
    'message-stop-asked-word',
    { ...shared, atOnce: 'nav > [data-asks]' },
    async (page, stage) => {
      await openMessage(page, stage, 'asked', 'Go', 'Joris Vandenbroucke')
      await page.getByText('Shown after').first().waitFor()
      await page.getByRole('button', { name: 'Vandenbroucke in?' }).waitFor()
    },
  ),
  watching('message-stop-asked-aged', { shows: 'On the glass: laps' }, async (page, stage) => {
    const session = await openMessage(page, stage, 'asked')
    await stage.send('Push', { ask: true })
    await answer(stage, session, 'Yes')
  }),
  watching('map-stop-asked', { from: 'message-stop-asked-word' }, openMap),
  watching(
    'change-driver-asked',
    { from: 'message-stop-asked-word', leave: closeOverlay },
    async page => {
      await page.getByRole('button', { name: 'Vandenbroucke in?' }).click()
      await page.getByRole('dialog').getByText('No driver change').waitFor()
      // The stint ended 3:14 ago, at the pit entry.
      await page.getByText(/45:4[5-7] in this stint/).waitFor()
    },
  ),
  watching('message-stop-safety', { ...shared, shows: 'in force' }, async (page, stage) => {
    await openMessage(page, stage, 'order', 'SC')
  }),
  watching('map-stop-safety', { from: 'message-stop-safety' }, openMap),
  watching('message-stop-word', shared, async (page, stage) => {
    const session = await openMessage(page, stage, 'in')
    await stage.phone(session, 'reaches')
    await press(page, 'PUSH', 'On the phone, not shown')
  }),
  watching('map-stop-word', { from: 'message-stop-word' }, openMap),
  watching('message-stop-word-filled', { ...shared, shows: 'Change' }, async (page, stage) => {
    await openMessage(page, stage, 'confirmed')
    await press(page, 'GO', 'Shown after')
  }),
  watching('message-stop-problem', { ...shared, shows: 'PROBLEM' }, async (page, stage) => {
    await answer(stage, await openMessage(page, stage, 'in'), 'Problem')
  }),
  watching('map-stop-problem', { from: 'message-stop-problem' }, openMap),
  watching('message-stop-problem-got', shared, async (page, stage) => {
    await answer(stage, await openMessage(page, stage, 'in'), 'Problem')
    await page.getByRole('button', { name: /^Got it/ }).click()
    await page
      .getByText(/Marta has it/)
      .first()
      .waitFor()
  }),
  watching('map-stop-problem-got', { from: 'message-stop-problem-got' }, openMap),
  watching(
    'message-stop-fault',
    { ...shared, shows: 'Location not allowed' },
    async (page, stage) => {
      await reportPhoneState(stage, await openMessage(page, stage, 'in'), { gps: 'denied' })
    },
  ),
  watching('map-stop-left', shared, async (page, stage) => {
    await openMessage(page, stage, 'left')
    await press(page, 'ABORT', 'Shown after')
    await openMap(page)
  }),
  watching('wall-asked-cars3', { atOnce: 'article:first-of-type [data-key]' }, (page, stage) => {
    const entries = inStop('asked', 'Joris Vandenbroucke')
    return openCars(page, stage, 3, { driven: { entries, table: table() } })
  }),
  watching('wall-stop-got', async (page, stage) => {
    const session = await openCar(page, stage, 'in', { order: 'Pit' })
    await answer(stage, session, 'Problem')
    await page.goto(`/teams/${session.teamId}/wall`)
    await page.getByRole('article').getByText('PROBLEM').waitFor()
    await page.keyboard.press('k')
    await page
      .getByText(/Marta has it/)
      .first()
      .waitFor()
  }),
  watching('wall-time-up', { shows: 'Time up' }, async (page, stage) => {
    const { teamId } = await openCar(page, stage, 'in', { startedAt: Date.now() - 7 * hourMs })
    await page.goto(`/teams/${teamId}/wall`)
  }),
  watching('wall-stop-over', { shows: 'is over' }, async (page, stage) => {
    const { teamId } = await openCar(page, stage, 'in', { endedAt: Date.now() - 120_000 })
    await page.goto(`/teams/${teamId}/wall`)
  }),
  watching('refuel-stop', { from: 'message-stop-in', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: /^Litres/ }).click()
    await page.getByRole('dialog').getByText('Planned').waitFor()
  }),
  watching('message-stop-changed', async (page, stage) => {
    await keepShown(page, 5000)
    const { id } = await openMessage(page, stage, 'in')
    const { fills = [] } = inStop('in')
    await respondWith(page, 'stints.add', raceOf(id, { ...inStop('confirmed'), fills }))
    await page.getByRole('button', { name: /^Driver change\?/ }).click()
    await page.getByText('is in car').waitFor()
  }),
  watching('refuel-changed', { from: 'message-stop-changed' }, async page => {
    await page.getByRole('button', { name: /^Litres/ }).click()
    await page.getByRole('dialog').getByText('Planned').waitFor()
  }),
  watching('change-driver', { from: 'message-stop-in' }, async page => {
    await page.getByRole('button', { name: 'Change driver' }).click()
    await page.getByRole('dialog').waitFor()
  }),
]

async function openMessage(
  page: Page,
  stage: Stage,
  moment: Moment,
  order?: MessageType,
  next?: string,
) {
  const session = await openCar(page, stage, moment, { order, next })
  await visit(page, `/teams/${session.teamId}/${session.id}/message`)
  if (next === undefined) await waitForStop(page, moment)
  return session
}

async function openWall(page: Page, stage: Stage, moment: Moment, query = '') {
  const { teamId } = await openCar(page, stage, moment, {})
  await page.goto(`/teams/${teamId}/wall${query}`)
  await waitForStop(page, moment)
}

interface OpenedCar extends Partial<Race> {
  order?: MessageType | undefined
  /** The planned driver. */
  next?: string | undefined
}

async function openCar(
  page: Page,
  stage: Stage,
  moment: Moment,
  { order, next, ...values }: OpenedCar,
) {
  await respondWith(page, 'laps.list', table())
  await respondWithRace(page, () => {
    const entries = inStop(moment, next)
    return { ...entries, ...(entries.race && { race: { ...entries.race, ...values } }) }
  })
  const session = await stage.startSession('Zolder 6 hours')
  await stage.phone(session, moment === 'order' ? 'copies' : 'shows')
  // As wide as a plate becomes.
  if (order) await stage.send(order)
  else if (moment === 'order') await sendWord(stage, ownWords[2]!)
  return session
}

async function waitForStop(page: Page, moment: Moment) {
  const texts = {
    in: 'Litres, planned',
    order: 'Litres, planned',
    confirmed: 'Confirmed by',
    left: 'Left 0:10 early',
    asked: 'Left 0:10 early',
    passed: 'No stop seen',
  }
  await page.getByText(texts[moment]).first().waitFor({ state: 'attached' })
}

/** 30 laps of 1:52.4 until the stop. */
function table(): LapTable {
  const from = Date.now() - 95_000 - 30 * lapMs
  const laps = Array.from({ length: 30 }, (_, number) => {
    const timeMs = lapMs + ((number * 7) % 5) * 100
    return exampleLap(number, { startedAt: from + number * lapMs, timeMs })
  })
  return exampleLaps(laps, {
    circuit: { name: 'Circuit Zolder', lengthM: 4010, knowsPitOut: true },
  })
}

/** The race in its stop, in which the driver changes and, once confirmed, fuel is entered; or 24 s after a short one, also without a confirmed driver, or without a stop. */
function inStop(moment: Moment, next?: string): RaceOfPhone {
  const now = Date.now()
  const entries = race()
  const isLeft = moment === 'left' || moment === 'asked' || moment === 'passed'
  const startedAt = now - (isLeft ? 194_000 : 95_000)
  const visit: PitVisit = { startedAt, endedAt: null, stoppedAt: startedAt + 18_000, leftAt: null }
  const stopped = { ...visit, leftAt: startedAt + 160_000, endedAt: startedAt + 170_000 }
  const left = moment === 'passed' ? { ...stopped, stoppedAt: null, leftAt: null } : stopped
  const [marta, theo, noor] = entries.drivers ?? []
  const stints = entries.stints ?? []
  const changedAt = now - 12_000
  const changed = [
    ...stints.slice(0, 2),
    { ...stints[2]!, to: changedAt },
    {
      id: crypto.randomUUID(),
      number: 4,
      sessionId: '',
      driverId: noor?.id ?? null,
      from: changedAt,
      to: null,
      enteredBy: 'Mia Roth',
    },
  ]
  const minStop = { ms: 3 * minuteMs, counts: 'lane' as const, onlyWithFuel: false }
  return {
    ...entries,
    drivers: [marta!, theo!, { ...noor!, ...(next !== undefined && { name: next }) }],
    ...(moment === 'confirmed' || moment === 'left' ? { stints: changed } : {}),
    ...(entries.race && {
      race: {
        ...entries.race,
        rules: { ...entries.race.rules, minStop, maxDriverMs: 150 * minuteMs },
      },
    }),
    fills: [
      {
        id: crypto.randomUUID(),
        kind: 'full',
        at: now - 95_000 - 30 * lapMs,
        litres: 58,
        enteredBy: 'Sam Reed',
      },
      ...(moment === 'confirmed'
        ? [
            {
              id: crypto.randomUUID(),
              kind: 'full' as const,
              at: now - 5000,
              litres: 57,
              enteredBy: 'Sam Reed',
            },
          ]
        : []),
    ],
    phone: {
      ...entries.phone,
      visits: isLeft ? [left] : [stopBefore(startedAt), visit],
    },
  }
}
