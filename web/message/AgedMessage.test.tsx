import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Answer } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { storedCarRace } from '#testing/storedCarRace.ts'
import { AgedMessage } from './AgedMessage.tsx'
import { noAnswers } from './carAnswers.ts'

test('after the race a car in the pits shows laps, not a stop', () => {
  const message = { version: 3, type: 'Push', sentAt: 1000, pressedAt: 1000 } as Message
  const visit = { startedAt: 500, endedAt: null, stoppedAt: 700, leftAt: null }
  const shown = (endedAt: number | null) => {
    const race = { ...storedCarRace({ race: exampleRace({ endedAt }) }), laps: [], visits: [visit] }
    return renderToStaticMarkup(
      <AgedMessage message={message} answers={noAnswers} race={race} report={null} nowMs={9000} />,
    )
  }
  expect(shown(null)).toContain('On the glass: pit stop')
  expect(shown(8000)).toContain('On the glass: laps')
})

test('an answered problem fills the glass after the pit exit, but not in the pits', () => {
  const message = { version: 3, type: 'Pit', sentAt: 1000, pressedAt: 1000 } as Message
  const at = 2000
  const gotIt = { by: 'Ada', at: 3000, number: 2 }
  const problem = { id: 'a', number: 1, kind: 'Problem', version: 3, at, receivedAt: at, gotIt }
  const visit = { startedAt: 1500, endedAt: 8000, stoppedAt: 1700, leftAt: 7000 }
  const answers = { ...noAnswers, problem: problem as Answer }
  const shown = (endedAt: number | null, visits: PitVisit[]) => {
    const race = { ...storedCarRace({ race: exampleRace({ endedAt }) }), laps: [], visits }
    return renderToStaticMarkup(
      <AgedMessage {...{ message, answers, race }} report={null} nowMs={9900} />,
    )
  }
  expect(shown(null, [visit])).toContain('On the glass: PROBLEM')
  const next = { startedAt: 9500, endedAt: null, stoppedAt: null, leftAt: null }
  expect(shown(null, [visit, next])).toContain('On the glass: pit stop')
  expect(shown(9000, [visit, next])).toContain('On the glass: laps')
})
