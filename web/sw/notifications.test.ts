import { expect, test } from 'vitest'
import { teamEventKinds } from '#contract/teamEvents.ts'
import { notificationOf } from './notifications.ts'

const teamId = 'e50fcade-3ff3-4b32-bfc8-33a4a1e11960'
const sessionId = '194a7bee-f4b0-4c6d-809f-76e8aaf94c19'
const event = { kind: 'stopped', teamId, sessionId, name: 'Car 27', at: 1 }

test('an event opens the message screen of its session, and replaces the one before', () => {
  expect(notificationOf(JSON.stringify(event))).toMatchObject({
    title: 'Car 27: stopped on track',
    options: { tag: sessionId, renotify: true, data: `/teams/${teamId}/${sessionId}/message` },
  })
})

test.each(teamEventKinds)('%s has a sentence with the name of the session', kind => {
  expect(notificationOf(JSON.stringify({ ...event, kind })).title).toMatch(/^Car 27.+/)
})

test.each([
  undefined,
  '',
  'no JSON',
  'null',
  JSON.stringify({ ...event, kind: 'unknown' }),
  JSON.stringify({ ...event, sessionId: '../../elsewhere' }),
  JSON.stringify({ ...event, teamId: 'https://example.com' }),
])('%s is shown as a notification that opens the teams', text => {
  expect(notificationOf(text)).toMatchObject({ title: 'Pitboard', options: { data: '/teams' } })
})
