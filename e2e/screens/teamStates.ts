import type { Page } from '@playwright/test'
import { errorOn } from '../toasts.ts'
import { blockSnapshots, refuseCall, stallCall } from './network.ts'
import { closeOverlay } from './overlays.ts'
import { asInes, asTheo, type State, watching } from './state.ts'

export const teamStates: readonly State[] = [
  watching('teams', async page => {
    await page.goto('/teams')
    await page.getByRole('link', { name: 'Northline Racing' }).waitFor()
  }),
  watching('teams-loading', async page => {
    await stallCall(page, 'teams.list')
    await blockSnapshots(page)
    await page.goto('/teams')
    await page.getByLabel('Loading teams').waitFor()
  }),
  asInes('teams-empty', async page => {
    await page.goto('/teams')
    await page.getByText('No Teams').waitFor()
  }),
  asTheo('teams-invited', async page => {
    await page.goto('/teams')
    await page.getByText('Marta Lindqvist invited you').waitFor()
  }),
  watching('teams-failed', async page => {
    await refuseCall(page, 'teams.list', 'too-many')
    await blockSnapshots(page)
    await page.goto('/teams')
    await page.getByRole('alert').waitFor()
  }),
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
    await refuseCall(page, 'teams.create', 'server-error')
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
