import { expect, test } from 'vitest'
import { fillValues, isEntered, isSameFill } from './enteredFill.ts'

const fill = { id: 'a', at: 1000, litres: 40, kind: 'part', enteredBy: 'Ana' } as const

test('fills are the same if the entered values are', () => {
  expect(fillValues(fill)).toEqual({ litres: 40, kind: 'part' })
  expect(isSameFill(fill, { ...fill, litres: 40 })).toBe(true)
  expect(isSameFill(fill, { ...fill, litres: 41 })).toBe(false)
  expect(isSameFill(fill, { ...fill, kind: 'full' })).toBe(false)
})

test('the fuel at the start is not an entered fill', () => {
  expect([fill, { ...fill, kind: 'start' as const }].map(isEntered)).toEqual([true, false])
})
