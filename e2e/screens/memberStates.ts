import { errorOn } from '../toasts.ts'
import { becomeViewer, blockSnapshots, refuseCall, stallCall } from './network.ts'
import { closeOverlay } from './overlays.ts'
import type { State } from './state.ts'

export const memberStates: readonly State[] = [
  {
    name: 'members',
    viewer: 'marta',
    open: async (page, { team }) => {
      await page.goto(`/teams/${team.id}/members`)
      await page.getByText('Théo Garnier').waitFor()
    },
  },
  {
    name: 'members-loading',
    viewer: 'marta',
    open: async (page, { team }) => {
      await stallCall(page, 'teams.members')
      await blockSnapshots(page)
      await page.goto(`/teams/${team.id}/members`)
      await page.getByLabel('Loading members').waitFor()
    },
  },
  {
    name: 'members-failed',
    viewer: 'marta',
    open: async (page, { team }) => {
      await refuseCall(page, 'teams.members', 'too-many')
      await blockSnapshots(page)
      await page.goto(`/teams/${team.id}/members`)
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'members-invited-menu',
    viewer: 'marta',
    from: 'members',
    open: async page => {
      await page.getByRole('button', { name: /^Actions for Maximiliane/ }).click()
      await page.getByRole('menuitem', { name: 'Withdraw' }).waitFor()
    },
    leave: closeOverlay,
  },
  {
    name: 'members-viewer',
    viewer: 'marta',
    open: async (page, { team }) => {
      await becomeViewer(page)
      await page.goto(`/teams/${team.id}/members`)
      await page.getByText('You can watch this team').waitFor()
      await page.getByText('Théo Garnier').waitFor()
    },
  },
  {
    name: 'team-rename-dialog',
    viewer: 'marta',
    from: 'members',
    open: async page => {
      await page.getByRole('button', { name: /^Team name/ }).click()
      await page.getByRole('dialog').waitFor()
    },
    leave: closeOverlay,
  },
  {
    name: 'team-delete-dialog',
    viewer: 'marta',
    from: 'members',
    open: async (page, { team }) => {
      await page.getByRole('button', { name: 'Delete team' }).click()
      await page.getByLabel("Type the team's name to confirm").fill(team.name)
    },
    leave: closeOverlay,
  },
  {
    name: 'team-history',
    viewer: 'marta',
    open: async (page, { team }) => {
      await page.goto(`/teams/${team.id}/history`)
      await page.getByText('Marta Lindqvist created the team').waitFor()
    },
  },
  {
    name: 'member-menu',
    viewer: 'marta',
    from: 'members',
    open: async page => {
      await page.getByRole('button', { name: 'Actions for Théo Garnier' }).click()
      await page.getByRole('menuitem', { name: 'Watch only' }).waitFor()
    },
    leave: closeOverlay,
  },
  {
    name: 'member-hand-over-dialog',
    viewer: 'marta',
    from: 'members',
    open: async page => {
      await page.getByRole('button', { name: 'Actions for Théo Garnier' }).click()
      await page.getByRole('menuitem', { name: 'Hand the team over' }).click()
      await page.getByRole('alertdialog').waitFor()
      await page.getByRole('menu').waitFor({ state: 'detached' })
    },
    leave: closeOverlay,
  },
  {
    name: 'member-remove-dialog',
    viewer: 'marta',
    from: 'members',
    open: async page => {
      await page.getByRole('button', { name: 'Actions for Théo Garnier' }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await page.getByRole('alertdialog').waitFor()
      await page.getByRole('menu').waitFor({ state: 'detached' })
    },
    leave: closeOverlay,
  },
  {
    name: 'leave-dialog',
    viewer: 'marta',
    from: 'members',
    open: async page => {
      await page.getByRole('button', { name: 'Leave team' }).click()
      await page.getByRole('alertdialog').waitFor()
    },
    leave: closeOverlay,
  },
  {
    name: 'invite',
    viewer: 'marta',
    open: async (page, { team }) => {
      await page.goto(`/teams/${team.id}/members/invite`)
      await page.getByLabel('Email').waitFor()
    },
  },
  {
    name: 'invite-refused',
    viewer: 'marta',
    from: 'invite',
    open: async (page, { people }) => {
      await page.getByLabel('First Name').fill('Théo')
      await page.getByLabel('Last Name').fill('Garnier')
      await page.getByLabel('Email').fill(people.theo.email)
      await page.getByRole('button', { name: 'Invite' }).click()
      await errorOn(page).waitFor()
    },
  },
]
