import { CookieJar, createClient } from '#testing/people/client.ts'
import { respondWith } from '../mockApi.ts'
import { showGlass } from './glassFrames.ts'
import { becomeViewer } from './network.ts'
import { officialTiming } from './officialTiming.ts'
import { asGuest, type State, watching } from './state.ts'
import { openCars } from './wallStates.ts'

const connected = [
  { name: 'Garage', browser: 'Chrome', system: 'Linux', allowedBy: 'Marta Lindqvist' },
  { name: 'Hospitality, first floor', browser: null, system: null, allowedBy: null },
].map((each, index) => ({
  ...each,
  id: `television-${index}`,
  createdAt: Date.UTC(2026, 10, 28, 7, 40),
  lastUsedAt: Date.UTC(2026, 10, 28, 13, 5),
}))

export const televisionStates: readonly State[] = [
  asGuest('television-code', async page => {
    await page.goto('/tv')
    await page.getByRole('img', { name: /^Scan/ }).waitFor()
  }),
  watching('television-signed-in', { shows: 'Pit wall on this screen' }, page => page.goto('/tv')),
  watching('television-allow', async (page, { url, team }) => {
    const { code } = await createClient(url, new CookieJar()).televisions.requestCode()
    await page.goto(`/tv/allow?team=${team.id}&code=${code}`)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Is this your television?' }).waitFor()
  }),
  watching('television-allowed', { from: 'television-allow' }, async page => {
    await respondWith(page, 'televisions.allow', {})
    await page.getByRole('button', { name: 'Show the pit wall' }).click()
    await page.getByRole('heading', { name: /^Garage shows the pit wall/ }).waitFor()
  }),
  watching('televisions', { shows: 'Hospitality' }, async (page, { team }) => {
    await respondWith(page, 'televisions.list', connected)
    await page.goto(`/teams/${team.id}/televisions`)
  }),
  watching('televisions-none', { shows: 'No television is connected' }, async (page, { team }) => {
    await respondWith(page, 'televisions.list', [])
    await page.goto(`/teams/${team.id}/televisions`)
  }),
  watching('televisions-viewer', { shows: 'Hospitality' }, async (page, { team }) => {
    await becomeViewer(page)
    await respondWith(page, 'televisions.list', connected)
    await page.goto(`/teams/${team.id}/televisions`)
  }),
  watching('television-flag', async (page, stage) => {
    await showGlass(page, { flag: 'Yellow', tookMs: 900 })
    await openCars(page, stage, 3, { timing: officialTiming, query: '?big' })
    await page.getByText('Yellow shown 0.9 s').first().waitFor({ state: 'attached' })
  }),
  ...(['order', 'problem'] as const).map(below =>
    watching(`television-stop-${below}-cars3`, (page, stage) =>
      openCars(page, stage, 3, { isInPits: true, below, query: '?big' }),
    ),
  ),
  watching('television-stop-cars3', (page, stage) =>
    openCars(page, stage, 3, { isInPits: true, query: '?big' }),
  ),
  watching('television-cars5', (page, stage) =>
    openCars(page, stage, 5, { isInPits: true, query: '?big' }),
  ),
]
