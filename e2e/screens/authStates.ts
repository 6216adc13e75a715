import type { Page } from '@playwright/test'
import { errorOn } from '../toasts.ts'
import { refuseCall, stallCall } from './network.ts'
import { continuing, type State } from './state.ts'

const email = 'marta@northline.example'
const codePath = `/auth/confirm-otp?email=${email}`

export const authStates: readonly State[] = [
  guest('sign-in', page => page.goto('/auth/sign-in')),
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
  guest('sign-in-refused', async page => {
    await refuseCall(page, 'auth.sendCode', 'mail-not-sent')
    await askForCode(page)
    await errorOn(page).waitFor()
  }),
  guest('sign-in-google-refused', async page => {
    await page.goto('/auth/sign-in?refused=google-refused')
    await errorOn(page).waitFor()
  }),
  guest('sign-up', page => page.goto('/auth/sign-up')),
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
  guest('privacy', async page => {
    await page.goto('/privacy')
    await page.getByText('400 days, unless').waitFor()
  }),
  guest('code', page => page.goto(codePath)),
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
  guest('code-wrong', async page => {
    await refuseCall(page, 'auth.verifyCode', 'code-wrong')
    await enterCode(page)
    await errorOn(page).waitFor()
  }),
  guest('code-without-email', page => page.goto('/auth/confirm-otp')),
  guest('verification-sent', page => page.goto(`/auth/verification-sent?email=${email}`)),
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
  await page.goto('/auth/sign-in')
  await sendCode(page)
}

async function sendCode(page: Page) {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

async function enterCode(page: Page) {
  await page.goto(codePath)
  await page.getByLabel('One-time Code').fill('482057')
  await page.getByRole('button', { name: 'Complete' }).click()
}
