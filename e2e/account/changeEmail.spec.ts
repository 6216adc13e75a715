import { expect } from '@playwright/test'
import { codeIn } from '#testing/people/person.ts'
import { test } from '../fixtures.ts'

test('a code to each address changes the email address', async ({ open, person, server }) => {
  const ana = await person('Ana')
  const email = `new-${ana.email}`
  const page = await open(ana)
  await page.goto('/teams')
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menuitem', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByLabel('New email').fill(ana.email)
  await dialog.getByRole('button', { name: 'Send codes' }).click()
  await expect(dialog.getByText('This is your email address already.')).toBeVisible()
  await dialog.getByLabel('New email').fill(email)
  await dialog.getByRole('button', { name: 'Send codes' }).click()

  const currentCode = codeIn((await server.mails.next(ana.email)).text)
  const newCode = codeIn((await server.mails.next(email)).text)
  const [current, fresh] = [ana.email, email].map(to =>
    dialog.getByLabel(`Code sent to ${to}`, { exact: true }),
  )
  await current?.fill(currentCode)
  await fresh?.fill(newCode === '000000' ? '000001' : '000000')
  await dialog.getByRole('button', { name: 'Change email' }).click()
  await expect(dialog.getByText('That code did not match.')).toBeVisible()
  await expect(current ?? dialog).toHaveValue(currentCode)
  await fresh?.fill(newCode)
  await dialog.getByRole('button', { name: 'Change email' }).click()

  await expect(page.getByText(`You sign in with ${email} from now on.`)).toBeVisible()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Your profile' }).click()
  await expect(page.getByRole('menu')).toContainText(email)
})

test('a change whose response is lost counts as done', async ({ open, person, server }) => {
  const ana = await person('Ana')
  const email = `new-${ana.email}`
  const page = await open(ana)
  await page.goto('/teams')
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menuitem', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByLabel('New email').fill(email)
  await dialog.getByRole('button', { name: 'Send codes' }).click()
  for (const to of [ana.email, email]) {
    const code = codeIn((await server.mails.next(to)).text)
    await dialog.getByLabel(`Code sent to ${to}`, { exact: true }).fill(code)
  }
  await page.route(/users\.changeEmail/, async route => {
    await route.fetch()
    await route.abort()
  })
  await dialog.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText(`You sign in with ${email} from now on.`)).toBeVisible()
  await expect(dialog).toBeHidden()
})
