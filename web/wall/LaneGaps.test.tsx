import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LaneGaps } from './LaneGaps.tsx'

test('an estimated gap has a mark, and a word for screen readers', () => {
  const gap = { id: 'b', laps: 0, timeMs: 5000 }
  const shown = (isCertain: boolean) =>
    renderToStaticMarkup(
      <LaneGaps
        gaps={{ ahead: { ...gap, isCertain }, behind: null }}
        plates={new Map([['b', '44']])}
      />,
    )
  expect(shown(false)).toMatch(
    />Estimated <\/span><span aria-hidden="true">\u2248\u00a0<\/span>\+5\.0 /,
  )
  expect(shown(true)).not.toMatch(/Estimated|\u2248/)
})
