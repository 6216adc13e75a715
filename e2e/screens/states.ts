import type { Page } from '@playwright/test'
import { answerStates } from './answerStates.ts'
import { authStates } from './authStates.ts'
import { circuitStates } from './circuitStates.ts'
import { deskStates } from './deskStates.ts'
import { driveStates } from './driveStates.ts'
import { fuelStates } from './fuelStates.ts'
import { joinStates } from './joinStates.ts'
import { lapStates } from './lapStates.ts'
import { memberStates } from './memberStates.ts'
import { messageStates } from './messageStates.ts'
import { phoneCheckStates } from './phoneCheckStates.ts'
import { phoneStates } from './phoneStates.ts'
import { pictureStates } from './pictureStates.ts'
import { pitStates } from './pitStates.ts'
import { practiceStates } from './practiceStates.ts'
import { profileStates } from './profileStates.ts'
import { raceStates } from './raceStates.ts'
import { replayStates } from './replayStates.ts'
import { rosterStates } from './rosterStates.ts'
import type { Stage } from './stage.ts'
import type { State } from './state.ts'
import { stintStates } from './stintStates.ts'
import { stopStates } from './stopStates.ts'
import { teamHomeStates } from './teamHomeStates.ts'
import { teamStates } from './teamStates.ts'
import { televisionStates } from './televisionStates.ts'
import { troubleStates } from './troubleStates.ts'
import { wallStates } from './wallStates.ts'
import { wordStates } from './wordStates.ts'

/** Every screen of the app in every state it has. */
export const states: readonly State[] = [
  // First, because one of them waits for 20 s: tests that take long are not started last.
  ...deskStates,
  ...authStates,
  ...phoneCheckStates,
  ...teamStates,
  ...teamHomeStates,
  ...memberStates,
  ...joinStates,
  ...troubleStates,
  ...messageStates,
  ...wallStates,
  ...televisionStates,
  ...practiceStates,
  ...lapStates,
  ...fuelStates,
  ...replayStates,
  ...raceStates,
  ...phoneStates,
  ...circuitStates,
  ...rosterStates,
  ...stintStates,
  ...stopStates,
  ...driveStates,
  ...answerStates,
  ...pitStates,
  ...wordStates,
  ...pictureStates,
  ...profileStates,
]

/** Opens the states that this one continues, then this state. */
export async function openState({ from, open }: State, page: Page, stage: Stage) {
  if (from !== undefined) await openState(stateNamed(from), page, stage)
  await open(page, stage)
}

export function stateNamed(name: string): State {
  const state = states.find(each => each.name === name)
  if (!state) throw new Error(`There is no state ${name}`)
  return state
}
