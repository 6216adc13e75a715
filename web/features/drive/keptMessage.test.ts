import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetMessage, keepMessage, keptMessage } from './keptMessage.ts'

const message = {
  version: 3,
  type: 'Pit',
  pressedAt: null,
  sentAt: 1,
  sentBy: null,
  reachedAt: null,
  shownAt: null,
  copiedAt: null,
  expiresAt: null,
} as const

let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('the last message of a session is there after a reload', () => {
  keepMessage('a', message)
  expect(keptMessage('a')).toEqual(message)
})

test('a message of one session is never shown in another', () => {
  keepMessage('a', message)
  expect(keptMessage('b')).toBeNull()
})

test('after the end of the session nothing is kept', () => {
  keepMessage('a', message)
  forgetMessage()
  expect(keptMessage('a')).toBeNull()
})

test.each(['', 'null', '7', '{"sessionId":"a"}', '{"sessionId":"a","message":null}'])(
  'what is not ours counts as nothing: %s',
  text => {
    stored.set('pitboard.drive', text)
    expect(keptMessage('a')).toBeNull()
  },
)

test('a browser that forbids storage still drives', () => {
  vi.stubGlobal('localStorage', undefined)
  keepMessage('a', message)
  forgetMessage()
  expect(keptMessage('a')).toBeNull()
})
