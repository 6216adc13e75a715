import { expect, test } from 'vitest'
import { isPrivateHost } from './probes.ts'

test.each([
  '10.0.0.4',
  '172.20.0.2',
  '192.168.1.20',
  '[fd12::1]',
  '[fe80::1]',
  'pit.local',
  'PIT.LAN',
])('%s may be in a network of its own', host => {
  expect(isPrivateHost(host)).toBe(true)
})

test.each([
  'pit.example.com',
  'feline.example',
  'fd-racing.example',
  '172.32.0.1',
  '[2001:db8::1]',
  'local.example',
])('%s is on the internet', host => {
  expect(isPrivateHost(host)).toBe(false)
})
