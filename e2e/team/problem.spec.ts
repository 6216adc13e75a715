import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { addMember } from '#testing/people/addMember.ts'
import { test } from '../fixtures.ts'

test('a problem takes over wall, message screen and television until one member has got it', async ({
  scene,
  open,
  person,
  session,
  phone,
  messageUrl,
}) => {
  const { ana, team } = scene
  const mia = await person('Mia')
  await addMember(ana, team.id, mia)
  await ana.call.messages.set({ sessionId: session.id, type: 'Push', commandId: randomUUID() })
  const wall = await open(mia, { viewport: { width: 1440, height: 900 } })
  await wall.goto(`/teams/${team.id}/wall`)
  const board = await open(ana)
  await board.goto(messageUrl)
  const big = await open(ana, { viewport: { width: 1920, height: 1080 } })
  await big.goto(`/teams/${team.id}/wall?big`)

  await expect(phone.getByRole('alert').getByText('Push')).toBeVisible()
  await phone.keyboard.down('p')
  for (const page of [wall, board, big]) {
    await expect(page.getByRole('region', { name: 'PROBLEM' })).toBeVisible()
    await expect(page.getByText('Under it on the glass')).toBeVisible()
  }
  await phone.keyboard.up('p')
  await expect(big.getByRole('button', { name: /^Got it/ })).toBeHidden()

  // An order is not "Got it".
  await board.getByRole('button', { name: 'PIT', exact: true }).click()
  await expect(phone.getByRole('alert').getByText('Pit')).toBeVisible()
  await expect(wall.getByRole('region', { name: 'PROBLEM' })).toBeVisible()
  await board.getByRole('button', { name: 'CLEAR', exact: true }).click()

  await wall.getByRole('button', { name: /^Got it/ }).click()
  for (const page of [wall, board, big]) {
    await expect(page.getByText(/Got it by Mia, after 0:\d\d/).first()).toBeVisible()
    await expect(page.getByRole('region', { name: 'PROBLEM' })).toBeHidden()
  }
  await board.reload()
  await expect(board.getByText(/Got it by Mia, after 0:\d\d/).first()).toBeVisible()

  await phone.getByRole('button', { name: /Tap to take it back/ }).click()
  await expect(board.locator('b', { hasText: 'TAKEN BACK' })).toBeVisible()
  await expect(board.getByText(/Got it by/)).toBeHidden()
})

test('the driver reads who has got the problem', async ({ scene, session, phone }) => {
  await phone.keyboard.down('p')
  await expect(phone.getByText('Team has it').first()).toBeVisible()
  await phone.keyboard.up('p')
  const { messages, sessions } = scene.ana.call
  const { problem } = await sessions.get({ sessionId: session.id })
  await messages.gotIt({ sessionId: session.id, answerId: problem?.id ?? '' })
  await expect(phone.getByText(/^Ana, after 0:\d\d$/)).toBeVisible()
  await expect(phone.getByText('Got it', { exact: true })).toBeVisible()
})
