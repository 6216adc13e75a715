import { expect, test } from 'vitest'
import { isLinkOffAt, linkGaps } from './linkGaps.ts'

test('a data link is off from a switch until the next one', () => {
  const by = 'Ana Winter'
  const gaps = linkGaps([
    { dataLink: false, at: 100, by },
    { dataLink: true, at: 200, by },
    { dataLink: false, at: 300, by },
  ])
  expect([99, 100, 199, 200, 299, 300, 9000].map(at => isLinkOffAt(gaps, at))).toEqual([
    false,
    true,
    true,
    false,
    false,
    true,
    true,
  ])
})
