import type { Page } from '@playwright/test'
import type { PitVisit } from '#contract/pitVisits.ts'
import type { Race } from '#contract/races.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { type RaceOfPhone, respondWithRace } from '../raceAnswers.ts'
import { drive } from './driveStates.ts'
import type { Stage } from './stage.ts'
import { type State, sharing } from './state.ts'
import { visit } from './visit.ts'

/** The pit stop on the driver's screen, and the race clock on the message screen. */
export const pitStates: readonly State[] = [
  inPits('drive-pit-run', { sinceS: 138 }),
  inPits('drive-pit-done', { sinceS: 184, until: 'Done' }),
  {
    ...inPits('drive-pit-early', { sinceS: 138 }),
    open: async (page, stage) => {
      await keepEarly(page)
      const visit = {
        startedAt: Date.now() - 168_000,
        endedAt: null,
        stoppedAt: null,
        leftAt: null,
      }
      let visits: PitVisit[] = [visit]
      await respondWithRace(page, () => raceOf(visits, {}))
      const session = await drive(page, stage, { speedKmh: 40 })
      await page.getByRole('region', { name: 'Pit stop' }).waitFor()
      const { startedAt } = visit
      visits = [
        {
          startedAt,
          endedAt: startedAt + 168_000,
          stoppedAt: startedAt + 20_000,
          leftAt: startedAt + 140_000,
        },
      ]
      // Any change of the race makes the screen request it again.
      const { sessions } = stage.people.theo.call
      await sessions.setLapTiming({ sessionId: session.id, lapTiming: true })
      await page.getByText('0:12 early').waitFor()
    },
  },
  ...(['message', 'wall'] as const).map(
    (screen): State => ({
      name: `${screen}-pit`,
      viewer: 'marta',
      open: (page, stage) => watchStop(page, stage, screen),
    }),
  ),
  {
    name: 'message-pit-message',
    viewer: 'marta',
    from: 'message-pit',
    open: async page => {
      await page.getByRole('button', { name: 'GO', exact: true }).click()
      await page
        .getByText(/^Shown after/)
        .first()
        .waitFor()
    },
  },
  sharing(watching('message-race-running', {})),
  {
    ...sharing(watching('race-clock-start', { startedAt: null })),
    open: async (page, stage) => {
      await openRace(page, stage, { startedAt: null })
      await openClock(page, 'Race started')
    },
  },
  {
    ...watching('race-clock-running', {}),
    from: 'message-race-running',
    open: page => openClock(page, 'Pause race clock'),
  },
]

interface Stop {
  sinceS: number
  minimumS?: number | null
  counts?: 'lane' | 'standing'
  until?: string
}

function inPits(name: string, stop: Stop): State {
  return {
    name,
    viewer: 'theo',
    black: true,
    open: async (page, stage) => void (await openInPits(page, stage, stop)),
  }
}

async function openInPits(page: Page, stage: Stage, { sinceS, until, ...stop }: Stop) {
  const startedAt = Date.now() - sinceS * 1000
  const visit = { startedAt, endedAt: null, stoppedAt: null, leftAt: null }
  await respondWithRace(page, () => raceOf([visit], stop))
  const session = await drive(page, stage, { speedKmh: 40 })
  await page
    .getByRole('region', { name: 'Pit stop' })
    .getByText(until ?? 'Pit stop')
    .first()
    .waitFor()
  return session
}

/** Keeps "early", which otherwise disappears after 5 s. */
function keepEarly(page: Page) {
  return page.addInitScript(() => {
    const setTimer = window.setTimeout
    Object.assign(window, {
      setTimeout: (act: () => void, ms: number) => setTimer(act, ms === 5000 ? 1e9 : ms),
    })
  })
}

function watching(name: string, race: Partial<Race>): State {
  return {
    name,
    viewer: 'marta',
    open: (page, stage) => openRace(page, stage, race),
  }
}

async function openRace(page: Page, stage: Stage, values: Partial<Race>) {
  await respondWithRace(page, () => ({
    ...raceOf([], {}),
    race: { ...raceOf([], {}).race, ...values } as Race,
  }))
  const session = await stage.startSession()
  await stage.phone(session, 'shows')
  await visit(page, `/teams/${session.teamId}/${session.id}/message`)
  await page.getByRole('button', { name: /^Race clock/ }).waitFor()
}

/** A car in the pits, as the team sees it. */
async function watchStop(page: Page, stage: Stage, screen: 'message' | 'wall') {
  const visit = {
    startedAt: Date.now() - 95_000,
    endedAt: null,
    stoppedAt: Date.now() - 80_000,
    leftAt: null,
  }
  await respondWithRace(page, () => raceOf([visit], {}))
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

function raceOf(
  visits: PitVisit[],
  { minimumS = 180, counts = 'lane' }: Pick<Stop, 'minimumS' | 'counts'>,
): RaceOfPhone {
  const startedAt = Date.now() - 3 * 3_600_000
  const minStop = minimumS === null ? null : { ms: minimumS * 1000, counts, onlyWithFuel: false }
  return {
    phone: { startedAt, visits },
    race: {
      id: crypto.randomUUID(),
      name: 'Zolder 6 hours',
      length: { in: 'time', ms: 6 * 3_600_000 },
      rules: { ...noRules, minStop },
      carIds: [],
      startsAt: null,
      circuitId: null,
      startedAt,
      pauses: [],
      endedAt: null,
    },
  }
}
