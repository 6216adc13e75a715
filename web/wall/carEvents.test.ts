import { expect, test } from 'vitest'
import { lap } from '#testing/lap.ts'
import { lapEvents } from './carEvents.ts'

const laps = [lap(1, 112.4), lap(2, 112.4), lap(3, 112.8)]

test('a lap is listed with its time and its delta to the average', () => {
  expect(lapEvents(laps, false).at(-1)).toMatchObject({ word: '1:52.8', text: ' +0.4' })
})

test('with a poor receiver a lap is listed with an approximate time and no delta', () => {
  expect(lapEvents(laps, true).at(-1)).toMatchObject({ word: '~1:53', text: '' })
})

test('both parts of a lap with a stop are listed', () => {
  const parts = [lap(4, 60, { kind: 'in' }), lap(4, 130, { kind: 'out', startedAt: 460_000 })]
  const keys = lapEvents([...laps, ...parts], false).map(({ key }) => key)
  expect(new Set(keys).size).toBe(5)
})
