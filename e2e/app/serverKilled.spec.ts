import { rm } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { newDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { patience } from '#testing/patience.ts'
import { contextOf, createScene } from '#testing/people/scene.ts'
import { quickStart } from '#testing/quickStart.ts'

const kills = 2

test('a killed server loses no sent message, and no page needs a reload', async ({ browser }) => {
  const dataDir = await newDataDir()
  let server = await startBuiltServer({ nodeOptions: quickStart, dataDir })
  const port = Number(new URL(server.url).port)
  const { ana, leo, sessionId, messagePath, drivePath } = await createScene(server)
  const pit = await (await contextOf(browser, server.url, ana)).newPage()
  const phone = await (await contextOf(browser, server.url, leo)).newPage()
  await phone.goto(drivePath)
  await pit.goto(messagePath)
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()

  for (let n = 0; n < kills; n++) {
    const type = messageTypes[n % messageTypes.length]!
    await pit.getByRole('button', { name: type.toUpperCase(), exact: true }).click()
    // The kill comes at a random moment between the press and shortly after the receipt.
    await new Promise(resolve => setTimeout(resolve, Math.random() * 300))
    await server.kill()
    server = await startBuiltServer({ nodeOptions: quickStart, dataDir, port })
    await retryUntilSent(pit)
    await expect(phone.getByRole('alert')).toHaveText(type)
  }

  const log = await ana.call.messages.log({ sessionId })
  expect(log.map(({ type }) => type).toReversed()).toEqual(
    Array.from({ length: kills }, (_, n) => messageTypes[n % messageTypes.length]),
  )
  expect(log.every(({ shownAt }) => shownAt !== null)).toBe(true)
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  await expect(phone.getByText('Online')).toBeVisible()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Retries unsent messages, as a team member would, until one is on the driver's screen. */
async function retryUntilSent(pit: Page) {
  const board = pit.getByRole('region', { name: 'Current message' })
  const again = board.getByRole('button', { name: 'Try again' })
  await expect(async () => {
    if (await again.isVisible()) await again.click()
    await expect(board.getByRole('status')).toContainText("On driver's screen", { timeout: 2000 })
  }).toPass({ timeout: 40_000 * patience })
}
