import { expect, test } from 'vitest'
import { databaseTests, importersOf } from './graph.mjs'

test('importers are found through other files, also in a cycle', () => {
  const imports = [
    { file: 'a.test.ts', target: 'kit.ts', isPackage: false },
    { file: 'kit.ts', target: 'database.ts', isPackage: false },
    { file: 'database.ts', target: 'kit.ts', isPackage: false },
    { file: 'b.test.ts', target: 'other.ts', isPackage: false },
  ]
  expect([...importersOf(['database.ts'], imports)].sort()).toEqual([
    'a.test.ts',
    'database.ts',
    'kit.ts',
  ])
})

test('a test that opens a database is found, directly or through a helper', () => {
  expect(databaseTests()).toEqual(
    expect.arrayContaining([
      'testing/database/database.test.ts',
      'server/tests/access.test.ts',
      'support/server/desk/desk.test.ts',
      'sim/car.test.ts',
    ]),
  )
})

test('tests of pure code open no database', () => {
  const pure = databaseTests().filter(
    file => /^(racing|contract|web|support\/web)\//.test(file) && !file.includes('.system.'),
  )
  expect(pure).toEqual([])
})
