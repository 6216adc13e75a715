import { expect, test } from 'vitest'
import { noMessage } from '#client/channel/messageState.ts'
import type { Message } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { allOrder } from './allOrder.ts'
import type { Lane } from './lanes.ts'

const fcy: Message = { ...noMessage, version: 1, type: 'FCY', sentAt: 1000, shownAt: 1200 }

function orderOf(messages: readonly Message[], unlinked: readonly number[] = []) {
  const lanes = messages.map((message, index) => {
    const driver = { firstName: 'Leo', lastName: 'Sommer', email: 'leo@example.com' }
    const car = { id: String(index), number: String(index + 7) }
    const dataLink = !unlinked.includes(index)
    const session = { id: String(index), message, dataLink, driver, currentDriver: null, car }
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

test('a car whose data link is off is named as one without the order to the others', () => {
  const order = orderOf([fcy, noMessage, fcy], [1])
  expect(order).toMatchObject({ count: 3, shown: 2, copied: 0, missing: ['8'] })
  expect(orderOf([fcy, noMessage], [1])).toBeNull()
})
