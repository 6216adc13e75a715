import type { Page } from '@playwright/test'
import type { Answer, AnswerKind } from '#contract/answers.ts'
import type { LoggedMessage, MessageType } from '#contract/messages.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { Session } from '#contract/sessions.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { hold, refuse, respondWith } from '../mockApi.ts'
import { becomeViewer, blockLive, showWatching } from './network.ts'
import { membersOf, onTrack, type PhoneBehaviour, type Stage } from './stage.ts'
import { type State, shared, watching } from './state.ts'
import { showTwoPhones } from './twoPhones.ts'
import { visit } from './visit.ts'

/** Far from every circuit. */
const atSea = { latitude: 54, longitude: 3 }
/** A phone without GPS. */
const nowhere = { latitude: null, longitude: null, speedKmh: null }

export const messageStates: readonly State[] = [
  watching('message-loading', async (page, stage) => {
    const session = await stage.startSession()
    await hold(page, 'sessions.get')
    await blockLive(page)
    await page.goto(pathOf(session))
    await page.getByText('Loading driver').waitFor({ state: 'attached' })
  }),
  watching('message-failed', async (page, stage) => {
    const session = await stage.startSession()
    await refuse(page, 'sessions.get', 'too-many')
    await blockLive(page)
    await page.goto(pathOf(session))
    await page.getByRole('alert').waitFor()
  }),
  watching('message-none', { ...shared, shows: '187' }, (page, stage) =>
    watch(page, stage, 'ignores'),
  ),
  watching('message-other-phone', async (page, stage) => {
    const { noor, theo } = await showTwoPhones(page, stage)
    await stage.phone(theo, 'shows')
    await visit(page, pathOf(noor))
    await page.getByText("On Théo's phone").waitFor()
    await press(page, 'PUSH', 'Shown after')
  }),
  watching('message-viewer', { shows: '187' }, async (page, stage) => {
    await becomeViewer(page)
    await watch(page, stage, 'ignores')
    await page.getByText('You can only watch.').waitFor()
  }),
  watching('message-sending', shared, async (page, stage) => {
    await watch(page, stage, 'ignores')
    await hold(page, 'messages.set')
    await press(page, 'PIT', 'Sending...')
  }),
  watching('message-sent', shared, async (page, stage) => {
    await watch(page, stage, 'ignores')
    await press(page, 'SC', 'Sent')
  }),
  watching('message-on-phone', shared, async (page, stage) => {
    await watch(page, stage, 'reaches')
    await press(page, 'FUEL', 'On the phone, not shown')
  }),
  watching('message-shown', shared, async (page, stage) => {
    await watch(page, stage, 'shows')
    await press(page, 'PUSH', 'Shown after')
  }),
  watching('message-uncopied', { from: 'message-shown' }, page =>
    page.getByText('Shown, not copied').first().waitFor(),
  ),
  watching('message-acknowledged', shared, async (page, stage) => {
    await watch(page, stage, 'copies')
    await press(page, 'ABORT', 'Copied after')
  }),
  watching('message-refused', shared, async (page, stage) => {
    await watch(page, stage, 'shows')
    await refuse(page, 'messages.set', 'server-error')
    await press(page, 'EASY', 'EASY was not sent.')
  }),
  watching('message-not-delivered', { from: 'message-sent' }, async (page, stage) => {
    const sessionId = stage.session.id
    const { call } = stage.people.marta
    await call.sessions.setExpiry({ sessionId, expireAfterS: 10 })
    await press(page, 'FUEL', 'Not delivered')
  }),
  watching('message-watchers', async (page, stage) => {
    await showWatching(page, await membersOf(stage))
    await watch(page, stage, 'shows')
    await page.getByText('Also watching:').waitFor()
    await press(page, 'PUSH', 'Shown after')
  }),
  watching('log', { ...shared, shows: 'Copied after' }, async (page, stage) => {
    const session = await watch(page, stage, 'copies')
    await press(page, 'PUSH', 'Copied after')
    await press(page, 'CLEAR', '')
    await visit(page, `/teams/${session.teamId}/${session.id}/log`)
  }),
  watching('log-results', async (page, stage) => {
    const session = await stage.startSession()
    await respondWith(page, 'messages.log', loggedMessages(session))
    await visit(page, `/teams/${session.teamId}/${session.id}/log`)
    await page.getByText('FUEL?').click()
    await page.locator('details[open]').getByText('On the glass').waitFor()
  }),
  watching('log-flags', async (page, stage) => {
    const session = await stage.startSession()
    await respondWith(page, 'messages.log', loggedMessages(session))
    await respondWith(page, 'glass.log', loggedGlass(session))
    await respondWith(page, 'sessions.dataLinkLog', loggedDataLink(session))
    await visit(page, `/teams/${session.teamId}/${session.id}/log`)
    await page.getByText('after race control').first().waitFor()
  }),
  watching('log-empty', shared, async (page, stage) => {
    const session = await stage.startSession()
    await visit(page, `/teams/${session.teamId}/${session.id}/log`)
    await page.getByText('No messages have been sent yet.').waitFor()
  }),
  watching(
    'message-screen-off',
    { from: 'message-on-phone', shows: 'Screen off or another app' },
    (_page, stage) => reportPhoneState(stage, stage.session, { presence: 'hidden' }),
  ),
  watching('message-no-location', shared, async (page, stage) => {
    const session = await watch(page, stage, 'shows', nowhere)
    await reportPhoneState(stage, session, { gps: 'denied' })
    await page.getByText('Location not allowed').waitFor()
  }),
  watching('message-driver-offline', shared, async (page, stage) => {
    await stage.phone(await watch(page, stage, 'ignores'), 'ignores')
    await hold(page, 'messages.set')
    await disconnectDriver(page, stage)
    await press(page, 'FCY', 'Sending...')
  }),
  watching('message-long-names', shared, async (page, stage) => {
    const name = 'Nürburgring 24 h, qualifying 2, long run on used tyres in the rain'
    const session = await stage.startSession(name)
    await stage.phone(session, 'shows')
    await visit(page, pathOf(session))
    await page.getByRole('img', { name: 'Driver online' }).waitFor()
    await press(page, 'GO', 'Shown after')
  }),
  watching('message-device-offline', { shows: 'You are offline' }, async (page, stage) => {
    const session = await stage.startSession()
    await blockLive(page)
    await page.goto(pathOf(session))
  }),
  watching('message-ended', shared, async (page, stage) => {
    const session = await watch(page, stage, 'shows')
    await press(page, 'PIT', 'Shown after')
    await stage.people.theo.call.sessions.end({ sessionId: session.id })
    await page.getByRole('status').filter({ hasText: 'This session has ended.' }).waitFor()
  }),
  watching('map-ended', { from: 'message-ended' }, openMap),
  watching('map-live', shared, async (page, stage) => {
    await watch(page, stage, 'shows')
    await press(page, 'PIT', 'Shown after')
    await openMap(page)
  }),
  watching('map-no-message', shared, async (page, stage) => {
    const [latitude, longitude] = [zolder.startFinish.latitude, zolder.startFinish.longitude]
    await watch(page, stage, 'shows', { latitude, longitude, speedKmh: 96 })
    await openMap(page)
  }),
  watching('map-offline', { from: 'map-live' }, async (page, stage) => {
    await page.getByText('187').waitFor()
    await disconnectDriver(page, stage)
  }),
  watching('map-elsewhere', { ...shared, shows: 'Not near this circuit' }, async (page, stage) => {
    await watch(page, stage, 'shows', atSea)
    await openMap(page)
  }),
  watching('message-data-link-off', shared, async (page, stage) => {
    const { id } = await watch(page, stage, 'shows')
    await stage.people.theo.call.sessions.setDataLink({ sessionId: id, dataLink: false })
    await page.getByText('Nothing reaches this car').waitFor()
  }),
  watching('map-no-position', shared, async (page, stage) => {
    await watch(page, stage, 'shows', nowhere)
    await openMap(page)
    await page.getByText('No position from the driver yet').waitFor()
  }),
]

function pathOf({ teamId, id }: Session): string {
  return `/teams/${teamId}/${id}/message`
}

/** Starts a session with a phone in the car and opens its message screen. */
export async function watch(
  page: Page,
  stage: Stage,
  behaviour: PhoneBehaviour,
  at = onTrack as object,
) {
  const session = await stage.startSession()
  await stage.phone(session, behaviour, at)
  await visit(page, pathOf(session))
  await page.getByRole('img', { name: 'Driver online' }).waitFor()
  return session
}

/** Reports a phone without problems for two minutes, apart from `changes`. */
export function reportPhoneState({ people }: Stage, { id }: Session, changes: Partial<PhoneState>) {
  const since = Date.now() - 120_000
  const order = { drivingSince: since, count: 1 }
  const well = { presence: 'shown', presenceSince: since, gps: 'good', gpsSince: since } as const
  const phone: PhoneState = { ...order, ...well, battery: null, ...changes }
  return people.theo.call.sessions.reportPhoneState({ sessionId: id, phone })
}

export async function press(page: Page, plate: string, receipt: string) {
  await page.getByRole('button', { name: plate, exact: true }).click()
  await page
    .getByRole('region', { name: 'Current message' })
    .getByRole('status')
    .filter({ hasText: receipt })
    .waitFor()
}

export async function openMap(page: Page) {
  await page.getByRole('button', { name: 'Map' }).click()
  await page.getByRole('img', { name: /Circuit/ }).waitFor()
}

async function disconnectDriver(page: Page, stage: Stage) {
  stage.disconnectPhone()
  await page.getByRole('img', { name: 'Driver offline' }).waitFor()
}

/** A log with each kind of result. */
function loggedMessages({ startedAt, driver }: Session): LoggedMessage[] {
  const message = (version: number, type: MessageType | null, ask?: true): LoggedMessage => {
    const sentAt = startedAt + version * 90_000
    return {
      version,
      type,
      ...(ask && { ask }),
      pressedAt: sentAt - 80,
      sentAt,
      reachedAt: sentAt + 120,
      shownAt: sentAt + 300,
      copiedAt: null,
      expiresAt: null,
      sentBy: driver,
    }
  }
  const answer = (kind: AnswerKind, version: number, question?: string): Answer => ({
    id: `00000000-0000-4000-8000-00000000000${version}`,
    number: version,
    kind,
    version,
    ...(question !== undefined && { question: { type: question } }),
    at: startedAt + version * 90_000 + 4400,
    receivedAt: startedAt + version * 90_000 + 4500,
  })
  const copied = message(6, 'FCY')
  return [
    message(8, 'Push'),
    { ...message(7, 'Pit', true), answers: [answer('Yes', 7, 'Pit')] },
    { ...copied, copiedAt: (copied.sentAt ?? 0) + 2000, answers: [answer('Problem', 6)] },
    message(5, 'Abort'),
    { ...message(4, 'Fuel', true), answers: [answer('No', 4, 'Fuel')] },
    { ...message(3, 'Easy'), reachedAt: null, shownAt: null },
    message(2, 'Code 60'),
    message(1, null),
  ]
}

/** A data link that two members switched, and one whose name is not known. */
function loggedDataLink({ startedAt }: Session) {
  return [
    { dataLink: false, at: startedAt + 200_000, by: 'Maximiliane Wojciechowska-Baumgartner' },
    { dataLink: true, at: startedAt + 260_000, by: 'Sam Okafor' },
    { dataLink: false, at: startedAt + 700_000, by: null },
  ]
}

/** Flags on the glass of the session: of the source, by hand, and one that was not shown. */
function loggedGlass({ startedAt }: Session) {
  const flag = (minute: number, word: string, tookMs: number | null, byHand?: string | null) => {
    const at = startedAt + minute * 60_000
    const shownAt = tookMs === null ? null : at + tookMs
    return { flag: word, at, shownAt, ...(byHand !== undefined && { byHand }) }
  }
  return {
    flags: [
      flag(1, 'Green', 700),
      flag(2, 'Yellow', 900),
      flag(3, 'Red', null),
      flag(4, 'Code 60', 1100, 'Maximiliane Wojciechowska-Baumgartner'),
      flag(5, 'Green', 800, null),
    ],
    changes: [
      {
        at: startedAt,
        parts: ['flag', 'place', 'ahead', 'behind', 'faster'],
        by: 'Marta Lindqvist',
      },
    ],
  }
}
