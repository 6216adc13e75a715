import type { Page } from '@playwright/test'
import type { Lap, LapTable } from '#contract/laps.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { respondWith } from '../mockApi.ts'
import { type RaceOfPhone, respondWithRace } from '../raceAnswers.ts'
import { refuseCall } from './network.ts'
import type { Stage } from './stage.ts'
import { type State, sharing } from './state.ts'
import { visit } from './visit.ts'

const minuteMs = 60_000
/** In the order in which they drive. */
const names = ['Théo Garnier', 'Noor Haddad', 'Marta Lindqvist']
const ids = names.map((_, index) => `00000000-0000-4000-8000-00000000000${index + 1}`)

export const planStates: readonly State[] = [
  sharing(
    watching('plan-none', async (page, stage) => {
      await openPlan(page, stage)
      await page.getByLabel('Race length').fill('long')
      await page.getByText('Enter hours and minutes').waitFor()
      await page.getByText('More rules').click()
    }),
  ),
  sharing(
    watching('plan-over', async (page, stage) => {
      const moved = { number: 4, driverId: null, lengthMs: 77 * minuteMs }
      const entries = running(60)
      await respondWith(page, 'laps.list', lapsOf(entries))
      await showPlan(page, stage, { ...entries, plan: { ...prepared, stints: [moved] } })
      await page.getByText('A stop costs 2:45, under yellow 2:36.').waitFor()
      await page.getByText('17 min over the limit').waitFor()
      await page.getByText('reaches').waitFor()
      await page.getByText('Order of drivers').click()
    }),
  ),
  sharing(
    watching('plan-failed', async (page, stage) => {
      await refuseCall(page, 'carRaces.ofSession', 'too-many')
      await openPlan(page, stage)
      await page.getByRole('alert').waitFor()
    }),
  ),
]

const prepared = { driverIds: [], stopMs: 3 * minuteMs, lapMs: 112_000, stints: [] }

/** Two stints are driven and the third one is underway, in a race of six hours. */
function running(maxStintMinutes: number): RaceOfPhone {
  const startedAt = Date.now() - 156 * minuteMs
  const at = (minutes: number) => startedAt + minutes * minuteMs
  const stint = (index: number, from: number, to: number | null) => ({
    id: ids[index] ?? '',
    number: index + 1,
    sessionId: '',
    driverId: ids[index] ?? null,
    from: at(from),
    to: to === null ? null : at(to),
  })
  return {
    drivers: names.map((name, index) => ({
      id: ids[index] ?? '',
      name,
      userId: null,
      archived: false,
    })),
    stints: [stint(0, 0, 54), stint(1, 57, 111), stint(2, 114, null)],
    race: {
      id: '00000000-0000-4000-8000-000000000010',
      name: 'Zolder 6 hours',
      length: { in: 'time', ms: 360 * minuteMs },
      rules: {
        ...noRules,
        name: 'Zolder',
        maxStintMs: maxStintMinutes * minuteMs,
        maxDriverMs: 150 * minuteMs,
        minStop: { ms: 3 * minuteMs, counts: 'lane', onlyWithFuel: false },
      },
      carIds: [],
      startsAt: null,
      startedAt,
      pauses: [],
      endedAt: null,
    },
    plan: prepared,
    phone: {
      visits: [{ startedAt: at(53), endedAt: at(56), stoppedAt: at(53.5), leftAt: at(55.5) }],
    },
  }
}

/** Laps of 1:52 until now. The 29th contains the stop, the 41st is slow under FCY. */
function lapsOf({ stints }: RaceOfPhone): LapTable {
  const slow = new Map([
    [28, { timeMs: prepared.lapMs + 165_000, kind: 'pit' as const }],
    [40, { timeMs: 180_000, yellow: true, yellowMessage: 'FCY' as const }],
  ])
  const laps: Lap[] = []
  let startedAt = stints?.[0]?.from ?? 0
  while (startedAt < Date.now() - prepared.lapMs) {
    const number = laps.length
    const lap = { ...lapAt(startedAt), number, ...slow.get(number) }
    laps.push(lap)
    startedAt += lap.timeMs
  }
  const circuit = { name: 'Circuit Zolder', lengthM: 4010 }
  return { lapTiming: true, circuit, gpsPoor: false, laps, pending: false }
}

function lapAt(startedAt: number) {
  return {
    startedAt,
    timeMs: prepared.lapMs,
    plusMinusMs: 180,
    kind: 'full' as const,
    isSeen: true,
    yellow: false,
    yellowMessage: null,
    marked: false,
  }
}

function watching(name: string, open: State['open']): State {
  return { name, viewer: 'marta', open }
}

async function showPlan(page: Page, stage: Stage, plan: RaceOfPhone) {
  await respondWithRace(page, () => plan)
  await openPlan(page, stage)
}

async function openPlan(page: Page, stage: Stage) {
  const { teamId, id } = await stage.startSession('Zolder 6 hours')
  await visit(page, `/teams/${teamId}/${id}/plan`)
}
