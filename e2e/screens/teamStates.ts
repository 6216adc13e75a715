import type { Page } from '@playwright/test'
import { refuse } from '../mockApi.ts'
import { errorOn } from '../toasts.ts'
import { blockSnapshots } from './network.ts'
import { closeOverlay } from './overlays.ts'
import { asInes, asTheo, type State, unloaded, watching } from './state.ts'

export const teamStates: readonly State[] = [
  watching('teams', async page => {
    await page.goto('/teams')
    await page.getByRole('link', { name: 'Northline Racing' }).waitFor()
  }),
  ...unloaded('teams', {
    call: 'teams.list',
    loading: 'Loading teams',
    async open(page) {
      await blockSnapshots(page)
      await page.goto('/teams')
    },
  }),
  asInes('teams-empty', { shows: 'No Teams' }, page => page.goto('/teams')),
  asTheo('teams-invited', { shows: 'Marta Lindqvist invited you' }, page => page.goto('/teams')),
  watching('teams-menu', { from: 'teams', leave: closeOverlay }, openMenu),
  watching('name-dialog', { from: 'teams', leave: closeOverlay }, async page => {
    await openMenu(page)
    await page.getByRole('menuitem', { name: 'Edit name' }).click()
    await page.getByRole('dialog').waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }),
  watching('team-create', async page => {
    await page.goto('/teams/create')
    await page.getByLabel('Team Name').waitFor()
  }),
  watching('team-create-failed', { from: 'team-create' }, async page => {
    await refuse(page, 'teams.create', 'server-error')
    await page.getByLabel('Team Name').fill('Tidewater Autosport')
    await page.getByRole('button', { name: 'Add' }).click()
    await errorOn(page).waitFor()
  }),
]

/** Opens the menu of the user on the page with the teams. */
export async function openMenu(page: Page) {
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menu').waitFor()
}
