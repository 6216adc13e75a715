import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { deskText } from '#support/web/text/desk.ts'
import { menuText } from '#support/web/text/menu.ts'
import { supportText } from '#support/web/text/visitor.ts'
import { CallRefused } from '#web/api/refusals/callRefused.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { deliveryReceipt } from '#web/features/message/boardReceipt.tsx'
import { accountText } from '#web/text/account/account.ts'
import { privacyText } from '#web/text/account/privacy.ts'
import { alertsText } from '#web/text/alerts.ts'
import { appText } from '#web/text/app.ts'
import { authText } from '#web/text/auth.ts'
import { driveText } from '#web/text/drive.ts'
import { logText } from '#web/text/log.ts'
import { mapText } from '#web/text/map.ts'
import { membersText } from '#web/text/members.ts'
import { messageText } from '#web/text/message.ts'
import { preflightText } from '#web/text/preflight.ts'
import { profileText } from '#web/text/profile.ts'
import { dataLinkText } from '#web/text/race/dataLink.ts'
import { fuelText } from '#web/text/race/fuel.ts'
import { stintBoardText } from '#web/text/race/stintBoard.ts'
import { refusalDetailsText } from '#web/text/refusalDetails.ts'
import { refusalsText } from '#web/text/refusals.ts'
import { eventsText } from '#web/text/team/events.ts'
import { historyText } from '#web/text/team/history.ts'
import { installText } from '#web/text/team/install.ts'
import { wallText } from '#web/text/team/wall.ts'
import { teamsText } from '#web/text/teams.ts'
import { chooseLanguage, type Text } from '#web/text/text.ts'
import { Receipt } from '#web/ui/board/Receipt.tsx'
import { Starting } from './shell/Starting.tsx'

/** A second language, as it would be in a file of its own. Texts that no test checks stay English. */
const german: Text = {
  alerts: alertsText,
  dataLink: dataLinkText,
  fuel: fuelText,
  stintBoard: stintBoardText,
  wall: wallText,
  events: eventsText,
  app: { ...appText, starting: 'Startet' },
  auth: authText,
  teams: teamsText,
  history: historyText,
  members: membersText,
  account: accountText,
  privacy: privacyText,
  profile: profileText,
  message: { ...messageText, sent: 'Gesendet', minutes: count => `${count} Min.` },
  map: mapText,
  drive: { ...driveText, copy: 'Kopie' },
  preflight: preflightText,
  install: installText,
  log: logText,
  support: supportText,
  desk: deskText,
  supportMenu: menuText,
  refusalDetails: refusalDetailsText,
  refusals: {
    ...refusalsText,
    byCode: { ...refusalsText.byCode, 'session-ended': 'Diese Sitzung ist zu Ende.' },
  },
}
const languages = { de: () => Promise.resolve(german) }

afterAll(() => {
  vi.unstubAllGlobals()
  // Later tests in this process expect English.
  vi.resetModules()
})

beforeEach(() => {
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
})

test('the app is in English if no preferred language exists, or English comes first', async () => {
  await chooseLanguage(['fr', 'dent'], languages)
  await chooseLanguage(['en-GB', 'de'], languages)
  expect(document.documentElement.lang).toBe('en')
  expect(renderToStaticMarkup(<Starting />)).toContain('Starting')
})

test('the app starts in English if a language fails to load', async () => {
  await chooseLanguage(['de'], { de: () => Promise.reject(new TypeError('offline')) })
  expect(renderToStaticMarkup(<Starting />)).toContain('Starting')
})

test('a second language changes screens, units and refusals', async () => {
  await chooseLanguage(['fr', 'de-CH', 'en'], languages)
  expect(document.documentElement.lang).toBe('de')
  expect(renderToStaticMarkup(<Starting />)).toContain('Startet')
  const sent = renderToStaticMarkup(
    <Receipt
      {...deliveryReceipt({
        type: 'Pit',
        question: null,
        delivery: { stage: 'sent', ageMs: 130_000 },
        warning: null,
        onSendAgain: () => undefined,
      })}
    />,
  )
  expect(sent).toContain('Gesendet')
  expect(sent).toContain('2 Min.')
  expect(refusalText(new CallRefused({ code: 'session-ended' }))).toBe('Diese Sitzung ist zu Ende.')
})

test('texts that load later are in the chosen language', async () => {
  vi.resetModules()
  const { chooseLanguage: choose } = await import('#web/text/text.ts')
  await choose(['de'], languages)
  const later = await import('#web/text/drive.ts')
  expect(later.driveText.copy).toBe('Kopie')
})
