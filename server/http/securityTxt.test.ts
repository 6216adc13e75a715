import { expect, test } from 'vitest'
import { testApp } from '#testing/app.ts'

const yearMs = 365 * 24 * 60 * 60 * 1000

test('security.txt names the contact and expires within a year', async () => {
  await using app = await testApp({ securityContact: 'mailto:security@example.com' })
  const answer = await fetch(`${app.url}/.well-known/security.txt`)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const text = await answer.text()
  expect(text).toMatch(/^Contact: mailto:security@example\.com\n/)
  expect(text).toContain(`\nCanonical: ${app.url}/.well-known/security.txt\n`)
  const expires = Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '')
  expect(expires).toBeGreaterThan(Date.now())
  expect(expires).toBeLessThan(Date.now() + yearMs)
})

test('security.txt does not exist without a contact', async () => {
  await using app = await testApp()
  const answer = await fetch(`${app.url}/.well-known/security.txt`)
  expect(answer.status).toBe(404)
})
