import { expect, test } from 'vitest'
import { ambiguousDayIn } from './ambiguousDay.ts'

const june = Date.UTC(2025, 5, 5)
const may = Date.UTC(2025, 4, 6)

test.each([
  ['a VBO file', '\nFile created on 05/06/2025 at 10:00:00\n[header]'],
  ['a row of a CSV file', 'date;time;lat;lon\n5.6.2025;10:00:00;50;5'],
  ['a quoted cell', 'lat,lon,date\n50.1,5.2,"05-06-2025 10:00"'],
])('an ambiguous date is found in %s', (_, head) => {
  expect(ambiguousDayIn(head)).toMatchObject({ dayFirstMs: june, monthFirstMs: may })
})

test.each([
  ['a date with a day above 12', 'File created on 13/06/2025'],
  ['a date with the month first and a day above 12', 'File created on 06/13/2025'],
  ['a date whose day and month are equal', 'File created on 06/06/2025'],
  ['a date with the year first', 'date,lat\n2025/05/06,50'],
  ['a line that is not a row', 'Created,05/06/2025 10:00\nutc_s,latitude_deg\n1749110400,50'],
  ['a file without dates', 't_s,lat\n0,50.10\n'],
])('no ambiguous date is found in %s', (_, head) => {
  expect(ambiguousDayIn(head)).toBeNull()
})
