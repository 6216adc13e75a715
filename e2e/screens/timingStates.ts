import type { Page } from '@playwright/test'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import type { OfficialTiming } from '#contract/timing.ts'
import { respondWith } from '../mockApi.ts'
import { becomeViewer } from './network.ts'
import { officialTiming, timingByHand } from './officialTiming.ts'
import {
  lapsOf,
  openTeamPage,
  preparedRace,
  raceId,
  running,
  showRaces,
  showRunning,
} from './raceStates.ts'
import type { Stage } from './stage.ts'
import { type State, watching } from './state.ts'

/** The page of the official timing of a race. */
export const timingStates: readonly State[] = [
  watching('timing-none', { shows: 'No source' }, (page, stage) =>
    showTiming(page, stage, noTiming),
  ),
  watching('timing', async (page, stage) => {
    await showTiming(page, stage, officialTiming)
    await page.getByText('Connected', { exact: true }).waitFor()
  }),
  watching('timing-hand', { shows: 'Yellow set by Sam' }, (page, stage) =>
    showTiming(page, stage, timingByHand),
  ),
  watching('timing-hand-sheet', async (page, stage) => {
    await showTiming(page, stage, timingByHand)
    await page.getByRole('button', { name: 'Enter car 17 by hand' }).click()
    await page.getByRole('dialog', { name: 'By hand' }).waitFor()
  }),
  watching('timing-silent', { shows: 'Connected, but no data' }, (page, stage) =>
    showTiming(page, stage, { ...officialTiming, silentForMs: 42_000, skippedLines: 3 }),
  ),
  watching('timing-provider', async (page, stage) => {
    await showTiming(page, stage, {
      ...noTiming,
      source: { kind: 'race-monitor', raceId: '140021' },
      failure: 'rate-limited',
    })
    await page.getByText('Number of the race').waitFor()
    await page.getByText('The provider limits the requests').waitFor()
  }),
  watching('timing-recorded', async (page, stage) => {
    const id = '5275a360-c5d8-4a2e-bc67-4d0895d09d36'
    const source = { kind: 'recorded' as const, id, speed: 10 }
    await showTiming(page, stage, { ...officialTiming, source })
    await page.getByLabel('Speed').waitFor()
  }),
  watching('timing-failed', { shows: 'Not connected' }, async (page, stage) => {
    await becomeViewer(page)
    await showTiming(page, stage, {
      ...noTiming,
      source: officialTiming.source,
      failure: 'refused',
    })
  }),
  watching('timing-unreachable', { shows: 'No answer from this address' }, (page, stage) =>
    showTiming(page, stage, { ...officialTiming, failure: 'unreachable', silentForMs: 74_000 }),
  ),
  watching('timing-wrong-race', { shows: 'Not in the official timing: 17' }, (page, stage) => {
    const run = officialTiming.run && {
      ...officialTiming.run,
      standings: officialTiming.run.standings.filter(({ number }) => number !== '17'),
    }
    return showTiming(page, stage, { ...officialTiming, run })
  }),
  watching('timing-push', { shows: "Run this on the timekeeper's network" }, (page, stage) =>
    showTiming(page, stage, { ...noTiming, source: { kind: 'push' } }),
  ),
  watching('timing-clock', { shows: 'Follow it?' }, (page, stage) =>
    showTiming(page, stage, officialTiming, Date.now() - 156 * minuteMs),
  ),
  watching('timing-follows', { shows: "The race clock follows race control's" }, (page, stage) =>
    showTiming(page, stage, { ...officialTiming, followsClock: true }, Date.now() - 156 * minuteMs),
  ),
  watching('timing-line', { shows: 'The line is 0.31 s early' }, async (page, stage) => {
    const entries = running(60)
    const { laps } = lapsOf(entries)
    await showRunning(page, stage, { ...entries, phone: { ...entries.phone, laps } })
    await respondWith(page, 'timing.ofRace', officialTiming)
    const passings = laps.slice(-40).map(({ number, startedAt, timeMs }, index) => {
      return { lap: number + 1, at: startedAt + timeMs + 280 + (index % 3) * 30 }
    })
    await respondWith(page, 'timing.passings', { passings })
    await openTeamPage(page, stage, `races/${raceId}/timing`)
    await page.getByRole('button', { name: 'Move the line' }).first().scrollIntoViewIfNeeded()
  }),
  watching('timing-results', async (page, stage) => {
    const entries = running(60)
    const { laps } = lapsOf(entries)
    await showRunning(page, stage, { ...entries, phone: { ...entries.phone, laps } })
    await respondWith(page, 'timing.ofRace', noTiming)
    await openTeamPage(page, stage, `races/${raceId}/timing`)
    const rows = laps.map(({ startedAt, timeMs }, index) => {
      const at = new Date(startedAt + timeMs + 280 + (index % 3) * 30)
      return `17,${at.toISOString().slice(11, 23)}`
    })
    const buffer = Buffer.from(['No.,Time of Day', ...rows].join('\n'))
    await page
      .getByLabel('CSV with the time of day')
      .setInputFiles({ name: 'results.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Move the line' }).scrollIntoViewIfNeeded()
  }),
]

const competitors = [
  { number: '8', name: 'Ida Sandberg' },
  { number: '31', name: 'Bartholomew Featherstonehaugh' },
  { number: '382', name: 'Team Example' },
]

async function showTiming(
  page: Page,
  stage: Stage,
  timing: OfficialTiming,
  startedAt: number | null = null,
) {
  const rules: RaceRules = { ...noRules, stops: { kind: 'count', count: 5 } }
  await showRaces(page, [preparedRace({ rules, startedAt })])
  await respondWith(page, 'timing.ofRace', timing)
  await respondWith(page, 'timing.names', { names: competitors })
  await openTeamPage(page, stage, `races/${raceId}/timing`)
}

const noTiming: OfficialTiming = {
  source: null,
  failure: null,
  silentForMs: null,
  followsClock: false,
  skippedLines: 0,
  run: null,
}
