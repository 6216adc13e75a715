import { expect, test } from 'vitest'
import { isRung } from './bell.ts'

const kinds = ['problem', 'stopped'] as const
const endpoint = 'https://push.example.com/1'

test.each([
  {
    name: 'rings without a subscription',
    settings: { kinds, endpoint: null },
    own: null,
    is: true,
  },
  {
    name: 'is silent where a notification is shown',
    settings: { kinds, endpoint },
    own: endpoint,
    is: false,
  },
  {
    name: 'rings in a browser whose subscription the server no longer has',
    settings: { kinds, endpoint: null },
    own: endpoint,
    is: true,
  },
  {
    name: 'is silent for an event that the person did not choose',
    settings: { kinds: ['pit-in'] as const, endpoint: null },
    own: null,
    is: false,
  },
])('the bell $name', ({ settings, own, is }) => {
  expect(isRung('problem', settings, own)).toBe(is)
})
