import { respondWith } from '../mockApi.ts'
import { blockLive, blockSnapshots, refuseCall } from './network.ts'
import { asInes, asTheo, type State, watching } from './state.ts'
import { openTeam } from './teamHomeStates.ts'

/** Failures that can happen on any screen. */
export const troubleStates: readonly State[] = [
  asTheo('offline', async (page, stage) => {
    await blockLive(page)
    await stage.startSession()
    await openTeam(page, stage)
    await page.getByText('You are offline').waitFor()
  }),
  watching('outdated', async page => {
    await blockLive(page, 4101)
    await page.goto('/teams')
    await page.getByText('This app is out of date').waitFor()
  }),
  asInes('not-your-team', async (page, { team }) => {
    await page.goto(`/teams/${team.id}`)
    await page.getByRole('heading', { name: 'Not your team' }).waitFor()
  }),
  watching('broken', async page => {
    await respondWith(page, 'teams.list', {})
    await blockSnapshots(page)
    await page.goto('/teams')
    await page.getByText('This page stopped working').waitFor()
  }),
  watching('not-loaded', async (page, { team }) => {
    await page.route('**/assets/MembersScreen*.js', route => route.abort())
    await page.goto(`/teams/${team.id}/members`)
    await page.getByText('This page did not load').waitFor()
  }),
  watching('unreachable', async page => {
    await refuseCall(page, 'auth.login', 'too-many')
    await page.goto('/teams')
    await page.getByText('The server did not respond').waitFor()
  }),
]
