import type { Page } from '@playwright/test'
import { hold, refuse } from '../mockApi.ts'
import { errorOn } from '../toasts.ts'
import { asGuest, type State, shared } from './state.ts'
import { visit } from './visit.ts'

const email = 'marta@northline.example'
const codePath = `/auth/confirm-otp?email=${email}`

const opened = [
  asGuest('sign-in', page => visit(page, '/auth/sign-in')),
  asGuest('sign-in-error', { from: 'sign-in' }, async page => {
    await page.getByLabel('Email').fill('marta@northline')
    await page.getByLabel('Email').blur()
    await page.getByText('Enter a complete email address.').waitFor()
  }),
  asGuest('sign-in-busy', { from: 'sign-in-error' }, async page => {
    await hold(page, 'auth.sendCode')
    await sendCode(page)
    await page.locator('[aria-busy=true]').waitFor()
  }),
  asGuest('sign-in-refused', shared, async page => {
    await refuse(page, 'auth.sendCode', 'mail-not-sent')
    await askForCode(page)
    await errorOn(page).waitFor()
  }),
  asGuest('sign-in-google-refused', shared, async page => {
    await visit(page, '/auth/sign-in?refused=google-refused')
    await errorOn(page).waitFor()
  }),
  asGuest('sign-up', shared, page => visit(page, '/auth/sign-up')),
  asGuest('sign-up-errors', { from: 'sign-up' }, async page => {
    for (const label of ['First Name', 'Last Name', 'Email']) {
      await page.getByLabel(label).focus()
      await page.getByLabel(label).blur()
    }
    await page.getByText('Enter a complete email address.').waitFor()
  }),
  asGuest('privacy', { ...shared, shows: '400 days, unless' }, page => visit(page, '/privacy')),
  asGuest('code', page => visit(page, codePath)),
  asGuest('code-typed', { from: 'code' }, async page => {
    await page.getByLabel('One-time Code').fill('482057')
  }),
  asGuest('code-busy', { from: 'code-typed' }, async page => {
    await hold(page, 'auth.verifyCode')
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.locator('[aria-busy=true]').waitFor()
  }),
  asGuest('code-wrong', shared, async page => {
    await refuse(page, 'auth.verifyCode', 'code-wrong')
    await enterCode(page)
    await errorOn(page).waitFor()
  }),
  asGuest('code-without-email', shared, page => visit(page, '/auth/confirm-otp')),
  asGuest('verification-sent', shared, page =>
    visit(page, `/auth/verification-sent?email=${email}`),
  ),
]

/** Each of these screens is in its state once its title is shown. */
export const authStates: readonly State[] = opened.map(state => ({
  ...state,
  open: async (page, stage) => {
    await state.open(page, stage)
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
}))

async function askForCode(page: Page) {
  await visit(page, '/auth/sign-in')
  await sendCode(page)
}

async function sendCode(page: Page) {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

async function enterCode(page: Page) {
  await visit(page, codePath)
  await page.getByLabel('One-time Code').fill('482057')
  await page.getByRole('button', { name: 'Complete' }).click()
}
