import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
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

test('beside a problem the line about the glass is left out', () => {
  const message = { version: 3, type: 'Push', sentAt: 1000, pressedAt: 1000 } as Message
  const gotIt = { by: 'Mia', number: 3, at: 6000 }
  const report = { id: 'a', number: 1, version: 3, at: 5000, receivedAt: 5000 }
  const html = renderToStaticMarkup(
    <AgedMessage
      message={message}
      answers={noAnswers}
      race={undefined}
      report={{ ...report, kind: 'Problem', gotIt }}
      nowMs={9000}
    />,
  )
  expect(html).not.toContain('On the glass')
})
