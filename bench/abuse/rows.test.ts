import { expect, test } from 'vitest'
import { rowsWith } from './rows.ts'

test('rows are chosen by parts of their names', () => {
  const named = (parts: string) => rowsWith(parts).map(({ name }) => name)
  expect(named('log 2')).toEqual(['log 2/s', 'log 25/s'])
  expect(named('nothing,openapi')).toEqual(['nothing', 'openapi.json'])
  expect(named('').length).toBeGreaterThan(20)
})

test('a part of no name is refused with the names', () => {
  expect(() => rowsWith('nothing,files.list')).toThrow(
    'No row of abuse has a name with: files.list. Rows: nothing; watch 5×35/s;',
  )
})
