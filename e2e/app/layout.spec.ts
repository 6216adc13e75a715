import { expect } from '@playwright/test'
import { layoutFaultsAt } from '../screens/layoutFaults.ts'
import { opened, test } from '../screens/stageTest.ts'

// `npm run shots -- --check` measures every state at more sizes.
test.describe.configure({ mode: 'parallel' })

// The smaller one last: a word that was fitted to a wide screen becomes smaller again.
const sizes = [
  { width: 1440, height: 900 },
  { width: 360, height: 640 },
]
const names = [
  'team-home',
  'all-sessions',
  'message-none',
  'message-shown',
  'message-on-phone',
  'message-acknowledged',
  'message-refused',
  'message-device-offline',
  'message-other-problem',
  'message-data-link-off',
  'message-stint',
  'message-due-order',
  'map-live',
  'map-crowded',
  'map-crowded-taken-back',
  'words-board',
  'wall-cars3',
  'wall-cars5',
  'wall-cars9',
  'wall-answered',
  'wall-taken-back',
  'wall-empty',
  'wall-offline',
  'change-driver',
  'roster-car',
  'refuel-changed',
]

for (const name of names) {
  test(`texts and controls fit on phones and desktops: ${name}`, async ({ stage }) => {
    expect(await layoutFaultsAt(await opened(stage, name), sizes)).toEqual([])
  })
}
