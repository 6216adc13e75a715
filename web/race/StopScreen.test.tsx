import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StopScreen } from './StopScreen.tsx'

const before = { startedAt: 0, stoppedAt: 15_000, leftAt: 60_000, endedAt: 80_000 }
const visit = { startedAt: 1_000_000, stoppedAt: 1_015_000, leftAt: null, endedAt: null }
const rule = { counts: 'lane' as const, minimumMs: 50_000 }

/** Returns the text of the driver's screen this many seconds after the pit-in line. */
function textAt(second: number, visits = [before, visit]): string {
  const nowMs = visit.startedAt + second * 1000
  const shown = { visits, rule, isFast: false, limitKmh: 60, foot: null, plate: null, nowMs }
  return renderToStaticMarkup(<StopScreen {...shown} />).replaceAll(/<[^>]*>/g, ' ')
}

test('DONE is not beside a time below the minimum while the way to the exit counts', () => {
  const done = textAt(32)
  expect(done).toMatch(/Minimum 0:50 .*Done .*then 0:20 to pit exit/)
  expect(done).not.toContain('0:32')
  expect(textAt(55)).toMatch(/0:55 of 0:50 .*Done/)
  expect(textAt(52, [visit])).toMatch(/0:52 of 0:50 .*Done .*Minimum stop done/)
})
