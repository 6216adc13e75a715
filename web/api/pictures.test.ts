import { expect, test } from 'vitest'
import { logoUrl, newestPhotoUrl } from './pictures.ts'

const team = {
  id: '1',
  name: 'Northline Racing',
  logoUpdatedAt: null,
  photoUpdatedAt: null,
  ownerId: null,
  role: 'member' as const,
}

test('a team without a logo has no logo URL', () => {
  expect(logoUrl(team)).toBeUndefined()
})

test('a newer logo has another URL, so that no browser shows a cached one', () => {
  const [old, newer] = [
    { ...team, logoUpdatedAt: 5 },
    { ...team, logoUpdatedAt: 6 },
  ].map(logoUrl)
  expect(old).toBe('/api/files.get?teamId=1&name=logo&updatedAt=5')
  expect(newer).toBe('/api/files.get?teamId=1&name=logo&updatedAt=6')
})

test('the newest photo of all teams is used', () => {
  const teams = [
    { ...team, photoUpdatedAt: 5 },
    { ...team, id: '2', photoUpdatedAt: 7 },
    { ...team, id: '3' },
  ]
  expect(newestPhotoUrl('me', teams)).toBe('/api/files.get?teamId=2&name=member-me&updatedAt=7')
  expect(newestPhotoUrl('me', [team])).toBeUndefined()
})
