import { errorOn } from '../toasts.ts'
import { becomeViewer, blockSnapshots, refuseCall, stallCall } from './network.ts'
import { closeOverlay } from './overlays.ts'
import { type State, watching } from './state.ts'

export const memberStates: readonly State[] = [
  watching('members', async (page, { team }) => {
    await page.goto(`/teams/${team.id}/members`)
    await page.getByText('Théo Garnier').waitFor()
  }),
  watching('members-loading', async (page, { team }) => {
    await stallCall(page, 'teams.members')
    await blockSnapshots(page)
    await page.goto(`/teams/${team.id}/members`)
    await page.getByLabel('Loading members').waitFor()
  }),
  watching('members-failed', async (page, { team }) => {
    await refuseCall(page, 'teams.members', 'too-many')
    await blockSnapshots(page)
    await page.goto(`/teams/${team.id}/members`)
    await page.getByRole('alert').waitFor()
  }),
  watching('members-invited-menu', { from: 'members', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: /^Actions for Maximiliane/ }).click()
    await page.getByRole('menuitem', { name: 'Withdraw' }).waitFor()
  }),
  watching('members-viewer', async (page, { team }) => {
    await becomeViewer(page)
    await page.goto(`/teams/${team.id}/members`)
    await page.getByText('You can watch this team').waitFor()
    await page.getByText('Théo Garnier').waitFor()
  }),
  watching('team-rename-dialog', { from: 'members', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: /^Team name/ }).click()
    await page.getByRole('dialog').waitFor()
  }),
  watching(
    'team-delete-dialog',
    { from: 'members', leave: closeOverlay },
    async (page, { team }) => {
      await page.getByRole('button', { name: 'Delete team' }).click()
      await page.getByLabel("Type the team's name to confirm").fill(team.name)
    },
  ),
  watching('team-history', async (page, { team }) => {
    await page.goto(`/teams/${team.id}/history`)
    await page.getByText('Marta Lindqvist created the team').waitFor()
  }),
  watching('member-menu', { from: 'members', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: 'Actions for Théo Garnier' }).click()
    await page.getByRole('menuitem', { name: 'Watch only' }).waitFor()
  }),
  watching('member-hand-over-dialog', { from: 'members', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: 'Actions for Théo Garnier' }).click()
    await page.getByRole('menuitem', { name: 'Hand the team over' }).click()
    await page.getByRole('alertdialog').waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }),
  watching('member-remove-dialog', { from: 'members', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: 'Actions for Théo Garnier' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('alertdialog').waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }),
  watching('leave-dialog', { from: 'members', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: 'Leave team' }).click()
    await page.getByRole('alertdialog').waitFor()
  }),
  watching('invite', async (page, { team }) => {
    await page.goto(`/teams/${team.id}/members/invite`)
    await page.getByLabel('Email').waitFor()
  }),
  watching('invite-refused', { from: 'invite' }, async (page, { people }) => {
    await page.getByLabel('First Name').fill('Théo')
    await page.getByLabel('Last Name').fill('Garnier')
    await page.getByLabel('Email').fill(people.theo.email)
    await page.getByRole('button', { name: 'Invite' }).click()
    await errorOn(page).waitFor()
  }),
]
