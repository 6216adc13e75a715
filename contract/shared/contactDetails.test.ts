import { expect, test } from 'vitest'
import { TeamName } from '../teams.ts'
import { FirstName, LastName } from '../users.ts'

test.each([
  'Team 24h',
  'Racing 911',
  '24h Nürburgring 2026 Team 7',
  'GT Cup 2026/2027',
  'Season 2025 - 2026',
  'Spa 24.06.2026',
  '24h 2026-06-20 Zolder',
  '#33 / #44',
  'Team @ Spa',
  'St.Pierre',
  'J.P. O’Neill',
  'Porsche 992.1 Cup 997',
])('%s is the name of a team and of a person', name => {
  for (const schema of [TeamName, FirstName, LastName]) expect(schema.parse(name)).toBe(name)
})

test.each([
  'Call +49 89 1234567 now',
  '0900-12 34 56',
  '(800) 555-0100',
  '0800.123.456',
  '０８００ １２３ ４５６',
  '٠٨٠٠ ١٢٣ ٤٥٦',
  '0800 2012 2013',
  'Prize: https://evil.example',
  'www.evil.example',
  'Racing 911.com',
  'help@evil.example',
  'tel:112',
])('%s is refused as a name that goes out in mails', name => {
  for (const schema of [TeamName, FirstName, LastName])
    expect(schema.safeParse(name).error?.issues[0]?.message).toBe('name-contact')
})
