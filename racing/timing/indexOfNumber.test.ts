import { expect, test } from 'vitest'
import { glassPlace } from './glassPlace.ts'
import { indexOfNumber } from './indexOfNumber.ts'
import { replayedFeed } from './timingFeed.ts'

test.each([
  [[['17', 3]], 0],
  [[['17', null]], 0],
  [
    [
      ['8', 3],
      [null, 3],
    ],
    -1,
  ],
  // A registration that never drove.
  [
    [
      ['17', null],
      ['8', 3],
      ['17', 3],
    ],
    2,
  ],
  [
    [
      ['17', 3],
      ['8', 3],
      ['17', 2],
    ],
    -1,
  ],
  [
    [
      ['17', null],
      ['17', 0],
    ],
    -1,
  ],
] satisfies [[string | null, number | null][], number][])('of %j it is %i', (cars, index) => {
  expect(
    indexOfNumber(
      cars.map(([number, laps]) => ({ number, laps })),
      '17',
    ),
  ).toBe(index)
  expect(
    indexOfNumber(
      cars.map(([number, laps]) => ({ number, laps })),
      null,
    ),
  ).toBe(-1)
})

test('the glass of a car shows no place of another car with its number', () => {
  const feed = replayedFeed(
    [
      '$B,5,"Race 1"',
      '$A,"1","17",1,"","","",1',
      '$A,"2","17",2,"","","",1',
      '$G,1,"1",10,"00:20:00.000"',
      '$G,2,"2",9,"00:20:05.000"',
    ].join('\n'),
  )
  expect(glassPlace(feed.current()?.cars ?? [], '17', ['place'])).toBeNull()
})
