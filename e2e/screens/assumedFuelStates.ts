import { noRules } from '#contract/shared/raceRules.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { respondWith } from '../mockApi.ts'
import { respondWithRace } from '../raceAnswers.ts'
import { openBoard, openDrive, race } from './fuelStates.ts'
import { press } from './messageStates.ts'
import { closeOverlay } from './overlays.ts'
import { driving, type State, shared, watching } from './state.ts'

/** A car whose fuel at the start nobody entered. */
export const assumedFuelStates: readonly State[] = [
  watching('message-fuel-assumed', { ...shared, shows: 'assumed' }, (page, stage) =>
    openBoard(page, stage, assumed()),
  ),
  watching('message-fuel-assumed-order', { from: 'message-fuel-assumed' }, page =>
    press(page, 'PUSH', 'Shown after'),
  ),
  watching('fuel-assumed', { from: 'message-fuel-assumed', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: /Refuel/ }).click()
    await page.getByText('How many litres were in the tank at the start?').waitFor()
  }),
  watching('wall-fuel-assumed', { shows: 'fuel, assumed' }, async (page, stage) => {
    const { entries, table } = assumed()
    await respondWith(page, 'laps.list', table)
    await respondWithRace(page, () => entries)
    const session = await stage.startSession('Zolder 6 hours')
    await stage.phone(session, 'shows')
    await page.goto(`/teams/${session.teamId}/wall`)
  }),
  driving('drive-fuel-assumed', { shows: 'laps, fuel, assumed' }, (page, stage) =>
    openDrive(page, stage, assumed()),
  ),
]

/** The last fifteen laps, without an entry of fuel. */
function assumed() {
  const { entries, table } = race()
  const laps = table.laps.slice(-15)
  const startedAt = laps[0]?.startedAt ?? 0
  const stints = entries.stints?.map(stint => ({ ...stint, from: startedAt })) ?? []
  const phone = { ...entries.phone, startedAt }
  const inRace = exampleRace({ rules: noRules, startedAt })
  return {
    entries: { ...entries, fills: [], stints, phone, race: inRace },
    table: { ...table, laps },
  }
}
