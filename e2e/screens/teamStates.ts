import type { Page } from '@playwright/test'
import { errorOn } from '../toasts.ts'
import { blockSnapshots, refuseCall, stallCall } from './network.ts'
import { closeOverlay } from './overlays.ts'
import type { State } from './state.ts'

export const teamStates: readonly State[] = [
  {
    name: 'teams',
    viewer: 'marta',
    open: async page => {
      await page.goto('/teams')
      await page.getByRole('link', { name: 'Northline Racing' }).waitFor()
    },
  },
  {
    name: 'teams-loading',
    viewer: 'marta',
    open: async page => {
      await stallCall(page, 'teams.list')
      await blockSnapshots(page)
      await page.goto('/teams')
      await page.getByLabel('Loading teams').waitFor()
    },
  },
  {
    name: 'teams-empty',
    viewer: 'ines',
    open: async page => {
      await page.goto('/teams')
      await page.getByText('No Teams').waitFor()
    },
  },
  {
    name: 'teams-invited',
    viewer: 'theo',
    open: async page => {
      await page.goto('/teams')
      await page.getByText('Marta Lindqvist invited you').waitFor()
    },
  },
  {
    name: 'teams-failed',
    viewer: 'marta',
    open: async page => {
      await refuseCall(page, 'teams.list', 'too-many')
      await blockSnapshots(page)
      await page.goto('/teams')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'teams-menu',
    viewer: 'marta',
    from: 'teams',
    open: openMenu,
    leave: closeOverlay,
  },
  {
    name: 'name-dialog',
    viewer: 'marta',
    from: 'teams',
    open: async page => {
      await openMenu(page)
      await page.getByRole('menuitem', { name: 'Edit name' }).click()
      await page.getByRole('dialog').waitFor()
      await page.getByRole('menu').waitFor({ state: 'detached' })
    },
    leave: closeOverlay,
  },
  {
    name: 'team-create',
    viewer: 'marta',
    open: async page => {
      await page.goto('/teams/create')
      await page.getByLabel('Team Name').waitFor()
    },
  },
  {
    name: 'team-create-failed',
    viewer: 'marta',
    from: 'team-create',
    open: async page => {
      await refuseCall(page, 'teams.create', 'server-error')
      await page.getByLabel('Team Name').fill('Tidewater Autosport')
      await page.getByRole('button', { name: 'Add' }).click()
      await errorOn(page).waitFor()
    },
  },
]

/** Opens the menu of the user on the page with the teams. */
export async function openMenu(page: Page) {
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menu').waitFor()
}
