import { rm } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import type { MessageType } from '#contract/messages.ts'
import { hourMs } from '#contract/shared/durations.ts'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { migratedDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { patience } from '#testing/patience.ts'
import { createRace } from '#testing/people/createRace.ts'
import { contextOf, createScene } from '#testing/people/scene.ts'
import { quickStart } from '#testing/quickStart.ts'
import { test } from '../workerFixtures.ts'

const kills = 2
/** Length of the race. */
const hours = 6

test('a killed server loses no sent message, and no page needs a reload', async ({ browser }) => {
  const dataDir = await migratedDataDir()
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
    await retryUntilSent(pit, type)
    await expect(phone.getByRole('alert')).toHaveText(type)
  }

  const allShown = async () =>
    (await ana.call.messages.log({ sessionId })).every(({ shownAt }) => shownAt !== null)
  await expect.poll(allShown).toBe(true)
  const log = await ana.call.messages.log({ sessionId })
  expect(log.map(({ type }) => type).toReversed()).toEqual(
    Array.from({ length: kills }, (_, n) => messageTypes[n % messageTypes.length]),
  )
  await expect(pit.getByRole('img', { name: 'Driver online' })).toBeVisible()
  await expect(phone.getByText('Online')).toBeVisible()
  for (const page of [pit, phone]) await page.context().close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Retries an unsent message, as a team member would, until it replaces the previous one on the driver's screen. */
async function retryUntilSent(pit: Page, type: MessageType) {
  const board = pit.getByRole('region', { name: 'Current message' })
  const again = board.getByRole('button', { name: 'Try again' })
  await expect(async () => {
    // It disappears if the connection confirms the message first.
    if (await again.isVisible()) await again.click({ timeout: 2000 })
    // After a slow start of the server it is shown without a copy for long.
    const shown = `${type}: Shown`
    await expect(board.getByRole('status')).toContainText(shown, { timeout: 2000 })
  }).toPass({ timeout: 40_000 * patience })
}

test('the race clock survives a killed server, and is equal on all screens', async ({
  browser,
}) => {
  const dataDir = await migratedDataDir()
  let server = await startBuiltServer({ nodeOptions: quickStart, dataDir })
  const port = Number(new URL(server.url).port)
  const { ana, leo, teamId, messagePath, drivePath } = await createScene(server)
  await createRace(ana, teamId, { hours })
  const startedAt = (await ana.call.races.list({ teamId }))[0]?.startedAt
  const phone = await (await contextOf(browser, server.url, leo)).newPage()
  const team = await contextOf(browser, server.url, ana)
  const [pit, wall] = [await team.newPage(), await team.newPage()]
  await phone.goto(drivePath)
  await pit.goto(messagePath)
  await wall.goto(`/teams/${teamId}/wall`)
  const clocks = [
    phone.getByRole('region', { name: 'Laps' }),
    ...[pit, wall].map(page => page.getByRole('button', { name: /^Race clock/ })),
  ]
  const expectSameSecond = () =>
    expect(async () => {
      const texts = await Promise.all(clocks.map(clock => clock.textContent({ timeout: 2000 })))
      const shown = texts.map(text =>
        /(\d):(\d\d):(\d\d)/
          .exec(text ?? '')
          ?.slice(1)
          .map(Number),
      )
      expect(shown[0]).toBeDefined()
      expect(shown[1]).toEqual(shown[0])
      expect(shown[2]).toEqual(shown[0])
      const [shownHours = 0, minutes = 0, seconds = 0] = shown[0] ?? []
      const leftMs = hours * hourMs - (Date.now() - (startedAt ?? 0))
      expect(Math.abs(shownHours * 3600 + minutes * 60 + seconds - leftMs / 1000)).toBeLessThan(1.5)
    }).toPass({ timeout: 30_000 * patience })

  await expectSameSecond()
  await server.kill()
  // All clocks run on without a server.
  await expectSameSecond()
  server = await startBuiltServer({ nodeOptions: quickStart, dataDir, port })
  await expect(phone.getByText('Online')).toBeVisible()
  await phone.reload()
  await wall.reload()
  await expectSameSecond()
  expect((await ana.call.races.list({ teamId })).map(each => each.startedAt)).toEqual([startedAt])
  for (const context of [phone.context(), team]) await context.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})
