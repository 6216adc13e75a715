import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { CookieJar, createClient } from '#testing/people/client.ts'
import { test } from '../fixtures.ts'

const authPaths = ['sign-in', 'sign-up', 'confirm-otp', 'verification-sent'].map(
  name => `/auth/${name}`,
)

// spec: RT-2 RT-3 RT-4 RT-5
test('each sign-in screen has its URL', async ({ open }) => {
  const page = await open()
  for (const [path, heading] of [
    ['/auth', 'Sign in to your account'],
    ['/auth/sign-in', 'Sign in to your account'],
    ['/auth/sign-up', 'Create a free account'],
    ['/auth/confirm-otp?email=ana%40northline.example', 'Enter One-Time-Code'],
    ['/auth/verification-sent?email=ana%40northline.example', 'Verification Sent'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  }
})

// spec: RT-7 RT-8 RT-9 RT-10 RT-11 RT-12 RT-13 RT-14
test('each screen of a team has its URL', async ({ open, person }) => {
  const ana = await person('Ana', 'Lindqvist')
  const team = await ana.call.teams.create({ name: 'Northline Racing' })
  const session = await ana.call.sessions.start({ teamId: team.id, name: 'Friday' })
  const page = await open(ana)
  const home = `/teams/${team.id}`
  for (const [path, heading] of [
    ['/teams', 'Select a Team'],
    ['/teams/create', 'Add Team'],
    [home, 'Northline Racing'],
    [`${home}/members`, 'Your Team'],
    [`${home}/members/invite`, 'Invite User'],
    [`${home}/new`, 'New Session (FOR DRIVERS ONLY)'],
    [`${home}/${session.id}/message`, /Ana Lindqvist/],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
    await expect(page).toHaveURL(path)
  }
  await page.goto(`${home}/${session.id}/drive`)
  await expect(page.getByText('Online')).toBeVisible()
})

// spec: RT-6 ER-5
test('a signed-out user is redirected to the sign-in and sees nothing of the screen', async ({
  open,
}) => {
  const page = await open()
  const home = `/teams/${randomUUID()}`
  for (const path of [
    '/teams',
    '/teams/create',
    home,
    `${home}/members`,
    `${home}/members/invite`,
    `${home}/new`,
    `${home}/${randomUUID()}/drive`,
    `${home}/${randomUUID()}/message`,
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to your account')
    await expect(page).toHaveURL(/\/auth\/sign-in(\?|$)/)
  }
})

// spec: RT-1
test('a signed-in user is redirected away from the sign-in', async ({ open, person }) => {
  const page = await open(await person('Ana'))
  for (const path of authPaths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Select a Team')
    await expect(page).toHaveURL('/teams')
  }
})

// spec: RT-18 AU-6
test('an anonymous user can open the sign-in and the teams', async ({ open, server }) => {
  const jar = new CookieJar()
  const { user } = await createClient(server.url, jar).auth.signInAnonymously()
  expect(user.isAnonymous).toBe(true)
  const page = await open({ jar })
  for (const path of authPaths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveURL(path)
  }
  await page.goto('/teams')
  await expect(page.getByText('No Teams')).toBeVisible()
})

// spec: PR-7
test('a redirect keeps the usability test of the URL', async ({ open, person }) => {
  const page = await open(await person('Ana'))
  for (const path of ['/', '/new', '/nothing', '/teams/nothing', '/auth', '/auth/sign-in']) {
    await page.goto(`${path}?oruxt=7`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Select a Team')
    await expect(page).toHaveURL('/teams?oruxt=7')
  }
})

// spec: RT-15 RT-16 RT-17
test('unknown URLs redirect to the team list, as does /new after external sign-in', async ({
  open,
  person,
}) => {
  const page = await open(await person('Ana'))
  for (const path of [
    '/teams/nothing',
    '/teams/create/nothing',
    `/teams/${randomUUID()}/nothing`,
    `/teams/${randomUUID()}/${randomUUID()}`,
    '/',
    '/nothing',
    '/new',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Select a Team')
    await expect(page).toHaveURL('/teams')
  }
})
