import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'

test('localStorage.debug prints the frames of the live channel', async ({ person, open }) => {
  const page = await open(await person('Ana'))
  const printed: string[] = []
  page.on('console', message => {
    if (message.type() === 'debug') printed.push(message.text())
  })
  const matching = (pattern: RegExp) => () => printed.filter(text => pattern.test(text)).length

  await page.goto('/teams')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(printed).toEqual([])

  await page.evaluate(() => localStorage.setItem('debug', 'live'))
  await page.reload()
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z live 1 /.source
  await expect.poll(matching(new RegExp(`${time}open ws:`))).toBe(1)
  await expect.poll(matching(new RegExp(`${time}out {"t":"hello"`))).toBe(1)
  await expect.poll(matching(new RegExp(`${time}in {"t":"welcome"`))).toBe(1)

  await goOffline(page)
  await expect(page.getByText('You are offline. Reconnecting...')).toBeVisible()
  await page.context().setOffline(false)
  // The first attempts may fail.
  await expect.poll(matching(/ live (?!1 )\d+ in {"t":"welcome"/)).toBeGreaterThanOrEqual(1)
  // A browser may report the close only once the server has answered it.
  await expect.poll(matching(/ live 1 close \d/)).toBe(1)
})
