import { expect, type Page } from '@playwright/test'
import { TestConnection } from '#testing/live/testConnection.ts'
import { test } from '../fixtures.ts'
import { errorOn, successOn } from '../toasts.ts'

/** Requests a code on the sign-in screen. */
async function askForCode(page: Page, email: string) {
  await page.goto('/auth/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL(/\/auth\/confirm-otp/)
}

async function enterCode(page: Page, code: string) {
  await page.getByLabel('One-time Code').fill(code)
  await page.getByRole('button', { name: 'Complete' }).click()
}

async function openDevices(page: Page) {
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menuitem', { name: 'Signed-in devices' }).click()
  return page.getByRole('dialog', { name: 'Signed-in devices' })
}

test('a code works only in the browser that requested it', async ({
  open,
  person,
  codeMailedTo,
}) => {
  const { email } = await person('Ana')
  const [own, stranger] = [await open(), await open()]
  await askForCode(own, email)
  const code = await codeMailedTo(email)
  await askForCode(stranger, email)
  const theirs = await codeMailedTo(email)
  await enterCode(stranger, code === theirs ? '000000' : code)
  await expect(errorOn(stranger)).toContainText('That code did not match.')
  await enterCode(own, code)
  await expect(own).toHaveURL('/teams')
})

test('a browser signed out from another browser is signed out at once', async ({
  open,
  person,
  codeMailedTo,
}) => {
  const ana = await person('Ana')
  const [own, lost] = [await open(ana), await open()]
  await askForCode(lost, ana.email)
  await enterCode(lost, await codeMailedTo(ana.email))
  await expect(lost).toHaveURL('/teams')

  await own.goto('/teams')
  const devices = await openDevices(own)
  await expect(devices.getByRole('listitem')).toHaveCount(2)
  await expect(devices.getByRole('listitem').first()).toContainText('This device')
  await devices.getByRole('button', { name: /^Sign out Chrome on/ }).click()
  const question = own.getByRole('alertdialog')
  await expect(question).toContainText('Access ends at once.')
  await question.getByRole('button', { name: 'Sign out' }).click()

  await expect(successOn(own)).toContainText('is signed out.')
  await expect(lost.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await expect(devices.getByRole('button', { name: /everywhere/ })).toHaveCount(0)
  await devices.getByRole('button', { name: 'Close' }).click()
  await expect(own.getByRole('heading', { level: 1 })).toHaveText('Select a Team')
})

test('signing out everywhere else keeps this browser, and devices unless selected', async ({
  open,
  person,
  server,
  codeMailedTo,
}) => {
  const ana = await person('Ana')
  const own = await open(ana)
  const others = [await open(), await open()]
  for (const page of others) {
    await askForCode(page, ana.email)
    await enterCode(page, await codeMailedTo(ana.email))
    await expect(page).toHaveURL('/teams')
  }
  await ana.call.auth.sendCode({ email: ana.email })
  const code = await codeMailedTo(ana.email)
  const { token } = await ana.call.auth.verifyCode({ email: ana.email, code, device: 'Logger 7' })
  const statusOfLogger = async () => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${server.url}/api/users.me`, { headers })).status
  }

  await own.goto('/teams')
  const devices = await openDevices(own)
  await expect(devices.getByRole('listitem')).toHaveCount(4)
  await devices.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await own.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  for (const page of others)
    await expect(page.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  await expect(devices.getByRole('listitem')).toHaveCount(2)
  expect(await statusOfLogger()).toBe(200)

  await devices.getByRole('button', { name: 'Sign out everywhere, devices too' }).click()
  await own.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await expect.poll(statusOfLogger).toBe(401)
})

test('a token is shown once, works with its scope and ends with the device', async ({
  open,
  person,
  server,
}) => {
  const page = await open(await person('Ana'))
  await page.goto('/teams')
  const devices = await openDevices(page)
  await devices.getByRole('button', { name: 'New token for a device' }).click()
  const dialog = page.getByRole('dialog', { name: 'New token for a device' })
  await dialog.getByLabel('Name of the device').fill('Logger 7')
  await dialog.getByLabel('Read your teams, sessions and messages').check()
  await dialog.getByLabel('Report positions').uncheck()
  await dialog.getByRole('button', { name: 'Create' }).click()

  const created = page.getByRole('dialog', { name: 'Token created' })
  const token = await created.getByRole('textbox', { name: 'Token' }).inputValue()
  expect(await created.getByRole('textbox', { name: 'To try it' }).inputValue()).toContain(token)
  const live = await created.getByRole('textbox', { name: 'live connection' }).inputValue()
  const [, url = '', authorization = '', hello = ''] =
    /-c "(.+)\/live" -H "authorization: (.+?)" -x '(.+)'/.exec(live) ?? []
  const connection = new TestConnection(url, { authorization })
  await connection.opened()
  connection.socket.send(hello)
  await connection.next('welcome')
  connection.close()
  const statusOf = async (call: string, method = 'GET') => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${server.url}/api/${call}`, { method, headers })).status
  }
  expect(await statusOf('teams.list')).toBe(200)
  expect(await statusOf('sessions.end', 'POST')).toBe(403)
  await created.getByRole('button', { name: 'Close' }).click()

  const logger = devices.getByRole('listitem').filter({ hasText: 'Logger 7' })
  await expect(logger).toContainText('may read')
  await logger.getByRole('button', { name: 'Sign out Logger 7' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  await expect(logger).toHaveCount(0)
  expect(await statusOf('teams.list')).toBe(401)
})
