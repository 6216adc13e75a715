import { expect } from '@playwright/test'
import type { SessionCircuit } from '#contract/circuits.ts'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { unrouteCalls } from '../callRoutes.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { recordCalls, respondWith } from '../mockApi.ts'
import { boxOf, phoneOptions, showLeave, wordOn } from './driveScreen.ts'

const here = spaFrancorchamps.startFinish
const spa: SessionCircuit = {
  ...spaFrancorchamps,
  outline: [...spaFrancorchamps.outline],
  version: 2,
  line: here,
  pitLane: null,
}

test('a driver moves the line to the car, undoes it, and sends an offline tap again', async ({
  scene,
  open,
  driveUrl,
  session,
  send,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  const receiver = await phone.context().newCDPSession(phone)
  const gps = (speed: number) =>
    receiver.send('Emulation.setGeolocationOverride', { ...here, accuracy: 4, speed })
  await respondWith(phone, 'circuits.ofSession', spa)
  await respondWith(phone, 'circuits.setGate', { circuit: { id: 'spa', version: 3 }, movedM: 41 })
  await respondWith(phone, 'circuits.undo', {})
  const [sets, undos] = [
    recordCalls(phone, 'circuits.setGate'),
    recordCalls(phone, 'circuits.undo'),
  ]
  await gps(0)
  await phone.goto(driveUrl)
  await showLeave(phone)
  await phone.getByRole('button', { name: 'Line', exact: true }).tap()
  const panel = phone.getByRole('region', { name: 'Start and finish line' })
  const button = panel.getByRole('button', { name: 'Line is here' })
  await expect.poll(async () => (await boxOf(button)).height).toBeGreaterThanOrEqual(72)
  // It stays open while the car drives slowly to the line.
  await gps(8)
  await expect(phone.getByRole('button', { name: 'Leave' })).toBeHidden()
  const tappedAt = Date.now()
  await button.tap()
  await expect(panel).toContainText('Line moved 41\u00a0m. Laps recalculated.')
  expect(sets[0]?.postDataJSON().at).toBeGreaterThan(tappedAt - 10_000)
  expect(sets[0]?.postDataJSON().at).toBeLessThan(Date.now() + 10_000)
  await panel.getByRole('button', { name: 'Undo' }).tap()
  await expect(panel).toContainText('Undone.')
  expect(undos[0]?.postDataJSON()).toMatchObject({ circuitId: 'spa', version: 3 })

  await goOffline(phone)
  await unrouteCalls(phone)
  await button.tap()
  await expect(panel).toContainText('Not set.')
  await phone.context().setOffline(false)
  await respondWith(phone, 'circuits.setGate', { circuit: { id: 'spa', version: 5 }, movedM: 7 })
  await panel.getByRole('button', { name: 'Send again' }).tap()
  await expect(panel).toContainText('Line moved 7\u00a0m.')
  expect(sets[0]?.postDataJSON()).toMatchObject({ sessionId: session.id, gate: 'line' })
  expect(sets.at(-1)?.postDataJSON().at).toBe(sets.at(-2)?.postDataJSON().at)

  await send('Pit')
  await expect(wordOn(phone)).toHaveText('Pit')
  await expect(panel).toBeHidden()
  await send(null)
  await expect(wordOn(phone)).toBeHidden()
  await expect(panel).toBeHidden()
})
