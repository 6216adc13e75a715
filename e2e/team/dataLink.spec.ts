import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'

const onTrack = { latitude: 50.4372, longitude: 5.9714, speed: 52 }

test('the team turns the data link off and on; while off, the car sends nothing (D1)', async ({
  scene,
  session,
  phone,
  gps,
  open,
  messageUrl,
  send,
}) => {
  await gps(onTrack)
  const wall = await open(scene.ana)
  await wall.goto(messageUrl)
  await expect(wall.getByText(/^187( km\/h)?$/)).toBeVisible()
  await send('Pit')
  await expect(phone.getByRole('alert')).toHaveText('Pit')
  const frames: string[] = []
  phone.on('websocket', socket =>
    socket.on('framesent', ({ payload }) => frames.push(payload.toString())),
  )
  const uploads: string[] = []
  phone.on('request', request => {
    if (request.url().includes('storeFixes')) uploads.push(request.url())
  })

  const settings = await open(scene.ana)
  await settings.goto(`/teams/${session.teamId}/${session.id}/laps`)
  await settings.getByText('Race settings').click()
  const off = settings.getByRole('button', { name: 'Switch the data link off' })
  await off.click()
  const hold = settings.getByRole('button', { name: 'Hold to switch off' })
  await expect(settings.getByRole('button', { name: 'Keep it on' })).toBeFocused()
  // A press that is not held does nothing.
  await hold.click()
  await expect(wall.getByRole('button', { name: 'PIT', exact: true })).toBeEnabled()
  await hold.focus()
  await settings.keyboard.down('Space')
  await expect(hold).toBeHidden()
  await settings.keyboard.up('Space')

  await expect(phone.getByText('Data link off by the rules')).toBeVisible()
  // Uploads of a slow connection before.
  uploads.length = 0
  await expect(phone.getByRole('alert')).toHaveText('')
  await expect(phone.getByText('Online')).toBeHidden()
  const whoAndWhen = /^By Ana since \d\d:\d\d\. Nothing reaches this car, ABORT included\.$/
  await expect(wall.getByText(whoAndWhen)).toBeVisible()
  await expect(wall.getByText(/^187( km\/h)?$/)).toBeHidden()
  for (const name of ['PIT', 'ABORT', 'CLEAR'])
    await expect(wall.getByRole('button', { name, exact: true })).toBeDisabled()
  await wall.getByRole('button', { name: 'Map' }).click()
  await expect(wall.getByText('The data link to this car is off').first()).toBeVisible()

  await test.step('a reload changes nothing', async () => {
    await phone.reload()
    await expect(phone.getByText('Data link off by the rules')).toBeVisible()
    await gps({ ...onTrack, speed: 60 })
    await expect(phone.getByText(/^216( km\/h)?$/)).toBeVisible()
    await expect.poll(() => frames.some(frame => frame.includes('"t":"drive"'))).toBe(true)
    expect(frames.filter(frame => /"t":"(fix|answer|receipt|phone|test)"/.test(frame))).toEqual([])
    expect(uploads).toEqual([])
  })

  await settings.setViewportSize({ width: 390, height: 844 })
  await settings.goto(`/teams/${session.teamId}/wall`)
  const events = settings.getByRole('log', { name: 'Events' })
  await expect(events).toContainText('Data link off, by Ana')
  await settings.getByRole('article').getByRole('button', { name: 'Switch on' }).click()
  const holdOn = settings.getByRole('button', { name: 'Hold to switch on' })
  await expect(settings.getByRole('button', { name: 'Keep it off' })).toBeFocused()
  // A press that is not held does nothing.
  await holdOn.click()
  await holdOn.focus()
  await settings.keyboard.down('Space')
  await expect(holdOn).toBeHidden()
  await settings.keyboard.up('Space')
  await expect(events).toContainText('Data link on, by Ana')
  await expect(phone.getByText('Online')).toBeVisible()
  await wall.getByRole('button', { name: 'Message' }).click()
  await expect(wall.getByText(/^216( km\/h)?$/)).toBeVisible()
  await wall.getByRole('button', { name: 'PIT', exact: true }).click()
  await expect(phone.getByRole('alert')).toHaveText('Pit')

  await test.step('a wall that was offline lists each switch', async () => {
    const link = (dataLink: boolean) =>
      scene.ana.call.sessions.setDataLink({ sessionId: session.id, dataLink })
    const isOff = settings.getByRole('article').getByRole('button', { name: 'Switch on' })
    await link(false)
    await expect(isOff).toBeVisible()
    await goOffline(settings)
    await expect(settings.getByText('This wall is offline')).toBeVisible()
    await link(true)
    await expect(phone.getByText('Online')).toBeVisible()
    await settings.context().setOffline(false)
    await expect(isOff).toBeHidden()
    await link(false)
    await expect(events.getByText('Data link off')).toHaveCount(3)
    await expect(events.getByText('Data link on')).toHaveCount(2)
  })

  await test.step('the message log has each switch with its time and the member', async () => {
    await settings.goto(`/teams/${session.teamId}/${session.id}/log`)
    const rows = settings.getByRole('list', { name: 'Messages' }).getByRole('listitem')
    const switches = rows.filter({ hasText: /^\d\d:\d\d:\d\dData link / })
    await expect(switches.first()).toContainText('Data link off, by Ana Lindqvist')
    await expect(switches).toHaveCount(5)
    await scene.ana.call.sessions.setDataLink({ sessionId: session.id, dataLink: true })
    await expect(switches.first()).toContainText('Data link on, by Ana Lindqvist')
  })
})
