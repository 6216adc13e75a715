import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { message, Peer, sessionId } from './peer.ts'

let peer: Peer
beforeEach(async () => {
  peer = await Peer.listen()
})
afterEach(() => peer.close())

test('a message is reached and shown at once, and acknowledged after a delay', async () => {
  const seen: Message[] = []
  peer.startCar({ copyAfterMs: 60, onMessage: message => seen.push(message) })
  const connection = await peer.driving()
  const sentAt = performance.now()
  connection.message(message(1, 'Pit'))
  expect(await connection.next('receipt')).toMatchObject({ version: 1, stage: 'reached' })
  expect(await connection.next('receipt')).toMatchObject({ version: 1, stage: 'shown' })
  expect(await connection.next('receipt')).toMatchObject({ version: 1, stage: 'copied' })
  expect(performance.now() - sentAt).toBeGreaterThanOrEqual(59)
  expect(seen).toEqual([message(1, 'Pit')])
})

test('a message replaced before the acknowledgement is not acknowledged', async () => {
  peer.startCar({ copyAfterMs: 300 })
  const connection = await peer.driving()
  connection.message(message(1, 'Pit'))
  connection.message(message(2, 'Go'))
  let receipt = await connection.next('receipt')
  while (receipt.stage !== 'copied') receipt = await connection.next('receipt')
  expect(receipt.version).toBe(2)
})

test('a cleared message is not acknowledged any more', async () => {
  peer.startCar({ copyAfterMs: 100 })
  const connection = await peer.driving()
  connection.message(message(1, 'Pit'))
  connection.message(message(2, null))
  expect(await connection.receipts(4)).toEqual(['1 reached', '1 shown', '2 reached', '2 shown'])
  // At 50 fixes a second, eight more fixes outlast the acknowledgement delay.
  for (let count = 0; count < 8; count++) await connection.next('fix')
  expect(connection.received('receipt')).toEqual([])
})

test('an older message that arrives late is ignored', async () => {
  const car = peer.startCar({ copyAfterMs: 10 })
  const connection = await peer.driving()
  connection.message(message(5, 'SC'))
  connection.message(message(4, 'Go'))
  connection.message(message(6, null))
  expect(await connection.receipts(4)).toEqual(['5 reached', '5 shown', '6 reached', '6 shown'])
  expect(car.message).toMatchObject({ version: 6, type: null })
})

test('a heartbeat with a newer version makes the car request a snapshot', async () => {
  peer.startCar()
  const connection = await peer.driving()
  const { at } = await connection.next('beat')
  connection.send({ t: 'beat', at, now: Date.now(), versions: { [sessionId]: 3 } })
  await connection.next('drive')
  connection.snapshot(message(3, 'Fuel'))
  expect(await connection.next('receipt')).toMatchObject({ version: 3, stage: 'reached' })
})
