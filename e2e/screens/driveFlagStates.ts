import type { Page } from '@playwright/test'
import type { GlassPart } from '#contract/shared/glassParts.ts'
import { type Driven, openDrive, race } from './fuelStates.ts'
import { type Glass, showGlass } from './glassFrames.ts'
import type { Stage } from './stage.ts'
import { driving, type State } from './state.ts'

const threeGaps = {
  place: { position: 4, className: 'GT4 Am', classPosition: 2 },
  ahead: { number: '9', gap: { laps: 0, ms: 12_400 } },
  behind: { number: '107B', gap: { laps: 0, ms: 103_800 } },
  faster: { number: '8', gap: { laps: 0, ms: 38_200 } },
}

/** The drive screen with the official flag and place. */
export const driveFlagStates: readonly State[] = [
  driving('drive-flag', async (page, stage) => {
    await openWithFlag(page, stage, { flag: 'Yellow', tookMs: 900 })
    await page.getByText('Yellow', { exact: true }).waitFor()
  }),
  driving('drive-flag-hand', async (page, stage) => {
    await openWithFlag(page, stage, { flag: 'Code 60', tookMs: 900, byHand: 'Sam Tester' })
    await page.getByText('Code 60', { exact: true }).waitFor()
  }),
  driving('drive-flag-message', { from: 'drive-flag' }, async (page, stage) => {
    await stage.send('Pit')
    await page.getByRole('alert').getByText('Pit').waitFor()
  }),
  driving('drive-flag-place', { shows: 'P14' }, async (page, stage) => {
    const place = {
      place: { position: 14, className: 'GT4 Am', classPosition: 2 },
      ahead: { number: '9', gap: { laps: 0, ms: 12_400 } },
      behind: { number: '107B', gap: { laps: 0, ms: 103_800 } },
    }
    await openWithFlag(page, stage, { flag: 'Green', tookMs: 900, place })
  }),
  driving(
    'drive-place-unknown',
    { from: 'drive-flag-place', shows: 'Place not known' },
    // The source is silent.
    page => page.evaluate(() => Object.assign(window, { glass: undefined })),
  ),
  driving('drive-flag-place-hand', async (page, stage) => {
    const place = {
      enteredAt: Date.now() - 125_000,
      place: { position: 14, className: null, classPosition: null },
      ahead: { number: null, gap: { laps: 0, ms: 12_400 } },
    }
    await openWithFlag(page, stage, { flag: 'Yellow', tookMs: 900, place, byHand: 'Sam Tester' })
    await page.getByText('P14').waitFor()
  }),
  driving('drive-flag-place-untimed', async (page, stage) => {
    await openWithFlag(
      page,
      stage,
      { flag: 'Green', tookMs: 900, place: threeGaps },
      { ...race(), lapTiming: false },
    )
    await page.getByText('P4', { exact: true }).waitFor()
  }),
  driving('drive-place-only', async (page, stage) => {
    const { entries, table } = race()
    const alone = { ...entries, car: null, race: null, fills: [], stints: [] }
    const glass: GlassPart[] = ['place', 'ahead', 'behind', 'faster']
    await showGlass(page, { flag: null, tookMs: null, place: threeGaps })
    await openDrive(page, stage, {
      entries: { ...alone, officialTiming: true, glass },
      table,
      lapTiming: false,
    })
    await page.getByText('P4', { exact: true }).waitFor()
  }),
  driving('drive-flag-unknown', { shows: 'Flag not known' }, (page, stage) =>
    openWithFlag(page, stage, { flag: null, tookMs: null }),
  ),
]

/** Opens the drive screen of a car whose glass shows official timing. */
async function openWithFlag(
  page: Page,
  stage: Stage,
  glass: Glass,
  { entries, table, lapTiming = true }: Driven = race(),
) {
  const official = { ...entries, officialTiming: true, glass: ['flag'] as GlassPart[] }
  await showGlass(page, glass)
  await openDrive(page, stage, { entries: official, table, lapTiming })
  if (glass.place) {
    // Without the speed, which `openDrive` waits for.
    official.glass = ['flag', 'place', 'ahead', 'behind', 'faster']
    await page.reload()
  }
  await page.getByText(lapTiming ? 'PIT IN' : 'Pit in').waitFor()
}
