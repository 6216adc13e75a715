import { expect, test } from 'vitest'
import { type WallEvent, WallLog } from './wallLog.ts'

const eventAt = (at: number): WallEvent => ({
  key: `lap ${at}`,
  at,
  plate: '7',
  word: '1:30.0',
  text: '',
})

test('events that are put again change nothing, also if too old to be shown', () => {
  const log = new WallLog()
  const events = Array.from({ length: 300 }, (_, at) => eventAt(at))
  log.put('7', events)
  const shown = log.newest
  expect(shown[0]).toEqual(eventAt(299))
  log.put('7', events)
  log.put('7', [eventAt(0)])
  expect(log.newest).toBe(shown)
})

test('a later entry with the same key replaces it', () => {
  const log = new WallLog()
  log.put('7', [eventAt(1), eventAt(2)])
  log.put('7', [{ ...eventAt(1), text: ' seen' }])
  expect(log.newest).toEqual([eventAt(2), { ...eventAt(1), text: ' seen' }])
})

test('a corrected visit or lap takes the place of the former one of its lane', () => {
  const log = new WallLog()
  const sent = { ...eventAt(3), key: 'message 3', word: 'PIT' }
  log.put('7', [sent], [eventAt(1), eventAt(2)])
  log.put('17', [], [eventAt(4)])
  log.put('7', [sent], [eventAt(1), eventAt(2.4)])
  expect(log.newest).toEqual([eventAt(4), sent, eventAt(2.4), eventAt(1)])
  log.put('7', [])
  expect(log.newest).toHaveLength(4)
})
