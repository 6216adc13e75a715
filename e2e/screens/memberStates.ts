import { errorOn } from '../toasts.ts'
import { becomeViewer, blockSnapshots } from './network.ts'
import { closeOverlay } from './overlays.ts'
import { type State, unloaded, watching } from './state.ts'

export const memberStates: readonly State[] = [
  watching('members', { shows: 'Théo Garnier' }, (page, { team }) =>
    page.goto(`/teams/${team.id}/members`),
  ),
  ...unloaded('members', {
    call: 'teams.members',
    loading: 'Loading members',
    async open(page, { team }) {
      await blockSnapshots(page)
      await page.goto(`/teams/${team.id}/members`)
    },
  }),
  watching('members-invited-menu', { from: 'members', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: /^Actions for Maximiliane/ }).click()
    await page.getByRole('menuitem', { name: 'Withdraw' }).waitFor()
  }),
  watching('members-viewer', { shows: 'Théo Garnier' }, async (page, { team }) => {
    await becomeViewer(page)
    await page.goto(`/teams/${team.id}/members`)
    await page.getByText('You can watch this team').waitFor()
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
  watching('team-history', { shows: 'Marta Lindqvist created the team' }, (page, { team }) =>
    page.goto(`/teams/${team.id}/history`),
  ),
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
