import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConsentRequest } from './consentRequest.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A request that records its stages, in order. */
function recordedRequest() {
  const stages: string[] = []
  const it: ConsentRequest = new ConsentRequest({
    changed: () => stages.push(it.stage),
    expired: () => stages.push('withdrawn'),
  })
  return { it, stages }
}

test('a granted and ended request passes through asked, granted and ended', () => {
  const { it, stages } = recordedRequest()
  it.ask()
  it.granted()
  it.rejected()
  expect(stages).toEqual(['asked', 'granted', 'ended'])
})

test('a rejection is a refusal, but after 30 s it counts as expired', () => {
  const { it } = recordedRequest()
  it.ask()
  vi.advanceTimersByTime(29_000)
  it.rejected()
  expect(it.stage).toBe('refused')
  it.ask()
  vi.advanceTimersByTime(30_500)
  it.rejected()
  expect(it.stage).toBe('expired')
})

test('without a response a request expires after 32 s and is withdrawn', () => {
  const { it, stages } = recordedRequest()
  it.ask()
  vi.advanceTimersByTime(31_900)
  expect(it.stage).toBe('asked')
  vi.advanceTimersByTime(200)
  expect(stages).toEqual(['asked', 'expired', 'withdrawn'])
})

test('a grant without a pending request is ignored', () => {
  const { it, stages } = recordedRequest()
  it.granted()
  it.ask()
  it.end()
  it.granted()
  expect(stages).toEqual(['asked', 'none'])
  vi.advanceTimersByTime(60_000)
  expect(it.stage).toBe('none')
  it.ask()
  it.rejected()
  it.granted()
  expect(it.stage).toBe('refused')
})

test('a reconnected page may restore only what it had granted', () => {
  const { it } = recordedRequest()
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

test('a request is busy if another agent was first', () => {
  const { it } = recordedRequest()
  it.busy()
  expect(it.stage).toBe('none')
  it.ask()
  it.busy()
  expect(it.stage).toBe('busy')
})
