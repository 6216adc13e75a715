import { expect, test } from 'vitest'
import { noMessage } from '#client/channel/messageState.ts'
import { DueReceipts } from '#client/channel/receipts.ts'
import { readDriverMessage, storeDriverMessage } from '#client/driver/storedMessage.ts'
import { LostFixes } from '#client/fixes/lostFixes.ts'
import { drivenSessionKey, driveScreenKey, linkOffKey } from '#client/storedKeys.ts'
import { planDraftKey, settingKeys } from '#web/device/stored.ts'
import { survivesUpdate } from './survivesUpdate.ts'

/** A device's storage, and a function that updates the app on it. */
function device() {
  const entries = new Map<string, string>()
  const store = {
    read: (key: string) => entries.get(key) ?? null,
    write: (key: string, text: string) => void entries.set(key, text),
    remove: (key: string) => void entries.delete(key),
  }
  const update = () => {
    for (const key of entries.keys()) if (!survivesUpdate(key)) entries.delete(key)
  }
  return { store, update, entries }
}

// spec: UP-1
test("an update keeps receipts, the driver's message and the count of lost positions", () => {
  const { store, update } = device()
  const receipt = { sessionId: 'stint', version: 3, stage: 'shown', at: 1000 } as const
  new DueReceipts(store, 'leo', () => undefined).add(receipt)
  storeDriverMessage(store, 'stint', { message: { ...noMessage, version: 3 }, seen: null })
  new LostFixes(store, 'leo').add(7)

  update()
  const receipts = new DueReceipts(store, 'leo', () => undefined)
  receipts.load('stint')
  expect(receipts.unsent('stint')).toEqual([receipt])
  expect(readDriverMessage(store, 'stint')?.message.version).toBe(3)
  expect(new LostFixes(store, 'leo').count).toBe(7)
})

// spec: UP-1
test('an update keeps unsent plan changes, the data link and the drive screen', () => {
  const { store, update, entries } = device()
  const kept = [planDraftKey, linkOffKey, driveScreenKey, drivenSessionKey]
  for (const key of kept) store.write(key, 'x')
  update()
  expect([...entries.keys()]).toEqual(kept)
})

// spec: UP-1
test('an update keeps the settings of the device', () => {
  const { store, update, entries } = device()
  const kept = ['pitboard.sound', 'pitboard.voice', 'pitboard.wallKeys', settingKeys.mediaButton]
  for (const key of kept) store.write(key, 'off')
  update()
  expect([...entries.keys()]).toEqual(kept)
})

// spec: UP-1
test('an update deletes what can be fetched again', () => {
  const { store, update, entries } = device()
  for (const key of ['something', 'pitboard.clock', 'appVersion', 'pitboard.login'])
    store.write(key, 'x')
  update()
  expect([...entries.keys()]).toEqual(['appVersion', 'pitboard.login'])
})
