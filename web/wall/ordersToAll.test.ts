import { expect, test } from 'vitest'
import { joinOrdersToAll } from './ordersToAll.ts'
import type { WallEvent } from './wallLog.ts'

interface Given {
  word?: string
  pressedAt?: number
  isShown?: boolean
  isCopied?: boolean
}

function order(plate: string, given: Given = {}): WallEvent {
  const { word = 'FCY', pressedAt = 1000, isShown = true, isCopied = true } = given
  const at = pressedAt + Number(plate)
  const key = `${plate} message ${at}`
  return { key, at, plate, word, text: '', toAll: { pressedAt, isShown, isCopied } }
}

const newestFirst = (events: readonly WallEvent[]) => events.toSorted((a, b) => b.at - a.at)

const rows = (events: readonly WallEvent[], count = 3) =>
  joinOrdersToAll(newestFirst(events), count).map(({ plate, word, text }) => [plate, word + text])

test('an order to all cars is one event, which counts the drivers who have copied it', () => {
  const fcy = [order('7'), order('12', { pressedAt: 1003 }), order('44', { isCopied: false })]
  expect(rows(fcy)).toEqual([['All', 'FCY: Copied by 2 of 3']])
  const [first] = newestFirst(fcy)
  expect(joinOrdersToAll(newestFirst(fcy), 3)[0]).toMatchObject({ key: first?.key, at: first?.at })
})

test('an order to all names the cars that do not show it, and CLEAR is joined, too', () => {
  const clear = { word: 'CLEAR', isCopied: false }
  const cars = ['7', '12', '44'].map(plate => order(plate, { ...clear, isShown: plate !== '12' }))
  expect(rows(cars)).toEqual([['All', 'CLEAR: Shown on 2 of 3, not on 12']])
})

test('a double tap is one event with the receipts of the newest order', () => {
  const tap = (pressedAt: number, isCopied: boolean) =>
    ['7', '12'].map(plate => order(plate, { pressedAt, isCopied }))
  expect(rows([...tap(1000, false), ...tap(1400, true)], 2)).toEqual([
    ['All', 'FCY: Copied by 2 of 2'],
  ])
})

test('other orders stay events of each car: of some cars, at other times, other words', () => {
  const two = [order('7'), order('12')]
  const plates = (events: readonly WallEvent[]) => rows(events).map(([plate]) => plate)
  expect(plates(two)).toEqual(['12', '7'])
  expect(plates([...two, order('44', { pressedAt: 5000 })])).toEqual(['44', '12', '7'])
  expect(plates([...two, order('44', { word: 'SC' })])).toEqual(['44', '12', '7'])
  const { toAll: _, ...other } = order('44')
  expect(plates([...two, other])).toEqual(['44', '12', '7'])
  expect(rows([order('7')], 1)).toEqual([['7', 'FCY']])
})
