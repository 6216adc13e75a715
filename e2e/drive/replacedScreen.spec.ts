import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { phoneOptions, wordOn } from './driveScreen.ts'

// spec: DR-31
test('a replaced drive screen stays replaced after a reload, until it is opened again', async ({
  scene,
  open,
  driveUrl,
  session,
  phone: laptop,
  send,
}) => {
  const driveHere = laptop.getByRole('button', { name: 'Drive here' })
  await laptop.reload()
  await expect(laptop.getByText('Online')).toBeVisible()
  const phone = await open(scene.leo, phoneOptions)
  await phone.goto(driveUrl)
  await expect(phone.getByText('Online')).toBeVisible()
  await expect(driveHere).toBeVisible()

  for (let time = 1; time <= 2; time += 1) {
    await laptop.reload()
    await expect(driveHere).toBeVisible()
  }
  // Published after the laptop's connection would have taken over.
  await send('Pit')
  await expect(wordOn(phone)).toHaveText('Pit')
  await expect(driveHere).toBeVisible()

  await test.step('a tap on "Drive here" drives, and so does an address opened in the tab', async () => {
    await driveHere.tap()
    await expect(wordOn(laptop)).toHaveText('Pit')
    const phoneNotice = phone.getByRole('button', { name: 'Drive here' })
    await expect(phoneNotice).toBeVisible()
    await phoneNotice.tap()
    await expect(driveHere).toBeVisible()
    await laptop.goto(`/teams/${session.teamId}`)
    await laptop.getByRole('link', { name: /Enter your existing Race Session/ }).tap()
    await expect(wordOn(laptop)).toHaveText('Pit')
    await expect(phoneNotice).toBeVisible()
  })
})
