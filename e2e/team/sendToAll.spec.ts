import { expect } from '@playwright/test'
import type { Message } from '#contract/messages.ts'
import { Refusal } from '#contract/refusal.ts'
import type { TestConnection } from '#testing/live/testConnection.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { startInCar } from '#testing/people/roster.ts'
import { routeCall } from '../callRoutes.ts'
import { teamPhone } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'

test('a phone sends an order to all cars, and sees which screens do not show it', async ({
  open,
  person,
}) => {
  const [ana, leo, mia] = [await person('Ana'), await person('Leo'), await person('Mia')]
  const { teamId, first, second, third } = await threeCars(ana, leo, mia)
  showAll(await phoneOf(ana, first.id))
  showAll(await phoneOf(leo, second.id))

  const page = await open(ana, teamPhone)
  await page.goto(`/teams/${teamId}/${first.id}/message`)
  const more = page.getByRole('button', { name: 'More' })
  await more.click()
  await page.getByRole('button', { name: 'All 3 cars' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send to all 3 cars' })
  const order = (name: string) => dialog.getByRole('button', { name, exact: true })
  const receipt = dialog.getByRole('status')
  const line = (car: string) => dialog.getByRole('listitem').filter({ hasText: car })
  await expect(dialog.getByRole('button')).toHaveText([
    'EASY',
    /^FCY/,
    /^SC/,
    /^CODE 60/,
    'ABORT',
    'CLEAR',
    'Close',
  ])

  await test.step('one phone is offline: its car is named until the order is on its screen', async () => {
    await order('FCY').click()
    await expect(receipt).toHaveText('FCY: Shown on 2 of 3, not on 44')
    await expect(line('44')).toContainText('Sent, not shown')
    await expect(line('23')).toContainText('Shown after')
    const late = await phoneOf(mia, third.id)
    showAll(late)
    show(late, (await ana.call.sessions.get({ sessionId: third.id })).message)
    await expect(receipt).toHaveText('FCY: Shown on all 3')
  })

  await test.step('an order that was refused for one car is repeated for that one', async () => {
    let calls = 0
    await routeCall(page, 'messages.set', route => {
      calls += 1
      const { status, body } = new Refusal('server-error')
      return calls === 2 ? route.fulfill({ status, json: body }) : route.fallback()
    })
    await order('SC').click()
    await expect(line('23')).toContainText('SC was not sent')
    await expect(line('17')).toContainText(/SC\s*Shown after/)
    await expect(receipt).toContainText(/^SC: Not sent to 23\. \w/)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(receipt).toHaveText('SC: Shown on all 3')
    expect(calls).toBe(4)
  })

  await test.step('without a network nothing is sent until it is tried again', async () => {
    await goOffline(page)
    await order('EASY').click()
    for (const car of ['17', '23', '44']) await expect(line(car)).toContainText('EASY was not sent')
    await expect(receipt).toContainText('EASY: Not sent to 17, 23, 44. ')
    await page.context().setOffline(false)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(receipt).toHaveText('EASY: Shown on all 3')
  })

  await test.step('ABORT needs two presses, and CLEAR ends it', async () => {
    await order('ABORT').click()
    await expect(order('ABORT again')).toBeVisible()
    await expect(receipt).toHaveText('EASY: Shown on all 3')
    await order('ABORT again').click()
    await expect(receipt).toHaveText('ABORT: Shown on all 3')
    await order('CLEAR').click()
    for (const car of ['17', '23', '44']) await expect(line(car)).toContainText('No message')
    const { message } = await ana.call.sessions.get({ sessionId: third.id })
    expect(message.type).toBeNull()
  })

  await test.step('the key goes when one car is left', async () => {
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toBeHidden()
    await leo.call.sessions.end({ sessionId: second.id })
    await more.click()
    await expect(page.getByRole('button', { name: 'All 2 cars' })).toBeVisible()
    await mia.call.sessions.end({ sessionId: third.id })
    await expect(page.getByRole('button', { name: /^All/ })).toHaveCount(0)
  })
})

/** Starts a session of each person in a car of a team: 17, 23 and 44. */
async function threeCars(ana: Person, leo: Person, mia: Person) {
  const { id: teamId } = await createTeam(ana, [leo, mia])
  return {
    teamId,
    first: await startInCar(ana, teamId, { number: '17' }),
    second: await startInCar(leo, teamId, { number: '23' }),
    third: await startInCar(mia, teamId, { number: '44' }),
  }
}

async function phoneOf(driver: Person, sessionId: string): Promise<TestConnection> {
  return (await driver.connect()).keepAlive().drive(sessionId)
}

/** Reports each message that the phone receives as shown. */
function showAll(phone: TestConnection) {
  let shown = 0
  phone.socket.on('message', () => {
    for (const { message } of phone.received('message').slice(shown)) {
      shown += 1
      show(phone, message)
    }
  })
}

function show(phone: TestConnection, { version }: Message) {
  phone.send({ t: 'receipt', version, stage: 'shown', at: Date.now() })
}
