import { expect } from '@playwright/test'
import type { Person } from '#testing/people/person.ts'
import { waitForPaint } from '../../e2e/drive/driveScreen.ts'
import { callFrom, callWindow } from './supportCalls.ts'
import { promptOf, recordFrames, test } from './supportDesk.ts'

/** Starts a session of Leo's. `send` sends its driver a message or clears it. */
async function driving(leo: Person) {
  const team = await leo.call.teams.create({ name: 'Night Owls' })
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  return {
    address: `/teams/${team.id}/${session.id}/drive`,
    send: (type: 'Pit' | null) =>
      leo.call.messages.set({ sessionId: session.id, type, commandId: crypto.randomUUID() }),
  }
}

test('while a message is shown, support shows no prompt, pointer, drawing or test', async ({
  page,
  leo,
  agent,
  agentPerson,
}) => {
  const { id } = await (await agentPerson('sam')).call.support.createTest({
    title: 'Find the map',
    guidelines: '',
    tasks: [{ title: 'Open a session', description: '', allowTyping: false }],
  })
  const { address, send } = await driving(leo)
  const frames = recordFrames(page)
  await page.goto(`${address}?oruxt=${id}`)
  const word = page.getByRole('alert')
  const test = page.getByText('Find the map')
  const sam = await agent()
  await expect(test).toBeVisible()
  await send('Pit')
  await expect(word).toHaveText('Pit')
  await expect(test).toBeHidden()

  sam.send('request_control')
  await expect.poll(() => frames.join()).toContain('request_control')
  await expect(promptOf(page)).toHaveCount(0)
  await send(null)
  await expect(promptOf(page)).toBeVisible()
  await expect(test).toBeVisible()
  await send('Pit')
  await expect(word).toHaveText('Pit')
  await expect(promptOf(page)).toHaveCount(0)
  await waitForPaint(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Copy')).toBeVisible()
  await send(null)
  // The prompt is above the test, which covers everything else.
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.connection.next('control_granted')
  const pointer = page.getByText('sam Suppo…')
  const drawing = page.locator('body > canvas[data-openreplay-hidden]')
  const endControl = callWindow(page).getByRole('button', { name: 'End control' })
  sam.send('startAnnotation', [100, 100])
  sam.send('moveAnnotation', [200, 100])
  for (const shown of [pointer, drawing, endControl]) await expect(shown).toBeVisible()
  await send('Pit')
  await expect(word).toHaveText('Pit')
  for (const hidden of [pointer, drawing, endControl, test]) await expect(hidden).toBeHidden()
})

test('a call during a message rings after the message', async ({ page, leo, agent, visit }) => {
  const { address, send } = await driving(leo)
  const frames = recordFrames(page)
  const rings: string[] = []
  page.on('request', request => {
    if (/ring\.wav/.test(request.url())) rings.push(request.url())
  })
  await page.goto(address)
  const sam = await agent()
  await send('Pit')
  await expect(page.getByRole('alert')).toHaveText('Pit')
  const calling = await callFrom(page, sam, (await visit()).tabs[0]?.tabId ?? '')
  await expect.poll(() => frames.join()).toContain('OFFER')
  await waitForPaint(page)
  await expect(promptOf(page)).toHaveCount(0)
  expect(rings).toEqual([])
  await send(null)
  await expect(promptOf(page)).toContainText('Pitboard support is calling you')
  await expect.poll(() => rings.length).toBe(1)
  await calling.context().close()
})
