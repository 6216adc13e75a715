import { expect, test } from 'vitest'
import { noMessage } from '#client/channel/messageState.ts'
import type { Message } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { allOrder } from './allOrder.ts'
import type { Lane } from './lanes.ts'

const fcy: Message = { ...noMessage, version: 1, type: 'FCY', sentAt: 1000, shownAt: 1200 }

function orderOf(messages: readonly Message[]) {
  const lanes = messages.map((message, index) => {
    const driver = { firstName: 'Leo', lastName: 'Sommer', email: 'leo@example.com' }
    const car = { id: String(index), number: String(index + 7) }
    const session = { id: String(index), message, driver, currentDriver: null, car }
    return { id: String(index), session: session as unknown as Session } as Lane
  })
  return allOrder(lanes, () => null, 5000)
}

test('an order to all names the cars whose screens do not show it', () => {
  expect(orderOf([fcy, { ...fcy, sentAt: 2000, shownAt: null }])).toEqual({
    type: 'FCY',
    sentAt: 2000,
    count: 2,
    shown: 1,
    copied: 0,
    missing: ['8'],
  })
})

test('no order is one of all while a car has another message, or is alone', () => {
  expect(orderOf([fcy, { ...fcy, type: 'SC' }])).toBeNull()
  expect(orderOf([fcy, noMessage])).toBeNull()
  expect(orderOf([fcy])).toBeNull()
})

test('an order that is meant for one car is not one of all', () => {
  expect(orderOf([fcy, fcy].map(each => ({ ...each, type: 'Pit' }) as Message))).toBeNull()
})
