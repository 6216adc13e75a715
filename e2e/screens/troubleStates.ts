import { refuse, respondWith } from '../mockApi.ts'
import { blockLive, blockSnapshots } from './network.ts'
import { asInes, asTheo, type State, watching } from './state.ts'
import { openTeam } from './teamHomeStates.ts'

/** Failures that can happen on any screen. */
export const troubleStates: readonly State[] = [
  asTheo('offline', { shows: 'You are offline' }, async (page, stage) => {
    await blockLive(page)
    await stage.startSession()
    await openTeam(page, stage)
  }),
  watching('outdated', { shows: 'This app is out of date' }, async page => {
    await blockLive(page, 4101)
    await page.goto('/teams')
  }),
  asInes('not-your-team', async (page, { team }) => {
    await page.goto(`/teams/${team.id}`)
    await page.getByRole('heading', { name: 'Not your team' }).waitFor()
  }),
  watching('broken', { shows: 'This page stopped working' }, async page => {
    await respondWith(page, 'teams.list', {})
    await blockSnapshots(page)
    await page.goto('/teams')
  }),
  watching('not-loaded', { shows: 'This page did not load' }, async (page, { team }) => {
    await page.route('**/assets/MembersScreen*.js', route => route.abort())
    await page.goto(`/teams/${team.id}/members`)
  }),
  watching('unreachable', { shows: 'The server did not respond' }, async page => {
    await refuse(page, 'auth.login', 'too-many')
    await page.goto('/teams')
  }),
]
