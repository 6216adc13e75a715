import { expect, test } from 'vitest'
import { notificationOf } from './notifications.ts'

const path = '/teams/e50fcade-3ff3-4b32-bfc8-33a4a1e11960/194a7bee-f4b0-4c6d/message'
const notification = {
  title: 'Car 27: stopped on track',
  navigate: `https://pit.example.com${path}`,
  tag: '194a7bee',
  renotify: true,
  timestamp: 1,
}

test('a declarative message opens the page that it names, and replaces the one before', () => {
  expect(notificationOf(JSON.stringify({ web_push: 8030, notification }))).toMatchObject({
    title: 'Car 27: stopped on track',
    options: { tag: '194a7bee', renotify: true, timestamp: 1, data: path },
  })
})

test.each([
  undefined,
  '',
  'no JSON',
  'null',
  '{}',
  JSON.stringify({ web_push: 8030, notification: null }),
  JSON.stringify({ web_push: 8030, notification: [] }),
  JSON.stringify({ notification }),
])('%s is shown as a notification that opens the teams', text => {
  expect(notificationOf(text)).toMatchObject({ title: 'Pitboard', options: { data: '/teams' } })
})

test.each([
  'https://pit.example.com//example.com/teams',
  'https://pit.example.com/teams?next=https://example.com/../',
  'javascript:alert(1)',
  '/teams',
  42,
])('a message that navigates to %s opens a page of the app', navigate => {
  const text = JSON.stringify({ web_push: 8030, notification: { ...notification, navigate } })
  expect(notificationOf(text).options.data).toBe('/teams')
})
