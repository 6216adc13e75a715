import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Asking } from './asking.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** What was said of it, in order. */
function asking() {
  const told: string[] = []
  const it: Asking = new Asking({
    changed: () => told.push(it.stage),
    expired: () => told.push('taken back'),
  })
  return { it, told }
}

test('what is allowed and ended was asked, granted and ended', () => {
  const { it, told } = asking()
  it.ask()
  it.granted()
  it.rejected()
  expect(told).toEqual(['asked', 'granted', 'ended'])
})

test('a no at once is a refusal, one after 30 s is nobody’s', () => {
  const { it } = asking()
  it.ask()
  vi.advanceTimersByTime(29_000)
  it.rejected()
  expect(it.stage).toBe('refused')
  it.ask()
  vi.advanceTimersByTime(30_500)
  it.rejected()
  expect(it.stage).toBe('expired')
})

test('where the page says nothing at all, it is over after 32 s and taken back', () => {
  const { it, told } = asking()
  it.ask()
  vi.advanceTimersByTime(31_900)
  expect(it.stage).toBe('asked')
  vi.advanceTimersByTime(200)
  expect(told).toEqual(['asked', 'expired', 'taken back'])
})

test('a yes that nobody asked for, that was taken back or came after a no, counts for nothing', () => {
  const { it, told } = asking()
  it.granted()
  it.ask()
  it.end()
  it.granted()
  expect(told).toEqual(['asked', 'none'])
  vi.advanceTimersByTime(60_000)
  expect(it.stage).toBe('none')
  it.ask()
  it.rejected()
  it.granted()
  expect(it.stage).toBe('refused')
})

test('a page that was lost may give back what it had allowed, and only that', () => {
  const { it } = asking()
  it.ask()
  it.granted()
  it.lost()
  expect(it.stage).toBe('ended')
  it.granted()
  expect(it.stage).toBe('granted')
  it.rejected()
  expect(it.stage).toBe('ended')
  it.granted()
  expect(it.stage).toBe('granted')
  it.end()
  it.granted()
  expect(it.stage).toBe('ended')
  it.ask()
  it.lost()
  it.granted()
  expect(it.stage).toBe('ended')
})

test('another agent who was first is told as that', () => {
  const { it } = asking()
  it.busy()
  expect(it.stage).toBe('none')
  it.ask()
  it.busy()
  expect(it.stage).toBe('busy')
})
