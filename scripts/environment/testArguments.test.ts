import { expect, test } from 'vitest'
import { testArguments } from './testArguments.mjs'

const here = 'scripts/environment/testArguments.test.ts'

test.each([
  [[], { lane: null, repeat: 1, paths: [] }],
  [[here, 'web'], { lane: null, repeat: 1, paths: [here, 'web'] }],
  [['--repeat', '20', here], { lane: null, repeat: 20, paths: [here] }],
  [['--postgres', here, '--repeat', '3'], { lane: 'postgres', repeat: 3, paths: [here] }],
  [['--unit'], { lane: 'unit', repeat: 1, paths: [] }],
] as const)('%j is read', (given, expected) => {
  expect(testArguments(given)).toEqual({ ...expected, problems: [] })
})

test.each([
  [['--repeat', here], '--repeat needs a number of times: --repeat 20 FILE'],
  [['--repeat', '0', here], '--repeat needs a number of times: --repeat 20 FILE'],
  [['--repeat', '20'], '--repeat needs the tests to repeat: --repeat 20 FILE'],
  [['scripts/missing.test.ts'], 'No such file or folder: scripts/missing.test.ts'],
])('%j is refused', (given, problem) => {
  expect(testArguments(given).problems).toContain(problem)
})
