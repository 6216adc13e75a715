import type { Page } from '@playwright/test'
import type { OutputOf } from '#contract/api.ts'
import { Refusal } from '#contract/refusal.ts'
import { hourMs } from '#contract/shared/durations.ts'
import { routeCall } from '../callRoutes.ts'
import { changeResponse, respondWith } from '../mockApi.ts'
import { closeOverlay } from './overlays.ts'
import { asGuest, type State, watching } from './state.ts'

const teamId = '2f1d7f0a-5c39-4d0e-9a7d-0f6c1b0a7e11'
const code = 'K7M4PT'

const shown: OutputOf<'joinCodes.list'>[number] = {
  id: teamId,
  code,
  role: 'member',
  asks: true,
  expiresAt: Date.now() + 30 * hourMs,
  uses: 3,
  maxUses: 20,
  shownBy: 'Marta Lindqvist',
}

const mia: OutputOf<'joinCodes.waiting'>[number] = {
  userId: teamId,
  firstName: 'Mia',
  lastName: 'Larsen',
  email: null,
  browser: 'Chrome',
  system: 'Android',
  askedAt: Date.now() - 8000,
  role: 'member',
  takesOver: false,
}

const codeShown = '[role=img], [data-code]'
const path = `/join/${code}`

export const joinStates: readonly State[] = [
  watching('join-code-new', async (page, { team }) => {
    await page.goto(`/teams/${team.id}/members/code`)
    await page.getByRole('button', { name: 'Show a code' }).waitFor()
  }),
  watching(
    'join-code',
    { shows: 'Mia Larsen wants to join', atOnce: codeShown },
    async (page, { team }) => {
      await respondWith(page, 'joinCodes.list', [shown])
      await respondWith(page, 'joinCodes.waiting', [mia])
      await page.goto(`/teams/${team.id}/members/code`)
      await page.getByRole('img', { name: 'QR code of the link to join' }).waitFor()
    },
  ),
  watching('join-code-only', { atOnce: codeShown }, async (page, { team }) => {
    await respondWith(page, 'joinCodes.list', [shown])
    await page.goto(`/teams/${team.id}/members/code`)
    await page.getByRole('img', { name: 'QR code of the link to join' }).waitFor()
  }),
  watching('members-joining', { shows: 'Théo Garnier' }, async (page, { team }) => {
    await respondWith(page, 'joinCodes.waiting', [
      mia,
      { ...mia, userId: team.id, takesOver: true },
    ])
    await page.goto(`/teams/${team.id}/members`)
    await page.getByText('Mia Larsen wants to join').waitFor()
  }),
  watching('team-joining', async (page, { team }) => {
    await respondWith(page, 'joinCodes.waiting', [mia])
    await page.goto(`/teams/${team.id}`)
    await page.getByRole('alert').waitFor()
  }),
  watching('team-joined', async (page, { team }) => {
    await becomeJoined(page)
    await page.goto(`/teams/${team.id}`)
    await page.getByRole('button', { name: 'Add email' }).waitFor()
  }),
  watching('join-email-dialog', { from: 'team-joined', leave: closeOverlay }, async page => {
    await page.getByRole('button', { name: 'Add email' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  watching('sign-in-joined', async page => {
    await becomeJoined(page)
    await page.goto('/auth/sign-in')
    await page.getByRole('heading', { name: 'You are Marta Lindqvist' }).waitFor()
  }),
  asGuest('join-enter', async page => {
    await page.goto('/join')
    await page.getByLabel('Code').fill('k7m 4pt')
  }),
  asGuest('join-name', async page => {
    await findTeam(page)
    await page.getByLabel('First Name').fill('Mia')
  }),
  asGuest('join-same-name', async page => {
    await findTeam(page)
    await respondWith(page, 'joinCodes.join', { state: 'same-name', teamId })
    await page.getByLabel('First Name').fill('Mia')
    await page.getByLabel('Last Name').fill('Larsen')
    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByRole('alert').waitFor()
  }),
  asGuest('join-ended', { shows: 'This code has ended' }, async page => {
    const { status, body } = new Refusal('not-found', { detail: 'join-code-ended' })
    await routeCall(page, 'joinCodes.find', route => route.fulfill({ status, json: body }))
    await page.goto(path)
  }),
  asGuest('join-waiting', page => waitFor(page, { state: 'waiting', team: 'Northline Racing' })),
  asGuest('join-in', page =>
    waitFor(page, { state: 'in', team: 'Northline Racing', role: 'member' }),
  ),
  asGuest('join-not-in', async page => {
    await respondWith(page, 'joinCodes.state', { state: 'not-in' })
    await page.goto(`${path}?team=${teamId}`)
    await page.getByRole('heading', { name: 'Not let in' }).waitFor()
  }),
]

/** Makes the signed-in user one who joined by a code, for this page only. */
function becomeJoined(page: Page) {
  return changeResponse(page, 'auth.login', ({ login }: OutputOf<'auth.login'>) => ({
    login: login && {
      ...login,
      user: { ...login.user, email: null, isAnonymous: true, kind: 'joined' },
    },
  }))
}

async function findTeam(page: Page) {
  const { role, asks, expiresAt, shownBy } = shown
  const team = 'Northline Racing'
  await respondWith(page, 'joinCodes.find', { teamId, team, role, asks, expiresAt, shownBy })
  await page.goto(path)
  await page.getByRole('heading', { name: 'Join the team' }).waitFor()
}

async function waitFor(page: Page, state: OutputOf<'joinCodes.state'>) {
  await respondWith(page, 'joinCodes.state', state)
  await page.goto(`${path}?team=${teamId}`)
  await page.getByRole('status').waitFor()
}
