import { beforeEach, expect, test } from 'vitest'
import { heldClock } from '#testing/live/heldClock.ts'
import { OneButton } from './oneButton.ts'

let clock: ReturnType<typeof heldClock>
let button: OneButton
let got: string[]
let mayDouble: boolean

beforeEach(() => {
  clock = heldClock()
  got = []
  mayDouble = true
  button = new OneButton(clock, {
    onPress: () => got.push('press'),
    onDouble: () => got.push('double'),
    onHold: () => got.push('hold'),
    mayDouble: () => mayDouble,
  })
})

function press(heldForMs = 100) {
  button.down()
  clock.pass(heldForMs)
  button.up()
}

test('one press counts when no second one followed within 400 ms', () => {
  press()
  clock.pass(399)
  expect(got).toEqual([])
  clock.pass(1)
  expect(got).toEqual(['press'])
})

test('two presses within 400 ms are one double press', () => {
  press()
  clock.pass(250)
  press()
  clock.pass(5000)
  expect(got).toEqual(['double'])
})

test('a button held for 1.5 s is held, and its release is not a press', () => {
  press(1499)
  clock.pass(400)
  press(1500)
  clock.pass(5000)
  expect(got).toEqual(['press', 'hold'])
})

test('repeated reports of a held button are one press', () => {
  for (let n = 0; n < 10; n++) button.down()
  button.up()
  button.up()
  clock.pass(400)
  expect(got).toEqual(['press'])
})

test('a press counts at once while a double press means nothing', () => {
  mayDouble = false
  press()
  expect(got).toEqual(['press'])
})

test('another question forgets a pending press', () => {
  press()
  button.reset()
  clock.pass(5000)
  expect(got).toEqual([])
})
