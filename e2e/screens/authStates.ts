import type { Page } from '@playwright/test'
import { errorOn } from '../toasts.ts'
import { refuseCall, stallCall } from './network.ts'
import { continuing, type State, sharing } from './state.ts'
import { visit } from './visit.ts'

const email = 'marta@northline.example'
const codePath = `/auth/confirm-otp?email=${email}`

export const authStates: readonly State[] = [
  guest('sign-in', page => visit(page, '/auth/sign-in')),
  continuing(
    'sign-in',
    guest('sign-in-error', async page => {
      await page.getByLabel('Email').fill('marta@northline')
      await page.getByLabel('Email').blur()
      await page.getByText('Enter a complete email address.').waitFor()
    }),
  ),
  continuing(
    'sign-in-error',
    guest('sign-in-busy', async page => {
      await stallCall(page, 'auth.sendCode')
      await sendCode(page)
      await page.locator('[aria-busy=true]').waitFor()
    }),
  ),
  sharing(
    guest('sign-in-refused', async page => {
      await refuseCall(page, 'auth.sendCode', 'mail-not-sent')
      await askForCode(page)
      await errorOn(page).waitFor()
    }),
  ),
  sharing(
    guest('sign-in-google-refused', async page => {
      await visit(page, '/auth/sign-in?refused=google-refused')
      await errorOn(page).waitFor()
    }),
  ),
  sharing(guest('sign-up', page => visit(page, '/auth/sign-up'))),
  continuing(
    'sign-up',
    guest('sign-up-errors', async page => {
      for (const label of ['First Name', 'Last Name', 'Email']) {
        await page.getByLabel(label).focus()
        await page.getByLabel(label).blur()
      }
      await page.getByText('Enter a complete email address.').waitFor()
    }),
  ),
  sharing(
    guest('privacy', async page => {
      await visit(page, '/privacy')
      await page.getByText('400 days, unless').waitFor()
    }),
  ),
  guest('code', page => visit(page, codePath)),
  continuing(
    'code',
    guest('code-typed', async page => {
      await page.getByLabel('One-time Code').fill('482057')
    }),
  ),
  continuing(
    'code-typed',
    guest('code-busy', async page => {
      await stallCall(page, 'auth.verifyCode')
      await page.getByRole('button', { name: 'Complete' }).click()
      await page.locator('[aria-busy=true]').waitFor()
    }),
  ),
  sharing(
    guest('code-wrong', async page => {
      await refuseCall(page, 'auth.verifyCode', 'code-wrong')
      await enterCode(page)
      await errorOn(page).waitFor()
    }),
  ),
  sharing(guest('code-without-email', page => visit(page, '/auth/confirm-otp'))),
  sharing(
    guest('verification-sent', page => visit(page, `/auth/verification-sent?email=${email}`)),
  ),
]

function guest(name: string, open: (page: Page) => Promise<unknown>): State {
  return {
    name,
    viewer: 'guest',
    open: async page => {
      await open(page)
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  }
}

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
